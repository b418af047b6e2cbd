//! Go as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use super::{constants, early};
use crate::syntax::tree::{Falls, Switches, Tables, TreeGrammar, Within, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition};

/// `.go`
pub static GO: Language = Language {
    name: "Go",
    extensions: &["go"],
    file_names: &[],
    interpreters: &[],
    called: &["go", "golang"],
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
        unit: "\t",
        exports: &[],
        second: Redefinition::Refused { overloads: false },
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    doc_comments: &["//", "/*"],
    other_comments: &["//go:"],
    wrappers: &["type_declaration", "const_declaration", "var_declaration"],
    owners: &[
        ("pointer_type", Within::First),
        ("generic_type", Within::Field("type")),
        ("parenthesized_type", Within::Only),
    ],
    names: &[
        ("qualified_type", Within::Field("name")),
        ("generic_type", Within::Field("type")),
    ],
    terminators: &[("field_declaration_list", ";"), ("interface_type", ";")],
    strings: &["raw_string_literal"],
    imports: &["import_declaration"],
    lists: &[
        "source_file",
        "block",
        "statement_list",
        "field_declaration_list",
        "interface_type",
        "import_spec_list",
        "const_declaration",
        "var_declaration",
        "var_spec_list",
        "type_declaration",
    ],
    component_lists: &["field_declaration_list", "interface_type"],
    inner_lists: &["statement_list"],
    clauses: &[
        "expression_case",
        "type_case",
        "communication_case",
        "default_case",
    ],
    implied: Some(constants::implied),
    switches: Some(&SWITCHES),
    leads: Some(leads),
    early: Some(early::errors),
    // A specification out of a group: `type ( … )`.
    wraps: &[Wrap {
        parents: &[],
        before: "type (\n",
        after: "\n)",
    }],
    ..Tables::of(
        parser!("go", tree_sitter_go::LANGUAGE),
        include_str!("segments.scm"),
    )
});

static SWITCHES: Switches = Switches {
    lists: &["expression_switch_statement"],
    clauses: &["expression_case", "default_case"],
    label_words: &["case", "default"],
    label_end: ":",
    falls: Falls::Saying("fallthrough_statement"),
};

/// The clause that names the package.
fn leads(member: Node<'_>, _list: &str, _around: &str, _source: &[u8]) -> bool {
    member.kind() == "package_clause"
}
