//! Errors of Dart that its grammar here does not find: a reserved word that it takes for a name ("Reserved Words" of its specification).

use tree_sitter::Tree;

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier"],
    words: &[
        "break", "case", "catch", "class", "continue", "default", "do", "else", "enum", "extends",
        "finally", "for", "if", "in", "is", "rethrow", "return", "switch", "throw", "try", "var",
        "while", "with",
    ],
    in_any_case: false,
    takes_any: |_, _| false,
};

/// Returns the errors of a file, those that its grammar found among them, in file order. Where that could not read something, any word may
/// have been taken for another.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    if tree.root_node().has_error() {
        return own;
    }
    reserved_words(&RESERVED, tree, source, own)
}
