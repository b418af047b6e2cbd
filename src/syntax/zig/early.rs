//! Errors of Zig that are sure, though its grammar here does not know all of the language: an assignment as a value, which the language does
//! not have. Without the comma between the fields of an initialiser, the first one's value goes on with the name of the next.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words, visit};

/// Keywords that the grammar takes for names, as in `else;` ("Keyword Reference" of the language's own). Behind an `@`, in quotes, it is
/// another name.
static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier"],
    words: &[
        "and", "break", "catch", "comptime", "const", "continue", "defer", "else", "enum",
        "errdefer", "export", "extern", "fn", "for", "if", "inline", "or", "orelse", "pub",
        "return", "struct", "switch", "test", "try", "union", "var", "while",
    ],
    in_any_case: false,
    takes_any: |_, _| false,
};

/// Returns the errors of a file, those that its grammar found among them, in file order.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let mut found = if tree.root_node().has_error() {
        own
    } else {
        reserved_words(&RESERVED, tree, source, own)
    };
    visit(tree, |cursor| {
        let node = cursor.node();
        if node.kind() == "assignment_expression"
            && cursor.field_name() == Some("right")
            && begins_field(node, source)
        {
            found.push(SyntaxError {
                offset: node.start_byte(),
                message: "an assignment is no value: a comma is missing".to_owned(),
            });
        }
        true
    });
    found.sort_by_key(|error| error.offset);
    found
}

/// Says whether the value of a field is an assignment to what looks like the next field, on a line of its own.
fn begins_field(value: Node<'_>, source: &[u8]) -> bool {
    let is_of = |node: Node<'_>, kind: &str| node.parent().is_some_and(|it| it.kind() == kind);
    let is_field = value
        .parent()
        .is_some_and(|around| is_of(around, "initializer_list"));
    let left = value
        .child_by_field_name("left")
        .filter(|left| left.kind() == "field_expression");
    let dot = left.and_then(|left| {
        let mut cursor = left.walk();
        left.children(&mut cursor)
            .filter(|child| child.kind() == ".")
            .last()
    });
    let ahead = dot.and_then(|dot| source.get(..dot.start_byte()));
    is_field && ahead.is_some_and(begins_line)
}

/// Says whether nothing but blanks is in the line that a text ends in.
fn begins_line(ahead: &[u8]) -> bool {
    let line = memchr::memrchr(b'\n', ahead).map_or(0, |at| at + 1);
    line > 0 && ahead[line..].trim_ascii().is_empty()
}
