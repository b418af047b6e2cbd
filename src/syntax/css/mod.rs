//! CSS, as far as pages need it: whether a style parses, and which of its lines may be re-indented.
//!
//! Deliberately not here: segments. It is in no list of languages, so files of its own are plain text.

use super::tree::{Tables, TreeGrammar};
use super::{Habits, Language};

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
    },
    grammar: &GRAMMAR,
};

static GRAMMAR: TreeGrammar = TreeGrammar::new(Tables {
    parser: tree_sitter_css::LANGUAGE,
    segments: "",
    comments: &["comment", "js_comment"],
    doc_comments: &[],
    other_comments: &[],
    decorators: &[],
    modifiers: &[],
    wrappers: &[],
    terminators: &[],
    owners: &[],
    strings: &["string_value"],
    wraps: &[],
});
