//! Remarks among the children of an element: what looks like a comment there is text that is shown.

use tree_sitter::Tree;

use crate::syntax::SyntaxError;

/// Returns each line of text that begins as a comment does, in file order. Text after a tag, on its line, may be meant.
pub(super) fn shown(tree: &Tree, source: &[u8]) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    if !has_elements(source) || !source.split(|&byte| byte == b'\n').any(is_remark) {
        return found;
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "jsx_text" {
            let mut at = node.start_byte();
            let text = source.get(node.byte_range()).unwrap_or_default();
            for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
                if number > 0 && is_remark(line) {
                    let blank = line.len() - line.trim_ascii_start().len();
                    let message =
                        "a comment among the children of an element is text: write `{/* … */}`"
                            .to_owned();
                    found.push(SyntaxError {
                        offset: at + blank,
                        message,
                    });
                }
                at += line.len();
            }
        } else if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn has_elements(source: &[u8]) -> bool {
    memchr::memmem::find(source, b"</").is_some()
}

fn is_remark(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    text.starts_with(b"//") || text.starts_with(b"/*")
}
