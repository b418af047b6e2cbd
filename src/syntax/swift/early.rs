//! Errors of Swift that its grammar here does not find: a keyword that it takes for a name, as an `else` behind a whole `if`, or a `defer`
//! without its block ("Keywords and Punctuation" of its reference). In backquotes it is another name.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

static RESERVED: ReservedWords = ReservedWords {
    names: &["simple_identifier"],
    words: &[
        "case", "catch", "class", "else", "enum", "func", "guard", "import", "let", "struct",
        "switch", "var",
    ],
    in_any_case: false,
    takes_any: |_, name| is_label(name),
};

/// What the grammar has for the call of a function with a closure.
static CALLED: ReservedWords = ReservedWords {
    names: &["simple_identifier"],
    words: &["defer"],
    in_any_case: false,
    takes_any: |_, name| {
        is_label(name)
            || name
                .parent()
                .is_some_and(|around| around.kind() == "call_expression")
    },
};

/// Says whether a name is a member behind a `.`, or the label of an argument or a parameter, which any word may be.
fn is_label(name: Node<'_>) -> bool {
    name.parent().is_some_and(|around| {
        matches!(
            around.kind(),
            "enum_type_parameters"
                | "navigation_suffix"
                | "parameter"
                | "pattern"
                | "prefix_expression"
                | "tuple_expression"
                | "tuple_type_item"
                | "value_argument_label"
        )
    })
}

/// Returns the errors of a file, those that its grammar found among them, in file order. Where that could not read something, any word may
/// have been taken for another.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    if tree.root_node().has_error() {
        return own;
    }
    let found = reserved_words(&RESERVED, tree, source, own);
    reserved_words(&CALLED, tree, source, found)
}
