//! `Statement`: what a piece of a file does, one thing after the other, to decide whether an edit left alone
//! what is beside it.
//!
//! Declarations, members of a class and the blocks around them are statements too. A statement begins after its
//! decorators, so that to decorate it is not to change it, and ends before its `;`, which in some languages may be
//! lines below.

use std::rc::Rc;

use crate::text::Span;

/// One statement, or a block of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it is: a number that means something to its grammar alone.
    pub kind: u16,
    /// From its first token to its last.
    pub span: Span,
    /// Where the first of its decorators begins; without any, itself.
    pub decorated: usize,
    /// How many statements and blocks it is in.
    pub depth: usize,
    /// Whether it is what it is because only its like is before it: a directive, a docstring, a `package` clause.
    pub leads: bool,
    /// Whether it ends with the last statement in it though indentation says nothing, as a `case` does: to add one there is to
    /// change it.
    pub is_open: bool,
}

impl Statement {
    /// Returns it with `change` made of each of its offsets.
    pub fn moved(self, change: impl Fn(usize) -> usize) -> Statement {
        let span = Span::new(change(self.span.start), change(self.span.end));
        Statement {
            span,
            decorated: change(self.decorated),
            ..self
        }
    }
}

/// A statement that stands for something which is written elsewhere: an entry without a value of its own in a group of Go's
/// constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implied {
    /// From its first token to its last.
    pub span: Span,
    /// What it stands for: a text that is the same as long as that is.
    pub stands_for: Vec<u8>,
}

/// A statement that an older version of the language would have outside of the block that it is in: nothing but its indentation puts it
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubtful {
    /// Where what has the block begins.
    pub header: usize,
    /// From its first token to its last.
    pub span: Span,
}

/// A case of a `switch` that goes on with the one below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fall {
    /// From its label to its last statement.
    pub span: Span,
    /// Where the first case that it has statements of ends: its own, or those of the case that its label is another of.
    pub end: usize,
    /// The labels of what it goes on with; none where that is the end of the `switch`.
    pub lands: Vec<Vec<u8>>,
    /// All labels of that `switch`.
    pub labels: Rc<[Vec<u8>]>,
}
