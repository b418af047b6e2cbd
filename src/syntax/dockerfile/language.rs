//! Dockerfiles as a language: its name, its habits, and its grammar.

use super::reader::read;
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, Statement,
    SyntaxError,
};
use crate::text::Span;
use crate::text::indent::LineRole;

/// `Dockerfile`, `Containerfile`.
pub(crate) static DOCKERFILE: Language = Language {
    name: "Dockerfile",
    extensions: &["dockerfile", "containerfile"],
    file_names: &["Dockerfile", "Containerfile"],
    interpreters: &[],
    called: &["dockerfile"],
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
        second: Redefinition::Refused { overloads: false },
        names: NameCharacters::PLAIN,
    },
    grammar: &Instructions,
};

/// Endings behind `Dockerfile.` of what is no Dockerfile yet, or not any more.
const OTHERS: [&str; 16] = [
    "dockerignore",
    "j2",
    "jinja",
    "jinja2",
    "in",
    "tmpl",
    "tpl",
    "template",
    "gotmpl",
    "erb",
    "m4",
    "mustache",
    "hbs",
    "tt",
    "txt",
    "orig",
];

/// Says whether a file of this name, in lower case, that no ending tells of is a Dockerfile: `Dockerfile.dev`, `dockerfile`.
pub(crate) fn is_dockerfile(name: &str) -> bool {
    let rest = name
        .strip_prefix("dockerfile")
        .or_else(|| name.strip_prefix("containerfile"));
    rest.is_some_and(|rest| {
        let end = rest.rsplit('.').next().unwrap_or_default();
        rest.is_empty() || rest.starts_with('.') && !OTHERS.contains(&end)
    })
}

struct Instructions;

impl Grammar for Instructions {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![SegmentKind::Variable, SegmentKind::Struct]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        self.read(source).0
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        self.outline(fragment)
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        read(source).errors
    }

    fn read(&self, source: &[u8]) -> (Outline, Vec<SyntaxError>) {
        let reading = read(source);
        let outline = Outline {
            symbols: reading.symbols,
            sound: reading.errors.is_empty(),
            excess: None,
        };
        (outline.bounded(source.len()), reading.errors)
    }

    /// Lines that an instruction goes on in keep their bytes.
    fn line_roles(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<LineRole> {
        read(fragment).roles
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        read(source).comments
    }

    /// Stages, their instructions, and the lines that these go on in.
    fn statements(&self, source: &[u8], _parent: Option<SegmentKind>) -> Option<Vec<Statement>> {
        Some(read(source).statements)
    }
}
