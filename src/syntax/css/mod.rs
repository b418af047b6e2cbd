//! CSS, as far as pages and checks need it: whether a style parses, its rules and declarations, and which of its lines may be
//! re-indented.
//!
//! Deliberately not here: segments. It is in no list of languages, so files of its own are plain text to whoever looks for a name;
//! what edits make of them is checked as if they were in one (`is_css`).

mod balance;
mod lists;
mod rules;

pub use lists::items;
pub use rules::top_end;

use super::tree::{Tables, TreeGrammar};
use super::{Grammar, Habits, Kind, Language, Names, Outline, Second, Statement, SyntaxError};
use crate::path::RepoPath;
use crate::text::Span;
use crate::text::indent::LineRole;

/// Says whether the file's name is one of CSS itself: SCSS and Less are other languages.
pub fn is_css(path: &RepoPath) -> bool {
    path.file_name()
        .rsplit_once('.')
        .is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("css"))
}

/// What stands in a `<style>`.
pub static CSS: Language = Language {
    name: "CSS",
    extensions: &[],
    file_names: &[],
    habits: Habits {
        line_comments: &[],
        block_comments: &[("/*", "*/")],
        blank_lines_top: 1,
        blank_lines_nested: 0,
        offside: false,
        empty_body: None,
        body_opener: "{",
        unit: "  ",
        exports: &[],
        second: Second::Allowed,
        names: Names::HYPHENED,
    },
    grammar: &Style,
};

/// Lines and comments as tree-sitter sees them, errors as browsers do.
struct Style;

impl Grammar for Style {
    fn outline(&self, _source: &[u8]) -> Outline {
        Outline::default()
    }

    fn fragment_outline(&self, _fragment: &[u8], _parent: Option<Kind>) -> Outline {
        Outline::default()
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        let errors = balance::errors(source);
        if errors.is_empty() {
            rules::dropped(source)
        } else {
            errors
        }
    }

    fn statements(&self, source: &[u8], _parent: Option<Kind>) -> Option<Vec<Statement>> {
        rules::statements(source)
    }

    fn line_roles(&self, fragment: &[u8], parent: Option<Kind>) -> Vec<LineRole> {
        GRAMMAR.line_roles(fragment, parent)
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        GRAMMAR.comments(source)
    }
}

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    parser: tree_sitter_css::LANGUAGE,
    segments: "",
    comments: &["comment", "js_comment"],
    doc_comments: &[],
    doc_gap: 0,
    other_comments: &[],
    decorators: &[],
    modifiers: &[],
    wrappers: &[],
    terminators: &[],
    owners: &[],
    strings: &["string_value"],
    joined_strings: &[],
    lists: &[],
    inner_lists: &[],
    sparse_lists: &[],
    token_lists: &[],
    optional_wrappers: &[],
    clauses: &[],
    terminated: &[],
    prefixes: &[],
    implied: None,
    switches: None,
    leads: None,
    legible: None,
    early: None,
    wraps: &[],
});
