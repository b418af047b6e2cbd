//! Scala as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use super::{early, legible, versions};
use crate::syntax::tree::{Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.scala`, `.sbt`
pub(crate) static SCALA: Language = Language {
    name: "Scala",
    extensions: &["scala", "sbt", "sc"],
    file_names: &[],
    interpreters: &["scala", "scala-cli", "amm"],
    called: &["scala"],
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
    comments: &["comment", "block_comment"],
    doc_comments: &["/**"],
    doc_gap: 1,
    other_comments: &["/***"],
    decorators: &["annotation"],
    strings: &[
        "string",
        "interpolated_string_expression",
        "interpolated_string",
    ],
    terminators: &[
        ("compilation_unit", ";"),
        ("template_body", ";"),
        ("enum_body", ";"),
    ],
    lists: &[
        "compilation_unit",
        "template_body",
        "enum_body",
        "block",
        "indented_block",
        "case_block",
        "indented_cases",
    ],
    clauses: &["catch_clause", "finally_clause", "case_clause"],
    headed: &["while_expression", "for_expression"],
    doubtful: Some(versions::doubtful),
    leads: Some(leads),
    legible: Some(legible::legible),
    early: Some(early::errors),
    wraps: &[Wrap {
        parents: &[SegmentKind::Class, SegmentKind::Trait],
        before: "class X {\n",
        after: "\n}",
    }],
    ..Tables::of(
        parser!("scala", tree_sitter_scala::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// The package.
fn leads(member: Node<'_>, _list: &str, _around: &str, _source: &[u8]) -> bool {
    member.kind() == "package_clause" && member.child_by_field_name("body").is_none()
}
