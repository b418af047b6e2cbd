//! C++ as a language: its name, its habits, the tables of its grammar.

use super::access::access;
use crate::syntax::c::{SWITCHES, typed_variables};
use crate::syntax::tree::{Tables, TreeGrammar, Within, Wrap, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.cpp`, `.h`, and their like
pub(crate) static CPP: Language = Language {
    name: "C++",
    extensions: &[
        "cpp", "cc", "cxx", "c++", "h", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp", "cu", "cuh",
    ],
    file_names: &[],
    interpreters: &[],
    called: &["c++", "cpp", "cuda"],
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
    doc_comments: &["/**", "/*!", "///", "//!"],
    doc_gap: 1,
    other_comments: &["/***"],
    decorators: &["attribute_declaration", "attribute_specifier"],
    wrappers: &[
        "template_declaration",
        "linkage_specification",
        "field_declaration",
    ],
    wrapper_heads: &[
        "template_parameter_list",
        "requires_clause",
        "string_literal",
    ],
    terminators: &[
        ("translation_unit", ";"),
        ("declaration_list", ";"),
        ("preproc_if", ";"),
        ("preproc_ifdef", ";"),
        ("preproc_else", ";"),
        ("preproc_elif", ";"),
    ],
    owners: &[
        ("template_type", Within::Field("name")),
        ("dependent_name", Within::Last),
    ],
    names: &[
        ("init_declarator", Within::Field("declarator")),
        ("function_declarator", Within::Field("declarator")),
        ("pointer_declarator", Within::Field("declarator")),
        ("array_declarator", Within::Field("declarator")),
        ("attributed_declarator", Within::First),
        ("parenthesized_declarator", Within::First),
        ("reference_declarator", Within::Last),
        ("template_function", Within::Field("name")),
        ("template_type", Within::Field("name")),
        ("qualified_identifier", Within::Scoped("scope", "name")),
        ("dependent_name", Within::Last),
    ],
    strings: &["string_literal", "raw_string_literal"],
    lists: &[
        "translation_unit",
        "compound_statement",
        "declaration_list",
        "field_declaration_list",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
        "preproc_elifdef",
    ],
    clauses: &["else_clause", "catch_clause"],
    switches: Some(&SWITCHES),
    access: Some(access),
    typed_variables: Some(typed_variables),
    initialisers: &["field_initializer_list"],
    gaps: Some(GrammarGaps::Macros),
    wraps: &[Wrap {
        parents: &[SegmentKind::Class, SegmentKind::Struct],
        before: "class X {\n",
        after: "\n};",
    }],
    ..Tables::of(
        parser!("cpp", tree_sitter_cpp::LANGUAGE),
        include_str!("segments.scm"),
    )
});
