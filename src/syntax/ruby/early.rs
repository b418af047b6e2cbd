//! Errors of Ruby that its grammar here does not find: a reserved word where nothing takes one. It may be the name of a method, which is
//! called by it behind a `.` alone ("Keywords" of Ruby's documentation). And an `else` without a `rescue`, and a
//! value that is not all there.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words, visit};

static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier"],
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
    found.extend(going_on(tree));
    found.sort_by_key(|error| error.offset);
    found
}

/// Returns an error for each `else` of a body that has no `rescue` before it.
fn useless_branches(tree: &Tree) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    visit(tree, |cursor| {
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
        true
    });
    found
}

/// Returns an error for each assignment whose value goes on with the statement below it, as Ruby reads a range or a `*` that ends its line.
fn going_on(tree: &Tree) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    visit(tree, |cursor| {
        let node = cursor.node();
        if node.kind() == "assignment"
            && node.child_by_field_name("right").is_some_and(is_open)
            && std::iter::successors(node.next_sibling(), Node::next_sibling)
                .find(|next| !next.is_extra())
                .is_some_and(|next| next.is_named())
        {
            found.push(SyntaxError {
                offset: node.end_byte(),
                message: "the value goes on in the next line".to_owned(),
            });
        }
        true
    });
    found
}

/// Says whether a value ends with an operator.
fn is_open(value: Node<'_>) -> bool {
    match value.kind() {
        "range" => value.child_by_field_name("end").is_none(),
        "splat_argument" => value.named_child_count() == 0,
        _ => false,
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
