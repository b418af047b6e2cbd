//! Errors of Scala that its grammar here does not find: a reserved word that goes on with nothing, as an `else` behind a whole `if`.

use tree_sitter::Tree;

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier"],
    words: &[
        "case", "catch", "class", "def", "else", "extends", "finally", "for", "if", "import",
        "match", "new", "object", "package", "return", "throw", "trait", "try", "val", "var",
        "while", "yield",
    ],
    in_any_case: false,
    // In backquotes it is another name.
    takes_any: |_, _| false,
};

/// Returns the errors of a file, those that its grammar found among them, in file order.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    reserved_words(&RESERVED, tree, source, own)
}
