//! `publish` makes a verified batch visible to others, wholly or not at all.
//!
//! ```text
//! forms            content of which git would store other bytes is refused
//! hooks            asked about each commit on a copy of it, before anything else happens
//! queue            one publisher at a time in a repository (flock; the kernel gives it back when we die)
//! recover          a journal that somebody left behind is finished or rolled back first
//! objects          blobs, trees, commits: nobody names them, so a crash leaves garbage for `git gc`
//!                  (the entry of the history and its intent come just before the ref's lock: see `history`)
//! journal          what is about to happen, the inodes of our locks, where displaced files are kept
//! index.lock       of every worktree that has the branch checked out; HEAD and index are read again under it
//! survey           what is staged, edited or in the way: the last moment to refuse, all reasons at once
//! ref lock         compared with what was expected; nobody can move the ref from here on
//! files            exchanged one by one, the displaced bytes looked at; one that changed puts all of them back
//! ref              moved: the point of no return
//! index            renamed into place, which gives the lock back
//! journal          removed
//! hooks            told of each commit; whatever they say, it is there
//! ```
//!
//! A crash before the ref moved is rolled back: files that still are what we wrote get their old bytes again, our locks
//! go. A crash after it is finished: the new index is complete in `index.lock` and only has to be renamed. Files come
//! before the ref because all that can still go wrong with them (somebody saved one this very moment) is then a refusal
//! that changed nothing; and as long as a crash leaves `index.lock` behind, `git commit` refuses to commit the half.
//!
//! `index` and `cached` take the same way without the ref, their point of no return is the renaming; `worktree` has none but the
//! removal of its journal. A branch that is not checked out needs the journal for its lock alone; `stash` is
//! git's own single command.
//!
//! What fails before the point of no return puts everything back; what fails after it is a warning of a batch that is published.
//! Every step has a name (`git::step`), at which `tests/support/crash.rs` has it fail and die.

mod commit;
mod displace;
mod files;
mod forms;
pub mod hooks;
mod journal;
mod leftover;
pub mod message;
mod queue;
mod recover;
mod rehearse;
pub mod restore;
mod site;
mod stash;
mod survey;
mod target;
#[cfg(test)]
mod testing;

use std::collections::BTreeMap;

use crate::diagnostic::{Class, Code, Diagnostic, shown};
use crate::git::{Moved, RefFailure, Repo, TreeFailure};
use crate::history::Displaced;
use crate::manifest::{Author, Destination};
use crate::path::RepoPath;
use crate::snapshot::{self, Change, Id};
use crate::verify::Verified;

pub use forms::in_stored_form;
pub use hooks::Hooks;
pub use queue::Queue;
pub use recover::{
    Recovery, is_left_over, is_unsettled, recover, recover_if_idle, recover_if_needed,
};
pub use rehearse::rehearse;
pub use survey::Intended;
pub use target::{Target, aim};

/// One operation file's changes, ready to be published.
#[derive(Debug)]
pub struct Batch {
    /// What changes.
    pub verified: Verified,
    /// The commit message in full, as `message::compose` returns it.
    pub message: String,
    /// The author, when it is not the caller.
    pub author: Option<Author>,
}

/// What was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
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

/// Why nothing was published.
#[derive(Clone, Debug)]
pub enum Refusal {
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
    pub fn note(self, sentence: &str) -> Refusal {
        match self {
            stale @ Refusal::Stale { .. } => stale,
            Refusal::Refused(all) => {
                Refusal::Refused(all.into_iter().map(|one| one.note(sentence)).collect())
            }
            Refusal::Failed(failure) => Refusal::Failed(failure.note(sentence)),
        }
    }

    /// Returns it as diagnostics, for the report.
    pub fn diagnostics(self) -> Vec<Diagnostic> {
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

/// Told what is about to be published, just before the point of no return; a failure is the last chance to stop.
pub type Announce<'a> = &'a mut dyn FnMut(&Receipt) -> Result<(), Diagnostic>;

/// Publishes `batches` in order and together: all of them or none. `announce` is not called when they change nothing.
///
/// Each batch is resolved on what the one before it makes of `target`. The queue is held by the caller, who may want to
/// hold it over resolving and verifying as well, when others move the branch faster than that.
pub fn publish(
    batches: Vec<Batch>,
    target: &Target,
    repo: &Repo,
    queue: &Queue,
    announce: Announce<'_>,
) -> Result<Receipt, Refusal> {
    let _held = queue;
    match target.destination {
        Destination::Commit => return commit::publish(&batches, target, repo, announce),
        Destination::Stash => return stash::publish(&batches, target, repo, announce),
        Destination::Index | Destination::Cached | Destination::Worktree => {}
    }
    let mut receipt = Receipt {
        reference: None,
        before: None,
        commits: vec![None; batches.len()],
        displaced: Vec::new(),
        warnings: Vec::new(),
    };
    let (changes, moves) = (combined(&batches), moves(&batches));
    if !changes.is_empty() {
        let intended = Intended {
            changes: &changes,
            moves: &moves,
            known: &[],
        };
        put(&intended, target.destination, repo, &mut |displaced| {
            receipt.displaced = displaced;
            announce(&receipt)
        })?;
    }
    Ok(receipt)
}

/// Puts what is intended where `destination` says, which makes no commit.
fn put(
    intended: &Intended<'_>,
    destination: Destination,
    repo: &Repo,
    announce: files::Tell<'_>,
) -> Result<(), Refusal> {
    match destination {
        Destination::Index => files::publish_index(intended, repo, announce),
        Destination::Cached => files::publish_cached(intended.changes, repo, announce),
        Destination::Worktree => files::publish_worktree(intended, repo, announce),
        Destination::Commit | Destination::Stash => Err(Diagnostic::new(
            Code::Io,
            "files alone make neither a commit nor a stash entry",
        )
        .into()),
    }
}

/// Returns, for each path that comes with `batches`, the one whose file it was before them all.
pub fn moves(batches: &[Batch]) -> BTreeMap<RepoPath, RepoPath> {
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
fn combined(batches: &[Batch]) -> Vec<Change> {
    snapshot::merged(batches.iter().flat_map(|batch| batch.verified.changes()))
}
