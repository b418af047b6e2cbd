//! Starlark as a language: its name, its habits, and its grammar.

use crate::syntax::python::{Python, foreign_words, targets};
use crate::syntax::{
    Grammar, Habits, Language, Member, NameCharacters, Outline, Redefinition, SegmentKind,
    Statement, SyntaxError,
};
use crate::text::Span;
use crate::text::indent::LineRole;

/// `BUILD`, `.bzl`, `.star`, `Tiltfile`.
pub(crate) static STARLARK: Language = Language {
    name: "Starlark",
    extensions: &["bzl", "bazel", "star", "sky"],
    file_names: &["BUILD", "WORKSPACE", "WORKSPACE.bzlmod", "BUCK", "Tiltfile"],
    interpreters: &[],
    called: &["starlark", "bazel", "bzl"],
    habits: Habits {
        line_comments: &["#"],
        block_comments: &[],
        blank_lines_top: 1,
        blank_lines_nested: 1,
        offside: true,
        conditional_lines: false,
        empty_body: Some("pass"),
        body_opener: ":",
        block_ends: &[],
        unit: "    ",
        exports: &[],
        second: Redefinition::Refused { overloads: false },
        names: NameCharacters::PLAIN,
    },
    grammar: &Starlark,
};

/// What is the same in Python is asked of its grammar.
struct Starlark;

impl Starlark {
    /// Adds the targets of `source` to what else it defines, and says what is wrong with it.
    fn with_targets(&self, source: &[u8], mut outline: Outline) -> (Outline, Vec<SyntaxError>) {
        let errors = self.errors(source);
        outline.symbols.extend(targets(source));
        outline
            .symbols
            .sort_by_key(|symbol| symbol.definition.start);
        outline.sound = errors.is_empty();
        (outline.bounded(source.len()), errors)
    }
}

impl Grammar for Starlark {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![
            SegmentKind::Function,
            SegmentKind::Variable,
            SegmentKind::Struct,
        ]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        self.read(source).0
    }

    fn read(&self, source: &[u8]) -> (Outline, Vec<SyntaxError>) {
        self.with_targets(source, Python.outline(source))
    }

    fn fragment_outline(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Outline {
        let outline = Python.fragment_outline(fragment, parent);
        match parent {
            Some(_) => outline,
            None => self.with_targets(fragment, outline).0,
        }
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        let mut errors = Python.errors(source);
        errors.extend(foreign_words(source));
        errors.sort_by_key(|error| error.offset);
        errors
    }

    fn statements(&self, source: &[u8], parent: Option<SegmentKind>) -> Option<Vec<Statement>> {
        Python.statements(source, parent)
    }

    fn elements(&self, source: &[u8], parent: Option<SegmentKind>) -> Vec<Span> {
        Python.elements(source, parent)
    }

    fn members(&self, source: &[u8], definitions: &[Span]) -> Vec<Vec<Member>> {
        Python.members(source, definitions)
    }

    fn parted_operands(&self, texts: (&[u8], &[u8]), pairs: &[(Span, Span)]) -> Vec<bool> {
        Python.parted_operands(texts, pairs)
    }

    fn lead(&self, source: &[u8], body: Option<Span>) -> Option<Span> {
        Python.lead(source, body)
    }

    fn line_roles(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Vec<LineRole> {
        Python.line_roles(fragment, parent)
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        Python.comments(source)
    }
}
