//! Directives: statements of nothing but a string, first in a file or in a function (`"use strict"`).

use tree_sitter::Node;

/// Says whether `member` is one, if only its like is before it.
pub(crate) fn leads(member: Node<'_>, list: &str, around: &str, _source: &[u8]) -> bool {
    let of_function = || around.contains("function") || around == "method_definition";
    let has_directives = list == "program" || (list == "statement_block" && of_function());
    has_directives
        && member.kind() == "expression_statement"
        && member
            .named_child(0)
            .is_some_and(|only| only.kind() == "string")
}
