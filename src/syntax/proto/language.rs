//! Protocol Buffers as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use crate::syntax::tree::{Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.proto`
pub(crate) static PROTO: Language = Language {
    name: "Protocol Buffers",
    extensions: &["proto"],
    file_names: &[],
    interpreters: &[],
    called: &["proto", "protobuf", "protocol-buffer", "protocol-buffers"],
    habits: Habits {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        blank_lines_top: 1,
        blank_lines_nested: 0,
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
    doc_comments: &["//", "/*"],
    lists: &[
        "source_file",
        "message_body",
        "enum_body",
        "service",
        "oneof",
    ],
    leads: Some(leads),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Struct],
            before: "message X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Interface],
            before: "service X {\n",
            after: "\n}",
        },
    ],
    ..Tables::of(
        parser!("protobuf", tree_sitter_proto::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// The edition or syntax of the file.
fn leads(member: Node<'_>, _list: &str, _around: &str, _source: &[u8]) -> bool {
    matches!(member.kind(), "syntax" | "edition")
}
