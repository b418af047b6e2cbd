//! YAML as a language: its name, its habits, and its grammar.

use super::{template, tree};
use crate::syntax::keys::{self, KeyFormat, ValueForm};
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, SyntaxError,
};
use crate::text::indent::LineRole;
use crate::text::{Lines, Span};

/// YAML 1.2.
pub static YAML: Language = Language {
    name: "YAML",
    extensions: &["yaml", "yml", "eyaml", "sls"],
    file_names: &[
        ".clang-format",
        ".clang-tidy",
        ".clangd",
        ".yamllint",
        "CITATION.cff",
        ".gemrc",
        "pubspec.lock",
    ],
    interpreters: &[],
    called: &["yaml", "yml"],
    habits: Habits {
        line_comments: &["#"],
        block_comments: &[],
        blank_lines_top: 0,
        blank_lines_nested: 0,
        offside: true,
        conditional_lines: false,
        empty_body: None,
        body_opener: "",
        block_ends: &[],
        unit: "  ",
        exports: &[],
        second: Redefinition::Allowed,
        names: NameCharacters::HYPHENED,
    },
    grammar: &Yaml,
};

struct Yaml;

impl Grammar for Yaml {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![SegmentKind::Key]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        KeyFormat::Yaml
            .tree(source)
            .map(|tree| keys::outline(&tree, source.len()))
            .unwrap_or_default()
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        self.outline(fragment)
    }

    /// A template is judged with its tags taken out.
    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        let Err(error) = KeyFormat::Yaml.tree(source) else {
            return Vec::new();
        };
        match template::masked(source) {
            Some(masked) => KeyFormat::Yaml.tree(&masked).err().into_iter().collect(),
            None => vec![error],
        }
    }

    /// The lines of a block of text move with it; those of a longer scalar continue it.
    fn line_roles(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<LineRole> {
        let lines = Lines::of(fragment);
        let mut roles = keys::plain_roles(fragment, &lines);
        let Ok(tree) = tree::fragment(fragment) else {
            return roles;
        };
        for entry in &tree.entries {
            let role = match entry.form {
                ValueForm::Text => LineRole::Docstring,
                ValueForm::Plain | ValueForm::Flow(_) => LineRole::Continuation,
                ValueForm::Block(_)
                | ValueForm::Table
                | ValueForm::Implied
                | ValueForm::Tables
                | ValueForm::Alias
                | ValueForm::Nothing => continue,
            };
            let first = lines.line(entry.value.start);
            let last = lines.line(entry.value.end.saturating_sub(1).max(entry.value.start));
            // A block of text begins on the line of its sign, and its key may be further up.
            for line in roles.iter_mut().take(last).skip(first) {
                if *line != LineRole::Blank || matches!(entry.form, ValueForm::Text) {
                    *line = if *line == LineRole::Blank {
                        LineRole::Blank
                    } else {
                        role(first - 1)
                    };
                }
            }
        }
        roles
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        let Ok((text, shift)) = keys::decoded(source) else {
            return Vec::new();
        };
        tree::comments_of(text)
            .into_iter()
            .map(|comment| comment.shifted(shift))
            .collect()
    }

    fn format(&self) -> Option<KeyFormat> {
        Some(KeyFormat::Yaml)
    }
}
