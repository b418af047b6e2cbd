//! Errors of Solidity that its grammar here does not find: a keyword that it takes for a name, as in `else;` ("Reserved Keywords" of its
//! documentation).

use tree_sitter::Tree;

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier"],
    words: &[
        "break",
        "calldata",
        "catch",
        "constant",
        "continue",
        "contract",
        "delete",
        "do",
        "else",
        "enum",
        "event",
        "external",
        "for",
        "function",
        "if",
        "import",
        "interface",
        "internal",
        "is",
        "library",
        "mapping",
        "memory",
        "modifier",
        "new",
        "private",
        "public",
        "pure",
        "return",
        "returns",
        "storage",
        "struct",
        "try",
        "using",
        "view",
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
