//! `Target`: an address found, with its description; `Found`: what it is, by kind.

use super::block::Block;
use super::named::Definition;
use super::reading::Reading;
use super::segment::Segment;
use crate::syntax::html::HtmlElement;
use crate::text::Span;

/// What an address names.
#[derive(Clone, Copy, Debug)]
pub enum Found<'r, 'd> {
    /// A definition or a section.
    Definition(&'r Definition<'d>),
    /// An element of a page.
    Element(&'d HtmlElement),
    /// A block of a template.
    Block(&'r Block),
    /// The entry of a configuration file that has this number.
    Key(usize),
    /// A text that was quoted.
    Text,
    /// A match of a pattern.
    Pattern,
    /// Lines that were counted.
    Lines,
}

impl Found<'_, '_> {
    /// Returns the word for bytes that no name stands for.
    fn word(self) -> &'static str {
        match self {
            Found::Definition(named) => named.symbol.kind.as_str(),
            Found::Element(_) => "element",
            Found::Block(_) => "block",
            Found::Key(_) => "key",
            Found::Text => "text",
            Found::Pattern => "pattern",
            Found::Lines => "lines",
        }
    }
}

/// An address found.
#[derive(Clone, Debug)]
pub struct Target<'r, 'd> {
    /// Where the operation acts.
    pub span: Span,
    /// What it is.
    pub found: Found<'r, 'd>,
    /// The range described.
    pub segment: Segment,
}

/// What is to become of what is found: who takes a text away may mean its line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It is shown, or something is put in its place or beside it.
    Edit,
    /// It goes.
    Remove,
}

impl<'r, 'd> Target<'r, 'd> {
    /// Returns bytes that no name stands for.
    pub(super) fn unnamed(
        reading: &Reading<'d>,
        span: Span,
        found: Found<'r, 'd>,
    ) -> Target<'r, 'd> {
        Target {
            span,
            found,
            segment: reading.describe(span, None, found.word()),
        }
    }

    /// Returns the definition or section, if it is one.
    pub fn named(&self) -> Option<&'r Definition<'d>> {
        match self.found {
            Found::Definition(named) => Some(named),
            _ => None,
        }
    }

    /// Returns the number of the entry, if it is one of a configuration file.
    pub fn key(&self) -> Option<usize> {
        match self.found {
            Found::Key(at) => Some(at),
            _ => None,
        }
    }
}
