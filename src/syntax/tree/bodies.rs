//! What the bodies of functions are, and what is in the headers of constructors.

use tree_sitter::Tree;

use super::Unrun;
use super::visit::visit;
use crate::text::Span;

/// Returns the nodes of these kinds, each with the `:` before it.
pub(super) fn initialisers(kinds: &[&str], tree: &Tree, source: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    visit(tree, |cursor| {
        let node = cursor.node();
        if kinds.contains(&node.kind()) {
            let ahead = source.get(..node.start_byte()).unwrap_or_default();
            let sign = ahead.trim_ascii_end().strip_suffix(b":");
            let start = sign.map_or(node.start_byte(), <[u8]>::len);
            found.push(Span::new(start, node.end_byte()));
        }
        true
    });
    found
}

/// Returns what `unrun` says of the body that begins at `offset`, with a brace.
pub(super) fn unrun(
    unrun: Unrun,
    tree: &Tree,
    source: &[u8],
    offset: usize,
) -> Option<&'static str> {
    if source.get(offset) != Some(&b'{') {
        return None;
    }
    let mut node = tree.root_node().descendant_for_byte_range(offset, offset)?;
    loop {
        let around = node.parent().filter(|_| node.start_byte() == offset)?;
        if around.kind() == "function_body" {
            return unrun(node);
        }
        node = around;
    }
}
