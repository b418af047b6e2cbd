//! Blocks that are quoted as a whole and given back without their end, which another operation gives: what is between the two edits would be
//! in the block.
//!
//! Example: of `if (u) { … }` the `}` is forgotten, and a loop further down gets one too many: the statements between are the `if`'s.
//!
//! Who means that indents them: what stands deeper than the header may come into the block. Nor is it a slip where as many blocks come as
//! were quoted, as where something is put around them.

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::joined::opens_at_end;
use super::tails::{Construct, MOST_COMPARED, beginning_in};
use crate::text::Span;

/// Returns the first statement below a quoted block that would be in it.
pub(super) fn extended(
    guard: &Guard,
    (before, old): (&[Construct], &[u8]),
    (after, new): (&[Construct], &[u8]),
) -> Option<ChangedStatement> {
    let mut quoting = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    quoting.find_map(|(was, now)| {
        let given = beginning_in(after, now.span);
        let heir = given.iter().find(|it| it.span.end > now.span.end)?;
        let quoted = beginning_in(before, was.span);
        let is_left_open = whole(given, now.span, new) < whole(quoted, was.span, old);
        if !is_left_open || opens_at_end(*heir, now, new) {
            return None;
        }
        let depth = column(heir.span.start, new)?;
        let below = before.partition_point(|it| it.span.start < was.span.end);
        let mut below = before[below..].iter().take(MOST_COMPARED);
        let neighbour = below.find(|it| !guard.sides.old.is_touched(it.span.start))?;
        let place = guard.moves.after(neighbour.span.start);
        let is_taken = place < heir.span.end && column(place, new)? <= depth;
        is_taken.then_some(ChangedStatement::Enclosed(neighbour.span, place))
    })
}

/// Counts the blocks of several lines that are in `span` as a whole, those inside of others left out.
fn whole(constructs: &[Construct], span: Span, bytes: &[u8]) -> usize {
    let mut end = span.start;
    let mut count = 0;
    for one in constructs.iter().take(MOST_COMPARED) {
        let is_block = one.span.end <= span.end && one.span.of(bytes).contains(&b'\n');
        if is_block && one.span.start >= end {
            end = one.span.end;
            count += 1;
        }
    }
    count
}

/// Returns how many blanks are before what begins a line at `offset`.
fn column(offset: usize, bytes: &[u8]) -> Option<usize> {
    let line = memchr::memrchr(b'\n', bytes.get(..offset)?).map_or(0, |at| at + 1);
    let before = bytes.get(line..offset)?;
    before
        .iter()
        .all(u8::is_ascii_whitespace)
        .then_some(before.len())
}
