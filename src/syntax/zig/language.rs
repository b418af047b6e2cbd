//! Zig as a language: its name, its habits, the tables of its grammar.

use super::early;
use crate::syntax::tree::{Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.zig`
pub(crate) static ZIG: Language = Language {
    name: "Zig",
    extensions: &["zig"],
    file_names: &[],
    interpreters: &[],
    called: &["zig"],
    habits: Habits {
        line_comments: &["//"],
        block_comments: &[],
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
    doc_comments: &["///"],
    other_comments: &["////", "//!"],
    doc_gap: 0,
    strings: &["multiline_string", "string"],
    loose_strings: &["multiline_string"],
    lists: &[
        "source_file",
        "struct_declaration",
        "union_declaration",
        "enum_declaration",
        "opaque_declaration",
        "block",
    ],
    clauses: &["else_clause", "switch_case"],
    headed: &["if_statement", "while_statement", "for_statement"],
    gaps: Some(GrammarGaps::Forms),
    wraps: &[Wrap {
        parents: &[SegmentKind::Struct, SegmentKind::Enum],
        before: "const X = struct {\n",
        after: "\n};",
    }],
    early: Some(early::errors),
    ..Tables::of(
        parser!("zig", tree_sitter_zig::LANGUAGE),
        include_str!("segments.scm"),
    )
});
