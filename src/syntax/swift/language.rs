//! Swift as a language: its name, its habits, the tables of its grammar.

use super::early;
use crate::syntax::tree::{Falls, Switches, Tables, TreeGrammar, Within, Wrap, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.swift`
pub(crate) static SWIFT: Language = Language {
    name: "Swift",
    extensions: &["swift"],
    file_names: &[],
    interpreters: &["swift"],
    called: &["swift"],
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
    comments: &["comment", "multiline_comment"],
    doc_comments: &["///", "/**"],
    other_comments: &["////", "/***"],
    doc_gap: 0,
    decorators: &["attribute"],
    modifiers: &["modifiers"],
    owners: &[("user_type", Within::First)],
    strings: &[
        "line_string_literal",
        "multi_line_string_literal",
        "raw_string_literal",
    ],
    lists: &[
        "source_file",
        "class_body",
        "enum_class_body",
        "protocol_body",
        "statements",
    ],
    clauses: &[
        "catch_block",
        "switch_entry",
        "computed_getter",
        "computed_setter",
        "willset_clause",
        "didset_clause",
    ],
    switches: Some(&SWITCHES),
    early: Some(early::errors),
    gaps: Some(GrammarGaps::Macros),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class, SegmentKind::Struct, SegmentKind::Enum],
            before: "class X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Interface],
            before: "protocol X {\n",
            after: "\n}",
        },
    ],
    ..Tables::of(
        parser!("swift", tree_sitter_swift::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// A `switch` whose cases go on with the next where they say so.
static SWITCHES: Switches = Switches {
    lists: &["switch_statement"],
    clauses: &["switch_entry"],
    label_words: &["case", "default"],
    label_end: ":",
    falls: Falls::Saying("fallthrough"),
};
