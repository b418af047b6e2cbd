//! PHP as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use super::early;
use crate::syntax::tree::{Falls, Switches, Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.php`, in pages as well
pub(crate) static PHP: Language = Language {
    name: "PHP",
    extensions: &["php", "phtml", "php5", "php7"],
    file_names: &[],
    interpreters: &["php"],
    called: &["php"],
    habits: Habits {
        line_comments: &["//", "#"],
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
    doc_comments: &["/**"],
    doc_gap: 1,
    other_comments: &["/***"],
    decorators: &["attribute_list"],
    owners: &[],
    strings: &[
        "string",
        "encapsed_string",
        "heredoc",
        "nowdoc",
        "shell_command_expression",
        "text",
    ],
    lists: &[
        "program",
        "compound_statement",
        "declaration_list",
        "enum_declaration_list",
        "colon_block",
        "switch_block",
        "case_statement",
        "default_statement",
    ],
    clauses: &[
        "else_clause",
        "else_if_clause",
        "catch_clause",
        "finally_clause",
    ],
    leads: Some(leads),
    preamble: "<?php\n",
    switches: Some(&SWITCHES),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class, SegmentKind::Trait],
            before: "class X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Interface],
            before: "interface X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Enum],
            before: "enum X {\n",
            after: "\n}",
        },
    ],
    early: Some(early::errors),
    ..Tables::of(
        parser!("php", tree_sitter_php::LANGUAGE_PHP),
        include_str!("segments.scm"),
    )
});

/// What has to come before all other code.
fn leads(member: Node<'_>, list: &str, _around: &str, _source: &[u8]) -> bool {
    let is_whole = || member.child_by_field_name("body").is_none();
    match member.kind() {
        "php_tag" | "declare_statement" => list == "program",
        "namespace_definition" => list == "program" && is_whole(),
        _ => false,
    }
}

/// A `switch` in which a case goes on with the next.
static SWITCHES: Switches = Switches {
    lists: &["switch_block"],
    clauses: &["case_statement", "default_statement"],
    label_words: &["case", "default"],
    label_end: ":",
    falls: Falls::Unless {
        leaving: &[
            "break_statement",
            "return_statement",
            "continue_statement",
            "goto_statement",
        ],
        never: &["throw ", "exit", "die"],
    },
};
