//! Items of lists and notes of Markdown: all that is below the first line of one stays in it. Content that is put between would begin
//! another one there, which has the rest: the text, the list, the code.
//!
//! Example: `- Open the port` right below `- Install the server` has the list that was the server's.
//!
//! What looks alike may be put before it or after it: what was there to the letter is there still. Where the first line itself is
//! quoted, see `tails`.

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::text::Span;

/// Returns the first of the items `before` that some content is put into, and whose remains are no part of it among `after`.
pub(super) fn parted(
    guard: &Guard,
    (before, old): (&[Span], &[u8]),
    (after, new): (&[Span], &[u8]),
) -> Option<ChangedStatement> {
    let taken: Vec<(Span, Span)> = guard
        .sides
        .strokes()
        .filter(|(was, _)| !was.is_named)
        .map(|(was, now)| (was.span, now.span))
        .collect();
    before.iter().find_map(|item| {
        let from = taken.partition_point(|(was, _)| was.start <= item.start);
        if taken[..from]
            .last()
            .is_some_and(|(was, _)| was.end > item.start)
        {
            return None;
        }
        let start = guard.moves.after(item.start);
        let at = after.partition_point(|it| it.start < start);
        let now = after.get(at).copied().filter(|it| it.start == start)?;
        let is_again = |span: Option<Span>| span.is_some_and(|span| span.of(new) == item.of(old));
        let inside = taken[from..]
            .iter()
            .take_while(|(was, _)| was.end < item.end);
        inside.into_iter().find_map(|(was, given)| {
            let rest = guard.sides.old.gap_after(was.end, item.end);
            let text = rest.of(old).trim_ascii_start();
            let first = given.end + (rest.len() - text.len());
            let last = first + text.trim_ascii_end().len();
            if first == last || last <= now.end {
                return None;
            }

            let came = after
                .iter()
                .find(|it| given.start <= it.start && it.start < given.end && last <= it.end);
            let twin = || {
                after
                    .iter()
                    .find(|it| guard.moves.before(item.end) == it.end && it.len() == item.len())
            };
            if is_again(Some(now)) || is_again(twin().copied()) {
                return None;
            }
            let place = came.map_or(first, |it| it.start);
            Some(if came.is_some() {
                ChangedStatement::PassedOn(*item, place)
            } else {
                ChangedStatement::Lost(Span::new(rest.end - text.len(), rest.end), place)
            })
        })
    })
}
