//! What Kotlin has and the grammar has not: a loop's statement on the next line. The grammar ends the loop with its line, and so line breaks
//! there are read as blanks.

use tree_sitter::Tree;

/// Returns the text that is to be read in the place of `source`, whose tree it is, if that makes a difference.
pub(super) fn legible(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    let mut read = None;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_loop = matches!(node.kind(), "while_statement" | "for_statement");
        let last = node.child_count().saturating_sub(1);
        if is_loop && node.child(last).is_some_and(|it| it.kind() == ")") {
            let rest = source.get(node.end_byte()..).unwrap_or_default();
            let blanks = rest.len() - rest.trim_ascii_start().len();
            let goes_on = rest
                .get(blanks)
                .is_some_and(|next| !matches!(next, b';' | b'}' | b'/'));
            if goes_on && rest[..blanks].contains(&b'\n') {
                let text = read.get_or_insert_with(|| source.to_vec());
                text[node.end_byte()..node.end_byte() + blanks].fill(b' ');
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return read;
            }
        }
    }
}
