//! What the compiler refuses and the grammar takes, which reads pieces of code as well: statements outside of a type, declarations in any order, and a
//! keyword for a name.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::{ReservedWords, reserved_words};

/// Keywords that the grammar takes for names, as in `finally {…}` above a method ("Keywords" of the language's specification).
static RESERVED: ReservedWords = ReservedWords {
    names: &["identifier", "type_identifier"],
    words: &[
        "abstract",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "else",
        "enum",
        "extends",
        "final",
        "finally",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "interface",
        "native",
        "new",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "static",
        "switch",
        "synchronized",
        "throw",
        "throws",
        "transient",
        "try",
        "void",
        "volatile",
        "while",
    ],
    in_any_case: false,
    takes_any: |_, _| false,
};

/// Returns the errors of a file, in file order; `own` are those of the tree.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    // What the parser could not read may have cast anything out of its type.
    if !own.is_empty() {
        return own;
    }
    let mut found = reserved_words(&RESERVED, tree, source, own);
    let root = tree.root_node();
    let mut cursor = root.walk();
    let members: Vec<Node<'_>> = root
        .named_children(&mut cursor)
        .filter(|member| !member.is_extra())
        .collect();
    // A class that is not named: what has a method at its top may have fields there.
    let is_class = members
        .iter()
        .any(|member| member.kind() == "method_declaration");
    let (mut has_imports, mut has_types) = (false, false);
    for member in members {
        let message = match member.kind() {
            "local_variable_declaration" => (!is_class).then_some("field outside of a type"),
            "package_declaration" => {
                (has_imports || has_types).then_some("`package` behind something else")
            }
            "import_declaration" if has_types => Some("`import` behind a type"),
            "import_declaration" => {
                is_of_nothing(member, source).then_some("`import` of a name without a package")
            }
            "class_declaration"
            | "record_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "annotation_type_declaration"
            | "module_declaration"
            | "method_declaration" => None,
            _ => Some("statement outside of a type"),
        };
        found.extend(message.map(|message| SyntaxError {
            offset: member.start_byte(),
            message: message.to_owned(),
        }));
        let is_head = matches!(member.kind(), "package_declaration" | "import_declaration");
        has_imports |= is_head;
        has_types |= !is_head;
    }
    found.sort_by_key(|error| error.offset);
    found
}

/// Says whether an import has one name and no dot; a module may have such a name, and is read as if the word were not there.
fn is_of_nothing(import: Node<'_>, source: &[u8]) -> bool {
    let mut cursor = import.walk();
    let mut parts = import
        .named_children(&mut cursor)
        .filter(|part| !part.is_extra());
    let (name, more) = (parts.next(), parts.next());
    let Some(name) = name.filter(|name| name.kind() == "identifier" && more.is_none()) else {
        return false;
    };
    let before = source
        .get(import.start_byte()..name.start_byte())
        .unwrap_or_default();
    memchr::memmem::find(before, b"module").is_none()
}
