//! What the grammars do not know, written as they do: a file with such a place is read once more with it written so, byte for byte in
//! the same places. What the file defines and where its statements stand is then told of the file as it is.
//!
//! Two things find such places: `line_ends` those at which a statement ends with its line, `newer` words and members of a file that
//! oxc reads without an error and the grammar does not.

use std::ops::Range;

use oxc_span::SourceType;
use tree_sitter::Tree;

use super::{line_ends, newer};
use crate::syntax::tree::blank;

/// Returns the text that is to be read in the place of JavaScript with this tree, if that makes a difference.
pub fn javascript(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    legible(tree, source, SourceType::mjs().with_jsx(true))
}

/// Does that for TypeScript.
pub fn typescript(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    legible(tree, source, SourceType::ts())
}

/// Does that for a file of declarations.
pub fn declarations(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    legible(tree, source, SourceType::d_ts())
}

/// Does that for TypeScript with JSX.
pub fn tsx(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    legible(tree, source, SourceType::tsx())
}

fn legible(tree: &Tree, source: &[u8], sort: SourceType) -> Option<Vec<u8>> {
    // Of a tree with errors oxc knows more.
    let newer = if tree.root_node().has_error() {
        newer::changes(tree, source, sort)
    } else {
        Vec::new()
    };
    let changes = if newer.is_empty() {
        line_ends::changes(tree, source)
    } else {
        newer
    };
    if changes.is_empty() {
        return None;
    }
    let mut legible = source.to_vec();
    for change in changes {
        change.write(&mut legible);
    }
    (legible != source).then_some(legible)
}

/// What makes a text legible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// These bytes become blank, but for line breaks.
    Blank(Range<usize>),
    /// These bytes become blank, line breaks as well.
    Join(Range<usize>),
    /// A `;` takes the place of this blank.
    End(usize),
    /// These bytes become blank but for line breaks, and a `;` takes the place of one of them.
    EndOver(Range<usize>, usize),
    /// These bytes become a name.
    Name(Range<usize>),
    /// These bytes, at least six, become the word `static`, and what is left of them blank.
    Static(Range<usize>),
}

impl Change {
    fn write(self, text: &mut [u8]) {
        const STATIC: &[u8] = b"static";
        let fill = |part: Option<&mut [u8]>, with: u8| {
            part.into_iter().flatten().for_each(|byte| *byte = with)
        };
        match self {
            Change::Blank(part) => blank(text, part),
            Change::Join(part) => fill(text.get_mut(part), b' '),
            Change::End(at) => fill(text.get_mut(at..at + 1), b';'),
            Change::EndOver(part, at) => {
                blank(text, part);
                fill(text.get_mut(at..at + 1), b';');
            }
            Change::Name(part) => fill(text.get_mut(part), b'x'),
            Change::Static(part) => {
                let at = part.start;
                blank(text, part);
                text.get_mut(at..at + STATIC.len())
                    .into_iter()
                    .for_each(|bytes| bytes.copy_from_slice(STATIC));
            }
        }
    }
}
