//! INI files, Git's configuration and the units of systemd as languages: their names, their habits, and their grammar.

use super::reader::{Continuation, read};
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, Statement,
    SyntaxError,
};
use crate::text::Span;
use crate::text::indent::LineRole;

/// `.ini`: a value goes on in lines that are indented deeper than its key.
pub(crate) static INI: Language = Language {
    name: "INI",
    extensions: &["ini"],
    file_names: &[
        "setup.cfg",
        ".editorconfig",
        ".flake8",
        ".coveragerc",
        ".isort.cfg",
        ".pylintrc",
        "pylintrc",
    ],
    interpreters: &[],
    called: &["ini", "dosini", "conf-windows"],
    habits: HABITS,
    grammar: &Sections(Continuation::Deeper),
};

/// `.gitconfig`: a value goes on below a line that ends with a backslash, unless that is in a comment.
pub(crate) static GIT_CONFIG: Language = Language {
    name: "Git configuration",
    extensions: &[],
    file_names: &[".gitconfig", ".gitmodules"],
    interpreters: &[],
    called: &["git-config", "gitconfig"],
    habits: HABITS,
    grammar: &Sections(Continuation::BeforeComments),
};

/// `.service`: a value goes on below a line that ends with a backslash.
pub(crate) static UNITS: Language = Language {
    name: "systemd units",
    extensions: &[
        "service",
        "socket",
        "timer",
        "mount",
        "automount",
        "target",
        "slice",
        "netdev",
        "desktop",
    ],
    file_names: &[],
    interpreters: &[],
    called: &["systemd", "desktop"],
    habits: HABITS,
    grammar: &Sections(Continuation::Backslash),
};

const HABITS: Habits = Habits {
    line_comments: &["#", ";"],
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
};

struct Sections(Continuation);

impl Grammar for Sections {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![SegmentKind::Variable, SegmentKind::Struct]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        let reading = read(source, self.0);
        Outline {
            symbols: reading.symbols,
            sound: reading.errors.is_empty(),
            excess: None,
        }
        .bounded(source.len())
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        self.outline(fragment)
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        read(source, self.0).errors
    }

    /// Lines that a value goes on in keep their bytes.
    fn line_roles(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<LineRole> {
        read(fragment, self.0).roles
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        read(source, self.0).comments
    }

    /// Sections, their keys, and the lines that values go on in.
    fn statements(&self, source: &[u8], _parent: Option<SegmentKind>) -> Option<Vec<Statement>> {
        Some(read(source, self.0).statements)
    }
}
