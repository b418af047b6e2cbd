//! `Place`: where content goes, and how code is laid out there.

use super::unit::Unit;

/// Whether indentation is syntax where the content goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndentSyntax {
    /// Deeper means inside: levels are kept, whatever their widths.
    Offside,
    /// Braces or markers say what is inside: widths are kept, counted in units.
    Free,
}

/// How much of its first line the content takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It begins in the first column, and brings the indentation along.
    OwnLine,
    /// Something stands ahead of it on the line, so its first line gets no indentation.
    MidLine,
}

/// Where content is to stand, and how code is laid out there.
#[derive(Clone, Copy, Debug)]
pub struct IndentTarget<'a> {
    /// The indentation of the definition that stands there (`base_of`), or that a new one is to have.
    pub base: &'a [u8],
    /// The step of indentation there; `None` keeps the content's own.
    pub unit: Option<Unit>,
    /// Whether the content has its first line to itself.
    pub start: Start,
    /// Whether indentation is syntax.
    pub layout: IndentSyntax,
    /// What begins a comment that runs to the end of its line. Comments stand where they like: no level is read off them.
    pub line_comments: &'a [&'a str],
    /// What stands there now, if anything.
    pub old: Option<&'a [u8]>,
}

impl<'a> IndentTarget<'a> {
    /// Returns the place at indentation `base`, lines of its own, units as the content has them, nothing there yet.
    pub fn at(base: &'a [u8], layout: IndentSyntax) -> IndentTarget<'a> {
        IndentTarget {
            base,
            unit: None,
            start: Start::OwnLine,
            layout,
            line_comments: &["#"],
            old: None,
        }
    }
}
