//! `Batch`: what is to be published, and `Receipt`: what was.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::history::Displaced;
use crate::manifest::Author;
use crate::path::RepoPath;
use crate::snapshot::{self, Change, Id};
use crate::verify::Verified;

/// One operation file's changes, ready to be published.
#[derive(Debug)]
pub(crate) struct Batch {
    /// What changes.
    pub verified: Verified,
    /// The commit message in full, as `message::compose` returns it.
    pub message: String,
    /// The author, when it is not the caller.
    pub author: Option<Author>,
}

/// What was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Receipt {
    /// The ref that moved.
    pub reference: Option<String>,
    /// Where that ref stood.
    pub before: Option<Id>,
    /// One for each batch: its commit or stash entry, `None` when it changed nothing or makes no commit.
    pub commits: Vec<Option<Id>>,
    /// Files of worktrees that hold more than git stores of them, for the history to keep.
    pub displaced: Vec<Displaced>,
    /// Things worth knowing that refused nothing.
    pub warnings: Vec<Diagnostic>,
}

impl Receipt {
    /// Returns that of a publication that moves no ref.
    pub(super) fn of_files(commits: Vec<Option<Id>>, displaced: Vec<Displaced>) -> Receipt {
        Receipt {
            reference: None,
            before: None,
            commits,
            displaced,
            warnings: Vec::new(),
        }
    }
}

/// Returns, for each path that comes with `batches`, the one whose file it was before them all.
pub(crate) fn moves(batches: &[Batch]) -> BTreeMap<RepoPath, RepoPath> {
    let mut origins: BTreeMap<RepoPath, RepoPath> = BTreeMap::new();
    for batch in batches {
        let earlier = origins.clone();
        let origin = |from: &RepoPath| earlier.get(from).unwrap_or(from).clone();
        origins.extend(
            batch
                .verified
                .moves()
                .iter()
                .map(|(path, from)| (path.clone(), origin(from))),
        );
    }
    origins
}

/// Returns what `batches` make of each path together, sorted; paths that end up as they were are left out.
pub(super) fn combined(batches: &[Batch]) -> Vec<Change> {
    snapshot::merged(batches.iter().flat_map(|batch| batch.verified.changes()))
}
