//! What a batch inserts near what another of its operations changes is judged apart as well: what is changed is the neighbour of what is
//! inserted, which alone has to leave it what it was.
//!
//! Example: `- name: lint` below `- name: build` takes the `run: make` of that. That it says `run: make -j8` now, because another
//! operation of the batch says so, is no reason to look away.
//!
//! What does not parse by itself, such as a brace that one operation opens and another closes, is not judged.

use crate::plan::FileEdit;
use crate::snapshot::File;
use crate::text::Span;
use crate::text::splice::{Splice, Splices};

/// Edits with more bytes between them have nothing to do with each other.
const NEAR: usize = 1 << 10;

/// Returns what is left of an edit of `before` with no more than what is inserted near edits of other operations; `None` where nothing is.
pub(super) fn insertions(edit: &FileEdit, before: &File) -> Option<FileEdit> {
    let mut claims = edit.claims.clone();
    claims.sort_unstable();
    let all: Vec<(&Splice, Option<usize>)> = edit
        .splices
        .iter()
        .flat_map(Splices::iter)
        .map(|splice| (splice, claimant(&claims, splice.span)))
        .collect();
    let is_near = |(one, of): (&Splice, Option<usize>), (other, by): (&Splice, Option<usize>)| {
        let between = one
            .span
            .start
            .abs_diff(other.span.end)
            .min(other.span.start.abs_diff(one.span.end));
        of != by && between <= NEAR
    };
    let beside = |at: usize| {
        [at.checked_sub(1), Some(at + 1)]
            .into_iter()
            .flatten()
            .filter_map(|at| all.get(at).copied())
    };
    let apart = all.iter().enumerate().filter(|(at, one)| {
        one.0.span.is_empty()
            && beside(*at).any(|other| !other.0.span.is_empty() && is_near(**one, other))
    });
    alone(
        edit,
        before,
        apart.map(|(_, (splice, _))| (*splice).clone()).collect(),
    )
}

/// Returns the operation that a splice over these old bytes comes from.
fn claimant(sorted: &[(Span, usize)], splice: Span) -> Option<usize> {
    let from = sorted.partition_point(|(claim, _)| claim.end < splice.start);
    let near = sorted[from..]
        .iter()
        .take_while(|(claim, _)| claim.start <= splice.end);
    let holding = near.clone().find(|(claim, _)| claim.overlaps(splice));
    holding
        .or_else(|| near.clone().next())
        .map(|&(_, operation)| operation)
}

/// Returns the edit that makes no more than `splices`.
fn alone(edit: &FileEdit, before: &File, splices: Vec<Splice>) -> Option<FileEdit> {
    if splices.is_empty() {
        return None;
    }
    let is_kept = |place: Span| {
        let from = splices.partition_point(|splice| splice.span.end < place.start);
        splices
            .get(from)
            .is_some_and(|splice| splice.span.start <= place.end)
    };
    let claims = edit
        .claims
        .iter()
        .filter(|(claim, _)| is_kept(*claim))
        .copied()
        .collect();
    let named = edit
        .named
        .iter()
        .filter(|named| is_kept(**named))
        .copied()
        .collect();
    let splices = Splices::new(splices).ok()?;
    let bytes = splices.apply(&before.bytes);
    let after = File {
        mode: before.mode,
        bytes: bytes.into(),
    };
    Some(FileEdit {
        after: Some(after),
        splices: Some(splices),
        claims,
        named,
        defines: Vec::new(),
        ..edit.clone()
    })
}
