//! Attributes, annotations and decorators, and where what they are for begins; and descriptions, which are texts in GraphQL.

use tree_sitter::{Node, Tree};

use super::compiled::Compiled;
use super::visit::visit;
use crate::syntax::Attribution;

/// Returns the attributes of a file, in the order in which they begin: of definitions, members, parameters, statements.
pub(super) fn attributions(compiled: &Compiled, tree: &Tree, source: &[u8]) -> Vec<Attribution> {
    let mut found: Vec<Attribution> = Vec::new();
    let mut waiting = 0;
    visit(tree, |cursor| {
        let node = cursor.node();
        if compiled.traits(node).comment {
            return false;
        }
        if is_attribute(node, source) {
            if ends_its_owner(node, source) {
                return false;
            }
            found.push(Attribution {
                attribute: node.byte_range().into(),
                of: node.end_byte(),
            });
            waiting += 1;
            return false;
        }
        if node.child_count() > 0 {
            return true;
        }
        let own = found.len() - waiting;
        for attribution in &mut found[own..] {
            attribution.of = node.start_byte();
        }
        waiting = 0;
        false
    });
    found
}

/// Says whether an attribute stands at the end of what it is for, as those of a field of Prisma do.
fn ends_its_owner(attribute: Node<'_>, source: &[u8]) -> bool {
    let Some(parent) = attribute.parent() else {
        return false;
    };
    let is_another = |node: &Node<'_>| !is_attribute(*node, source);
    let before = std::iter::successors(attribute.prev_named_sibling(), Node::prev_named_sibling);
    let after = std::iter::successors(attribute.next_named_sibling(), Node::next_named_sibling);
    let is_on_line = |node: Node<'_>| node.end_position().row == attribute.start_position().row;
    !parent.kind().contains("modifier")
        && before
            .take(MOST_BESIDE)
            .find(is_another)
            .is_some_and(is_on_line)
        && !after.take(MOST_BESIDE).any(|node| is_another(&node))
}

/// So many nodes beside an attribute are looked at.
const MOST_BESIDE: usize = 50;

/// Says whether a node is one: a grammar calls it so, and it begins with a sign of one.
fn is_attribute(node: Node<'_>, source: &[u8]) -> bool {
    let kind = node.kind();
    let is_called_so = kind.contains("attribute")
        || kind.contains("annotation") && !kind.ends_with("declaration")
        || matches!(kind, "decorator" | "metadata" | "description");
    let signs = [&b"@"[..], b"#[", b"[", b"\""];
    let text = source.get(node.byte_range()).unwrap_or_default();
    is_called_so
        && !kind.starts_with("inner")
        && node.child_count() > 0
        && signs.iter().any(|sign| text.starts_with(sign))
}
