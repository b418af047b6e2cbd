//! Errors of HCL that its grammar here does not find: two attributes or blocks on one line, and two entries of an object without a comma or
//! a line end between ("Structural Elements" and "Collection Values" of its native syntax).

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::visit;

/// Returns the errors of a file, those that its grammar found among them, in file order.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let mut found = own;
    visit(tree, |cursor| {
        let node = cursor.node();
        let members: &[&str] = match node.kind() {
            "body" => &["attribute", "block"],
            "object" => &["object_elem"],
            _ => &[],
        };
        if !members.is_empty() {
            add_joined(node, members, source, &mut found);
        }
        true
    });
    found.sort_by_key(|error| error.offset);
    found
}

/// Adds an error for each member of `list` that follows another on its line, with nothing that parts the two.
fn add_joined(list: Node<'_>, members: &[&str], source: &[u8], found: &mut Vec<SyntaxError>) {
    let mut cursor = list.walk();
    let mut last: Option<usize> = None;
    for child in list.children(&mut cursor) {
        if child.kind() == "," {
            last = None;
        } else if members.contains(&child.kind()) {
            let gap = last.and_then(|end| source.get(end..child.start_byte()));
            // A here-document ends with its line.
            let ended = last.and_then(|end| source.get(end.checked_sub(1)?));
            if gap.is_some_and(|gap| !gap.contains(&b'\n')) && ended != Some(&b'\n') {
                found.push(SyntaxError {
                    offset: child.start_byte(),
                    message: "expected a new line".to_owned(),
                });
            }
            last = Some(child.end_byte());
        }
    }
}
