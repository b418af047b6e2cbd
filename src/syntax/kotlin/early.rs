//! Errors of Kotlin that its grammar here does not find: a hard keyword that it takes for a name, as an `else` behind a whole `if` ("Keywords
//! and operators" of its documentation). In backquotes it is another name.

use tree_sitter::Tree;

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier"],
    words: &[
        "as",
        "do",
        "else",
        "for",
        "fun",
        "if",
        "in",
        "interface",
        "is",
        "object",
        "package",
        "return",
        "throw",
        "try",
        "typealias",
        "when",
        "while",
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
