//! What a type or a value is made of, some of it without a name: fields of structs, variants and constants of enums, methods of an
//! interface of Go, properties of an object or of a type.
//!
//! Deliberately not here: members of classes, and what is in a member.

use tree_sitter::{Node, Tree};

use crate::syntax::Member;
use crate::text::Span;

/// What holds them.
const LISTS: [&str; 6] = [
    "field_declaration_list",
    "enum_variant_list",
    "enum_body",
    "object",
    "object_type",
    "interface_type",
];

/// What holds one thing that holds them.
const AROUND: [&str; 7] = [
    "ambient_declaration",
    "lexical_declaration",
    "variable_declaration",
    "type_declaration",
    "struct_type",
    "as_expression",
    "satisfies_expression",
];

/// Returns the direct members of the definition at `span`.
pub(super) fn members_of_definition(tree: &Tree, source: &[u8], span: Span) -> Vec<Member> {
    let found = tree
        .root_node()
        .descendant_for_byte_range(span.start, span.end);
    let Some(list) = found.and_then(list_in) else {
        return Vec::new();
    };
    let mut members: Vec<Member> = Vec::new();
    let mut attributes: Vec<Span> = Vec::new();
    let mut cursor = list.walk();
    for node in list.named_children(&mut cursor) {
        match node.kind() {
            // An attribute of Rust is no child of what it is for.
            "attribute_item" => attributes.push(node.byte_range().into()),
            "line_comment" | "block_comment" | "comment" => {}
            _ => {
                let attributes = [
                    std::mem::take(&mut attributes),
                    inner_attributes(node, source),
                ]
                .concat();
                let name = |name: Node<'_>| Member {
                    name: without_quotes(&String::from_utf8_lossy(
                        Span::from(name.byte_range()).of(source),
                    ))
                    .to_owned(),
                    span: node.byte_range().into(),
                    named: name.byte_range().into(),
                    attributes: attributes.clone(),
                };
                members.extend(names(node).into_iter().map(name));
            }
        }
    }
    members
}

/// Returns a name without the quotes that it may be written in.
fn without_quotes(name: &str) -> &str {
    ['"', '\'']
        .iter()
        .find_map(|&quote| name.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(name)
}

/// Returns the list of members that a definition has.
fn list_in(mut node: Node<'_>) -> Option<Node<'_>> {
    const DEEPEST: usize = 8;
    for _ in 0..DEEPEST {
        if LISTS.contains(&node.kind()) {
            return Some(node);
        }
        let own = ["declaration", "body", "value", "type"]
            .iter()
            .find_map(|field| node.child_by_field_name(field));
        let is_sole = node.named_child_count() == 1 || node.kind().ends_with("_expression");
        let inner = || {
            node.named_child(0)
                .filter(|_| is_sole && AROUND.contains(&node.kind()))
        };
        node = own.or_else(inner)?;
    }
    None
}

/// Returns the nodes that name what a node declares: a field of Go may have several.
fn names(node: Node<'_>) -> Vec<Node<'_>> {
    match node.kind() {
        "property_identifier" | "shorthand_property_identifier" | "string" | "spread_element" => {
            vec![node]
        }
        "pair" => node.child_by_field_name("key").into_iter().collect(),
        "enum_body_declarations" => Vec::new(),
        kind => {
            let mut cursor = node.walk();
            let mut found: Vec<Node<'_>> =
                node.children_by_field_name("name", &mut cursor).collect();
            // What is embedded has the name of its type.
            if found.is_empty() && kind == "field_declaration" {
                found.extend(node.child_by_field_name("type"));
            }
            found
        }
    }
}

/// Returns the annotations of Java, and each key of a tag of Go with its value.
fn inner_attributes(node: Node<'_>, source: &[u8]) -> Vec<Span> {
    let mut cursor = node.walk();
    let modifiers = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "modifiers");
    if let Some(modifiers) = modifiers {
        let mut cursor = modifiers.walk();
        let annotations = modifiers
            .named_children(&mut cursor)
            .filter(|child| child.kind().ends_with("annotation"));
        return annotations
            .map(|annotation| annotation.byte_range().into())
            .collect();
    }
    let Some(tag) = node.child_by_field_name("tag") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut start = tag.start_byte() + 1;
    let end = tag.end_byte().saturating_sub(1);
    while let Some(rest) = source.get(start..end).filter(|rest| !rest.is_empty()) {
        let blanks = rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let quote = |from: usize| {
            rest.get(from..)?
                .iter()
                .position(|&byte| byte == b'"')
                .map(|at| from + at)
        };
        let Some(close) = quote(blanks).and_then(|open| quote(open + 1)) else {
            break;
        };
        found.push(Span::new(start + blanks, start + close + 1));
        start += close + 1;
    }
    found
}
