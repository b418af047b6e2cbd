//! Ruby as a language: its name, its habits, the tables of its grammar.

use tree_sitter::Node;

use super::access::access;
use super::{early, heredocs};
use crate::syntax::tree::{Tables, TreeGrammar, Within, Wrap, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.rb`, `Rakefile`, `Gemfile`
pub(crate) static RUBY: Language = Language {
    name: "Ruby",
    extensions: &["rb", "rake", "gemspec", "ru", "podspec"],
    file_names: &[
        "Gemfile",
        "Rakefile",
        "Podfile",
        "Fastfile",
        "Vagrantfile",
        "Guardfile",
        "Brewfile",
        "Capfile",
        "Berksfile",
        "Thorfile",
    ],
    interpreters: &["ruby", "jruby", "rake"],
    called: &["ruby", "rb", "enh-ruby"],
    habits: Habits {
        line_comments: &["#"],
        block_comments: &[],
        blank_lines_top: 1,
        blank_lines_nested: 1,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "",
        block_ends: &["end"],
        unit: "  ",
        exports: &[
            "private",
            "protected",
            "public",
            "private_class_method",
            "public_class_method",
            "module_function",
            "memoize",
        ],
        second: Redefinition::Allowed,
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    doc_comments: &["#"],
    body_ends: &["end"],
    names: &[("scope_resolution", Within::Scoped("scope", "name"))],
    owners: &[],
    strings: &[
        "string",
        "heredoc_body",
        "subshell",
        "string_array",
        "symbol_array",
    ],
    loose_strings: &["string_array", "symbol_array"],
    column_comments: &["=begin"],
    lists: &[
        "program",
        "body_statement",
        "block_body",
        "then",
        "begin_block",
        "end_block",
        "begin",
        "do",
        "else",
        "ensure",
    ],
    block_words: &["do"],
    clauses: &["rescue", "ensure", "else", "elsif", "when", "in_clause"],
    decorates: Some(decorates),
    leads: Some(leads),
    access: Some(access),
    early: Some(early::errors),
    unreadable: Some(heredocs::too_long),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class],
            before: "class X\n",
            after: "\nend",
        },
        Wrap {
            parents: &[SegmentKind::Module],
            before: "module X\n",
            after: "\nend",
        },
    ],
    ..Tables::of(
        parser!("ruby", tree_sitter_ruby::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// Calls that speak of the method below them: its signature for Sorbet, its contract, what Thor prints of it.
fn decorates(member: Node<'_>, source: &[u8]) -> bool {
    let method = member
        .child_by_field_name("method")
        .filter(|_| member.kind() == "call");
    let name = method.and_then(|method| source.get(method.byte_range()));
    name.is_some_and(|name| {
        matches!(
            name,
            b"sig" | b"desc" | b"long_desc" | b"method_option" | b"method_options" | b"Contract"
        )
    })
}

/// What tools read for the whole file.
fn leads(member: Node<'_>, list: &str, _around: &str, source: &[u8]) -> bool {
    let text = source.get(member.byte_range()).unwrap_or_default();
    let magic = [
        &b"frozen_string_literal:"[..],
        b"typed:",
        b"encoding:",
        b"warn_indent:",
    ];
    let says = || {
        magic
            .iter()
            .any(|word| memchr::memmem::find(text, word).is_some())
    };
    list == "program" && member.kind() == "comment" && (text.starts_with(b"#!") || says())
}
