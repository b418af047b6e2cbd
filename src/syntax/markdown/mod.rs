//! Markdown: sections named by their headings, exactly the headings that CommonMark sees.
//!
//! `sections.rs` reads a file into its tree of sections by way of `legible.rs`, `comments.rs`
//! finds its HTML comments, `parts.rs` the own text of a section and the blocks in it.
//! Home of `pulldown-cmark`.
//!
//! Invariant: spans are offsets into the original bytes, whatever their encoding and line endings.
//!
//! Known limit: MDX is read as CommonMark, so a heading inside of a multi-line JSX expression counts as one.

mod comments;
mod legible;
mod parts;
mod sections;

use super::{Grammar, Habits, Kind, Language, Outline, SyntaxError};
use crate::text::indent::LineRole;
use crate::text::{Lines, Span};
pub use parts::{Block, blocks, own};

/// Markdown as CommonMark defines it, with YAML or TOML front matter.
pub static MARKDOWN: Language = Language {
    name: "Markdown",
    extensions: &["md", "markdown", "mdown", "mdwn", "mkd", "mkdn", "mkdown", "mdx", "rmd", "qmd"],
    file_names: &[],
    habits: Habits {
        line_comments: &[],
        block_comments: &[("<!--", "-->")],
        blank_lines_top: 1,
        blank_lines_nested: 1,
        offside: false,
        empty_body: None,
        body_opener: "",
        unit: "  ",
    },
    grammar: &CommonMark,
};

struct CommonMark;

impl Grammar for CommonMark {
    fn outline(&self, source: &[u8]) -> Outline {
        sections::outline(source)
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<Kind>) -> Outline {
        sections::fragment_outline(fragment)
    }

    /// Every sequence of bytes is Markdown.
    fn errors(&self, _source: &[u8]) -> Vec<SyntaxError> {
        Vec::new()
    }

    /// White space at the start of a line decides what the line is, so no line may be shifted.
    fn line_roles(&self, fragment: &[u8], _parent: Option<Kind>) -> Vec<LineRole> {
        vec![LineRole::Frozen; Lines::of(fragment).count()]
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        comments::comments(source)
    }
}
