//! Who may call the methods of a class or module: a `private` without arguments.

use tree_sitter::{Node, Tree};

use crate::syntax::tree::visit;
use crate::syntax::{AccessBody, AccessLabel};
use crate::text::Span;

/// Methods that, called without arguments, hold for the definitions below.
const LABELS: [&[u8]; 4] = [b"private", b"protected", b"public", b"module_function"];

/// Returns the classes and modules of a file that have something in them, in the order in which they begin.
pub(super) fn access(tree: &Tree, source: &[u8]) -> Vec<AccessBody> {
    let mut found = Vec::new();
    visit(tree, |cursor| {
        let node = cursor.node();
        let is_class = matches!(node.kind(), "class" | "module" | "singleton_class");
        let body = node
            .child_by_field_name("body")
            .filter(|body| is_class && body.kind() == "body_statement");
        found.extend(body.map(|body| AccessBody {
            span: Span::new(node.start_byte(), end_of(node, body)),
            default: "public",
            labels: labels(body, source),
        }));
        true
    });
    found
}

/// Returns where the `end` of a class begins; what is above it, comments and all, is in it.
fn end_of(class: Node<'_>, body: Node<'_>) -> usize {
    let last = class
        .child_count()
        .checked_sub(1)
        .and_then(|last| class.child(last))
        .filter(|last| last.kind() == "end");
    last.map_or(body.end_byte(), |last| last.start_byte())
}

fn labels(body: Node<'_>, source: &[u8]) -> Vec<AccessLabel> {
    let mut cursor = body.walk();
    body.named_children(&mut cursor)
        .filter(|member| member.kind() == "identifier")
        .filter_map(|member| {
            let word = source.get(member.byte_range())?;
            LABELS.contains(&word).then(|| AccessLabel {
                span: member.byte_range().into(),
                access: String::from_utf8_lossy(word).into_owned(),
            })
        })
        .collect()
}
