//! What a quoted tag opens stays in its element: content that gives `<div class="a">` back to the letter, ends that, and opens
//! another at its end would hand on what was in it.
//!
//! Whether one element became two is told by where they begin and end alone: the one that was there begins as before and ends in the content, and
//! another that begins after that ends where the old one did. Content that ends with the tag has put something before it.

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::joined;
use super::tails::Construct;
use super::touched::Stroke;
use crate::resolve::Document;
use crate::text::Span;

/// An element with both its tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    span: Span,
    /// Where its closing tag begins.
    close: usize,
}

impl Element {
    /// Returns those of a page, in the order in which they begin.
    pub(super) fn all(page: &Document) -> Vec<Element> {
        let elements = page.dom().elements.iter();
        let closed = elements.filter_map(|element| Some((element, element.end_tag?)));
        closed
            .map(|(element, close)| Element {
                span: element.whole(),
                close: close.start,
            })
            .collect()
    }
}

/// Returns the first of the elements `before` whose header a splice takes and gives again, and what was in it another of `after` would have.
pub(super) fn handed_on(
    guard: &Guard,
    (before, old): (&[Element], &[u8]),
    (after, new): (&[Element], &[u8]),
) -> Option<ChangedStatement> {
    guard.sides.strokes().find_map(|(was, now)| {
        let (taken, given) = header(was, now, (old, new))?;
        let from = before.partition_point(|it| it.span.start < taken.start);
        let quoted = before
            .get(from..)?
            .iter()
            .take_while(|it| it.span.start < taken.end);
        let first = after.partition_point(|it| it.span.start < given);
        let came = || {
            after[first..]
                .iter()
                .take_while(|it| it.span.start < now.span.end)
        };
        quoted.into_iter().find_map(|one| {
            let rest = old.get(taken.end..one.close)?;
            if rest.trim_ascii().is_empty() {
                return None;
            }
            let (start, end) = (
                given + (one.span.start - taken.start),
                guard.moves.after(one.span.end),
            );
            let is_ended = |it: &&Element| it.span.start == start && it.span.end <= now.span.end;
            let known = came().find(is_ended)?;
            // Nothing that was there goes on.
            let is_open = |it: &Element| it.span.start == start && it.span.end >= end;
            let heir = came().find(|it| it.span.start >= known.span.end && it.span.end == end)?;
            (!came().any(is_open)).then_some(ChangedStatement::PassedOn(one.span, heir.span.start))
        })
    })
}

/// Returns the first of the elements `before` whose header a splice takes, and does not give again, where another that was quoted has what was
/// in it.
pub(super) fn exchanged(
    guard: &Guard,
    (before, old): (&[Element], &[u8]),
    (after, new): (&[Element], &[u8]),
) -> Option<ChangedStatement> {
    let constructs = |elements: &[Element]| {
        let spans: Vec<Span> = elements.iter().map(|it| it.span).collect();
        Construct::of_items(&spans)
    };
    let (was, now) = (constructs(before), constructs(after));
    joined::joined(guard, (&was, old), (&now, new))
}

/// Returns what is quoted, and where the content gives it again at its beginning, if it goes on after that and does not end with it.
fn header(was: Stroke, now: Stroke, (old, new): (&[u8], &[u8])) -> Option<(Span, usize)> {
    let taken = trimmed(was.span, old);
    let given = trimmed(now.span, new);
    let (header, content) = (taken.of(old), given.of(new));
    let is_again = !was.is_named
        && !header.is_empty()
        && content.len() > header.len()
        && content.starts_with(header)
        && !content.ends_with(header);
    is_again.then_some((taken, given.start))
}

/// Returns a range without the blanks at its ends.
fn trimmed(span: Span, bytes: &[u8]) -> Span {
    let text = span.of(bytes);
    let start = span.end - text.trim_ascii_start().len();
    Span::new(start, start + text.trim_ascii().len())
}
