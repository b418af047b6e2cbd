//! `Here`: the branch and worktree of the caller, from which batches are taken back and put forth again.

use std::fmt;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Head, Repo};
use crate::history::BatchRecord;
use crate::manifest::Destination;
use crate::path::Reach;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepMode {
    /// All the way.
    Do,
    /// Only say what would be.
    Rehearse,
}

/// Where the caller stands: which batches are theirs to take back without naming them.
pub(super) struct Here {
    /// The linked worktree.
    worktree: Option<String>,
    /// The branch that HEAD names, or `HEAD` itself when it is detached.
    pub(super) reference: String,
    /// What the caller may change.
    reach: Reach,
}

impl Here {
    pub(super) fn of(repo: &Repo, reach: &Reach) -> Result<Here, Diagnostic> {
        let reference = match repo.head()? {
            Head::Branch { name, .. } => name,
            Head::Detached(_) => "HEAD".to_owned(),
        };
        Ok(Here {
            worktree: repo.worktree_name(),
            reference,
            reach: reach.clone(),
        })
    }

    /// Refuses a batch that changed what the caller may not.
    pub(super) fn check_reach(&self, record: &BatchRecord) -> Result<(), Diagnostic> {
        let Some(folder) = self.reach.folder() else {
            return Ok(());
        };
        let outside = record
            .files
            .iter()
            .filter(|file| !self.reach.holds(file.path.as_str()))
            .count();
        if outside == 0 {
            return Ok(());
        }
        let (id, files) = (
            short_id(&record.id),
            if outside == 1 { "file" } else { "files" },
        );
        let message = format!(
            "batch {id} changed {outside} {files} outside of {folder}, and nothing else can be reached here"
        );
        Err(Diagnostic::new(Code::PathRefused, message)
            .note("name the batch that is meant, if it is another one"))
    }

    /// Says whether the batch is on the caller's branch, or in the caller's worktree.
    pub(super) fn has(&self, record: &BatchRecord) -> bool {
        let worktree = record.worktree == self.worktree;
        match (record.destination, record.reference.as_deref()) {
            (Destination::Commit, Some("HEAD")) => self.reference == "HEAD" && worktree,
            (Destination::Commit, reference) => reference == Some(&self.reference),
            (
                Destination::Index
                | Destination::Cached
                | Destination::Worktree
                | Destination::Stash,
                _,
            ) => worktree,
        }
    }
}

impl fmt::Display for Here {
    /// Writes what messages call the branch.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&branch_words(&self.reference))
    }
}

/// Returns the first digits of an id, enough for people.
pub(crate) fn short_id(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

pub(super) fn changed_since(message: String) -> Diagnostic {
    Diagnostic::new(Code::ChangedSince, message)
}

/// Refuses to touch a worktree from another one.
pub(super) fn check_place(repo: &Repo, record: &BatchRecord) -> Result<(), Diagnostic> {
    let here = repo.worktree_name();
    let bound = match record.destination {
        Destination::Commit => record.reference.as_deref() == Some("HEAD"),
        Destination::Index | Destination::Cached | Destination::Worktree => true,
        // The stash is everybody's.
        Destination::Stash => false,
    };
    if !bound || here == record.worktree {
        return Ok(());
    }
    let id = short_id(&record.id);
    let place = match &record.worktree {
        Some(name) => format!("the worktree `{}`", crate::diagnostic::shown(name)),
        None => "the main worktree".to_owned(),
    };
    Err(match repo.worktree_named(record.worktree.as_deref()) {
        Some(folder) => {
            let message = format!("batch {id} was published in {place}");
            let folder = crate::diagnostic::shown(&folder.to_string_lossy());
            Diagnostic::new(Code::NothingToUndo, message)
                .note(format!("run the command there: in {folder}"))
        }
        None => Diagnostic::new(
            Code::NothingToUndo,
            format!("batch {id} was published in {place}, which is gone"),
        )
        .note(format!(
            "`git segedit show-batch {id}` shows what it changed"
        )),
    })
}

/// Returns what messages call the ref.
pub(crate) fn branch_words(reference: &str) -> String {
    shown(reference.strip_prefix("refs/heads/").unwrap_or(reference))
}
