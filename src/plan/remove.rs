//! `delete`: a segment goes with its decorations, and of the gaps around it the smaller.

use super::action::deletion;
use super::edit::{Deletion, What};
use super::element;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Part, Scoped, Selector};
use crate::resolve::{Definition, Document, Reading, Target};
use crate::syntax::Kind;
use crate::syntax::markdown::halves;
use crate::text::Span;
use crate::text::indent::LineRole;

/// Returns the edits that remove `target`.
pub fn edits(
    reading: &Reading<'_>,
    scoped: &Scoped,
    target: &Target<'_, '_>,
    part: Option<Part>,
) -> Result<Vec<What>, Diagnostic> {
    let document = reading.document;
    if let Some(found) = target.element {
        return element::removed(reading, found, part);
    }
    if let Some(block) = target.block {
        return Ok(super::block::delete(reading, block, part));
    }
    match (&scoped.selector, target.named) {
        (Selector::Text(_) | Selector::Pattern(_), _) => {
            Ok(super::quoted::removed(reading, target.span))
        }
        (Selector::Element(_), _)
        | (Selector::Symbol(_) | Selector::Section(_) | Selector::Block(_), None) => {
            Ok(vec![What::replace(target.span, Vec::new())])
        }
        // Keys have a room of their own.
        (Selector::Key(_), _) => Ok(Vec::new()),
        (Selector::Lines(_), _) => Ok(vec![bare_lines(target.span)]),
        (Selector::Section(_) | Selector::Block(_), Some(named))
            if named.symbol.kind == Kind::Section =>
        {
            match part {
                Some(Part::Heading) => Err(Diagnostic::new(
                    Code::Unsupported,
                    "a section cannot lose its heading alone",
                )
                .note("delete the section, or replace `part: heading`")),
                _ if target.span.is_empty() => Ok(Vec::new()),
                _ => Ok(vec![deletion(halves::with_anchors(
                    &document.bytes,
                    target.span,
                ))]),
            }
        }
        (Selector::Symbol(_) | Selector::Section(_) | Selector::Block(_), Some(named)) => {
            match part.unwrap_or(Part::Whole) {
                Part::Signature => Err(Diagnostic::new(
                    Code::Unsupported,
                    "a definition cannot lose its signature alone",
                )
                .note("delete the segment, or replace `part: signature`")),
                Part::Body => Ok(vec![emptied_body(document, named, target.span)]),
                Part::Docstring => Ok(vec![gone(document, target.span)]),
                Part::Whole
                | Part::Definition
                | Part::Own
                | Part::Heading
                | Part::Code(_)
                | Part::Table(_)
                | Part::List(_)
                | Part::Inner
                | Part::Attribute(_) => {
                    let span = document.widened(named.symbol.whole());
                    Ok(last_of_several(document, named, span)
                        .unwrap_or_else(|| vec![gone(document, span)]))
                }
            }
        }
    }
}

/// Returns the removal of whole lines and nothing else.
pub fn bare_lines(span: Span) -> What {
    What::DeleteLines(Deletion {
        lines: span,
        mends_gap: false,
    })
}

fn emptied_body(document: &Document, named: &Definition<'_>, body: Span) -> What {
    let filler = document
        .language
        .and_then(|language| language.habits.empty_body)
        .filter(|_| named.symbol.kind != Kind::Variable);
    match filler {
        Some(filler) => {
            let own_lines = document.has_lines_to_itself(body);
            let blanks = if own_lines {
                document.indentation(body.start).to_vec()
            } else {
                Vec::new()
            };
            What::replace(body, [&blanks, filler.as_bytes()].concat())
        }
        None => What::replace(body, Vec::new()),
    }
}

/// Returns the edits that remove the last of several variables that one statement declares, where it has its lines to itself: what
/// ends the statement takes the place of the comma before it.
fn last_of_several(document: &Document, named: &Definition<'_>, span: Span) -> Option<Vec<What>> {
    if named.symbol.kind != Kind::Variable || !document.has_lines_to_itself(span) {
        return None;
    }
    let bytes = &document.bytes;
    let comma = comma_before(document, span.start)?;
    let rest = bytes
        .get(named.symbol.definition.end..span.end)?
        .trim_ascii_start();
    let terminator = match rest.first() {
        Some(b',') => return None,
        Some(b';') => b";".to_vec(),
        _ => Vec::new(),
    };
    Some(vec![
        What::replace(Span::new(comma, comma + 1), terminator),
        bare_lines(span),
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
fn gone(document: &Document, span: Span) -> What {
    if document.has_lines_to_itself(span) {
        return deletion(span);
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
        let ahead = separator_ahead(bytes, span.start);
        return match ahead {
            // The last of several on a line: the separator ahead of it goes too, the one behind it stays.
            Some(start) if to_line_end => What::replace(Span::new(start, span.end), Vec::new()),
            // The first of several variables, each on its line: the next takes its place.
            None if to_line_end && behind.get(blanks_behind) == Some(&b',') => {
                let end = next_code(document, span.end + blanks_behind + 1 + more);
                What::replace(Span::new(span.start, end), Vec::new())
            }
            _ => What::replace(
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
        return What::replace(Span::new(span.start, span.end + blanks_behind), Vec::new());
    }
    if own {
        let blanks_ahead = bytes[..span.start]
            .iter()
            .rev()
            .take_while(is_inline)
            .count();
        return What::replace(Span::new(span.start - blanks_ahead, span.end), Vec::new());
    }
    if let Some(start) = separator_ahead(bytes, span.start) {
        return What::replace(Span::new(start, span.end), Vec::new());
    }
    let filler = document
        .language
        .and_then(|language| language.habits.empty_body)
        .unwrap_or_default();
    What::replace(span, filler.as_bytes())
}

/// Returns where the text after `offset` goes on, past blank lines and indentation.
fn next_code(document: &Document, offset: usize) -> usize {
    let rest = document.bytes.get(offset..).unwrap_or_default();
    offset + (rest.len() - rest.trim_ascii_start().len())
}

/// Returns where the separator stands that, but for blanks, ends right before `offset`.
fn separator_ahead(bytes: &[u8], offset: usize) -> Option<usize> {
    let ahead = bytes.get(..offset)?;
    let at = ahead
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t'))?;
    matches!(ahead.get(at), Some(b';' | b',')).then_some(at)
}

/// Returns what must stand in the place of the deleted `lines` because their block holds nothing else once all of
/// `gone` is deleted; for several deletions that empty one block, only the first gets it.
pub fn filler(document: &Document, lines: Span, gone: &[Span]) -> Option<Vec<u8>> {
    let language = document.language?;
    let filler = language.habits.empty_body?;
    let blanks = document.indentation(lines.start);
    let depth = columns(blanks);
    if depth == 0 {
        return None;
    }
    let index = document.lines();
    let stays = |number: &usize| {
        !gone
            .iter()
            .any(|span| span.contains(Span::at(index.start(*number))))
    };
    let first = index.line(lines.start);
    let previous = (1..first)
        .rev()
        .filter(stays)
        .find(|&number| holds_code(document, number))?;
    let next = (first + 1..=index.count())
        .filter(stays)
        .find(|&number| holds_code(document, number));
    let alone = depth_at(document, previous) < depth
        && next.is_none_or(|next| depth_at(document, next) < depth);
    let earlier = gone
        .iter()
        .any(|span| span.end < lines.start && span.start >= index.start(previous));
    (alone && !earlier).then(|| [blanks, filler.as_bytes()].concat())
}

/// Says whether a statement begins on the line, or a docstring goes on there.
fn holds_code(document: &Document, number: usize) -> bool {
    let text = document
        .lines()
        .content(&document.bytes, number)
        .of(&document.bytes)
        .trim_ascii_start();
    let marks = document
        .language
        .map_or(&[][..], |language| language.habits.line_comments);
    match document.roles().get(number - 1) {
        Some(LineRole::Code) => !marks.iter().any(|mark| text.starts_with(mark.as_bytes())),
        Some(LineRole::Docstring(_)) => true,
        Some(LineRole::Continuation(_) | LineRole::Frozen | LineRole::Blank) | None => false,
    }
}

/// Returns the depth of the statement on the line, in columns.
fn depth_at(document: &Document, number: usize) -> usize {
    let start = match document.roles().get(number - 1) {
        Some(LineRole::Docstring(start)) => start + 1,
        _ => number,
    };
    columns(document.indentation(document.lines().start(start)))
}

/// Returns the width of blanks with tab stops every eight columns, as Python's tokenizer counts.
fn columns(blanks: &[u8]) -> usize {
    blanks.iter().fold(0, |width, byte| {
        if *byte == b'\t' {
            (width / 8 + 1) * 8
        } else {
            width + 1
        }
    })
}
