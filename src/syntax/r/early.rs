//! Errors of R that its grammar here does not find: a reserved word that is none where it stands, two expressions on one line, an escape that a
//! text knows nothing of ("R Language Definition", chapter 10). R refuses the whole file for them, but for `x$` above a name, which takes
//! that along.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words, visit};

/// Words that are no names; `next` and `break` are calls.
static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier"],
    words: &["else", "for", "function", "if", "in", "repeat", "while"],
    in_any_case: false,
    takes_any: |_, _| false,
};

/// Returns the errors of a file, those that its grammar found among them, in file order.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let mut found = reserved_words(&RESERVED, tree, source, own);
    visit(tree, |cursor| {
        let node = cursor.node();
        match node.kind() {
            // `_` alone stands for what a pipe brings.
            "identifier"
                if node.end_byte() - node.start_byte() > 1
                    && source.get(node.start_byte()) == Some(&b'_') =>
            {
                found.push(SyntaxError {
                    offset: node.start_byte(),
                    message: "no name begins with `_`".to_owned(),
                });
            }
            "extract_operator" | "namespace_operator" => found.extend(parted(node)),
            "program" | "braced_expression" => add_joined(node, source, &mut found),
            "escape_sequence" => {
                let text = source.get(node.byte_range()).unwrap_or_default();
                let known = b"nrtbafv\\\"'` \nxuU01234567";
                if text.get(1).is_some_and(|letter| !known.contains(letter)) {
                    found.push(SyntaxError {
                        offset: node.start_byte(),
                        message: format!("unknown escape `{}`", String::from_utf8_lossy(text)),
                    });
                }
            }
            _ => {}
        }
        true
    });
    found.sort_by_key(|error| error.offset);
    found
}

/// Returns an error where a name is looked for below the line of its operator, which R does and nobody means.
fn parted(node: Node<'_>) -> Option<SyntaxError> {
    let operator = node.child_by_field_name("operator")?;
    let name = node.child_by_field_name("rhs")?;
    let is_parted = operator.start_position().row < name.start_position().row;
    is_parted.then(|| SyntaxError {
        offset: operator.start_byte(),
        message: "expected a name on this line".to_owned(),
    })
}

/// Adds an error for each expression that follows another on its line without a `;`.
fn add_joined(list: Node<'_>, source: &[u8], found: &mut Vec<SyntaxError>) {
    let mut cursor = list.walk();
    let mut last: Option<Node<'_>> = None;
    for child in list.named_children(&mut cursor) {
        if child.kind() == "comment" {
            continue;
        }
        let between = last.and_then(|last| source.get(last.end_byte()..child.start_byte()));
        if between.is_some_and(|between| {
            !between
                .iter()
                .any(|byte| matches!(byte, b';' | b'\n' | b'\r'))
        }) {
            found.push(SyntaxError {
                offset: child.start_byte(),
                message: "expected a new line or `;`".to_owned(),
            });
        }
        last = Some(child);
    }
}
