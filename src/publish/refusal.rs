//! `Refusal`: why nothing was published: the world moved, or somebody has to act.

use crate::diagnostic::{Class, Code, Diagnostic, shown};
use crate::git::{Moved, RefFailure, TreeFailure};
use crate::snapshot::Id;

/// Why nothing was published.
#[derive(Clone, Debug)]
pub(crate) enum Refusal {
    /// The world moved since the snapshot was taken; resolving again may help.
    Stale {
        /// What moved: a ref's full name, or a path.
        name: String,
        /// What it was.
        expected: Option<Id>,
        /// What it is.
        found: Option<Id>,
    },
    /// The repository is in the way.
    Refused(Vec<Diagnostic>),
    /// Input, output or our own failure.
    Failed(Diagnostic),
}

impl Refusal {
    /// Returns it with one more sentence to each diagnostic.
    pub(crate) fn note(self, sentence: &str) -> Refusal {
        match self {
            stale @ Refusal::Stale { .. } => stale,
            Refusal::Refused(all) => {
                Refusal::Refused(all.into_iter().map(|one| one.note(sentence)).collect())
            }
            Refusal::Failed(failure) => Refusal::Failed(failure.note(sentence)),
        }
    }

    /// Returns it with more to say.
    pub(crate) fn with(self, more: Vec<Diagnostic>) -> Refusal {
        match self {
            Refusal::Refused(all) => Refusal::Refused(all.into_iter().chain(more).collect()),
            Refusal::Failed(failure) => Refusal::Failed(
                more.into_iter()
                    .fold(failure, |failure, one| failure.note(one.message)),
            ),
            stale @ Refusal::Stale { .. } => stale,
        }
    }

    /// Returns it as diagnostics, for the report.
    pub(crate) fn diagnostics(self) -> Vec<Diagnostic> {
        let short = |id: Option<Id>| {
            id.map_or_else(
                || "nothing".to_owned(),
                |id| id.0.chars().take(12).collect(),
            )
        };
        match self {
            Refusal::Stale {
                name,
                expected,
                found,
            } => {
                let (expected, found) = (short(expected), short(found));
                let message = format!("{} moved: expected {expected}, found {found}", shown(&name));
                vec![
                    Diagnostic::new(Code::RefMoved, message)
                        .note("read it again and repeat the request"),
                ]
            }
            Refusal::Refused(diagnostics) => diagnostics,
            Refusal::Failed(diagnostic) => vec![diagnostic],
        }
    }
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Refusal {
        if diagnostic.class() == Class::Failed {
            Refusal::Failed(diagnostic)
        } else {
            Refusal::Refused(vec![diagnostic])
        }
    }
}

impl From<RefFailure> for Refusal {
    fn from(failure: RefFailure) -> Refusal {
        match failure {
            RefFailure::Moved(Moved {
                name,
                expected,
                found,
            }) => Refusal::Stale {
                name,
                expected,
                found,
            },
            RefFailure::Failed(diagnostic) => diagnostic.into(),
        }
    }
}

impl From<TreeFailure> for Refusal {
    fn from(failure: TreeFailure) -> Refusal {
        match failure {
            TreeFailure::Stale {
                path,
                expected,
                found,
            } => Refusal::Stale {
                name: path.as_str().to_owned(),
                expected,
                found,
            },
            TreeFailure::Refused(diagnostic) => diagnostic.into(),
        }
    }
}
