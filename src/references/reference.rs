//! `Reference`: one place where a word is written, and whether it is the name that is asked for.

use crate::path::RepoPath;
use crate::text::{Lines, Span};

/// Whether a word is the name that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It leads to the definition, or is a part of it.
    Certain,
    /// It is surely something else.
    Other,
    /// It may be either.
    Unsure,
    /// It is a word in a string, a comment, or a file that is not code.
    Mention,
}

impl Verdict {
    /// Returns it as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Certain => "certain",
            Verdict::Other => "other",
            Verdict::Unsure => "unsure",
            Verdict::Mention => "mention",
        }
    }
}

/// One place where a word is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The file.
    pub path: RepoPath,
    /// Where in it.
    pub span: Span,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1, in characters.
    pub column: usize,
    /// The definition around it: `path::segment`, or the path.
    pub address: String,
    /// Whether it is the name.
    pub verdict: Verdict,
    /// Why that is not certain, or what is to be said of it.
    pub reason: Option<String>,
    /// Whether it gets the new name.
    pub is_changed: bool,
}

impl Reference {
    /// Returns the place at `span` in a file with these lines: certain, or a mention with the reason.
    pub(crate) fn at(
        path: &RepoPath,
        bytes: &[u8],
        lines: &Lines,
        span: Span,
        verdict: Result<(), &str>,
    ) -> Reference {
        let line = lines.line(span.start);
        let ahead = Span::new(lines.start(line), span.start);
        Reference {
            path: path.clone(),
            span,
            line,
            column: String::from_utf8_lossy(ahead.of(bytes)).chars().count() + 1,
            address: path.to_string(),
            verdict: match verdict {
                Ok(()) => Verdict::Certain,
                Err(_) => Verdict::Mention,
            },
            reason: verdict.err().map(str::to_owned),
            is_changed: verdict.is_ok(),
        }
    }
}

/// Every place where the word of a name is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct References {
    /// What was asked for, as an address.
    pub address: String,
    /// The word.
    pub word: String,
    /// By path and place.
    pub places: Vec<Reference>,
    /// What there is to doubt of the definition itself.
    pub doubts: Vec<Reference>,
}

impl References {
    /// Returns the places with a verdict.
    pub fn with(&self, verdict: Verdict) -> impl Iterator<Item = &Reference> {
        self.places
            .iter()
            .filter(move |place| place.verdict == verdict)
    }

    /// Returns what is not certain: the places, and what there is to doubt of the definition.
    pub fn unsure(&self) -> impl Iterator<Item = &Reference> {
        self.doubts.iter().chain(self.with(Verdict::Unsure))
    }
}
