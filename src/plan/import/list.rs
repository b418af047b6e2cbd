//! A name into the list of an import, and out of it, as the list is written.

use std::cmp::Ordering;

use super::order::LetterOrder;
use crate::plan::listing::Listing;
use crate::syntax::python::{ImportStatement, ImportTable, ImportedName};
use crate::text::splice::Splice;
use crate::text::{Lines, Span, leading_blank};

/// The columns that a line may fill: what formatters leave on one line.
const COLUMNS: usize = 88;

/// The columns of the style guide, in which lists of several lines are mostly filled.
const FILLED_COLUMNS: usize = 79;

/// Indentation of a list that is broken into lines.
const INDENT: &str = "    ";

/// How the names of a list are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// In one line, or in lines that end in backslashes.
    Line,
    /// In brackets, each on a line of its own.
    Lines,
    /// In brackets, several on a line.
    Filled,
}

/// Returns what adds `name` to the list of `statement`.
pub(super) fn added(
    bytes: &[u8],
    lines: &Lines,
    table: &ImportTable,
    statement: &ImportStatement,
    name: &ImportedName,
    line_break: &str,
) -> Splice {
    let at = turn(table, statement, name);
    let listing = listing(bytes, lines, statement);
    let inline = || listing.add_inline(at, &name.words());
    match layout(&listing, statement) {
        Layout::Lines => listing.add_line(at, &name.words(), line_break),
        Layout::Line => {
            broken(bytes, lines, table, statement, at, name, line_break).unwrap_or_else(inline)
        }
        Layout::Filled => {
            filled(bytes, lines, statement, at, name, line_break).unwrap_or_else(inline)
        }
    }
}

/// Returns before which of the names of `statement` a new one comes; behind all of them where they are in no order.
fn turn(table: &ImportTable, statement: &ImportStatement, name: &ImportedName) -> usize {
    let words = |it: &'_ ImportStatement| -> Vec<String> {
        it.names.iter().map(|name| name.name.clone()).collect()
    };
    let lists: Vec<Vec<String>> = table
        .imports
        .iter()
        .filter(|import| import.from.is_some() && import.names.len() > 1)
        .map(words)
        .collect();
    let lists: Vec<Vec<&str>> = lists
        .iter()
        .map(|list| list.iter().map(String::as_str).collect())
        .collect();
    let own: Vec<&str> = statement.names.iter().map(|it| it.name.as_str()).collect();
    let Some(order) = LetterOrder::of(&own, &lists) else {
        return own.len();
    };
    own.iter()
        .position(|other| order.compare(&name.name, other) == Ordering::Less)
        .unwrap_or(own.len())
}

fn layout(listing: &Listing<'_>, statement: &ImportStatement) -> Layout {
    let line = |at: usize| listing.lines.line(at);
    match statement.brackets {
        None => Layout::Line,
        Some(_) if listing.has_a_line_each() => Layout::Lines,
        Some(_) if line(statement.span.start) == line(statement.span.end - 1) => Layout::Line,
        Some(_) => Layout::Filled,
    }
}

/// Returns the list with each name on a line of its own, where it would be too long for one.
fn broken(
    bytes: &[u8],
    lines: &Lines,
    table: &ImportTable,
    statement: &ImportStatement,
    at: usize,
    name: &ImportedName,
    line_break: &str,
) -> Option<Splice> {
    let line = lines.line(statement.span.start);
    if line != lines.line(statement.span.end - 1) {
        return None;
    }
    let ends_line = |import: &&ImportStatement| {
        lines.line(import.span.start) == lines.line(import.span.end - 1)
    };
    let longest = table.imports.iter().filter(ends_line).map(|import| {
        let start = lines.start(lines.line(import.span.start));
        width(Span::new(start, import.span.end).of(bytes))
    });
    let most = longest.max().unwrap_or_default().max(COLUMNS);
    let start = lines.start(line);
    let now = width(Span::new(start, statement.span.end).of(bytes));
    // A line that is too long already is meant to be.
    let is_one_line = now > COLUMNS || now + width(name.words().as_bytes()) + 2 <= most;
    if is_one_line || start != statement.span.start {
        return None;
    }
    let first = statement.names.first()?;
    let last = statement.names.last()?;
    let mut names: Vec<String> = statement.names.iter().map(ImportedName::words).collect();
    names.insert(at, name.words());
    let listed: String = names
        .iter()
        .map(|name| format!("{INDENT}{name},{line_break}"))
        .collect();
    // A list in brackets has them already.
    let (span, open, close) = match statement.brackets {
        Some(brackets) => (Span::new(brackets.start + 1, brackets.end - 1), "", ""),
        None => (Span::new(first.span.start, last.span.end), "(", ")"),
    };
    Some(Splice::new(
        span,
        format!("{open}{line_break}{listed}{close}"),
    ))
}

/// Returns what adds a name to a list of several names a line: from its line on the list is filled anew where that would be too long;
/// nothing where it has comments.
fn filled(
    bytes: &[u8],
    lines: &Lines,
    statement: &ImportStatement,
    at: usize,
    name: &ImportedName,
    line_break: &str,
) -> Option<Splice> {
    let brackets = statement.brackets?;
    if brackets.of(bytes).contains(&b'#') {
        return None;
    }
    let first_line = lines.line(statement.span.start);
    let last_line = lines.line(statement.span.end - 1);
    let width_of = |line: usize| width(lines.content(bytes, line).of(bytes));
    let longest = (first_line..=last_line).map(width_of).max();
    let most = longest.unwrap_or_default().max(FILLED_COLUMNS);
    let line_of = |name: &ImportedName| lines.line(name.span.start);
    // A name goes to the end of a line rather than to the beginning of the next.
    let beside = statement.names.get(at.saturating_sub(1))?;
    let line = line_of(beside);
    if width_of(line) + width(name.words().as_bytes()) + 2 <= most {
        let after = Span::at(beside.span.end);
        return Some(match at {
            0 => listing(bytes, lines, statement).add_inline(0, &name.words()),
            _ => Splice::new(after, format!(", {}", name.words())),
        });
    }
    let first = statement.names.iter().position(|it| line_of(it) == line)?;
    let last = statement.names.last()?;
    let begin = statement.names.get(first)?.span.start;
    let second = (first_line + 1..=last_line)
        .map(|line| lines.content(bytes, line).of(bytes))
        .find(|line| !line.trim_ascii().is_empty())?;
    let indent = String::from_utf8_lossy(leading_blank(second)).into_owned();
    let mut names: Vec<String> = statement.names[first..]
        .iter()
        .map(ImportedName::words)
        .collect();
    names.insert(at - first.min(at), name.words());
    let count = names.len();
    let end = Span::new(last.span.end, statement.span.end).of(bytes);
    // A bracket right behind the last name is on its line.
    let tail = if end.contains(&b'\n') {
        usize::from(end.contains(&b','))
    } else {
        end.len()
    };
    let mut column = width(Span::new(lines.start(line), begin).of(bytes));
    let mut text = String::new();
    for (number, name) in names.iter().enumerate() {
        let is_last = number + 1 == count;
        let own = width(name.as_bytes()) + if is_last { tail } else { 1 };
        if number > 0 && column + 1 + own > most {
            text.push_str(line_break);
            text.push_str(&indent);
            column = width(indent.as_bytes());
        } else if number > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(name);
        column += own;
        if !is_last {
            text.push(',');
        }
    }
    Some(Splice::new(Span::new(begin, last.span.end), text))
}

/// Returns how many characters a piece of a line is wide.
fn width(text: &[u8]) -> usize {
    String::from_utf8_lossy(text).chars().count()
}

/// Returns what takes the name at `at` out of the list of `statement`, which has others.
pub(super) fn taken_out(
    bytes: &[u8],
    lines: &Lines,
    statement: &ImportStatement,
    at: usize,
) -> Option<Vec<Splice>> {
    listing(bytes, lines, statement).taken_out(at)
}

fn listing<'a>(bytes: &'a [u8], lines: &'a Lines, statement: &ImportStatement) -> Listing<'a> {
    Listing {
        bytes,
        lines,
        items: statement.names.iter().map(|name| name.span).collect(),
        in_brackets: statement.brackets.is_some(),
        end: statement.span.end,
    }
}
