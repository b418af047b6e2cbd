//! Errors of CMake that its grammar here does not find: what ends a block that is none, or parts one, and two commands on one line
//! ("cmake-language(7)"). CMake refuses the whole file for them.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::visit;

/// Commands that end or part what another begins, and are none where nothing is.
const ENDS: [&str; 8] = [
    "else",
    "elseif",
    "endif",
    "endforeach",
    "endwhile",
    "endfunction",
    "endmacro",
    "endblock",
];

/// Returns the errors of a file, those that its grammar found among them, in file order.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let mut found = own;
    visit(tree, |cursor| {
        let node = cursor.node();
        match node.kind() {
            "normal_command" => {
                let name = node.named_child(0);
                let word = name.and_then(|it| source.get(it.byte_range()));
                let word = word.unwrap_or_default();
                if ENDS
                    .iter()
                    .any(|end| word.eq_ignore_ascii_case(end.as_bytes()))
                {
                    found.push(SyntaxError {
                        offset: node.start_byte(),
                        message: format!("unexpected `{}`", String::from_utf8_lossy(word)),
                    });
                }
            }
            "if_condition" => found.extend(late_branch(node)),
            _ => {}
        }
        if matches!(node.kind(), "source_file" | "body") {
            add_joined(node, &mut found);
        }
        true
    });
    found.sort_by_key(|error| error.offset);
    found
}

/// Returns an error where an `if` has a branch behind its `else`.
fn late_branch(condition: Node<'_>) -> Option<SyntaxError> {
    let mut cursor = condition.walk();
    let mut children = condition.children(&mut cursor);
    children.find(|it| it.kind() == "else_command")?;
    let late = children.find(|it| matches!(it.kind(), "else_command" | "elseif_command"))?;
    Some(SyntaxError {
        offset: late.start_byte(),
        message: "a branch behind the last one".to_owned(),
    })
}

/// Adds an error for each command that follows another on its line.
fn add_joined(list: Node<'_>, found: &mut Vec<SyntaxError>) {
    let mut cursor = list.walk();
    let mut last: Option<usize> = None;
    for child in list.named_children(&mut cursor) {
        if matches!(child.kind(), "line_comment" | "bracket_comment") {
            continue;
        }
        if last == Some(child.start_position().row) {
            found.push(SyntaxError {
                offset: child.start_byte(),
                message: "expected a new line".to_owned(),
            });
        }
        last = Some(child.end_position().row);
    }
}
