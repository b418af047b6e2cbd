//! C as a language: its name, its habits, the tables of its grammar.

use super::variables::typed_variables;
use crate::syntax::tree::{Falls, Switches, Tables, TreeGrammar, Within, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition};

/// `.c`
pub(crate) static C: Language = Language {
    name: "C",
    extensions: &["c"],
    file_names: &[],
    interpreters: &[],
    called: &["c"],
    habits: Habits {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        blank_lines_top: 1,
        blank_lines_nested: 1,
        offside: false,
        conditional_lines: true,
        empty_body: None,
        body_opener: "{",
        block_ends: &[],
        unit: "    ",
        exports: &[],
        second: Redefinition::Allowed,
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    doc_comments: &["/**", "/*!", "///", "//!"],
    doc_gap: 1,
    other_comments: &["/***"],
    decorators: &["attribute_declaration", "attribute_specifier"],
    terminators: &[
        ("translation_unit", ";"),
        ("declaration_list", ";"),
        ("preproc_if", ";"),
        ("preproc_ifdef", ";"),
        ("preproc_else", ";"),
        ("preproc_elif", ";"),
    ],
    names: &[
        ("init_declarator", Within::Field("declarator")),
        ("function_declarator", Within::Field("declarator")),
        ("pointer_declarator", Within::Field("declarator")),
        ("array_declarator", Within::Field("declarator")),
        ("attributed_declarator", Within::First),
        ("parenthesized_declarator", Within::First),
    ],
    strings: &["string_literal"],
    joined_strings: &[],
    lists: &[
        "translation_unit",
        "compound_statement",
        "declaration_list",
        "field_declaration_list",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
        "preproc_elifdef",
    ],
    clauses: &["else_clause"],
    switches: Some(&SWITCHES),
    typed_variables: Some(typed_variables),
    gaps: Some(GrammarGaps::Macros),
    ..Tables::of(
        parser!("c", tree_sitter_c::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// A `switch` in which a case goes on with the next.
pub(crate) static SWITCHES: Switches = Switches {
    lists: &["compound_statement"],
    clauses: &["case_statement"],
    label_words: &["case", "default"],
    label_end: ":",
    falls: Falls::Unless {
        leaving: &[
            "break_statement",
            "return_statement",
            "continue_statement",
            "goto_statement",
            "throw_statement",
        ],
        never: &["exit(", "abort(", "longjmp("],
    },
};
