//! A statement in a branch or a definition: one of its names comes from another module, or goes.

use super::list;
use super::sections::last_line_of;
use crate::syntax::python::{ImportStatement, ImportTable};
use crate::text::splice::Splice;
use crate::text::{LineEnding, Lines, Span, is_blank};

/// Returns what has the name at `at` of `statement`, which has others, imported by `new`, on a line below; `None` where the statement shares
/// its lines or a comment is in the way.
pub(in crate::plan) fn exchanged_inside(
    bytes: &[u8],
    statement: &ImportStatement,
    at: usize,
    new: &str,
) -> Option<Vec<Splice>> {
    let lines = Lines::of(bytes);
    let own = own_lines(bytes, &lines, statement)?;
    let mut splices = list::taken_out(bytes, &lines, statement, at)?;
    let indent = Span::new(own.start, statement.span.start).of(bytes);
    let line_break = LineEnding::at(bytes, 0).as_bytes();
    let line = [indent, new.as_bytes()].concat();
    let ends = own.end > own.start && bytes[..own.end].ends_with(b"\n");
    let line = match ends {
        true => [&line, line_break].concat(),
        false => [line_break, &line].concat(),
    };
    splices.push(Splice::new(Span::at(own.end), line));
    Some(splices)
}

/// Returns what takes the name at `at` of `statement` away, and a branch that then has nothing.
pub(in crate::plan) fn taken_out_inside(
    bytes: &[u8],
    table: &ImportTable,
    statement: &ImportStatement,
    at: usize,
) -> Option<Vec<Splice>> {
    let lines = Lines::of(bytes);
    if statement.names.len() > 1 {
        return list::taken_out(bytes, &lines, statement, at);
    }
    let own = own_lines(bytes, &lines, statement)?;
    let mut around = table.statements.iter();
    let around = around.find(|it| it.span.contains(statement.span))?;
    let header = lines.line(around.span.start);
    let last = lines.line(around.span.end.saturating_sub(1));
    let first_own = lines.line(statement.span.start);
    let last_own = lines.line(statement.span.end.saturating_sub(1));
    let is_other = |line: &usize| {
        let is_own = (first_own..=last_own).contains(line);
        !is_own && !is_blank(lines.content(bytes, *line).of(bytes))
    };
    if (header + 1..=last).any(|line| is_other(&line)) {
        return Some(vec![Splice::new(own, "")]);
    }
    // The branch goes with one of the gaps around it.
    let blank = |line: usize| is_blank(lines.content(bytes, line).of(bytes));
    let above = (1..header).rev().take_while(|line| blank(*line)).count();
    let start = lines.start(header - above);
    let end = lines.whole(last).end;
    Some(vec![Splice::new(Span::new(start, end), "")])
}

/// Returns the lines of a statement that nothing else is on.
fn own_lines(bytes: &[u8], lines: &Lines, statement: &ImportStatement) -> Option<Span> {
    let first = lines.line(statement.span.start);
    let last = lines.line(statement.span.end.saturating_sub(1));
    let start = lines.start(first);
    let before = Span::new(start, statement.span.start);
    let end = lines.content(bytes, last).end;
    let after = Span::new(statement.span.end, end.max(statement.span.end));
    let after = after.of(bytes).trim_ascii();
    let is_alone = is_blank(before.of(bytes)) && (after.is_empty() || after.starts_with(b"#"));
    let last = last_line_of(bytes, lines, statement.span);
    is_alone.then(|| Span::new(start, lines.whole(last).end))
}
