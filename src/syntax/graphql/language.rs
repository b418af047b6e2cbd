//! GraphQL as a language: its name, its habits, the tables of its grammar.

use crate::syntax::tree::{Tables, TreeGrammar, Wrap, parser};
use crate::syntax::{GrammarGaps, Habits, Language, NameCharacters, Redefinition, SegmentKind};

/// `.graphql`, `.gql`
pub(crate) static GRAPHQL: Language = Language {
    name: "GraphQL",
    extensions: &["graphql", "gql", "graphqls"],
    file_names: &[],
    interpreters: &[],
    called: &["graphql"],
    habits: Habits {
        line_comments: &["#"],
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
        second: Redefinition::Allowed,
        names: NameCharacters::PLAIN,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    decorators: &["description"],
    descriptions: &["description"],
    modifiers: &[
        "type_system_definition",
        "type_definition",
        "object_type_definition",
        "interface_type_definition",
        "input_object_type_definition",
        "enum_type_definition",
        "union_type_definition",
        "scalar_type_definition",
        "directive_definition",
    ],
    wrappers: &[
        "definition",
        "type_system_definition",
        "type_definition",
        "type_system_extension",
        "type_extension",
        "executable_definition",
    ],
    strings: &["string_value"],
    lists: &[
        "source_file",
        "document",
        "fields_definition",
        "input_fields_definition",
        "enum_values_definition",
        "selection_set",
    ],
    inner_lists: &["document"],
    gaps: Some(GrammarGaps::Forms),
    wraps: &[
        Wrap {
            parents: &[SegmentKind::Class],
            before: "type X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Struct],
            before: "input X {\n",
            after: "\n}",
        },
        Wrap {
            parents: &[SegmentKind::Interface],
            before: "interface X {\n",
            after: "\n}",
        },
    ],
    ..Tables::of(
        parser!("graphql", tree_sitter_graphql::LANGUAGE),
        include_str!("segments.scm"),
    )
});
