//! What a batch inserts near what another of its operations changes is judged apart as well: what is changed is the neighbour of what is
//! inserted, which alone has to leave it what it was.
//!
//! Example: `- name: lint` below `- name: build` takes the `run: make` of that. That it says `run: make -j8` now, because another
//! operation of the batch says so, is no reason to look away.
//!
//! So is what is right above whole lines that another operation puts others in the place of: `if (x)⏎  a();` without its `a();` takes the
//! next line, whatever that is. Lines that are given another depth are meant to be elsewhere.
//!
//! What does not parse by itself, such as a brace that one operation opens and another closes, is not judged.

use std::collections::BTreeMap;

use crate::plan::FileEdit;
use crate::snapshot::File;
use crate::text::splice::{Splice, Splices};
use crate::text::{Span, is_blank};

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

/// So many operations of one file are left out in turn.
const MOST_LEFT_OUT: usize = 8;

/// Returns what is left of an edit of `before` without the whole lines that one operation puts in the place of others, right below what
/// another operation changes: for each such operation one edit.
pub(super) fn without_exchanged(edit: &FileEdit, before: &File) -> Vec<FileEdit> {
    let (Some(splices), Some(after)) = (&edit.splices, &edit.after) else {
        return Vec::new();
    };
    let mut claims = edit.claims.clone();
    claims.sort_unstable();
    let is_of_one = claims.windows(2).all(|two| two[0].1 == two[1].1);
    if is_of_one {
        return Vec::new();
    }
    let (old, new) = (&before.bytes[..], &after.bytes[..]);
    let all: Vec<(&Splice, Span, Option<usize>)> = splices
        .with_new_spans()
        .map(|(splice, now)| (splice, now, claimant(&claims, splice.span)))
        .collect();
    let is_right_beside = |one: usize, other: usize| {
        let (Some((one, _, of)), Some((other, _, by))) = (all.get(one), all.get(other)) else {
            return false;
        };
        let gap = Span::new(one.span.end, other.span.start.max(one.span.end));
        of != by && is_blank(gap.of(old))
    };
    let mut left_out: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, (splice, now, of)) in all.iter().enumerate() {
        // What is above may be what makes it right: a `\` that goes with the last argument of a command.
        let is_below = at > 0 && is_right_beside(at - 1, at);
        let depth = |span: Span, bytes| lines_depth(span, bytes);
        let is_exchanged = || {
            let (was, is) = (depth(splice.span, old), depth(*now, new));
            was.is_some() && was == is
        };
        if let Some(of) = of.filter(|_| is_below && is_exchanged()) {
            left_out.entry(of).or_default().push(at);
        }
    }
    let rest = |left_out: &Vec<usize>| {
        let kept = all
            .iter()
            .enumerate()
            .filter(|(at, _)| left_out.binary_search(at).is_err());
        alone(
            edit,
            before,
            kept.map(|(_, (splice, ..))| (*splice).clone()).collect(),
        )
    };
    left_out
        .values()
        .take(MOST_LEFT_OUT)
        .filter_map(rest)
        .collect()
}

/// Returns the indentation of whole lines; `None` where `span` is no such lines, or blank.
fn lines_depth(span: Span, bytes: &[u8]) -> Option<&[u8]> {
    let text = span.of(bytes);
    let first = span.start + text.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let line = memchr::memrchr(b'\n', &bytes[..first]).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', &bytes[span.end..]).map_or(bytes.len(), |at| span.end + at);
    let ends_line = text.ends_with(b"\n") || is_blank(&bytes[span.end..end]);
    let indentation = &bytes[line..first];
    (ends_line && is_blank(indentation)).then_some(indentation)
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
