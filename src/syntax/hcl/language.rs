//! HCL as a language: its name, its habits, the tables of its grammar.

use super::early;
use crate::syntax::tree::{Tables, TreeGrammar, parser};
use crate::syntax::{Habits, Language, NameCharacters, Redefinition};

/// `.tf`, `.hcl`: Terraform
pub(crate) static HCL: Language = Language {
    name: "HCL",
    extensions: &["tf", "tfvars", "hcl", "nomad"],
    file_names: &[],
    interpreters: &[],
    called: &["hcl", "terraform"],
    habits: Habits {
        line_comments: &["#", "//"],
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
        names: NameCharacters::HYPHENED,
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    strings: &["heredoc_template", "quoted_template", "string_lit"],
    lists: &["config_file", "body"],
    inner_lists: &["body"],
    early: Some(early::errors),
    ..Tables::of(
        parser!("hcl", tree_sitter_hcl::LANGUAGE),
        include_str!("segments.scm"),
    )
});
