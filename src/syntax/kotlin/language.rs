//! Kotlin as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use super::{early, legible};
use crate::syntax::tree::{Tables, TreeGrammar, Within, Wrap, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.kt`, `.kts`
pub(crate) static KOTLIN: Language = Language {
    name: "Kotlin",
    extensions: &["kt", "kts"],
    file_names: &[],
    interpreters: &["kotlin", "kscript"],
    called: &["kotlin"],
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
        unit: "    ",
        exports: &[],
        second: Redefinition::Allowed,
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    comments: &["line_comment", "block_comment"],
    doc_comments: &["/**"],
    doc_gap: 1,
    other_comments: &["/***"],
    decorators: &["annotation"],
    modifiers: &["modifiers"],
    owners: &[
        ("user_type", Within::First),
        ("nullable_type", Within::First),
    ],
    strings: &["string_literal", "multiline_string_literal"],
    imports: &["import"],
    lists: &[
        "source_file",
        "class_body",
        "enum_class_body",
        "block",
        "function_body",
        "lambda_literal",
    ],
    clauses: &[
        "catch_block",
        "finally_block",
        "when_entry",
        "getter",
        "setter",
    ],
    headed: &[
        "if_expression",
        "while_statement",
        "do_while_statement",
        "for_statement",
    ],
    leads: Some(leads),
    legible: Some(legible::legible),
    early: Some(early::errors),
    initialisers: &["constructor_delegation_call"],
    unrun: Some(unrun),
    gaps: Some(GrammarGaps::Forms),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class, SegmentKind::Enum],
            before: "class X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Interface],
            before: "interface X {\n",
            after: "\n}",
        },
    ],
    ..Tables::of(
        parser!("kotlin", tree_sitter_kotlin_ng::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// The annotations of the file, and its package.
fn leads(member: Node<'_>, _list: &str, _around: &str, _source: &[u8]) -> bool {
    matches!(member.kind(), "file_annotation" | "package_header")
}

/// A lambda, but of a function that returns one.
fn unrun(body: Node<'_>) -> Option<&'static str> {
    let mut cursor = body.walk();
    let mut parts = body.named_children(&mut cursor);
    let has_parameters = parts.any(|part| part.kind() == "lambda_parameters");
    let function = body.parent().and_then(|around| around.parent())?;
    let mut cursor = function.walk();
    let mut parts = function.named_children(&mut cursor);
    let returns_one = parts.any(|part| {
        matches!(
            part.kind(),
            "function_type" | "nullable_type" | "parenthesized_type"
        )
    });
    let is_lambda = body.kind() == "lambda_literal";
    (is_lambda && !has_parameters && !returns_one).then_some("a lambda")
}
