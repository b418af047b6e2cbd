//! A definition or a part of it goes: with its gap, and with what only it needed.

use super::parted;
use crate::plan::edit::{EditKind, delete_bare_lines, delete_lines};
use crate::resolve::{Definition, Document};
use crate::syntax::SegmentKind;
use crate::text::Span;

pub(crate) fn empty_body(document: &Document, named: &Definition<'_>, body: Span) -> EditKind {
    let filler = document
        .language
        .and_then(|language| language.habits.empty_body)
        .filter(|_| named.symbol.kind != SegmentKind::Variable);
    match filler {
        Some(filler) => {
            let own_lines = document.has_lines_to_itself(body);
            let blanks = if own_lines {
                document.indentation(body.start).to_vec()
            } else {
                Vec::new()
            };
            EditKind::replace(body, [&blanks, filler.as_bytes()].concat())
        }
        None => EditKind::replace(body, Vec::new()),
    }
}

/// Returns the edits that remove the last of several variables that one statement declares, where it has its lines to itself: what
/// ends the statement takes the place of the comma before it.
pub(crate) fn remove_last_of_several(
    document: &Document,
    named: &Definition<'_>,
    span: Span,
) -> Option<Vec<EditKind>> {
    if named.symbol.parted
        && let Some(lines) = parted::after_leading_comma(document, named)
    {
        return Some(vec![delete_lines(lines)]);
    }
    let may_be_last = named.symbol.parted || named.symbol.kind == SegmentKind::Variable;
    if !may_be_last || !document.has_lines_to_itself(span) {
        return None;
    }
    let bytes = &document.bytes;
    // What ends with a sign of its own is no part of the statement above: a constant of Zig below the fields.
    let own = named.symbol.definition.of(bytes);
    if own.ends_with(b";") || own.ends_with(b",") {
        return None;
    }
    let comma = comma_before(document, span.start)?;
    let rest = bytes
        .get(named.symbol.definition.end..span.end)?
        .trim_ascii_start();
    let terminator = match rest.first() {
        Some(b',') => return None,
        Some(b';') => b";".to_vec(),
        _ => Vec::new(),
    };
    let lines = match named.symbol.parted {
        true => delete_lines(span),
        false => delete_bare_lines(span),
    };
    Some(vec![
        EditKind::replace(Span::new(comma, comma + 1), terminator),
        lines,
    ])
}

/// Returns where the comma is that, but for blanks, line breaks and comments, ends right before `offset`.
fn comma_before(document: &Document, offset: usize) -> Option<usize> {
    let before = document.bytes.get(..offset)?;
    // Few definitions have one on the line above, and looking for comments takes a reading of the file.
    let above = before
        .trim_ascii_end()
        .rsplit(|&byte| byte == b'\n')
        .next()?;
    if !above.contains(&b',') {
        return None;
    }
    let comments = document.language?.grammar.comments(&document.bytes);
    let mut end = before.trim_ascii_end().len();
    while let Some(comment) = comments
        .iter()
        .find(|comment| comment.start < end && end <= comment.end)
    {
        end = before.get(..comment.start)?.trim_ascii_end().len();
    }
    let comma = end.checked_sub(1)?;
    (before.get(comma) == Some(&b',')).then_some(comma)
}

/// Removes a segment: its lines where it has them to itself, else its bytes with one separator.
pub(crate) fn remove_definition(document: &Document, span: Span, is_parted: bool) -> EditKind {
    if document.has_lines_to_itself(span) {
        return delete_lines(span);
    }
    let bytes = &document.bytes;
    let is_separator = |byte: &u8| matches!(byte, b';' | b',');
    let is_inline = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    let behind = bytes.get(span.end..).unwrap_or_default();
    let blanks_behind = behind.iter().take_while(is_inline).count();
    if behind.get(blanks_behind).is_some_and(is_separator) {
        let after = behind.get(blanks_behind + 1..).unwrap_or_default();
        let more = after.iter().take_while(is_inline).count();
        let to_line_end = after
            .get(more)
            .is_none_or(|byte| matches!(byte, b'\r' | b'\n'));
        let ahead = separator_before(bytes, span.start);
        let ends_list = behind.get(blanks_behind) == Some(&b';');
        return match ahead {
            // What ends the list, or the statement that declares several, is behind the one before then.
            Some(start) if ends_list && bytes.get(start) == Some(&b',') => {
                let gone = Span::new(start, span.end);
                // A list of constants is looked at by its commas: theirs is in the edit.
                match is_parted {
                    true => {
                        let end = span.end + blanks_behind + 1;
                        EditKind::replace(Span::new(start, end), b";".to_vec())
                    }
                    false => EditKind::replace(gone, Vec::new()),
                }
            }
            // The last of several on a line: the separator ahead of it goes too, the one behind it stays.
            Some(start) if to_line_end => EditKind::replace(Span::new(start, span.end), Vec::new()),
            // The first of several variables, each on its line: the next takes its place.
            None if to_line_end && behind.get(blanks_behind) == Some(&b',') => {
                let end = next_code(document, span.end + blanks_behind + 1 + more);
                EditKind::replace(Span::new(span.start, end), Vec::new())
            }
            _ => EditKind::replace(
                Span::new(span.start, span.end + blanks_behind + 1 + more),
                Vec::new(),
            ),
        };
    }
    let own = span.of(bytes).last().is_some_and(is_separator);
    let goes_on = behind
        .get(blanks_behind)
        .is_some_and(|byte| !matches!(byte, b'\r' | b'\n'));
    if own && goes_on {
        // The next on the line takes its place.
        return EditKind::replace(Span::new(span.start, span.end + blanks_behind), Vec::new());
    }
    if own {
        let blanks_ahead = bytes[..span.start]
            .iter()
            .rev()
            .take_while(is_inline)
            .count();
        return EditKind::replace(Span::new(span.start - blanks_ahead, span.end), Vec::new());
    }
    if let Some(start) = separator_before(bytes, span.start) {
        return EditKind::replace(Span::new(start, span.end), Vec::new());
    }
    let filler = document
        .language
        .and_then(|language| language.habits.empty_body)
        .unwrap_or_default();
    let blanks_ahead = bytes[..span.start]
        .iter()
        .rev()
        .take_while(is_inline)
        .count();
    // All that was between two braces: `{ a }`.
    let is_alone = bytes[..span.start - blanks_ahead].ends_with(b"{")
        && behind.get(blanks_behind) == Some(&b'}');
    if filler.is_empty() && is_alone {
        let around = Span::new(span.start - blanks_ahead, span.end + blanks_behind);
        return EditKind::replace(around, Vec::new());
    }
    EditKind::replace(span, filler.as_bytes())
}

/// Returns where the text after `offset` goes on, past blank lines and indentation.
fn next_code(document: &Document, offset: usize) -> usize {
    let rest = document.bytes.get(offset..).unwrap_or_default();
    offset + (rest.len() - rest.trim_ascii_start().len())
}

/// Returns where the separator stands that, but for blanks, ends right before `offset`.
fn separator_before(bytes: &[u8], offset: usize) -> Option<usize> {
    let ahead = bytes.get(..offset)?;
    let at = ahead
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t'))?;
    matches!(ahead.get(at), Some(b';' | b',')).then_some(at)
}
