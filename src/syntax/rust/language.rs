//! Rust as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use super::{early, legible};
use crate::syntax::tree::{Tables, TreeGrammar, Within, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.rs`
pub static RUST: Language = Language {
    name: "Rust",
    extensions: &["rs"],
    file_names: &[],
    interpreters: &["rust-script"],
    called: &["rust", "rs", "rustic"],
    habits: Habits {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        blank_lines_top: 1,
        blank_lines_nested: 1,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "{",
        block_ends: &[],
        unit: "    ",
        exports: &[],
        second: Redefinition::Refused { overloads: false },
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    comments: &["line_comment", "block_comment"],
    doc_comments: &["///", "/**"],
    doc_gap: usize::MAX,
    other_comments: &["////", "/***", "//!", "/*!"],
    decorators: &["attribute_item"],
    owners: &[
        ("generic_type", Within::Field("type")),
        ("scoped_type_identifier", Within::Field("name")),
        ("reference_type", Within::Field("type")),
        ("pointer_type", Within::Field("type")),
        ("dynamic_type", Within::Field("trait")),
        ("bounded_type", Within::First),
        ("function_type", Within::Field("trait")),
        ("tuple_type", Within::Only),
    ],
    header_name: Some(impl_name),
    strings: &["string_literal", "raw_string_literal"],
    joined_strings: &["string_literal"],
    lists: &[
        "source_file",
        "block",
        "declaration_list",
        "field_declaration_list",
        "enum_variant_list",
        "match_block",
    ],
    comma_lists: &["field_declaration_list", "enum_variant_list"],
    token_lists: &["token_tree"],
    clauses: &["else_clause"],
    leads: Some(leads),
    legible: Some(legible::legible),
    early: Some(early::errors),
    wraps: &[
        Wrap {
            parents: &[
                SegmentKind::Impl,
                SegmentKind::Struct,
                SegmentKind::Enum,
                SegmentKind::Type,
            ],
            before: "impl X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Struct, SegmentKind::Constant],
            before: "struct X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Enum],
            before: "enum X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Trait],
            before: "trait X {\n",
            after: "\n}",
        },
    ],
    ..Tables::of(
        parser!("rust", tree_sitter_rust::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// Returns what an `impl` block is called: `impl Display for Shop`, without what its own type parameters are and where they are bound.
fn impl_name(block: Node<'_>, source: &[u8]) -> Option<String> {
    let words = |field: &str| {
        let node = block.child_by_field_name(field)?;
        let text = std::str::from_utf8(source.get(node.byte_range())?).ok()?;
        Some(text.split_whitespace().collect::<Vec<&str>>().join(" "))
    };
    let of_type = words("type")?;
    let is_negative = {
        let mut cursor = block.walk();
        block.children(&mut cursor).any(|child| child.kind() == "!")
    };
    let sign = if is_negative { "!" } else { "" };
    let name = match words("trait") {
        Some(of_trait) => format!("impl {sign}{of_trait} for {of_type}"),
        None => format!("impl {of_type}"),
    };
    let is_writable = !name.contains(['"', '\\']) && !name.contains(char::is_control);
    is_writable.then(|| match name.contains(['.', '[', ']']) {
        true => format!("\"{name}\""),
        false => name,
    })
}

/// Attributes and documentation of what is around them.
fn leads(member: Node<'_>, _list: &str, _around: &str, source: &[u8]) -> bool {
    let text = source.get(member.byte_range()).unwrap_or_default();
    match member.kind() {
        "inner_attribute_item" => true,
        "line_comment" => text.starts_with(b"//!"),
        "block_comment" => text.starts_with(b"/*!"),
        _ => false,
    }
}
