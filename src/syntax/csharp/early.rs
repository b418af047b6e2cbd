//! Errors of C# that its grammar here does not find: a keyword that it takes for a name, as in `else();` ("Keywords" of its reference). With an
//! `@` ahead it is another name.

use tree_sitter::Tree;

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier"],
    words: &[
        "abstract",
        "as",
        "base",
        "break",
        "case",
        "catch",
        "checked",
        "class",
        "const",
        "continue",
        "default",
        "delegate",
        "do",
        "else",
        "enum",
        "event",
        "explicit",
        "extern",
        "finally",
        "fixed",
        "for",
        "foreach",
        "goto",
        "if",
        "implicit",
        "in",
        "interface",
        "internal",
        "is",
        "lock",
        "namespace",
        "new",
        "operator",
        "out",
        "override",
        "params",
        "private",
        "protected",
        "public",
        "readonly",
        "ref",
        "return",
        "sealed",
        "sizeof",
        "stackalloc",
        "static",
        "struct",
        "switch",
        "this",
        "throw",
        "try",
        "typeof",
        "unsafe",
        "using",
        "virtual",
        "void",
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
