//! Bash as a language: its name, its habits, the tables of its grammar.

use super::early;
use crate::syntax::tree::{Falls, Switches, Tables, TreeGrammar, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition};

/// `.sh`, `.bash`
pub(crate) static BASH: Language = Language {
    name: "Bash",
    extensions: &["sh", "bash"],
    file_names: &[
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".bash_logout",
        ".profile",
        "bashrc",
    ],
    interpreters: &["bash", "sh", "dash", "ash", "ksh", "mksh"],
    called: &["bash", "sh", "shell", "shell-script"],
    habits: Habits {
        line_comments: &["#"],
        block_comments: &[],
        blank_lines_top: 1,
        blank_lines_nested: 1,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "{",
        block_ends: &[],
        unit: "  ",
        exports: &["export", "readonly"],
        second: Redefinition::TakesPlace { variables: false },
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    strings: &[
        "string",
        "raw_string",
        "ansi_c_string",
        "translated_string",
        "heredoc_redirect",
        "heredoc_body",
        "herestring_redirect",
    ],
    terminators: &[("program", ";")],
    lists: &[
        "program",
        "compound_statement",
        "do_group",
        "subshell",
        "case_item",
        "if_statement",
        "elif_clause",
        "else_clause",
    ],
    clauses: &["elif_clause", "else_clause", "case_item"],
    open_clauses: &["elif_clause", "else_clause"],
    switches: Some(&SWITCHES),
    early: Some(early::errors),
    gaps: Some(GrammarGaps::Macros),
    ..Tables::of(
        parser!("bash", tree_sitter_bash::LANGUAGE),
        include_str!("segments.scm"),
    )
});

static SWITCHES: Switches = Switches {
    lists: &["case_statement"],
    clauses: &["case_item"],
    label_words: &[")"],
    label_end: ")",
    falls: Falls::Saying(";&"),
};
