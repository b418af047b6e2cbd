//! Errors of Ruby that its grammar here does not find: a reserved word where nothing takes one. It may be the name of a method, which is
//! called by it behind a `.` alone ("Keywords" of Ruby's documentation). And an `else` without a `rescue`.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

static RESERVED: ReservedWords = ReservedWords {
    name: "identifier",
    words: &[
        "and", "begin", "case", "class", "def", "do", "else", "elsif", "end", "ensure", "for",
        "if", "in", "module", "not", "or", "rescue", "then", "unless", "until", "when", "while",
    ],
    in_any_case: false,
    takes_any,
};

/// Returns the errors of a file, those that its grammar found among them, in file order.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let mut found = reserved_words(&RESERVED, tree, source, own);
    found.extend(useless_branches(tree));
    found.sort_by_key(|error| error.offset);
    found
}

/// Returns an error for each `else` of a body that has no `rescue` before it.
fn useless_branches(tree: &Tree) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if matches!(node.kind(), "body_statement" | "begin") {
            let mut inside = node.walk();
            let mut has_rescue = false;
            for child in node.children(&mut inside) {
                has_rescue |= child.kind() == "rescue";
                if child.kind() == "else" && !has_rescue {
                    found.push(SyntaxError {
                        offset: child.start_byte(),
                        message: "`else` without `rescue`".to_owned(),
                    });
                }
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// Says whether any word may be the name that `node` is: that of a method where it is defined, or called by something, or of an argument.
fn takes_any(field: Option<&str>, node: Node<'_>) -> bool {
    let Some(around) = node.parent() else {
        return false;
    };
    match around.kind() {
        "method" | "singleton_method" | "alias" => field.is_some(),
        "setter" | "undef" | "keyword_parameter" => true,
        "call" => field == Some("method") && around.child_by_field_name("receiver").is_some(),
        _ => false,
    }
}
