//! What must be left in a body that would be empty without it.

use crate::resolve::Document;
use crate::text::Span;
use crate::text::indent::LineRole;

/// Returns what must stand in the place of the deleted `lines` because their block holds nothing else once all of
/// `gone` is deleted; for several deletions that empty one block, only the first gets it.
pub(super) fn filler_of_empty_body(
    document: &Document,
    lines: Span,
    gone: &[Span],
) -> Option<Vec<u8>> {
    let language = document.language?;
    let filler = language.habits.empty_body?;
    let blanks = document.indentation(lines.start);
    let depth = width_in_columns(blanks);
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
    width_in_columns(document.indentation(document.lines().start(start)))
}

/// Returns the width of blanks with tab stops every eight columns, as Python's tokenizer counts.
fn width_in_columns(blanks: &[u8]) -> usize {
    blanks.iter().fold(0, |width, byte| {
        if *byte == b'\t' {
            (width / 8 + 1) * 8
        } else {
            width + 1
        }
    })
}
