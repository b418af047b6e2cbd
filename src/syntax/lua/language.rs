//! Lua as a language: its name, its habits, the tables of its grammar.

use super::early;
use crate::syntax::tree::{Tables, TreeGrammar, Within, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition};

/// `.lua`
pub(crate) static LUA: Language = Language {
    name: "Lua",
    extensions: &["lua", "rockspec"],
    file_names: &[],
    interpreters: &["lua", "luajit", "texlua"],
    called: &["lua"],
    habits: Habits {
        line_comments: &["--"],
        block_comments: &[("--[[", "]]")],
        blank_lines_top: 1,
        blank_lines_nested: 1,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "",
        block_ends: &["end"],
        unit: "  ",
        exports: &[],
        second: Redefinition::Allowed,
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    doc_comments: &["---"],
    other_comments: &["----"],
    body_ends: &["end"],
    owners: &[],
    names: &[
        ("dot_index_expression", Within::Scoped("table", "field")),
        ("method_index_expression", Within::Scoped("table", "method")),
    ],
    strings: &["string"],
    lists: &["chunk", "block"],
    block_words: &["function"],
    terminators: &[("chunk", ";"), ("block", ";")],
    early: Some(early::errors),
    ..Tables::of(
        parser!("lua", tree_sitter_lua::LANGUAGE),
        include_str!("segments.scm"),
    )
});
