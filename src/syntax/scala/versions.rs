//! Blocks that only indentation makes. Version 3 has them; to version 2 the first statement is all that an `if`, a `=` or a `yield` takes,
//! and the others stand behind it ("Optional Braces" in Scala's reference). Which version a file is in, no file says; some show it.

use tree_sitter::{Node, Tree};

use crate::syntax::Doubtful;
use crate::text::Span;

/// Nodes that version 2 does not have.
const NEWER: [&str; 18] = [
    "then",
    "enum",
    "given",
    "extension",
    "export",
    "using",
    "end_marker",
    "_end_ident",
    "indented_cases",
    "derives",
    "colon_argument",
    "opaque_modifier",
    "inline_modifier",
    "open_modifier",
    "transparent_modifier",
    "infix_modifier",
    "=>>",
    "using_directive",
];

/// Returns the statements that version 2 would have outside of the block that they are in, in file order; none of a file that shows that
/// it is in version 3.
pub(super) fn doubtful(tree: &Tree, _source: &[u8]) -> Vec<Doubtful> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if is_newer(node) {
            return Vec::new();
        }
        if node.kind() == "indented_block" {
            found.extend(second_of(node));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                found.sort_by_key(|doubtful: &Doubtful| doubtful.span.start);
                return found;
            }
        }
    }
}

/// Says whether a node is of version 3: a word, or a body that begins with `:`.
fn is_newer(node: Node<'_>) -> bool {
    NEWER.contains(&node.kind())
        || matches!(node.kind(), "template_body" | "with_template_body")
            && node.child(0).is_some_and(|first| first.kind() == ":")
}

/// Returns the second statement of a block without braces, if what is before the block takes one in version 2.
fn second_of(block: Node<'_>) -> Option<Doubtful> {
    let around = block.parent()?;
    let opener = block.prev_sibling()?;
    let takes_one = matches!(opener.kind(), "=" | "else" | "yield" | "try" | "finally")
        || opener.kind() == "parenthesized_expression"
        || opener.kind() == ")";
    let mut cursor = block.walk();
    let mut statements = block
        .named_children(&mut cursor)
        .filter(|child| !child.is_extra());
    let second = statements.nth(1).filter(|_| takes_one)?;
    Some(Doubtful {
        header: around.start_byte(),
        span: Span::new(second.start_byte(), second.end_byte()),
    })
}
