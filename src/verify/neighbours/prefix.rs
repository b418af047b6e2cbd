//! What comes before a quoted statement, and is not quoted itself, stays before it: decorators, attributes, words such as `pub` or
//! `export`, and comments that document it or that some tool obeys. Content that begins with something else and repeats the quoted line further down would give them to
//! that.
//!
//! Known limits: a statement is known again by its first line, or what of that comes before its value, parameters or body.

use super::{Changed, Guard, Stroke};
use crate::syntax::{Statement, directives};
use crate::text::Span;

/// Returns the statements that come, with their first line, in the content of a splice, and whose prefix another would have.
pub(super) fn parted(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Vec<Changed> {
    let strokes = guard.sides.old.0.iter().zip(&guard.sides.new.0);
    let quoted = strokes.filter(|(was, _)| !was.is_named);
    let changed = quoted.filter_map(|(was, now)| {
        let at = first_word(was.span.start, old)?;
        let line = line_at(at, old);
        let (prefixed, is_commented) = match prefixed(was, at, before, old) {
            Some(prefixed) => (prefixed, false),
            None => (commented(was, at, before, old)?, true),
        };
        let first = first_word(now.span.start, new)?;
        let first_line = line_at(first, new);
        if first_line == line {
            return None;
        }
        let (own_head, is_other) = (head(line), head(first_line) != head(line));
        let is_again = |at: usize| {
            let found = line_at(at, new);
            begins_line(at, new) && (found == line || is_other && head(found) == own_head)
        };
        let again = beginning_within(after, Span::new(first + 1, now.span.end.max(first) + 1));
        let mut again = again.filter(|it| is_again(it.span.start));
        let is_decorated = !is_commented && prefixed.decorated < prefixed.span.start;
        let own = is_decorated.then(|| guard.moves.behind(prefixed.decorated));
        let parted = again.find(|it| own.is_none_or(|own| it.decorated != own))?;
        // With nothing but more comments between it is theirs still.
        let leads = || beginning_within(after, Span::new(first, parted.span.start)).next().is_none();
        if is_commented && leads() {
            return None;
        }
        Some(Changed::Parted(prefixed.span, parted.span.start))
    });
    changed.collect()
}

/// Returns the statement whose first word that is quoted is at `at`, if decorators or other words of it come before the quotation.
fn prefixed<'s>(stroke: &Stroke, at: usize, statements: &'s [Statement], bytes: &[u8]) -> Option<&'s Statement> {
    let here = beginning_within(statements, Span::new(at, at + 1)).find(|it| it.decorated < stroke.span.start);
    here.or_else(|| {
        let line = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |line| line + 1);
        let mut around = beginning_within(statements, Span::new(line, at));
        around.find(|it| stroke.span.start > it.span.start && is_words(&bytes[it.span.start..at]))
    })
}

/// Returns the statement whose first word that is quoted is at `at`, if a comment that belongs to it is right above the quotation:
/// one that some tool obeys, or that documents it.
fn commented<'s>(stroke: &Stroke, at: usize, statements: &'s [Statement], bytes: &[u8]) -> Option<&'s Statement> {
    let line = memchr::memrchr(b'\n', &bytes[..at]).filter(|line| *line < stroke.span.start)?;
    let above = memchr::memrchr(b'\n', &bytes[..line]).map_or(0, |start| start + 1);
    let comment = bytes[above..line].trim_ascii();
    let documents = comment.starts_with(b"///") || comment.ends_with(b"*/") && is_documentation(&bytes[..line]);
    let is_its = documents || directives::of_comment(comment).is_some() && !directives::is_border(comment);
    beginning_within(statements, Span::new(at, at + 1)).next().filter(|_| is_its)
}

/// Says whether the block comment that `bytes` end with is one of documentation.
fn is_documentation(bytes: &[u8]) -> bool {
    memchr::memmem::rfind(bytes, b"/*").is_some_and(|open| bytes[open..].starts_with(b"/**"))
}

fn beginning_within(statements: &[Statement], range: Span) -> impl Iterator<Item = &Statement> {
    let from = statements.partition_point(|it| it.span.start < range.start);
    statements[from..].iter().take_while(move |it| it.span.start < range.end)
}

/// Says whether `bytes` are words with blanks after them, such as `pub(crate) ` or `public static `.
fn is_words(bytes: &[u8]) -> bool {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'(' | b')' | b' ' | b'\t');
    bytes.last().is_some_and(u8::is_ascii_whitespace) && bytes.iter().all(is_of_word)
}

/// Returns where the first word at or after `offset` is.
fn first_word(offset: usize, bytes: &[u8]) -> Option<usize> {
    let rest = bytes.get(offset..)?;
    Some(offset + rest.iter().position(|byte| !byte.is_ascii_whitespace())?)
}

/// Returns the rest of the line at `offset`, without blanks at its end.
fn line_at(offset: usize, bytes: &[u8]) -> &[u8] {
    let rest = bytes.get(offset..).unwrap_or_default();
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    rest[..end].trim_ascii_end()
}

/// Returns what of a line comes before a value, parameters, a type or a body.
fn head(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| b"=({:,;".contains(byte)).unwrap_or(line.len());
    line[..end].trim_ascii_end()
}

fn begins_line(offset: usize, bytes: &[u8]) -> bool {
    let line = memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |line| line + 1);
    bytes[line..offset].iter().all(u8::is_ascii_whitespace)
}
