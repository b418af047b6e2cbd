//! `Edit`: what one operation does to one file, before it meets the others.
//!
//! An edit knows more than a splice: an insertion knows which spacing is its own, a deletion which lines are the
//! segment and which are the gap. That is what lets an insertion beside a deleted segment take its place, and two
//! deleted neighbours leave one gap.

use std::cmp::Reverse;

use crate::manifest::{AttributeName, Position};
use crate::text::Span;
use crate::text::splice::Splice;

/// What one operation does in one place.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Index of the operation in its batch.
    pub operation: usize,
    /// What it does.
    pub what: EditKind,
}

/// The ways to change a place.
#[derive(Clone, Debug)]
pub enum EditKind {
    /// Bytes for bytes.
    Replace(Splice),
    /// Something new.
    Insert(Insertion),
    /// Whole lines go, and of the gaps around them the smaller.
    DeleteLines(Deletion),
}

/// Something new between two bytes.
#[derive(Clone, Debug, Default)]
pub struct Insertion {
    /// Where.
    pub at: usize,
    /// Put ahead of the first insertion at this place, when nothing there was deleted.
    pub head: Vec<u8>,
    /// Put ahead of the content.
    pub before: Vec<u8>,
    /// The content, ready.
    pub content: Vec<u8>,
    /// Put behind the content.
    pub after: Vec<u8>,
    /// Put behind the last insertion at this place, when nothing there was deleted.
    pub foot: Vec<u8>,
    /// The segment that it stands beside: if that is deleted in the same batch, this takes its place.
    pub beside: Option<Span>,
    /// The segment that it stands inside of: without that it has no place.
    pub parent: Option<Span>,
    /// The named segment around the one that it is inserted beside: without that it has no place either.
    pub around: Option<Span>,
    /// Where the definition begins that has to hold the content.
    pub inside: Option<usize>,
    /// Its turn among insertions at the same place.
    pub nesting: Nesting,
    /// The attribute that it adds to the element at `parent`: nothing else may add it too.
    pub attribute: Option<Box<AttributeName>>,
}

/// The order of insertions at one place: what is inside of something that ends there comes first, from the inside
/// out, and what is inside of something that begins there comes last, from the outside in. Lengths are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nesting {
    /// In something of this length that ends there.
    Ending(usize),
    /// In nothing that begins or ends there.
    #[default]
    Between,
    /// In something of this length that begins there.
    Beginning(Reverse<usize>),
}

impl Nesting {
    /// Returns the one of an insertion at `at` inside of `around`, at or towards its beginning or its end.
    pub fn of(around: Option<Span>, at: usize, position: Position) -> Nesting {
        match (around, position) {
            (Some(around), Position::After | Position::Last) if around.end <= at => {
                Nesting::Ending(around.len())
            }
            (Some(around), Position::Before | Position::First) if at <= around.start => {
                Nesting::Beginning(Reverse(around.len()))
            }
            _ => Nesting::Between,
        }
    }
}

/// Lines that go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// The lines, from the first column of the first to the end of the last, its ending excluded.
    pub lines: Span,
    /// Gaps are mended around it; else just the lines go.
    pub mends_gap: bool,
}

impl EditKind {
    /// Returns the edit that puts `bytes` in the place of those in `span`.
    pub fn replace(span: Span, bytes: impl Into<Vec<u8>>) -> EditKind {
        EditKind::Replace(Splice::new(span, bytes))
    }

    /// Says that the definition which begins at `start` has to hold what the edit writes.
    pub fn stays_inside(&mut self, start: Option<usize>) {
        match self {
            EditKind::Replace(splice) => splice.inside = start,
            EditKind::Insert(insertion) => insertion.inside = start,
            EditKind::DeleteLines(_) => {}
        }
    }

    /// Returns the old bytes that the edit claims for itself.
    pub fn claim(&self) -> Span {
        match self {
            EditKind::Replace(splice) => splice.span,
            EditKind::Insert(insertion) => Span::at(insertion.at),
            EditKind::DeleteLines(deletion) => deletion.lines,
        }
    }
}

/// Returns the deletion of whole lines with their gap.
pub fn delete_lines(lines: Span) -> EditKind {
    EditKind::DeleteLines(Deletion {
        lines,
        mends_gap: true,
    })
}

/// Returns the removal of whole lines and nothing else.
pub fn delete_bare_lines(span: Span) -> EditKind {
    EditKind::DeleteLines(Deletion {
        lines: span,
        mends_gap: false,
    })
}
