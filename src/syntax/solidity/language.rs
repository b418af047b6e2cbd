//! Solidity as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use super::early;
use crate::syntax::tree::{Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.sol`
pub(crate) static SOLIDITY: Language = Language {
    name: "Solidity",
    extensions: &["sol"],
    file_names: &[],
    interpreters: &[],
    called: &["solidity"],
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
    doc_comments: &["///", "/**"],
    doc_gap: 0,
    other_comments: &["////", "/***"],
    lists: &[
        "source_file",
        "contract_body",
        "function_body",
        "block_statement",
        "struct_body",
    ],
    clauses: &["catch_clause"],
    headed: &[
        "if_statement",
        "while_statement",
        "do_while_statement",
        "for_statement",
    ],
    leads: Some(leads),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class],
            before: "contract X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Interface],
            before: "interface X {\n",
            after: "\n}",
        },
    ],
    early: Some(early::errors),
    ..Tables::of(
        parser!("solidity", tree_sitter_solidity::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// The version that the compiler has to be of.
fn leads(member: Node<'_>, _list: &str, _around: &str, _source: &[u8]) -> bool {
    member.kind() == "pragma_directive"
}
