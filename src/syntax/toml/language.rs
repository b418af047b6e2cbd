//! TOML as a language: its name, its habits, and its grammar.

use super::tree;
use crate::syntax::keys::{self, KeyFormat};
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, SyntaxError,
};
use crate::text::indent::LineRole;
use crate::text::{Lines, Span};

/// TOML.
pub static TOML: Language = Language {
    name: "TOML",
    extensions: &["toml"],
    file_names: &[
        "Cargo.lock",
        "poetry.lock",
        "pdm.lock",
        "uv.lock",
        "Pipfile",
        "Gopkg.lock",
        "Project.toml",
    ],
    interpreters: &[],
    called: &["toml", "conf-toml"],
    habits: Habits {
        line_comments: &["#"],
        block_comments: &[],
        blank_lines_top: 1,
        blank_lines_nested: 0,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "",
        block_ends: &[],
        unit: "    ",
        exports: &[],
        second: Redefinition::Allowed,
        names: NameCharacters::HYPHENED,
    },
    grammar: &Toml,
};

struct Toml;

impl Grammar for Toml {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![SegmentKind::Key]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        KeyFormat::Toml
            .tree(source)
            .map(|tree| keys::outline(&tree, source.len()))
            .unwrap_or_default()
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        self.outline(fragment)
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        KeyFormat::Toml.tree(source).err().into_iter().collect()
    }

    /// Lines inside of a string keep their bytes.
    fn line_roles(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<LineRole> {
        let lines = Lines::of(fragment);
        let mut roles = keys::plain_roles(fragment, &lines);
        let text = String::from_utf8_lossy(fragment);
        for string in tree::strings(&text) {
            let (first, last) = (
                lines.line(string.start),
                lines.line(string.end.saturating_sub(1)),
            );
            roles
                .iter_mut()
                .take(last)
                .skip(first)
                .for_each(|role| *role = LineRole::Frozen);
        }
        roles
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        let Ok((text, shift)) = keys::decoded(source) else {
            return Vec::new();
        };
        tree::comments(text)
            .into_iter()
            .map(|comment| comment.shifted(shift))
            .collect()
    }

    fn format(&self) -> Option<KeyFormat> {
        Some(KeyFormat::Toml)
    }
}
