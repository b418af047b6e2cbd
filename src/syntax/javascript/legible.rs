//! What the grammars do not know, written as they do: a file with such a place is read once more with it written so, byte for byte in
//! the same places. What the file defines and where its statements are is then reported for the file as it is.
//!
//! Two things find such places: `line_ends` those at which a statement ends with its line, `newer` words and members of a file that
//! oxc reads without an error and the grammar does not.

use oxc_span::SourceType;
use tree_sitter::Tree;

use super::{line_ends, newer};

/// Returns the text that is to be read in the place of JavaScript with this tree, if that makes a difference.
pub(crate) fn javascript(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    legible(tree, source, SourceType::mjs().with_jsx(true))
}

/// Does that for TypeScript.
pub(crate) fn typescript(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    legible(tree, source, SourceType::ts())
}

/// Does that for a file of declarations.
pub(crate) fn declarations(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    legible(tree, source, SourceType::d_ts())
}

/// Does that for TypeScript with JSX.
pub(crate) fn tsx(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
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
