//! `LineRole`: what a line is to the code that re-indents it; which line has which role is for syntax to say.

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
