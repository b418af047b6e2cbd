//! TypeScript, its declarations and TSX as languages: names, habits, and the tables that their grammars share.

use crate::syntax::javascript::{
    AROUND_VALUES, HABITS, SWITCHES, directives, early, legible, naming,
};
use crate::syntax::tree::{
    FindErrors, FindNames, GrammarParser, Legible, Tables, TreeGrammar, Within, Wrap, parser,
};
use crate::syntax::{Language, SegmentKind};

/// `.ts`, `.mts`, `.cts`
pub static TYPESCRIPT: Language = Language {
    name: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    file_names: &[],
    interpreters: &["ts-node", "tsx", "deno", "bun"],
    called: &["typescript", "ts"],
    habits: HABITS,
    grammar: &PLAIN,
};

/// `.d.ts`, `.d.mts`, `.d.cts`: declarations of what is written elsewhere.
pub static DECLARATIONS: Language = Language {
    name: "TypeScript",
    extensions: &["d.ts", "d.mts", "d.cts"],
    file_names: &[],
    interpreters: &[],
    called: &[],
    habits: HABITS,
    grammar: &DECLARED,
};

/// `.tsx`
pub static TSX: Language = Language {
    name: "TSX",
    extensions: &["tsx"],
    file_names: &[],
    interpreters: &[],
    called: &["tsx", "typescriptreact"],
    habits: HABITS,
    grammar: &WITH_JSX,
};

static PLAIN: TreeGrammar = TreeGrammar::new(tables(
    parser!("typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
    legible::typescript,
    early::typescript,
    naming::typescript,
));

static DECLARED: TreeGrammar = TreeGrammar::new(tables(
    parser!("typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
    legible::declarations,
    early::declarations,
    naming::declarations,
));

static WITH_JSX: TreeGrammar = TreeGrammar::new(tables(
    parser!("typescript", tree_sitter_typescript::LANGUAGE_TSX),
    legible::tsx,
    early::tsx,
    naming::tsx,
));

const fn tables(
    parser: GrammarParser,
    legible: Legible,
    early: FindErrors,
    names: FindNames,
) -> Tables {
    Tables {
        comments: &["comment", "html_comment"],
        doc_comments: &["/**"],
        doc_gap: 1,
        other_comments: &["/***"],
        decorators: &["decorator"],
        wrappers: &[
            "export_statement",
            "ambient_declaration",
            "expression_statement",
            "lexical_declaration",
            "variable_declaration",
        ],
        terminators: &[
            ("class_body", ";"),
            ("interface_body", ";"),
            ("interface_body", ","),
            ("object_type", ";"),
            ("object_type", ","),
        ],
        names: &[("member_expression", Within::Scoped("object", "property"))],
        strings: &["template_string", "template_literal_type", "string"],
        lists: &[
            "program",
            "statement_block",
            "class_body",
            "switch_body",
            "switch_case",
            "switch_default",
            "interface_body",
            "enum_body",
            "object_type",
        ],
        comma_lists: &["object", "enum_body"],
        value_lists: &["object", "object_type"],
        around_values: AROUND_VALUES,
        sparse_lists: &["array"],
        optional_wrappers: &[("expression_statement", "internal_module")],
        clauses: &["else_clause", "catch_clause", "finally_clause"],
        terminated: &[
            "lexical_declaration",
            "variable_declaration",
            "expression_statement",
            "public_field_definition",
            "property_signature",
            "method_signature",
            "abstract_method_signature",
            "function_signature",
            "type_alias_declaration",
        ],
        prefixes: &["get", "set", "static"],
        switches: Some(&SWITCHES),
        leads: Some(directives::leads),
        legible: Some(legible),
        early: Some(early),
        script_names: Some(names),
        wraps: &[
            Wrap {
                parents: &[SegmentKind::Class],
                before: "abstract class X {\n",
                after: "\n}",
            },
            Wrap {
                parents: &[SegmentKind::Interface, SegmentKind::Type],
                before: "interface X {\n",
                after: "\n}",
            },
            Wrap {
                parents: &[SegmentKind::Enum],
                before: "enum X {\n",
                after: "\n}",
            },
            Wrap {
                parents: &[SegmentKind::Variable],
                before: "var X = {\n",
                after: "\n}",
            },
        ],
        ..Tables::of(parser, include_str!("segments.scm"))
    }
}
