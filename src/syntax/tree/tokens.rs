//! The words and signs of a file, whatever the grammar makes of them.

use std::ops::Range;

use tree_sitter::{Node, Tree};

/// Returns the tokens in file order; comments are none, and a string is one.
pub fn tokens(tree: &Tree) -> Vec<Node<'_>> {
    let mut tokens = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        // What the parser skips is extra, too.
        let is_comment = node.is_extra() && !node.is_error();
        let is_whole = is_comment || node.kind().ends_with("string_literal");
        if !is_whole && cursor.goto_first_child() {
            continue;
        }
        if !is_comment && !node.is_missing() {
            tokens.push(node);
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return tokens;
            }
        }
    }
}

/// Returns `source` with these parts of it blank but for line breaks.
pub fn blanked(source: &[u8], parts: &[Range<usize>]) -> Vec<u8> {
    let mut text = source.to_vec();
    parts.iter().for_each(|part| blank(&mut text, part.clone()));
    text
}

/// Makes this part of `text` blank but for line breaks.
pub fn blank(text: &mut [u8], part: Range<usize>) {
    let bytes = text.get_mut(part).into_iter().flatten();
    bytes
        .filter(|byte| !matches!(byte, b'\n' | b'\r'))
        .for_each(|byte| *byte = b' ');
}
