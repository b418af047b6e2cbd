//! Where a tree does not fit its grammar.
//!
//! Tree-sitter repairs what it cannot read: it skips tokens (`ERROR`, which then may hold half a file) or supposes
//! one (`MISSING`). Inside an `ERROR` the brackets that are in it openly are counted, because a bracket that was never
//! closed is the usual cause, and its own line says more than the line where the damage begins.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;

/// Characters of the source that a message quotes.
const QUOTED: usize = 24;

/// Returns every error in file order; of nested ones the outermost.
pub(super) fn find_errors(tree: &Tree, source: &[u8]) -> Vec<SyntaxError> {
    if !tree.root_node().has_error() {
        return Vec::new();
    }
    let mut errors = visible_errors(tree, source);
    if errors.is_empty() {
        errors.extend(hidden_error(tree, source));
    }
    errors
}

fn visible_errors(tree: &Tree, source: &[u8]) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let found = error_at(node, source);
        let descend = found.is_none() && node.has_error();
        errors.extend(found);
        if descend && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                errors.sort_by_key(|error| error.offset);
                return errors;
            }
        }
    }
}

/// Returns the error of a tree that has one and shows none: a line ending that the grammar needs as a token (Go, between two
/// declarations). At the end of a file without a final line ending it is no error, the grammar only thinks so.
fn hidden_error(tree: &Tree, source: &[u8]) -> Option<SyntaxError> {
    let mut cursor = tree.walk();
    let mut previous: Option<Node<'_>> = None;
    let mut end = tree.root_node().end_byte();
    let mut more = cursor.goto_first_child();
    while more {
        let node = cursor.node();
        if node.has_error() {
            (previous, end) = (None, node.end_byte());
            more = cursor.goto_first_child();
            continue;
        }
        if let Some(previous) = previous
            && previous.is_named()
            && node.is_named()
            && !source
                .get(previous.end_byte()..node.start_byte())
                .unwrap_or_default()
                .contains(&b'\n')
        {
            return Some(missing_line_end(previous.end_byte()));
        }
        previous = Some(node).filter(|node| !node.is_extra());
        more = cursor.goto_next_sibling();
    }
    let at_end = source
        .get(end..)
        .unwrap_or_default()
        .trim_ascii()
        .is_empty();
    (!at_end || source.ends_with(b"\n")).then(|| missing_line_end(end))
}

fn missing_line_end(offset: usize) -> SyntaxError {
    SyntaxError {
        offset,
        message: "missing end of line".to_owned(),
    }
}

fn error_at(node: Node<'_>, source: &[u8]) -> Option<SyntaxError> {
    if node.is_missing() {
        let what = if node.is_named() {
            node.kind().replace('_', " ")
        } else {
            format!("`{}`", node.kind())
        };
        return Some(SyntaxError {
            offset: node.start_byte(),
            message: format!("missing {what}"),
        });
    }
    node.is_error().then(|| {
        unbalanced_bracket(node)
            .unwrap_or_else(|| unexpected_token(node.start_byte(), node.end_byte(), source))
    })
}

/// Returns the first bracket of an `ERROR` that has no partner in it.
fn unbalanced_bracket(error: Node<'_>) -> Option<SyntaxError> {
    let mut open: Vec<Node<'_>> = Vec::new();
    let mut cursor = error.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let token = cursor.node();
        match (token.kind(), open.last().map(Node::kind)) {
            ("{" | "(" | "[", _) => open.push(token),
            ("}", Some("{")) | (")", Some("(")) | ("]", Some("[")) => drop(open.pop()),
            (closing @ ("}" | ")" | "]"), _) => {
                return Some(SyntaxError {
                    offset: token.start_byte(),
                    message: format!("unexpected `{closing}`"),
                });
            }
            _ => {}
        }
        more = cursor.goto_next_sibling();
    }
    let first = open.last()?;
    Some(SyntaxError {
        offset: first.start_byte(),
        message: format!("`{}` is never closed", first.kind()),
    })
}

fn unexpected_token(start: usize, end: usize, source: &[u8]) -> SyntaxError {
    let text = String::from_utf8_lossy(source.get(start..end).unwrap_or_default());
    let line = text.lines().next().unwrap_or_default().trim();
    let quoted: String = line.chars().take(QUOTED).collect();
    let more = if line.chars().count() > QUOTED {
        "…"
    } else {
        ""
    };
    let message = if quoted.is_empty() {
        "unexpected end of line".to_owned()
    } else {
        format!("unexpected `{quoted}{more}`")
    };
    SyntaxError {
        offset: start,
        message,
    }
}
