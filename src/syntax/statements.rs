//! `Statement`: what a piece of a file does, one thing after the other, for whoever has to tell whether an edit left alone
//! what stands beside it.
//!
//! Declarations, members of a class and the blocks around them are statements too. A statement begins behind its
//! decorators, so that to decorate it is not to change it, and ends ahead of its `;`, which in some languages may stand
//! lines below.

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
    /// How many statements and blocks it stands in.
    pub depth: usize,
    /// Whether it is what it is because only its like is ahead of it: a directive, a docstring, a `package` clause.
    pub leads: bool,
}

impl Statement {
    /// Returns it with `change` made of each of its offsets.
    pub fn moved(self, change: impl Fn(usize) -> usize) -> Statement {
        let span = Span::new(change(self.span.start), change(self.span.end));
        Statement { span, decorated: change(self.decorated), ..self }
    }
}

/// A statement that stands for something which is told elsewhere: an entry without a value of its own in a group of Go's
/// constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implied {
    /// From its first token to its last.
    pub span: Span,
    /// What it stands for: a text that is the same as long as that is.
    pub stands_for: Vec<u8>,
}
