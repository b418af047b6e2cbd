//! R as a language: its name, its habits, the tables of its grammar.

use super::early;
use crate::syntax::tree::{Tables, TreeGrammar, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition};

/// `.R`
pub(crate) static R: Language = Language {
    name: "R",
    extensions: &["r"],
    file_names: &[".Rprofile"],
    interpreters: &["Rscript"],
    called: &["r", "ess-r"],
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
        exports: &[],
        second: Redefinition::TakesPlace { variables: false },
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    doc_comments: &["#'"],
    dotted: &["identifier"],
    strings: &["string"],
    lists: &["program", "braced_expression"],
    early: Some(early::errors),
    ..Tables::of(
        parser!("r", tree_sitter_r::LANGUAGE),
        include_str!("segments.scm"),
    )
});
