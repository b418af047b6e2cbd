//! The elements of lists, arguments, parameters and the like.

use tree_sitter::{Node, Tree};

use super::compiled::Compiled;
use super::visit::visit;
use crate::syntax::Hole;
use crate::text::Span;

/// Returns what is in brackets, each part by itself with the attributes before it, in the order in which it begins; of what is in braces
/// only where commas part it; of JSX its elements, their children and attributes.
pub(super) fn find_elements(compiled: &Compiled, tree: &Tree, source: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    visit(tree, |cursor| {
        let node = cursor.node();
        if is_jsx(node) {
            found.push(Span::from(node.byte_range()));
        }
        if is_list(node, source) {
            let mut cursor = node.walk();
            let code = node
                .children(&mut cursor)
                .filter(|child| !compiled.traits(*child).comment);
            if compiled.traits(node).token_list {
                found.extend(groups(code));
                return true;
            }
            // A call of Zig or Solidity has its arguments beside what is called.
            let is_ahead = |child: &Node<'_>| is_flat_call(node) && child.kind() != "(";
            // Where the attributes of the next part begin.
            let mut decorated = None;
            for child in code
                .skip_while(is_ahead)
                .filter(|child| child.is_named() && !is_bracket(*child))
            {
                let start = *decorated.get_or_insert(child.start_byte());
                if child.kind() != ATTRIBUTE {
                    found.push(Span::new(start, child.end_byte()));
                    decorated = None;
                }
            }
        }
        true
    });
    found.sort_unstable();
    found
}

/// An attribute of Rust is no child of what it is for.
const ATTRIBUTE: &str = "attribute_item";

fn is_jsx(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "jsx_element" | "jsx_self_closing_element" | "jsx_attribute"
    )
}

/// Returns what the tokens between two brackets are parted into.
fn groups<'t>(tokens: impl Iterator<Item = Node<'t>>) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Option<Span> = None;
    for token in tokens {
        match token.kind() {
            "[" | "]" | "(" | ")" | "{" | "}" => {}
            "," | ";" => found.extend(open.take()),
            _ => {
                open = Some(Span::new(
                    open.map_or(token.start_byte(), |group| group.start),
                    token.end_byte(),
                ))
            }
        }
    }
    found.extend(open);
    found
}

/// Returns the commas that nothing is before in its list, in file order.
pub(super) fn holes(compiled: &Compiled, tree: &Tree) -> Vec<Hole> {
    let mut found = Vec::new();
    visit(tree, |cursor| {
        let node = cursor.node();
        if compiled.traits(node).sparse_list {
            let list = Span::from(node.byte_range());
            let mut cursor = node.walk();
            let mut is_empty = true;
            for child in node
                .children(&mut cursor)
                .skip(1)
                .filter(|child| !compiled.traits(*child).comment)
            {
                let is_comma = child.kind() == ",";
                if is_comma && is_empty {
                    found.push(Hole {
                        comma: child.start_byte(),
                        list,
                    });
                }
                is_empty = is_comma;
            }
        }
        true
    });
    found.sort_unstable_by_key(|hole| hole.comma);
    found
}

/// Says whether a node is a call whose brackets are no node of their own.
fn is_flat_call(node: Node<'_>) -> bool {
    let is_open = |child: Node<'_>| child.kind() == "(";
    node.kind() == "call_expression" && node.child(1).is_some_and(is_open)
}

/// Says whether a node is a bracket, which HCL gives a name.
fn is_bracket(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "tuple_start" | "tuple_end" | "object_start" | "object_end"
    )
}

fn is_list(node: Node<'_>, source: &[u8]) -> bool {
    // HCL has what is in brackets apart from them.
    let is_apart = node.kind() == "function_arguments" || node.child(0).is_some_and(is_bracket);
    if is_apart || is_flat_call(node) {
        return true;
    }
    let first = node.child(0).filter(|first| !first.is_named());
    let opens = first.and_then(|first| source.get(first.start_byte()));
    match opens {
        // `(a) b`: the type is in brackets.
        Some(b'(') if node.kind() == "cast_expression" => false,
        Some(b'[' | b'(') => true,
        // Members of a type are statements, whatever ends them.
        Some(b'{') if matches!(node.kind(), "interface_body" | "object_type") => false,
        Some(b'{') if node.kind() == "initializer_list" => true,
        Some(b'{') => {
            let mut cursor = node.walk();
            node.children(&mut cursor).any(|child| child.kind() == ",")
        }
        _ => false,
    }
}
