//! CSS as a language: which files are in it, its habits, and its grammar.

use super::balance;
use super::dropped::dropped;
use super::statements::statements;
use crate::path::RepoPath;
use crate::syntax::tree::{GrammarParser, Tables, TreeGrammar};
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, Statement,
    SyntaxError,
};
use crate::text::Span;
use crate::text::indent::LineRole;

/// Says whether the file's name is one of CSS itself: SCSS and Less are other languages.
pub fn is_css(path: &RepoPath) -> bool {
    path.file_name()
        .rsplit_once('.')
        .is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("css"))
}

/// What is in a `<style>`.
pub static CSS: Language = Language {
    name: "CSS",
    extensions: &[],
    file_names: &[],
    interpreters: &[],
    called: &["css"],
    habits: Habits {
        line_comments: &[],
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
        names: NameCharacters::HYPHENED,
    },
    grammar: &StyleGrammar,
};

/// Lines and comments as tree-sitter sees them, errors as browsers do.
struct StyleGrammar;

impl Grammar for StyleGrammar {
    fn outline(&self, _source: &[u8]) -> Outline {
        Outline::default()
    }

    fn fragment_outline(&self, _fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        Outline::default()
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        let errors = balance::errors(source);
        if errors.is_empty() {
            dropped(source)
        } else {
            errors
        }
    }

    fn statements(&self, source: &[u8], _parent: Option<SegmentKind>) -> Option<Vec<Statement>> {
        statements(source)
    }

    fn line_roles(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Vec<LineRole> {
        GRAMMAR.line_roles(fragment, parent)
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        GRAMMAR.comments(source)
    }
}

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    comments: &["comment", "js_comment"],
    strings: &["string_value"],
    ..Tables::of(GrammarParser::always(tree_sitter_css::LANGUAGE), "")
});
