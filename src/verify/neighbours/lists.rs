//! Lists that would be one: of `},⏎"b": {⏎"q": 2,`, taken from between two, what follows is in the first. Who takes elements takes whole
//! ones. Who takes only what is between the two, and gives nothing, means one list.
//!
//! Known limit: what is on the line of such an edit is taken for named.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::touched::Touched;
use crate::text::{Lines, Span};

/// Says whether, as far as its bytes tell, an edit takes the end of one list and the beginning of another.
pub(super) fn may_merge(guard: &Guard, (old, new): (&[u8], &[u8])) -> bool {
    let is_closer = |byte: &u8| b")]}".contains(byte);
    let is_opener = |byte: &u8| b"([{".contains(byte);
    guard.sides.strokes().any(|(was, now)| {
        let taken = was.span.of(old);
        let closer = taken.iter().position(is_closer);
        let opener = taken.iter().rposition(is_opener);
        let openers = |text: &[u8]| text.iter().filter(|byte| is_opener(byte)).count();
        closer
            .zip(opener)
            .is_some_and(|(closer, opener)| closer < opener)
            && openers(now.span.of(new)) < openers(taken)
    })
}

/// The elements of a file, each with the element or statement that holds it.
pub(super) fn with_holders(
    elements: Vec<Span>,
    statements: impl Iterator<Item = Span>,
) -> Vec<(Span, Span)> {
    let elements = elements.into_iter().map(|span| (span, true));
    let mut parts: Vec<(Span, bool)> = elements.chain(statements.map(|it| (it, false))).collect();
    // Of two that begin at one place, the outer.
    parts.sort_unstable_by_key(|&(span, is_element)| (span.start, Reverse(span.end), is_element));
    let mut open: Vec<Span> = Vec::new();
    let mut found = Vec::new();
    for (span, is_element) in parts {
        while open.pop_if(|it| !it.contains(span)).is_some() {}
        if let Some(holder) = open.last().filter(|_| is_element) {
            found.push((span, *holder));
        }
        open.push(span);
    }
    found
}

/// Returns the first element below the line of an edit whose holder loses its beginning, and that would be in one which keeps it;
/// `before` and `after` are those of both files.
pub(super) fn merged(
    guard: &Guard,
    (before, old): (&[(Span, Span)], &[u8]),
    after: &[(Span, Span)],
) -> Option<ChangedStatement> {
    let first = |span: Span| Span::new(span.start, span.start + 1);
    let last = |span: Span| Span::new(span.end - 1, span.end);
    let is_taken = |side: &Touched, span: Span| side.at(span).any(|it| it.span.overlaps(span));
    let now: HashMap<usize, Span> = after
        .iter()
        .map(|(it, holder)| (it.start, *holder))
        .collect();
    let (was, is) = (&guard.sides.old, &guard.sides.new);
    let lines = Lines::of(old);
    // On the line on which the edit above it ends.
    let is_on_its_line = |element: Span| {
        let after = was.0.partition_point(|it| it.span.start < element.start);
        let above = after.checked_sub(1).and_then(|at| was.0.get(at));
        above.is_some_and(|above| {
            let end = above.span.end.saturating_sub(1).max(above.span.start);
            lines.line(end) == lines.line(element.start)
        })
    };
    // Edits that give nothing, and take no element.
    let seams: Vec<Span> = guard
        .sides
        .strokes()
        .filter(|(_, given)| given.span.is_empty())
        .map(|(taken, _)| taken.span)
        .filter(|taken| {
            let from = before.partition_point(|(it, _)| it.start < taken.start);
            let mut begun = before[from..]
                .iter()
                .take_while(|(it, _)| it.start < taken.end);
            !begun.any(|(it, _)| taken.contains(*it))
        })
        .collect();
    let is_seam = |holder: Span| {
        let from = seams.partition_point(|seam| seam.end <= holder.start);
        seams
            .get(from)
            .is_some_and(|seam| seam.overlaps(first(holder)))
    };
    before.iter().find_map(|&(element, holder)| {
        let is_cut = is_taken(was, first(holder)) && !is_taken(was, last(holder));
        if !is_cut || is_seam(holder) || is_taken(was, element) || is_on_its_line(element) {
            return None;
        }
        let start = guard.moves.after(element.start);
        let other = *now.get(&start)?;
        (!is_taken(is, first(other))).then_some(ChangedStatement::Regrouped(element, start))
    })
}
