//! What the compiler refuses and the grammar takes, which is made for pieces of code as well: statements outside of a function,
//! declarations in any order, lines that end anywhere.

use tree_sitter::{Node, Tree};

use super::line_ends;
use crate::syntax::SyntaxError;
use crate::syntax::tree::visit;

/// Returns the errors of a file, in file order; `own` are those of the tree.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let mut found = line_ends::errors(tree, source);
    // What the parser could not read may have cast anything out of its function.
    if own.is_empty() {
        found.extend(of_file(tree, source));
        if memchr::memmem::find(source, b"fallthrough").is_some() {
            found.extend(falling(tree));
        }
    }
    found.extend(own);
    found.sort_by_key(|error| error.offset);
    found
}

/// Returns those of what is at the top of the file. Of a piece of code that is meant for people to read, and has no `package`
/// clause, nothing else is said.
fn of_file(tree: &Tree, source: &[u8]) -> Vec<SyntaxError> {
    let root = tree.root_node();
    let mut cursor = root.walk();
    let members: Vec<Node<'_>> = root
        .named_children(&mut cursor)
        .filter(|member| !member.is_extra())
        .collect();
    if !members
        .iter()
        .any(|member| member.kind() == "package_clause")
    {
        // At the end, where it stays whatever is put before it.
        let missing = SyntaxError {
            offset: source.len(),
            message: "no `package` clause in the file".to_owned(),
        };
        return members.first().map(|_| missing).into_iter().collect();
    }
    let mut found = Vec::new();
    let (mut has_package, mut has_others) = (false, false);
    let mut previous: Option<Node<'_>> = None;
    for member in members {
        let header = previous.filter(|previous| member.kind() == "block" && lacks_body(*previous));
        let message = match member.kind() {
            "package_clause" if has_package => Some("a second `package` clause"),
            "package_clause" if previous.is_some() => {
                Some("`package` clause behind something else")
            }
            "import_declaration" if has_others => Some("`import` behind another declaration"),
            _ if header.is_some() => Some("unexpected end of line before `{`"),
            "package_clause"
            | "import_declaration"
            | "function_declaration"
            | "method_declaration"
            | "const_declaration"
            | "type_declaration"
            | "var_declaration" => None,
            "empty_statement" => Some("unexpected `;`"),
            _ => Some("statement outside of a function"),
        };
        let offset = header.map_or(member.start_byte(), |header| header.end_byte());
        found.extend(message.map(|message| SyntaxError {
            offset,
            message: message.to_owned(),
        }));
        has_package |= member.kind() == "package_clause";
        has_others |= !matches!(
            member.kind(),
            "package_clause" | "import_declaration" | "empty_statement"
        );
        previous = Some(member);
    }
    found
}

/// Returns an error for each `fallthrough` that does not end a case with another one below it.
fn falling(tree: &Tree) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    visit(tree, |cursor| {
        let node = cursor.node();
        if node.kind() == "fallthrough_statement" && !ends_case(node) {
            let message =
                "`fallthrough` that does not end a case with another one below it".to_owned();
            found.push(SyntaxError {
                offset: node.start_byte(),
                message,
            });
        }
        true
    });
    found
}

fn ends_case(fallthrough: Node<'_>) -> bool {
    let mut last = fallthrough;
    loop {
        let Some(around) = last.parent() else {
            return false;
        };
        let mut next = last.next_named_sibling();
        while let Some(more) =
            next.filter(|next| next.is_extra() || next.kind() == "empty_statement")
        {
            next = more.next_named_sibling();
        }
        let is_case = matches!(last.kind(), "expression_case" | "default_case");
        if is_case {
            return around.kind() == "expression_switch_statement" && next.is_some();
        }
        let goes_up = matches!(
            around.kind(),
            "statement_list" | "labeled_statement" | "expression_case" | "default_case"
        );
        if !goes_up || next.is_some() {
            return false;
        }
        last = around;
    }
}

/// Says whether it is a function that is written elsewhere, in assembly.
fn lacks_body(member: Node<'_>) -> bool {
    matches!(member.kind(), "function_declaration" | "method_declaration")
        && member.child_by_field_name("body").is_none()
}
