//! Errors of Bash that its grammar here does not find: a reserved word where a command begins, and a list of commands that has none. The
//! shell refuses the whole file for them ("Reserved Words" and "Compound Commands" of its manual).

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::visit;

/// Words that end or part what another begins, and begin no command.
const RESERVED: [&[u8]; 8] = [
    b"fi", b"done", b"esac", b"then", b"do", b"else", b"elif", b"}",
];

/// Words that begin a compound command.
const OPENERS: [&[u8]; 6] = [b"for", b"if", b"while", b"until", b"case", b"select"];

/// Returns the errors of a file, those that its grammar found among them, in file order. Of a file that the grammar does not read
/// right, none but those: there a word may be taken for another, as an `if` below `IFS="$old"` is taken for a command.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    if tree.root_node().has_error() {
        return own;
    }
    let mut found = Vec::new();
    let mut is_misread = false;
    visit(tree, |cursor| {
        let node = cursor.node();
        match node.kind() {
            "command_name" => {
                let word = source.get(node.byte_range()).unwrap_or_default();
                is_misread |= OPENERS.contains(&word);
                if RESERVED.contains(&word) {
                    found.push(SyntaxError {
                        offset: node.start_byte(),
                        message: format!("unexpected `{}`", String::from_utf8_lossy(word)),
                    });
                }
            }
            ";;" if node.parent().is_none_or(|it| it.kind() != "case_item") => {
                found.push(SyntaxError {
                    offset: node.start_byte(),
                    message: "unexpected `;;`".to_owned(),
                });
            }
            "heredoc_end" => found.extend(ends_nothing(node, source)),
            "compound_statement" | "do_group" | "subshell" => {
                found.extend(lacks_commands(node, &[]));
            }
            "if_statement" | "elif_clause" => found.extend(lacks_commands(node, &["then"])),
            "else_clause" => found.extend(lacks_commands(node, &["else"])),
            _ => {}
        }
        !is_misread
    });
    if is_misread {
        return own;
    }
    found.extend(own);
    found.sort_by_key(|error| error.offset);
    found
}

/// Returns an error where the word that ends a here-document is not alone on its line, so that the shell reads on ("Here Documents" of its
/// manual).
fn ends_nothing(end: Node<'_>, source: &[u8]) -> Option<SyntaxError> {
    let redirect = end.parent()?;
    let takes_tabs = redirect.child(0).is_some_and(|it| it.kind() == "<<-");
    let before = source.get(..end.start_byte())?;
    let line = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let before = before.get(line..)?;
    let after = source.get(end.end_byte()..)?;
    let after = after.get(..memchr::memchr(b'\n', after).unwrap_or(after.len()))?;
    let is_first = before.iter().all(|byte| takes_tabs && *byte == b'\t');
    // What a command is substituted by may end there, too.
    let is_last = matches!(after.first(), None | Some(b'\r' | b')' | b'`'));
    (!(is_first && is_last)).then(|| SyntaxError {
        offset: redirect.start_byte(),
        message: "a here-document that nothing ends".to_owned(),
    })
}

/// Returns an error where a node has no command behind one of `words`, or behind its first token if there are none.
fn lacks_commands(node: Node<'_>, words: &[&str]) -> Option<SyntaxError> {
    let mut cursor = node.walk();
    let mut opener: Option<Node<'_>> = None;
    for child in node.children(&mut cursor) {
        let opens = if words.is_empty() {
            opener.is_none()
        } else {
            words.contains(&child.kind())
        };
        if opens {
            opener = Some(child);
        } else if opener.is_some() && child.is_named() && child.kind() != "comment" {
            let is_clause = matches!(child.kind(), "elif_clause" | "else_clause");
            if !is_clause {
                return None;
            }
            break;
        }
    }
    let opener = opener?;
    Some(SyntaxError {
        offset: opener.start_byte(),
        message: format!("no command after `{}`", opener.kind()),
    })
}
