//! What a chain of templates renders → lines, holes, branches, and the ends of blocks between them.
//!
//! Blank lines are left out, because what becomes of them is up to settings that the template does not tell, and the
//! white space at the ends of lines with them. An end of a block that shares its line with text on both sides is no
//! border between lines: such a block is a part of its line.
//!
//! | file | holds |
//! |---|---|
//! | `atoms` | events → text, line breaks and tags; tags within a line become values |
//! | `lines` | those → lines |

mod atoms;
mod lines;
#[cfg(test)]
mod tests;

pub(super) use lines::skeleton;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A template as lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Skeleton {
    /// In order.
    pub items: Vec<SkeletonItem>,
    /// The lines.
    pub lines: Vec<Line>,
    /// For each gap, lines that it may hold among others.
    pub hidden: Vec<Vec<Line>>,
    /// The names of the blocks; `Item::Open` and `Item::Close` count in it.
    pub blocks: Vec<String>,
    /// The least depth of the lines in each block; `None` for a block without lines.
    pub least_depths: Vec<Option<usize>>,
    /// The numbers of the lines in each block.
    pub own: Vec<Range<usize>>,
}

/// A part of a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SkeletonItem {
    /// The line of this number.
    Line(usize),
    /// Any number of lines.
    Gap(usize),
    /// The block of this number begins.
    Open(usize),
    /// The block of this number ends.
    Close(usize),
    /// One of these.
    Choice(Vec<Vec<SkeletonItem>>),
}

/// A line with text on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// How many blanks it begins with; `None` when a tag stands ahead of it on its line, which may take them away.
    pub depth: Option<usize>,
    /// The pieces of text, never none: a value stands ahead of each but the first, an empty one at an end is a value there.
    pub pieces: Vec<Vec<u8>>,
    /// How much it says that the file has such a line.
    pub weight: SkeletonWeight,
    /// A tag stands beside it on its line, so that rendering may have made it one with the line behind it or ahead of it.
    pub doubtful: bool,
}

/// How much it says that a file has a line that a line of the template fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkeletonWeight {
    /// It is that line.
    Telling,
    /// It may have been typed anywhere: `}` and `pass` say something only beside another.
    Short,
    /// Whether the line is rendered at all is up to a condition, so that somebody may have typed it where it was not.
    Optional,
    /// Rendering seems to have made it one with another, so that somebody typed it where it stands by itself.
    Doubtful,
}

/// Says whether a line of the template is rendered whichever of the branches is taken.
pub(super) fn is_sure(branches: &[Vec<SkeletonItem>]) -> bool {
    branches.iter().all(|branch| {
        branch
            .iter()
            .any(|item| matches!(item, SkeletonItem::Line(_)))
    })
}

impl Line {
    /// Says whether `text`, white space at its ends taken off, may be this line.
    pub(super) fn fits(&self, text: &[u8]) -> bool {
        let [first, rest @ ..] = self.pieces.as_slice() else {
            return false;
        };
        let Some((last, between)) = rest.split_last() else {
            return first == text;
        };
        let Some(mut text) = text
            .strip_prefix(first.as_slice())
            .and_then(|text| text.strip_suffix(last.as_slice()))
        else {
            return false;
        };
        between.iter().all(|piece| {
            let found = memchr::memmem::find(text, piece);
            text = found
                .and_then(|at| text.get(at + piece.len()..))
                .unwrap_or_default();
            found.is_some()
        })
    }

    /// Returns the line when no value stands on it.
    pub(super) fn literal(&self) -> Option<&[u8]> {
        if let [only] = self.pieces.as_slice() {
            Some(only)
        } else {
            None
        }
    }

    /// Returns how many letters and digits it has.
    fn substance(&self) -> usize {
        self.pieces.iter().map(|piece| substance(piece)).sum()
    }
}

/// Returns how many letters and digits `text` has.
fn substance(text: &[u8]) -> usize {
    text.iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        .count()
}

impl Skeleton {
    /// Returns the name of each block, once.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let mut seen = BTreeSet::new();
        self.blocks
            .iter()
            .map(String::as_str)
            .filter(move |name| seen.insert(*name))
    }

    /// Returns how often each name stands among the blocks.
    pub(super) fn counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for name in &self.blocks {
            *counts.entry(name.as_str()).or_insert(0) += 1;
        }
        counts
    }
}
