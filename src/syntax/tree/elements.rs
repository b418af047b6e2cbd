//! The elements of lists, arguments, parameters and the like.

use tree_sitter::{Node, Tree};

use super::compiled::Compiled;
use super::lines::visit;
use crate::text::Span;

/// Returns what stands in brackets, each part by itself, in the order in which it begins; of what stands in braces only where commas part
/// it.
pub(super) fn of(compiled: &Compiled, tree: &Tree, source: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    visit(tree, |node| {
        if is_list(node, source) {
            let mut cursor = node.walk();
            let parts = node.named_children(&mut cursor).filter(|child| !compiled.traits(*child).comment);
            found.extend(parts.map(|child| Span::from(child.byte_range())));
        }
        true
    });
    found.sort_unstable();
    found
}

fn is_list(node: Node<'_>, source: &[u8]) -> bool {
    let first = node.child(0).filter(|first| !first.is_named());
    let opens = first.and_then(|first| source.get(first.start_byte()));
    match opens {
        Some(b'[' | b'(') => true,
        Some(b'{') => {
            let mut cursor = node.walk();
            node.children(&mut cursor).any(|child| child.kind() == ",")
        }
        _ => false,
    }
}
