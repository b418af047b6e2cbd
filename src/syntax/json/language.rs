//! JSON and JSON with comments as languages: their names, habits, and grammar.

use super::errors::check_file;
use super::tree::{keys_and_scalars, tree};
use crate::syntax::keys::{self, KeyFormat};
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, SyntaxError,
};
use crate::text::indent::LineRole;
use crate::text::{Lines, Span};

const HABITS: Habits = Habits {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    blank_lines_top: 0,
    blank_lines_nested: 0,
    offside: false,
    conditional_lines: false,
    empty_body: None,
    body_opener: "",
    block_ends: &[],
    unit: "  ",
    exports: &[],
    second: Redefinition::Allowed,
    names: NameCharacters::HYPHENED,
};

/// JSON to the letter.
pub static JSON: Language = Language {
    name: "JSON",
    extensions: &[
        "json",
        "webmanifest",
        "geojson",
        "har",
        "ipynb",
        "map",
        "avsc",
    ],
    file_names: &[
        ".prettierrc",
        ".stylelintrc",
        ".lintstagedrc",
        "composer.lock",
        "Pipfile.lock",
        "flake.lock",
    ],
    interpreters: &[],
    called: &["json"],
    habits: HABITS,
    grammar: &Json(KeyFormat::Json),
};

/// JSON with comments.
pub static JSONC: Language = Language {
    name: "JSON with comments",
    extensions: &[
        "jsonc",
        "json5",
        "hujson",
        "code-workspace",
        "code-snippets",
        "sublime-settings",
        "sublime-project",
    ],
    file_names: &[
        "tsconfig.json",
        "jsconfig.json",
        "devcontainer.json",
        ".devcontainer.json",
        "api-extractor.json",
        "turbo.json",
        "deno.json",
        "language-configuration.json",
        ".babelrc",
        ".babelrc.json",
        ".eslintrc",
        ".eslintrc.json",
        ".jshintrc",
        ".jscsrc",
        ".jslintrc",
        ".swcrc",
        ".hintrc",
        ".whitesource",
        "bun.lock",
    ],
    interpreters: &[],
    called: &["jsonc", "json-with-comments", "json5"],
    habits: HABITS,
    grammar: &Json(KeyFormat::Jsonc),
};

/// Says whether a `.json` file at this path holds comments by custom, although neither its name nor its ending says so.
pub fn has_comments_by_custom(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let variant =
        (name.starts_with("tsconfig.") || name.starts_with("jsconfig.")) && name.ends_with(".json");
    variant || (name.ends_with(".json") && path.split('/').any(|folder| folder == ".vscode"))
}

struct Json(KeyFormat);

impl Grammar for Json {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![SegmentKind::Key]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        self.0
            .tree(source)
            .map(|tree| keys::outline(&tree, source.len()))
            .unwrap_or_default()
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        self.outline(fragment)
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        let Err(error) = check_file(source, self.0) else {
            return Vec::new();
        };
        vec![error]
    }

    fn line_roles(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<LineRole> {
        keys::plain_roles(fragment, &Lines::of(fragment))
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        let Ok((text, shift)) = keys::decoded(source) else {
            return Vec::new();
        };
        let Ok(tree) = tree(text) else {
            return Vec::new();
        };
        let found = keys::comments(text.as_bytes(), &keys_and_scalars(&tree), self.0);
        found
            .into_iter()
            .map(|comment| comment.shifted(shift))
            .collect()
    }

    fn format(&self) -> Option<KeyFormat> {
        Some(self.0)
    }
}
