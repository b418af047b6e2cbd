//! Ends of statements that the grammar does not know: the standard takes a line break inside of a comment for a line break, and
//! has a declaration without a value end with its line even where the next one begins with `(` or `[`.
//!
//! A file that does not parse is read once more with these written as the grammar knows them, byte for byte in the same
//! places: such a comment becomes blank, and a `;` takes the place of a blank behind such a declaration. What the file defines
//! and where its statements stand is then told of the file as it is.
//!
//! Known limits: where the grammar reads such a place without an error, it is not looked at again (`return`, a comment over two
//! lines, and a value).

use tree_sitter::{Node, Tree};

/// Returns the text that is to be read in the place of `source`, which does not parse, if that makes a difference.
pub fn legible(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    let mut legible: Option<Vec<u8>> = None;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if let Some(change) = change(node, source) {
            change.write(legible.get_or_insert_with(|| source.to_vec()));
        }
        // Everything that an error touches has one around it, but that a comment may be read as a part of `/x//* … */`.
        if (node.has_error() || node.kind() == "regex") && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return legible;
            }
        }
    }
}

enum Change {
    /// A comment becomes blank, but for its line breaks.
    Blank { start: usize, end: usize },
    /// A statement ends here.
    End(usize),
}

impl Change {
    fn write(self, text: &mut [u8]) {
        match self {
            Change::Blank { start, end } => {
                for byte in text.get_mut(start..end).unwrap_or_default() {
                    *byte = if matches!(byte, b'\n' | b'\r') { *byte } else { b' ' };
                }
            }
            Change::End(at) => {
                if let Some(byte) = text.get_mut(at) {
                    *byte = b';';
                }
            }
        }
    }
}

fn change(node: Node<'_>, source: &[u8]) -> Option<Change> {
    if node.kind() == "comment" {
        let (start, end) = (node.start_byte(), node.end_byte());
        let parts = ends_line_within(source.get(start..end)?) && !begins_line(source, start) && !ends_line(source, end);
        return parts.then_some(Change::Blank { start, end });
    }
    let is_end = (node.is_missing() && matches!(node.kind(), ";" | ",") && is_behind_bare_name(node))
        || (node.is_error() && (is_bare_field(node) || is_bare_let(node, source)));
    if !is_end {
        return None;
    }
    // What is missing may be put behind the blanks.
    let ahead = if node.is_missing() { node.prev_sibling()?.end_byte() } else { node.end_byte() };
    end_of_line(source, ahead).map(Change::End)
}

/// `var x`, or a field `x`, ahead of the `;` that is missing.
fn is_behind_bare_name(missing: Node<'_>) -> bool {
    let declares =
        |it: &Node<'_>| matches!(it.kind(), "variable_declarator" | "field_definition" | "public_field_definition");
    let ahead = missing.prev_sibling().filter(declares);
    ahead.is_some_and(|it| it.child_by_field_name("value").is_none())
}

/// `x` as a member of a class.
fn is_bare_field(error: Node<'_>) -> bool {
    let in_class = error.parent().is_some_and(|it| it.kind() == "class_body");
    let name = error.child(error.child_count().saturating_sub(1));
    in_class && name.is_some_and(|it| matches!(it.kind(), "property_identifier" | "private_property_identifier"))
}

/// `let x`, read as an expression that begins with a name `let`.
fn is_bare_let(error: Node<'_>, source: &[u8]) -> bool {
    let is_name = error.child_count() == 1 && error.child(0).is_some_and(|it| it.kind() == "identifier");
    let ahead = error.prev_sibling();
    is_name && ahead.is_some_and(|it| it.kind() == "identifier" && source.get(it.byte_range()) == Some(b"let"))
}

/// Returns the byte behind `ahead` to write a `;` over, if a line ends there ahead of anything else.
fn end_of_line(source: &[u8], ahead: usize) -> Option<usize> {
    let gap = source.get(ahead..)?;
    let blanks = gap.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    gap.get(..blanks)?.contains(&b'\n').then_some(ahead)
}

fn ends_line_within(comment: &[u8]) -> bool {
    comment.contains(&b'\n') || comment.contains(&b'\r') || has_separator(comment)
}

/// Says whether U+2028 or U+2029 stands in it.
fn has_separator(text: &[u8]) -> bool {
    memchr::memmem::find(text, "\u{2028}".as_bytes()).is_some()
        || memchr::memmem::find(text, "\u{2029}".as_bytes()).is_some()
}

fn begins_line(source: &[u8], at: usize) -> bool {
    let ahead = source.get(..at).unwrap_or_default();
    matches!(ahead.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')), None | Some(b'\n' | b'\r'))
}

fn ends_line(source: &[u8], at: usize) -> bool {
    let behind = source.get(at..).unwrap_or_default();
    matches!(behind.iter().find(|byte| !matches!(byte, b' ' | b'\t')), None | Some(b'\n' | b'\r'))
}
