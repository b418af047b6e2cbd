//! What TypeScript's compiler says of declarations and oxc does not: a name that an interface or a type declares twice (methods may
//! be: those are overloads), an overload without the function that it is one of, and an `import` or `export` inside of a function.

use std::collections::HashMap;

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;

/// Returns each in a program, in file order.
pub(super) fn contradictions(tree: &Tree, source: &[u8]) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        match node.kind() {
            "interface_body" | "object_type" => found.extend(repeated(node, source)),
            "export_statement" | "import_statement" => found.extend(misplaced(node)),
            "program" | "statement_block" => found.extend(unimplemented(node, source)),
            _ => {}
        }
        // What is declared is written elsewhere.
        if node.kind() != "ambient_declaration" && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                found.sort_by_key(|error| error.offset);
                return found;
            }
        }
    }
}

fn repeated(list: Node<'_>, source: &[u8]) -> Vec<SyntaxError> {
    let mut cursor = list.walk();
    // Whether it is a method.
    let mut known: HashMap<&[u8], bool> = HashMap::new();
    let mut found = Vec::new();
    for member in list.named_children(&mut cursor) {
        let is_method = member.kind() == "method_signature";
        let name = member
            .child_by_field_name("name")
            .filter(|name| name.kind() == "property_identifier");
        let is_accessor = || {
            member
                .child(0)
                .is_some_and(|first| matches!(first.kind(), "get" | "set"))
        };
        let Some(name) =
            name.filter(|_| is_method && !is_accessor() || member.kind() == "property_signature")
        else {
            continue;
        };
        match known.insert(text(name, source), is_method) {
            // After a method the compiler takes a variable of its name, too.
            None | Some(true) => {}
            Some(false) => found.push(error(name, source, "Duplicate identifier")),
        }
    }
    found
}

/// Returns the error of an `import` or `export` in a block that is no namespace.
fn misplaced(node: Node<'_>) -> Option<SyntaxError> {
    let block = node.parent().filter(|it| it.kind() == "statement_block")?;
    let is_namespace = block.parent().is_none_or(|it| {
        matches!(
            it.kind(),
            "internal_module" | "module" | "ambient_declaration"
        )
    });
    let word = node.kind().split('_').next().unwrap_or_default();
    (!is_namespace).then(|| SyntaxError {
        offset: node.start_byte(),
        message: format!("`{word}` can only be used at the top level of a module"),
    })
}

fn unimplemented(list: Node<'_>, source: &[u8]) -> Vec<SyntaxError> {
    let mut cursor = list.walk();
    let statements = list
        .named_children(&mut cursor)
        .filter(|node| !node.is_extra());
    let functions: Vec<Option<Node<'_>>> = statements.map(function).collect();
    let pairs = functions
        .iter()
        .zip(functions.iter().skip(1).chain([&None]));
    let lacking = pairs.filter_map(|(this, next)| {
        let name = this
            .filter(|it| it.kind() == "function_signature")?
            .child_by_field_name("name")?;
        let next = next.and_then(|next| next.child_by_field_name("name"));
        let goes_on = next.is_some_and(|next| text(next, source) == text(name, source));
        (!goes_on).then(|| error(name, source, "Missing implementation of the function"))
    });
    lacking.collect()
}

/// Returns the function that a statement is, exported or not.
fn function(statement: Node<'_>) -> Option<Node<'_>> {
    let inner = match statement.kind() {
        "export_statement" => statement.child_by_field_name("declaration")?,
        _ => statement,
    };
    matches!(
        inner.kind(),
        "function_signature" | "function_declaration" | "generator_function_declaration"
    )
    .then_some(inner)
}

fn text<'s>(node: Node<'_>, source: &'s [u8]) -> &'s [u8] {
    source.get(node.byte_range()).unwrap_or_default()
}

fn error(name: Node<'_>, source: &[u8], what: &str) -> SyntaxError {
    let message = format!("{what} `{}`", String::from_utf8_lossy(text(name, source)));
    SyntaxError {
        offset: name.start_byte(),
        message,
    }
}
