//! dotenv and Java properties as languages: their names, their habits, and their grammar.

use super::reader::{PairDialect, read};
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, Statement,
    SyntaxError,
};
use crate::text::Span;
use crate::text::indent::LineRole;

/// `.env`: the environment of a process.
pub(crate) static DOTENV: Language = Language {
    name: "dotenv",
    extensions: &["env"],
    file_names: &[
        ".env",
        ".env.example",
        ".env.local",
        ".env.development",
        ".env.test",
        ".env.production",
        ".flaskenv",
    ],
    interpreters: &[],
    called: &["dotenv"],
    habits: Habits {
        line_comments: &["#"],
        names: NameCharacters::PLAIN,
        exports: &["export"],
        ..HABITS
    },
    grammar: &Pairs(PairDialect::Dotenv),
};

/// `.properties`, as Java loads them.
pub(crate) static PROPERTIES: Language = Language {
    name: "Java properties",
    extensions: &["properties"],
    file_names: &[],
    interpreters: &[],
    called: &["properties", "java-properties", "jproperties"],
    habits: HABITS,
    grammar: &Pairs(PairDialect::Properties),
};

const HABITS: Habits = Habits {
    line_comments: &["#", "!"],
    block_comments: &[],
    blank_lines_top: 0,
    blank_lines_nested: 0,
    offside: false,
    conditional_lines: false,
    empty_body: None,
    body_opener: "",
    block_ends: &[],
    unit: "    ",
    exports: &[],
    second: Redefinition::TakesPlace { variables: true },
    names: NameCharacters::HYPHENED,
};

/// Says whether a file of this name, in lower case, that no ending tells of is one of environment variables: `.env.staging`.
pub(crate) fn is_environment(name: &str) -> bool {
    name.strip_prefix(".env.")
        .is_some_and(|rest| !rest.is_empty())
}

struct Pairs(PairDialect);

impl Grammar for Pairs {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![SegmentKind::Variable]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        self.read(source).0
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        self.outline(fragment)
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        read(source, self.0).errors
    }

    fn read(&self, source: &[u8]) -> (Outline, Vec<SyntaxError>) {
        let reading = read(source, self.0);
        let outline = Outline {
            symbols: reading.symbols,
            sound: reading.errors.is_empty(),
            excess: None,
        };
        (outline.bounded(source.len()), reading.errors)
    }

    /// Lines that a value goes on in keep their bytes.
    fn line_roles(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<LineRole> {
        read(fragment, self.0).roles
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        read(source, self.0).comments
    }

    /// Keys, and the lines that their values go on in.
    fn statements(&self, source: &[u8], _parent: Option<SegmentKind>) -> Option<Vec<Statement>> {
        Some(read(source, self.0).statements)
    }
}
