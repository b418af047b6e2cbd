//! Errors of PHP that its grammar here does not find: a word that ends a block where none is open. It reads a constant of that name.

use tree_sitter::Tree;

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

static RESERVED: ReservedWords = ReservedWords {
    names: &["name"],
    words: &[
        "else",
        "elseif",
        "enddeclare",
        "endfor",
        "endforeach",
        "endif",
        "endswitch",
        "endwhile",
    ],
    in_any_case: true,
    // Methods, constants of classes and arguments may be called so.
    takes_any: |_, name| {
        name.parent()
            .is_none_or(|around| around.kind() != "expression_statement")
    },
};

/// Returns the errors of a file, those that its grammar found among them, in file order.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    reserved_words(&RESERVED, tree, source, own)
}
