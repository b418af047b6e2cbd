//! JavaScript as a language: its name, its habits, the tables of its grammar.

use super::{directives, early, legible, naming};
use crate::syntax::tree::{Falls, Switches, Tables, TreeGrammar, Within, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.js`, `.mjs`, `.cjs`, `.jsx`
pub static JAVASCRIPT: Language = Language {
    name: "JavaScript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    file_names: &[],
    interpreters: &["node", "nodejs", "qjs", "gjs"],
    called: &["javascript", "js", "js2", "javascriptreact", "jsx"],
    habits: HABITS,
    grammar: &GRAMMAR,
};

/// The habits of the whole family.
pub(crate) const HABITS: Habits = Habits {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    blank_lines_top: 1,
    blank_lines_nested: 1,
    offside: false,
    conditional_lines: false,
    empty_body: None,
    body_opener: "{",
    block_ends: &[],
    unit: "  ",
    exports: &["export", "default"],
    second: Redefinition::TakesPlace { variables: true },
    // `${` begins a value in a template, and what ends a pattern or a text ends before its last sign.
    names: NameCharacters {
        characters: "$",
        none_before: "{/|'\"`",
        joints: "",
    },
};

/// The switches of the whole family.
pub(crate) static SWITCHES: Switches = Switches {
    lists: &["switch_body"],
    clauses: &["switch_case", "switch_default"],
    label_words: &["case", "default"],
    label_end: ":",
    falls: Falls::Unless {
        leaving: &[
            "break_statement",
            "return_statement",
            "throw_statement",
            "continue_statement",
        ],
        never: &["process.exit("],
    },
};

/// What may be around a value, in the whole family.
pub(crate) const AROUND_VALUES: &[&str] = &[
    "parenthesized_expression",
    "as_expression",
    "satisfies_expression",
    "intersection_type",
];

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    comments: &["comment", "html_comment"],
    doc_comments: &["/**"],
    doc_gap: 1,
    other_comments: &["/***"],
    decorators: &["decorator"],
    wrappers: &[
        "export_statement",
        "lexical_declaration",
        "variable_declaration",
    ],
    terminators: &[("class_body", ";")],
    names: &[("member_expression", Within::Scoped("object", "property"))],
    strings: &["template_string", "string"],
    lists: &[
        "program",
        "statement_block",
        "class_body",
        "switch_body",
        "switch_case",
        "switch_default",
    ],
    comma_lists: &["object"],
    value_lists: &["object"],
    around_values: AROUND_VALUES,
    sparse_lists: &["array"],
    clauses: &["else_clause", "catch_clause", "finally_clause"],
    terminated: &[
        "lexical_declaration",
        "variable_declaration",
        "expression_statement",
        "field_definition",
    ],
    prefixes: &["get", "set", "static"],
    switches: Some(&SWITCHES),
    leads: Some(directives::leads),
    legible: Some(legible::javascript),
    early: Some(early::javascript),
    script_names: Some(naming::javascript),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class],
            before: "class X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Variable],
            before: "var X = {\n",
            after: "\n}",
        },
    ],
    ..Tables::of(
        parser!("javascript", tree_sitter_javascript::LANGUAGE),
        include_str!("segments.scm"),
    )
});
