//! C# as a language: its name, its habits, the tables of its grammar.

use super::early;
use crate::syntax::tree::{Falls, Switches, Tables, TreeGrammar, Within, Wrap, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.cs`
pub(crate) static CSHARP: Language = Language {
    name: "C#",
    extensions: &["cs", "csx"],
    file_names: &[],
    interpreters: &["dotnet-script"],
    called: &["c#", "cs", "csharp"],
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
    comments: &["comment", "preproc_region", "preproc_endregion"],
    doc_comments: &["///", "/**"],
    doc_gap: 1,
    other_comments: &["////", "/***"],
    decorators: &["attribute_list"],
    terminators: &[("compilation_unit", ";"), ("declaration_list", ";")],
    owners: &[("generic_name", Within::First)],
    names: &[("qualified_name", Within::Scoped("qualifier", "name"))],
    strings: &[
        "string_literal",
        "verbatim_string_literal",
        "raw_string_literal",
        "interpolated_string_expression",
    ],
    imports: &[
        "extern_alias_directive",
        "using_directive",
        "file_scoped_namespace_declaration",
    ],
    lists: &[
        "compilation_unit",
        "declaration_list",
        "block",
        "accessor_list",
        "preproc_if",
        "preproc_else",
        "preproc_elif",
        "switch_body",
        "switch_section",
    ],
    clauses: &["catch_clause", "finally_clause", "switch_section"],
    switches: Some(&SWITCHES),
    early: Some(early::errors),
    initialisers: &["constructor_initializer"],
    gaps: Some(GrammarGaps::Forms),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class, SegmentKind::Struct],
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
        parser!("csharp", tree_sitter_c_sharp::LANGUAGE),
        include_str!("segments.scm"),
    )
});

/// A `switch` whose labels may share what is below them.
static SWITCHES: Switches = Switches {
    lists: &["switch_body"],
    clauses: &["switch_section"],
    label_words: &["case", "default"],
    label_end: ":",
    falls: Falls::Unless {
        leaving: &[
            "break_statement",
            "return_statement",
            "throw_statement",
            "continue_statement",
            "goto_statement",
        ],
        never: &["yield break"],
    },
};
