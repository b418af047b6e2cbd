//! What commas part in a style beside an edit: the selectors of a rule, the queries of an at-rule, the values of a declaration. Without
//! the comma between them two are one, and say something else.
//!
//! Example: of `.a,⏎.b {` without the comma `.a .b` is left, which matches neither.
//!
//! Whoever writes on the line of an item, right before or after it, may mean it to be longer; so may who writes around it on both sides, as
//! in `:is(…)`, or ends with a combinator.

use std::collections::HashSet;

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::touched::TouchState;
use crate::syntax::css;
use crate::text::Span;

/// How many items before one are looked at for what holds it.
const FARTHEST: usize = 1000;

/// Returns the first item that no edit reaches into and that would be a part of another.
pub(super) fn joined(guard: &Guard, (old, new): (&[u8], &[u8])) -> Option<ChangedStatement> {
    let (before, after) = (css::items(old)?, css::items(new)?);
    let whole: HashSet<Span> = after.iter().copied().collect();
    let is_beside = |item: &Span| {
        matches!(
            guard.sides.old.place(*item),
            TouchState::Beside | TouchState::Touching
        )
    };
    before.into_iter().filter(is_beside).find_map(|item| {
        let start = guard.moves.after(item.start);
        let now = Span::new(start, guard.moves.before(item.end).max(start));
        if whole.contains(&now) {
            return None;
        }
        let from = after.partition_point(|it| it.start <= now.start);
        let near = after.get(..from)?.iter().rev().take(FARTHEST);
        let holder = near.into_iter().find(|it| it.contains(now))?;
        (!is_meant(guard, (*holder, now), (old, new)))
            .then_some(ChangedStatement::Joined(item, now.start))
    })
}

/// Says whether what an item became a part of may be meant to hold it.
fn is_meant(guard: &Guard, (holder, item): (Span, Span), (old, new): (&[u8], &[u8])) -> bool {
    let is_written = |at: usize| {
        guard
            .sides
            .new
            .at(Span::at(at))
            .any(|stroke| stroke.span.contains(Span::at(at)))
    };
    let is_around = holder.start < item.start && holder.end > item.end;
    if is_around && is_written(holder.start) && is_written(holder.end - 1) {
        return true;
    }
    let strokes = guard.sides.strokes().map(|(was, now)| (was.span, now.span));
    let mut reaching =
        strokes.filter(|(_, now)| now.start <= holder.end && holder.start <= now.end);
    reaching.any(|(was, now)| goes_on((was.of(old), now), item, new))
}

/// Says whether what is written for `taken` goes on in an item: on the line of that, or behind a combinator.
fn goes_on((taken, written): (&[u8], Span), item: Span, new: &[u8]) -> bool {
    let text = written.of(new).trim_ascii_end();
    if text
        .last()
        .is_some_and(|last| matches!(last, b'>' | b'+' | b'~'))
    {
        return true;
    }
    let (between, is_before) = if written.end <= item.start {
        (Span::new(written.start, item.start), true)
    } else {
        (Span::new(item.end.min(written.end), written.end), false)
    };
    // Who quotes an item with its comma, and gives it back without, lost that.
    let loses_comma =
        is_before && taken.trim_ascii_end().len() > 1 && taken.trim_ascii_end().ends_with(b",");
    let seam = if is_before {
        Span::new(between.start + text.len(), between.end).of(new)
    } else {
        let text = between.of(new);
        &text[..text.len() - text.trim_ascii_start().len()]
    };
    !loses_comma && !seam.contains(&b'\n')
}
