//! `Edit`: what one operation does to one file, before it meets the others.
//!
//! An edit knows more than a splice: an insertion knows which spacing is its own, a deletion which lines are the
//! segment and which are the gap. That is what lets an insertion beside a deleted segment take its place, and two
//! deleted neighbours leave one gap.

use crate::manifest::AttributeName;
use crate::text::Span;
use crate::text::splice::Splice;

/// What one operation does in one place.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Index of the operation in its batch.
    pub operation: usize,
    /// What it does.
    pub what: What,
}

/// The ways to change a place.
#[derive(Clone, Debug)]
pub enum What {
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
    /// The attribute that it adds to the element at `parent`: nothing else may add it too.
    pub attribute: Option<Box<AttributeName>>,
}

/// Lines that go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// The lines, from the first column of the first to the end of the last, its ending excluded.
    pub lines: Span,
    /// Gaps are mended around it; else just the lines go.
    pub mends_gap: bool,
}

impl What {
    /// Returns the old bytes that the edit claims for itself.
    pub fn claim(&self) -> Span {
        match self {
            What::Replace(splice) => splice.span,
            What::Insert(insertion) => Span::at(insertion.at),
            What::DeleteLines(deletion) => deletion.lines,
        }
    }
}
