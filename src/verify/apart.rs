//! Operations whose edits are near each other in a file are judged apart as well: what one of them changes is the neighbour of the
//! other, and each alone has to leave it what it was.
//!
//! Example: `["a", 1],` without its comma makes one of it and `["b", 2],` below it. That this says `["b", 20],` now, because another
//! operation of the batch says so, is no reason to look away.
//!
//! Every other operation is left out, then the others: so no edit has a near one beside it, and however many there are, two more
//! files are read. What does not parse by itself, such as a brace that one opens and another closes, is not judged.

use crate::plan::FileEdit;
use crate::snapshot::File;
use crate::text::Span;
use crate::text::splice::{Splice, Splices};

/// Edits with more bytes between them have nothing to do with each other.
const NEAR: usize = 1 << 10;

/// Returns what is left of an edit of `before` without every other one of the operations whose edits are near each other; nothing where
/// none are.
pub fn halves(edit: &FileEdit, before: &File) -> Vec<FileEdit> {
    let Some(splices) = edit.splices.as_ref() else { return Vec::new() };
    let mut claims = edit.claims.clone();
    claims.sort_unstable();
    let mut halves: [Vec<Splice>; 2] = [Vec::new(), Vec::new()];
    let mut side = 0;
    let mut last: Option<(&Splice, Option<usize>, bool)> = None;
    for splice in splices.iter() {
        let operation = claimant(&claims, splice.span);
        let is_near = |last: &Splice| splice.span.start - last.span.end <= NEAR;
        let beside = last.filter(|(last, of, _)| *of != operation && is_near(last));
        if let Some((other, _, is_listed)) = beside {
            if !is_listed {
                halves[side].push(other.clone());
            }
            side = 1 - side;
        }
        let goes_on = last.is_some_and(|(_, of, is_listed)| is_listed && of == operation);
        let is_listed = beside.is_some() || goes_on;
        if is_listed {
            halves[side].push(splice.clone());
        }
        last = Some((splice, operation, is_listed));
    }
    halves.into_iter().filter_map(|splices| alone(edit, before, splices)).collect()
}

/// Returns the operation that a splice over these old bytes comes from.
fn claimant(sorted: &[(Span, usize)], splice: Span) -> Option<usize> {
    let from = sorted.partition_point(|(claim, _)| claim.end < splice.start);
    let near = sorted[from..].iter().take_while(|(claim, _)| claim.start <= splice.end);
    let holding = near.clone().find(|(claim, _)| claim.overlaps(splice));
    holding.or_else(|| near.clone().next()).map(|&(_, operation)| operation)
}

/// Returns the edit that makes no more than `splices`.
fn alone(edit: &FileEdit, before: &File, splices: Vec<Splice>) -> Option<FileEdit> {
    if splices.is_empty() {
        return None;
    }
    let is_kept = |place: Span| {
        let from = splices.partition_point(|splice| splice.span.end < place.start);
        splices.get(from).is_some_and(|splice| splice.span.start <= place.end)
    };
    let claims = edit.claims.iter().filter(|(claim, _)| is_kept(*claim)).copied().collect();
    let named = edit.named.iter().filter(|named| is_kept(**named)).copied().collect();
    let splices = Splices::new(splices).ok()?;
    let bytes = splices.apply(&before.bytes);
    let after = File { mode: before.mode, bytes: bytes.into() };
    Some(FileEdit { after: Some(after), splices: Some(splices), claims, named, defines: Vec::new(), ..edit.clone() })
}
