//! Errors of Lua that its grammar here does not find: a reserved word where an expression may stand ("Lexical Conventions" of its manual).

use tree_sitter::Tree;

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

/// All but `goto`, which older versions have for a name.
static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier"],
    words: &[
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in",
        "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ],
    in_any_case: false,
    takes_any: |_, _| false,
};

/// Returns the errors of a file, those that its grammar found among them, in file order.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    reserved_words(&RESERVED, tree, source, own)
}
