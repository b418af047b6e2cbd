//! Nix as a language: its name, its habits, the tables of its grammar.

use crate::syntax::tree::{Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.nix`
pub(crate) static NIX: Language = Language {
    name: "Nix",
    extensions: &["nix"],
    file_names: &[],
    interpreters: &[],
    called: &["nix"],
    habits: Habits {
        line_comments: &["#"],
        block_comments: &[("/*", "*/")],
        blank_lines_top: 0,
        blank_lines_nested: 0,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "{",
        block_ends: &[],
        unit: "  ",
        exports: &[],
        second: Redefinition::Refused { overloads: false },
        names: NameCharacters::HYPHENED,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    dotted: &["attrpath"],
    strings: &["string_expression", "indented_string_expression"],
    lists: &["binding_set"],
    // A binding stands in a set, be it the file's.
    wraps: &[Wrap {
        parents: &[
            SegmentKind::Struct,
            SegmentKind::Function,
            SegmentKind::Variable,
        ],
        before: "{\n",
        after: "\n}",
    }],
    ..Tables::of(
        parser!("nix", tree_sitter_nix::LANGUAGE),
        include_str!("segments.scm"),
    )
});
