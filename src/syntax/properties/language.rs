//! Java properties as a language: their name, their habits, the tables of their grammar.

use crate::syntax::tree::{Tables, TreeGrammar};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition};

/// `.properties`
pub(crate) static PROPERTIES: Language = Language {
    name: "Java properties",
    extensions: &["properties"],
    file_names: &[],
    habits: Habits {
        line_comments: &["#", "!"],
        block_comments: &[],
        blank_lines_top: 0,
        blank_lines_nested: 0,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "",
        block_ends: &[],
        unit: "    ",
        exports: &[],
        second: Redefinition::TakesPlace,
        names: NameCharacters::HYPHENED,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    dotted: &["key"],
    strings: &["value"],
    lists: &["file"],
    ..Tables::of(
        tree_sitter_properties::LANGUAGE,
        include_str!("segments.scm"),
    )
});
