//! A walk through a tree, in file order.

use tree_sitter::{Tree, TreeCursor};

/// Visits the nodes in file order, each by a cursor that is at it, and those inside a node only when `enter` says so.
pub fn visit<'t>(tree: &'t Tree, mut enter: impl FnMut(&TreeCursor<'t>) -> bool) {
    let mut cursor = tree.walk();
    loop {
        if enter(&cursor) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
