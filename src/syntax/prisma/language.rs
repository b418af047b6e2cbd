//! Prisma as a language: its name, its habits, the tables of its grammar.

use crate::syntax::tree::{Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.prisma`: schemas of databases
pub(crate) static PRISMA: Language = Language {
    name: "Prisma",
    extensions: &["prisma"],
    file_names: &[],
    interpreters: &[],
    called: &["prisma"],
    habits: Habits {
        line_comments: &["//"],
        block_comments: &[],
        blank_lines_top: 1,
        blank_lines_nested: 0,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "{",
        block_ends: &[],
        unit: "  ",
        exports: &[],
        second: Redefinition::Refused { overloads: false },
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    comments: &["comment", "developer_comment"],
    doc_comments: &["///"],
    strings: &["string"],
    lists: &["program", "statement_block", "enum_block"],
    // What the eighth release brought.
    gaps: Some(GrammarGaps::Forms),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class],
            before: "model X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Struct],
            before: "datasource x {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Enum],
            before: "enum X {\n",
            after: "\n}",
        },
    ],
    ..Tables::of(
        parser!("prisma", tree_sitter_prisma_io::LANGUAGE),
        include_str!("segments.scm"),
    )
});
