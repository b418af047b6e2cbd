//! Where a line ends a statement that goes on. The compiler puts a `;` after a line whose last token may end a statement, whatever
//! is around it; the grammar does so only where a statement may end, and passes over the line end elsewhere.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;

/// Lists whose members a `,` parts, the last one and a bracket on a line of its own as well.
const PARTED_BY_COMMAS: &[&str] = &[
    "literal_value",
    "argument_list",
    "parameter_list",
    "type_parameter_list",
    "type_arguments",
    "type_conversion_expression",
    "type_instantiation_expression",
];

/// Returns the errors of what has none by the grammar, in file order: lines that end too early, and `++` and `--`, which are
/// one token each, read as two.
pub(super) fn errors(tree: &Tree, source: &[u8]) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    let mut around: Vec<Node<'_>> = Vec::new();
    let mut previous: Option<Node<'_>> = None;
    // How many nodes are around both the token before and what the cursor is at.
    let mut shared: usize = 0;
    loop {
        let node = cursor.node();
        let is_whole = node.is_extra() || is_string(node, source);
        if !is_whole && cursor.goto_first_child() {
            around.push(node);
            continue;
        }
        if is_token(node, source) {
            let both = shared.checked_sub(1).and_then(|last| around.get(last));
            if let (Some(previous), Some(both)) = (previous, both) {
                found.extend(missing_end_between(previous, node, *both, source));
            }
            (previous, shared) = (Some(node), usize::MAX);
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
            around.pop();
        }
        shared = shared.min(around.len());
    }
}

/// Says whether the node is a string; its kind is asked for only where one begins, for that takes as long as the rest of the walk.
fn is_string(node: Node<'_>, source: &[u8]) -> bool {
    matches!(source.get(node.start_byte()), Some(b'"' | b'`'))
        && node.kind().ends_with("string_literal")
}

/// Says whether the node is no comment, and no line end that the grammar takes for a token.
fn is_token(node: Node<'_>, source: &[u8]) -> bool {
    let first = source
        .get(node.start_byte()..node.end_byte())
        .and_then(<[u8]>::first);
    !node.is_extra() && first.is_some_and(|first| !first.is_ascii_whitespace())
}

/// Returns what is wrong with two tokens that follow each other in `both`.
fn missing_end_between(
    previous: Node<'_>,
    next: Node<'_>,
    both: Node<'_>,
    source: &[u8],
) -> Option<SyntaxError> {
    let gap = source.get(previous.end_byte()..next.start_byte())?;
    // What the parser repaired may belong elsewhere.
    let is_sound = || !both.has_error();
    if gap.is_empty() {
        let sign = previous.kind();
        let is_split =
            matches!(source.get(next.start_byte()), Some(b'+' | b'-')) && sign == next.kind();
        let found = || SyntaxError {
            offset: previous.start_byte(),
            message: format!("unexpected `{sign}{sign}`"),
        };
        return (is_split && sign.len() == 1 && is_sound()).then(found);
    }
    // A comment over several lines ends one as well.
    if !gap.contains(&b'\n') || !ends_line(previous) || may_part(both, next) || !is_sound() {
        return None;
    }
    let lacks_comma =
        PARTED_BY_COMMAS.contains(&both.kind()) && matches!(next.kind(), ")" | "]" | "}");
    let message = match next.kind() {
        _ if lacks_comma => "missing `,` at the end of the line".to_owned(),
        bracket @ (")" | "]" | "}" | "{") => format!("unexpected end of line before `{bracket}`"),
        _ => "unexpected end of line".to_owned(),
    };
    Some(SyntaxError {
        offset: previous.end_byte(),
        message,
    })
}

/// Says whether a line that ends with this token has a `;` put after it.
fn ends_line(token: Node<'_>) -> bool {
    let kind = token.kind();
    if token.is_named() {
        // Names, and what has its value written out.
        return !matches!(kind, "dot" | "empty_statement");
    }
    matches!(
        kind,
        "break" | "continue" | "return" | "++" | "--" | ")" | "]" | "}"
    )
}

/// Says whether a `;` may be in the node before the token.
fn may_part(node: Node<'_>, next: Node<'_>) -> bool {
    match node.kind() {
        "source_file"
        | "block"
        | "statement_list"
        | "field_declaration_list"
        | "interface_type"
        | "import_spec_list"
        | "const_declaration"
        | "var_spec_list"
        | "type_declaration" => true,
        // Between their cases, and not before them.
        "expression_switch_statement" | "type_switch_statement" | "select_statement" => {
            matches!(next.kind(), "case" | "default" | "}")
        }
        _ => false,
    }
}
