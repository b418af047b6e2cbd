//! Java as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use super::{early, legible};
use crate::syntax::tree::{Falls, Switches, Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.java`
pub static JAVA: Language = Language {
    name: "Java",
    extensions: &["java"],
    file_names: &[],
    interpreters: &["java"],
    called: &["java"],
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
        second: Redefinition::Refused { overloads: true },
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    comments: &["line_comment", "block_comment"],
    doc_comments: &["/**", "///"],
    doc_gap: 1,
    other_comments: &["/***", "////"],
    decorators: &["annotation", "marker_annotation"],
    modifiers: &["modifiers"],
    wrappers: &["field_declaration", "constant_declaration"],
    wrapper_types: &[
        "modifiers",
        "integral_type",
        "floating_point_type",
        "boolean_type",
        "type_identifier",
        "scoped_type_identifier",
        "generic_type",
        "array_type",
        "annotated_type",
    ],
    strings: &["string_literal"],
    imports: &["import_declaration"],
    lists: &[
        "program",
        "block",
        "class_body",
        "interface_body",
        "enum_body",
        "annotation_type_body",
        "constructor_body",
        "switch_block",
        "switch_block_statement_group",
        "module_body",
    ],
    inner_lists: &["enum_body_declarations"],
    comma_lists: &["enum_body"],
    clauses: &["catch_clause", "finally_clause"],
    switches: Some(&SWITCHES),
    leads: Some(leads),
    legible: Some(legible::legible),
    early: Some(early::errors),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class, SegmentKind::Enum, SegmentKind::Constant],
            before: "class X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Enum],
            before: "enum X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Class],
            before: "record X() {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Interface],
            before: "interface X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Interface],
            before: "@interface X {\n",
            after: "\n}",
        },
    ],
    ..Tables::of(
        parser!("java", tree_sitter_java::LANGUAGE),
        include_str!("segments.scm"),
    )
});

static SWITCHES: Switches = Switches {
    lists: &["switch_block"],
    clauses: &["switch_block_statement_group"],
    label_words: &["case", "default"],
    label_end: ":",
    falls: Falls::Unless {
        leaving: &[
            "break_statement",
            "return_statement",
            "throw_statement",
            "continue_statement",
            "yield_statement",
        ],
        never: &["System.exit("],
    },
};

/// The declaration of the package.
fn leads(member: Node<'_>, _list: &str, _around: &str, _source: &[u8]) -> bool {
    member.kind() == "package_declaration"
}
