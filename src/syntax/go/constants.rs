//! Constants that have no value of their own: in a group, such an entry repeats the expression above it, and `iota` in that is
//! the number of the entry. Where an entry goes, comes or moves, those below it may stand for something else without a
//! byte of them having changed.

use tree_sitter::{Node, Tree, TreeCursor};

use crate::syntax::Implied;
use crate::text::Span;

/// Returns them in file order.
pub(super) fn implied(tree: &Tree, source: &[u8]) -> Vec<Implied> {
    let mut found = Vec::new();
    if memchr::memmem::find(source, b"const").is_none() {
        return found;
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "const_declaration" {
            of_group(node, source, &mut found);
        } else if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn of_group(group: Node<'_>, source: &[u8], found: &mut Vec<Implied>) {
    let mut above: Option<Vec<&[u8]>> = None;
    let mut cursor = group.walk();
    let entries = group
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "const_spec");
    for (number, entry) in entries.enumerate() {
        if entry.child_by_field_name("value").is_some() {
            above = Some(value(entry, source));
            continue;
        }
        // Without any above it stands for nothing.
        let tokens = above.as_deref().unwrap_or_default();
        let mut stands_for = tokens.join(&b' ');
        if tokens.contains(&&b"iota"[..]) {
            stands_for.extend_from_slice(format!(" at {number}").as_bytes());
        }
        found.push(Implied {
            span: Span::from(entry.byte_range()),
            stands_for,
        });
    }
}

/// Returns the tokens of an entry after its names: its type, which is repeated as well, and its value.
fn value<'s>(entry: Node<'_>, source: &'s [u8]) -> Vec<&'s [u8]> {
    let mut cursor = entry.walk();
    let mut tokens = Vec::new();
    let mut more = cursor.goto_first_child();
    let mut is_behind = false;
    while more {
        let field = cursor.field_name();
        is_behind |= matches!(field, Some("type" | "value")) || cursor.node().kind() == "=";
        if is_behind {
            push_tokens(cursor.node().walk(), source, &mut tokens);
        }
        more = cursor.goto_next_sibling();
    }
    tokens
}

/// Adds the tokens of the node that the cursor is at, comments left out.
fn push_tokens<'s>(mut cursor: TreeCursor<'_>, source: &'s [u8], tokens: &mut Vec<&'s [u8]>) {
    loop {
        let node = cursor.node();
        if node.kind() != "comment" {
            if cursor.goto_first_child() {
                continue;
            }
            tokens.push(source.get(node.byte_range()).unwrap_or_default());
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
