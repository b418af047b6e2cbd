//! CMake as a language: its name, its habits, the tables of its grammar.

use super::early;
use crate::syntax::tree::{Tables, TreeGrammar, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition};

/// `CMakeLists.txt`, `.cmake`
pub(crate) static CMAKE: Language = Language {
    name: "CMake",
    extensions: &["cmake"],
    file_names: &["CMakeLists.txt"],
    interpreters: &["cmake"],
    called: &["cmake"],
    habits: Habits {
        line_comments: &["#"],
        block_comments: &[("#[[", "]]")],
        blank_lines_top: 1,
        blank_lines_nested: 0,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "",
        block_ends: &[
            "endfunction",
            "endmacro",
            "endif",
            "endforeach",
            "endwhile",
            "endblock",
        ],
        unit: "  ",
        exports: &[],
        second: Redefinition::Allowed,
        names: NameCharacters::HYPHENED,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    comments: &["line_comment", "bracket_comment"],
    body_ends: &["endfunction_command", "endmacro_command"],
    dotted: &["unquoted_argument"],
    strings: &["quoted_argument", "bracket_argument"],
    lists: &["source_file", "body"],
    clauses: &["body"],
    open_clauses: &["body"],
    early: Some(early::errors),
    ..Tables::of(
        parser!("cmake", tree_sitter_cmake::LANGUAGE),
        include_str!("segments.scm"),
    )
});
