//! Indentation: measured, taken off, put on again, so that the caller never has to think about it.
//!
//! Two laws hold: taking indentation off and putting it back is the identity, and a line whose role is `Frozen`
//! keeps its bytes. Pure strings and roles; which line plays which role is for syntax to say.

/// What a line is to whoever re-indents it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRole {
    /// Begins a statement or stands for itself; its indentation has meaning.
    Code,
    /// Continues the statement that begins on the line with this 0-based number.
    Continuation(usize),
    /// Begins inside a docstring or a block comment that begins on this 0-based line: moves with it as a unit.
    Docstring(usize),
    /// Begins inside any other multi-line string: keeps its bytes.
    Frozen,
    /// Nothing but white space: stays or becomes empty.
    Blank,
}

/// A step of indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// One tab.
    Tab,
    /// So many spaces, at least 1.
    Spaces(usize),
}
