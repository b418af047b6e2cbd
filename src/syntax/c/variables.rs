//! Variables that are declared together with their type: `struct pt {…} origin;`.

use tree_sitter::{Node, Tree};

use crate::syntax::TypedVariables;
use crate::syntax::tree::visit;

/// Returns those of a file, in the order in which they begin.
pub(crate) fn typed_variables(tree: &Tree, _source: &[u8]) -> Vec<TypedVariables> {
    let mut found = Vec::new();
    visit(tree, |cursor| {
        found.extend(declared(cursor.node()));
        true
    });
    found
}

fn declared(declaration: Node<'_>) -> Option<TypedVariables> {
    if !matches!(declaration.kind(), "declaration" | "field_declaration") {
        return None;
    }
    let of_type = declaration.child_by_field_name("type")?;
    of_type.child_by_field_name("name")?;
    of_type.child_by_field_name("body")?;
    declaration.child_by_field_name("declarator")?;
    Some(TypedVariables {
        whole: declaration.byte_range().into(),
        of_type: of_type.byte_range().into(),
    })
}
