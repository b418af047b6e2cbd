//! Dart as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use super::early;
use crate::syntax::tree::{Falls, Switches, Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.dart`
pub(crate) static DART: Language = Language {
    name: "Dart",
    extensions: &["dart"],
    file_names: &[],
    interpreters: &["dart"],
    called: &["dart"],
    habits: Habits {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        blank_lines_top: 1,
        blank_lines_nested: 1,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "{",
        block_ends: &[],
        unit: "  ",
        exports: &[],
        second: Redefinition::Allowed,
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    comments: &["comment", "documentation_comment"],
    doc_comments: &["///", "/**"],
    doc_gap: 0,
    decorators: &["annotation"],
    modifiers: &["method_declaration", "declaration"],
    // Several of them, one after the other, are one `string_literal`.
    strings: &[
        "string_literal_double_quotes",
        "string_literal_double_quotes_multiple",
        "string_literal_single_quotes",
        "string_literal_single_quotes_multiple",
        "raw_string_literal_double_quotes",
        "raw_string_literal_double_quotes_multiple",
        "raw_string_literal_single_quotes",
        "raw_string_literal_single_quotes_multiple",
    ],
    imports: &["import_or_export", "part_directive"],
    lists: &[
        "source_file",
        "class_body",
        "extension_body",
        "enum_body",
        "block",
        "switch_block",
    ],
    clauses: &[
        "catch_clause",
        "finally_clause",
        "switch_statement_case",
        "switch_statement_default",
    ],
    switches: Some(&SWITCHES),
    leads: Some(leads),
    early: Some(early::errors),
    initialisers: &["initializers", "redirection"],
    unrun: Some(unrun),
    gaps: Some(GrammarGaps::Forms),
    wraps: &[Wrap {
        parents: &[SegmentKind::Class, SegmentKind::Enum],
        before: "class X {\n",
        after: "\n}",
    }],
    ..Tables::of(
        parser!("dart", tree_sitter_dart::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// What says which library the file is.
fn leads(member: Node<'_>, _list: &str, _around: &str, _source: &[u8]) -> bool {
    matches!(member.kind(), "library_name" | "part_of_directive")
}

/// A `switch` whose labels may share what is below the last of them. A case that has a statement never goes on with the next, whatever its
/// last one is: every text begins with nothing.
static SWITCHES: Switches = Switches {
    lists: &["switch_block"],
    clauses: &["switch_statement_case", "switch_statement_default"],
    label_words: &["case", "default"],
    label_end: ":",
    falls: Falls::Empty,
};

/// A set whose type is not written: that of a map or of an empty one may be meant.
fn unrun(body: Node<'_>) -> Option<&'static str> {
    let mut cursor = body.walk();
    let mut members = body.named_children(&mut cursor);
    let is_value = |member: Node<'_>| {
        let of_either = [
            "type_arguments",
            "map_element",
            "spread_element",
            "if_element",
            "for_element",
        ];
        !member.is_extra() && !of_either.contains(&member.kind())
    };
    let has_value = members.any(is_value);
    (body.kind() == "set_or_map_literal" && has_value).then_some("a set")
}
