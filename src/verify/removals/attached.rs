//! `Attached`: what belongs to a definition and is written above it: decorators and documentation.

use super::lines::lines_with_words;
use crate::resolve::{Definition, Document};
use crate::syntax::{Decoration, DecorationKind, directives};
use crate::text::Span;

/// What is attached to a definition, and goes with it wherever it goes.
#[derive(Clone, Debug, Default)]
pub(super) struct Attached {
    /// Decorators and attributes.
    pub(super) decorators: Vec<Span>,
    pub(super) documentation: Option<Span>,
}

impl Attached {
    pub(super) fn to(named: &Definition<'_>, document: &Document) -> Attached {
        let decorators = decorations_of(named)
            .map(|decoration| decoration.span)
            .collect();
        Attached {
            decorators,
            documentation: documentation(named, document),
        }
    }
}

/// Returns the decorators and attributes of a definition.
pub(super) fn decorations_of<'n>(
    named: &'n Definition<'_>,
) -> impl Iterator<Item = &'n Decoration> {
    named
        .symbol
        .decorations
        .iter()
        .filter(|decoration| decoration.sort == DecorationKind::Decorator)
}

/// Returns what documents a definition: its docstring, unless that is nothing but directives, as Go has them below one, or the comments
/// above a variable of Python that say of themselves that they do (`#: …`).
pub(super) fn documentation(named: &Definition<'_>, document: &Document) -> Option<Span> {
    let says_more =
        |line: &[u8]| !line.starts_with(b"//") || directives::of_comment(line).is_none();
    let is_read = |span: &Span| lines_with_words(span.of(&document.bytes)).any(says_more);
    let says_it_documents =
        |decoration: &&Decoration| decoration.span.of(&document.bytes).starts_with(b"#:");
    let comments = || {
        named
            .symbol
            .decorations
            .iter()
            .filter(says_it_documents)
            .map(|it| it.span)
            .reduce(Span::cover)
    };
    named.symbol.docstring.filter(is_read).or_else(comments)
}
