//! `Hunk`: which lines differ, found as git finds them.

use std::ops::Range;

use gix_diff::blob::{Algorithm, InternedInput, diff_with_slider_heuristics};

use crate::text::{Span, is_binary};

/// A run of lines that changed. Either side may be empty, not both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The bytes that go, whole lines.
    pub old: Span,
    /// The bytes that come, whole lines.
    pub new: Span,
    /// The lines that go, from 0.
    pub old_lines: Range<usize>,
    /// The lines that come, from 0.
    pub new_lines: Range<usize>,
}

/// Returns the runs of lines in which `new` differs from `old`, in order: histogram, placed where git would place them.
pub fn hunks(old: &[u8], new: &[u8]) -> Vec<Hunk> {
    let Some(middle) = Middle::of(old, new) else {
        return Vec::new();
    };
    let (old_middle, new_middle) = (middle.old.of(old), middle.new.of(new));
    if old_middle.len().max(new_middle.len()) > MOST_COMPARED {
        return vec![middle.as_one_hunk(old_middle, new_middle)];
    }
    let input = InternedInput::new(old_middle, new_middle);
    let diff = diff_with_slider_heuristics(Algorithm::Histogram, &input);
    let ends = |tokens: &[gix_diff::blob::Token], start: usize| -> Vec<usize> {
        let ends = tokens.iter().scan(start, |at, &token| {
            *at += input.interner[token].len();
            Some(*at)
        });
        std::iter::once(start).chain(ends).collect()
    };
    let old_offsets = ends(&input.before, middle.old.start);
    let new_offsets = ends(&input.after, middle.new.start);
    let wide = |lines: Range<u32>| lines.start as usize..lines.end as usize;
    let hunk = |old_lines: Range<usize>, new_lines: Range<usize>| Hunk {
        old: Span::new(old_offsets[old_lines.start], old_offsets[old_lines.end]),
        new: Span::new(new_offsets[new_lines.start], new_offsets[new_lines.end]),
        old_lines: old_lines.start + middle.line..old_lines.end + middle.line,
        new_lines: new_lines.start + middle.line..new_lines.end + middle.line,
    };
    diff.hunks()
        .map(|found| hunk(wide(found.before), wide(found.after)))
        .collect()
}

/// Returns how many lines are added and removed; a side that is not there counts as empty, binary content as no lines.
pub fn count(old: Option<&[u8]>, new: Option<&[u8]>) -> (usize, usize) {
    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
    if is_binary(old) || is_binary(new) {
        return (0, 0);
    }
    let add = |(added, removed), hunk: Hunk| {
        (added + hunk.new_lines.len(), removed + hunk.old_lines.len())
    };
    hunks(old, new).into_iter().fold((0, 0), add)
}

/// What is compared at most; more is called one change.
const MOST_COMPARED: usize = 1 << 30;

/// Equal lines left at both ends of what is compared: as far as a change slides to a place that reads better.
const MARGIN: usize = 160;

/// What remains of both versions without most of what they share at their ends.
struct Middle {
    old: Span,
    new: Span,
    /// The line at which both begin, from 0.
    line: usize,
}

impl Middle {
    fn of(old: &[u8], new: &[u8]) -> Option<Middle> {
        if old == new {
            return None;
        }
        let shared = shared_start(old, new);
        let start = lines_back(&old[..shared], MARGIN);
        let most = old.len().min(new.len()) - shared;
        let behind = shared_end(&old[old.len() - most..], &new[new.len() - most..]);
        let behind = behind - lines_ahead(&old[old.len() - behind..], MARGIN + 1);
        let line = old[..start].iter().filter(|&&byte| byte == b'\n').count();
        let (old, new) = (
            Span::new(start, old.len() - behind),
            Span::new(start, new.len() - behind),
        );
        Some(Middle { old, new, line })
    }

    fn as_one_hunk(&self, old: &[u8], new: &[u8]) -> Hunk {
        let lines = |bytes: &[u8]| self.line..self.line + crate::text::Lines::of(bytes).count();
        Hunk {
            old: self.old,
            new: self.new,
            old_lines: lines(old),
            new_lines: lines(new),
        }
    }
}

/// Compares by blocks, which the compiler turns into `memcmp`, and then by bytes.
const BLOCK: usize = 4096;

fn shared_start(one: &[u8], other: &[u8]) -> usize {
    let blocks = one
        .chunks_exact(BLOCK)
        .zip(other.chunks_exact(BLOCK))
        .take_while(|(one, other)| one == other)
        .count();
    let from = blocks * BLOCK;
    from + one[from..]
        .iter()
        .zip(&other[from..])
        .take_while(|(one, other)| one == other)
        .count()
}

fn shared_end(one: &[u8], other: &[u8]) -> usize {
    let blocks = one
        .rchunks_exact(BLOCK)
        .zip(other.rchunks_exact(BLOCK))
        .take_while(|(one, other)| one == other)
        .count();
    let (one, other) = (
        &one[..one.len() - blocks * BLOCK],
        &other[..other.len() - blocks * BLOCK],
    );
    blocks * BLOCK
        + one
            .iter()
            .rev()
            .zip(other.iter().rev())
            .take_while(|(one, other)| one == other)
            .count()
}

/// Returns where the last `count` whole lines of `bytes` begin; a last line without ending is not whole.
pub(super) fn lines_back(bytes: &[u8], count: usize) -> usize {
    let feeds = bytes
        .iter()
        .enumerate()
        .rev()
        .filter(|&(_, &byte)| byte == b'\n');
    feeds.map(|(at, _)| at + 1).nth(count).unwrap_or(0)
}

/// Returns where the first `count` lines of `bytes` end, or its end.
pub(super) fn lines_ahead(bytes: &[u8], count: usize) -> usize {
    let feeds = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    feeds
        .map(|(at, _)| at + 1)
        .nth(count.saturating_sub(1))
        .unwrap_or(bytes.len())
}
