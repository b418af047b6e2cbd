//! A statement without braces below a header that takes just one: what content puts after it, as deep as it, looks as if it stood in
//! the same block, and stands after it.
//!
//! Example: of `if (!x)⏎  return null;`, with `log();⏎return null;` in the place of the return, nothing but `log();` is conditional.
//!
//! Known limits: depth is told by the first column of a line, and a header by what it ends with.

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::tails::words;
use super::touched::Touched;
use crate::syntax::Statement;
use crate::text::Span;

/// A statement that others may follow.
#[derive(Clone, Copy)]
struct Begun {
    statement: Statement,
    /// Where the last one in it ends, if there is one.
    last: Option<usize>,
    /// A header takes it alone.
    is_lone: bool,
    /// It ends with one that a header takes alone.
    ends_lone: bool,
}

/// Returns the first statement that came with some content, and follows at their depth one that a header takes alone; the header is
/// not of the content.
pub(super) fn followed(new: &Touched, statements: &[Statement], bytes: &[u8]) -> Option<Span> {
    let mut open: Vec<Begun> = Vec::new();
    for &statement in statements {
        let mut previous: Option<Begun> = None;
        while let Some(closed) = open.pop_if(|begun| begun.statement.depth >= statement.depth) {
            if let Some(outer) = open.last_mut() {
                let ends_it = closed.statement.span.end == outer.statement.span.end;
                outer.ends_lone = closed.is_lone || closed.ends_lone && ends_it;
                outer.last = Some(closed.statement.span.end);
            }
            previous = Some(closed).filter(|closed| closed.statement.depth == statement.depth);
        }
        if let Some(header) = previous.filter(|previous| previous.ends_lone)
            && came_after(&header.statement, &statement, new, bytes)
        {
            return Some(statement.span);
        }

        let is_lone = open.last().is_some_and(|outer| {
            let from = outer.last.unwrap_or(outer.statement.span.start);
            let until = statement.decorated.min(statement.span.start);
            is_header(bytes.get(from..until).unwrap_or_default())
                && bytes.get(statement.span.start) != Some(&b'{')
        });
        open.push(Begun {
            statement,
            last: None,
            is_lone,
            ends_lone: false,
        });
    }
    None
}

/// Returns the first statement, beside the edits, whose header is quoted and gone, so that nothing but what is around both is a condition of
/// it. Content that has the words of the header makes one of two.
///
/// Example: of `for (;;) {⏎  if (!ok)` only `for (;;) {` is given back: the `continue` below would run always.
pub(super) fn unguarded(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Option<ChangedStatement> {
    let mut strokes: Vec<(Span, Span)> = guard
        .sides
        .strokes()
        .filter(|(was, _)| !was.is_named)
        .map(|(was, now)| (was.span, now.span))
        .collect();
    strokes.sort_by_key(|(was, _)| was.start);
    let lost: Vec<(Statement, Span, (Span, Span))> = headed(before, old)
        .into_iter()
        .filter_map(|(statement, header)| {
            let next = strokes.partition_point(|(was, _)| was.start <= header.start);
            let stroke = *strokes.get(next.checked_sub(1)?)?;
            let is_quoted = header.start < stroke.0.end && stroke.0.end <= statement.span.start;
            is_quoted.then_some((statement, header, stroke))
        })
        .collect();
    if lost.is_empty() {
        return None;
    }
    let still: Vec<usize> = headed(after, new)
        .iter()
        .map(|(statement, _)| statement.span.start)
        .collect();
    lost.into_iter()
        .find_map(|(statement, header, (was, now))| {
            let place = guard.moves.after(statement.span.start);
            let is_there = after.iter().any(|it| it.span.start == place);
            let written = words(now.of(new));
            // What is said above the header as well says nothing of it.
            let above = words(Span::new(was.start, header.start).of(old));
            let mut own = words(header.of(old));
            own.retain(|word| !KEYWORDS.contains(word) && !above.contains(word));
            let is_meant = !own.is_empty() && own.iter().all(|word| written.contains(word));
            (is_there && !still.contains(&place) && !is_meant)
                .then_some(ChangedStatement::Lost(statement.span, place))
        })
}

/// Words of headers that say nothing of their conditions.
const KEYWORDS: [&[u8]; 8] = [
    b"if", b"else", b"for", b"while", b"do", b"case", b"default", b"foreach",
];

/// Returns the statements that a header takes alone, and the first ones below a label of a case, each with that.
fn headed(statements: &[Statement], bytes: &[u8]) -> Vec<(Statement, Span)> {
    let mut open: Vec<(Statement, Option<usize>)> = Vec::new();
    let mut found = Vec::new();
    for &statement in statements {
        while let Some((closed, _)) = open.pop_if(|(begun, _)| begun.depth >= statement.depth) {
            if let Some((_, last)) = open.last_mut() {
                *last = Some(closed.span.end);
            }
        }
        if let Some((outer, last)) = open.last() {
            let from = last.unwrap_or(outer.span.start);
            let until = statement.decorated.min(statement.span.start);
            let text = bytes.get(from..until).unwrap_or_default();
            let blanks = text.len() - text.trim_ascii_start().len();
            let header = Span::new(from + blanks, until.max(from + blanks));
            let takes_it = is_header(text) || is_label(text);
            if takes_it && bytes.get(statement.span.start) != Some(&b'{') {
                found.push((statement, header));
            }
        }
        open.push((statement, None));
    }
    found
}

/// Says whether `text` is the label of a case.
fn is_label(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.ends_with(b":") && (text.starts_with(b"case") || text.starts_with(b"default"))
}

/// Says whether `statement` is of content that `header` is not of, and is deeper than that on a line of its own.
fn came_after(header: &Statement, statement: &Statement, new: &Touched, bytes: &[u8]) -> bool {
    let mut contents = new
        .at(statement.span)
        .filter(|stroke| !stroke.span.is_empty());
    let is_content = contents.any(|stroke| {
        stroke.span.contains(statement.span) && header.span.start < stroke.span.start
    });
    is_content
        && depth(header.span.start, bytes).is_some_and(|of_header| {
            let own = depth(statement.span.start, bytes);
            own.is_some_and(|own| own > of_header) && begins_line(statement.span.start, bytes)
        })
}

/// Says whether `text` ends as what takes one statement does: with conditions in parentheses, or with a word of its own.
fn is_header(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let ends_in_word = |word: &[u8]| {
        let rest = text.strip_suffix(word);
        rest.is_some_and(|rest| {
            rest.last()
                .is_none_or(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))
        })
    };
    text.ends_with(b")") || ends_in_word(b"else") || ends_in_word(b"do") || ends_in_word(b"yield")
}

/// Returns how many blanks are at the beginning of the line of `offset`; nothing where tabs and spaces are mixed.
fn depth(offset: usize, bytes: &[u8]) -> Option<usize> {
    let start = memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |at| at + 1);
    let line = &bytes[start..];
    let blanks = line
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let is_alike = line[..blanks].windows(2).all(|two| two[0] == two[1]);
    is_alike.then_some(blanks)
}

fn begins_line(offset: usize, bytes: &[u8]) -> bool {
    let start = memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |at| at + 1);
    bytes[start..offset].iter().all(u8::is_ascii_whitespace)
}
