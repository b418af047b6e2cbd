//! The history as its users meet it: list it, look into it, shorten it, take batches back and put them forth again.
//!
//! | file | holds |
//! |---|---|
//! | `undo`, `redo` | which batch, and what that comes to |
//! | `step` | what it comes to, rehearsed or carried out |
//! | `gone` | whether anything of a batch is left |
//! | `inverse` | what takes a batch back when others have built on it |

mod gone;
mod inverse;
mod redo;
mod step;
mod undo;

use std::fmt;
use std::path::Path;

pub use redo::redo;
pub use undo::undo;

use super::outcome::FileOutcome;
use super::visit;
use super::{describe, judge};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{Head, Repo};
use crate::history::{self, Batch, Entry, Record, Settled};
use crate::manifest::Destination;
use crate::path::Reach;
use crate::publish::{self, Queue, Recovery};

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// All the way.
    Do,
    /// Only say what would be.
    Rehearse,
}

/// An entry with all that it holds.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The entry.
    pub entry: Entry,
    /// The operation file.
    pub operations: Vec<u8>,
    /// The report, if it was written.
    pub report: Option<Vec<u8>>,
    /// What became of each path, with its diff.
    pub files: Vec<FileOutcome>,
    /// What is wrong with entries that were passed over on the way to it.
    pub warnings: Vec<Diagnostic>,
}

/// Which entries are left when the history is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// So many, the last published.
    Newest(usize),
    /// Those that were published in the last so many seconds.
    Since(u64),
}

/// What `log` finds.
#[derive(Clone, Debug)]
pub struct Log {
    /// The entries, the last published first.
    pub entries: Vec<Entry>,
    /// What is wrong with those that are left out.
    pub warnings: Vec<Diagnostic>,
}

/// Returns the last `most` entries.
pub fn log(repo_dir: &Path, most: Option<usize>) -> Result<Log, Diagnostic> {
    let repo = visit(repo_dir)?;
    first(&repo, &history::list(&repo)?, most.unwrap_or(usize::MAX))
}

/// Reads `batches` up to the first `most` that can be read.
fn first(repo: &Repo, batches: &[Batch], most: usize) -> Result<Log, Diagnostic> {
    let mut log = Log {
        entries: Vec::new(),
        warnings: Vec::new(),
    };
    for batch in batches {
        if log.entries.len() == most {
            break;
        }
        match history::look(repo, batch)? {
            Ok(entry) => log.entries.push(entry),
            Err(wrong) => log.warnings.push(wrong),
        }
    }
    Ok(log)
}

/// Returns all that is kept of the batch whose id begins with `id`, or of the last one.
pub fn show(repo_dir: &Path, id: Option<&str>) -> Result<Opened, Diagnostic> {
    let repo = visit(repo_dir)?;
    let batches = history::list(&repo)?;
    let (entry, warnings) = match id {
        Some(id) => (
            history::read(&repo, history::find(&batches, id)?)?,
            Vec::new(),
        ),
        None => {
            let Log {
                mut entries,
                warnings,
            } = first(&repo, &batches, 1)?;
            let none = || Diagnostic::new(Code::NothingToUndo, "no batch was published here yet");
            (entries.pop().ok_or_else(none)?, warnings)
        }
    };
    let (operations, report) = (entry.operations(&repo)?, entry.report(&repo)?);
    let files = describe::files(
        &judge::plan_of(entry.changes(&repo)?),
        repo.hash_kind(),
        true,
    );
    Ok(Opened {
        entry,
        operations,
        report,
        files,
        warnings,
    })
}

/// Forgets all entries but those that `keep` names, and returns what was forgotten.
pub fn prune(repo_dir: &Path, keep: Keep, act: Act) -> Result<Vec<Batch>, Diagnostic> {
    let repo = Repo::open(repo_dir)?;
    let _queue = Queue::enter(&repo)?;
    let batches = history::list(&repo)?;
    let old = match keep {
        Keep::Newest(most) => batches.into_iter().skip(most).collect::<Vec<_>>(),
        Keep::Since(seconds) => {
            let oldest = (describe::micros() / 1_000_000).saturating_sub(seconds);
            // By what is written in it: the name only says what came after what.
            let time = |batch: &Batch| {
                history::read(&repo, batch)
                    .map_or(batch.micros() / 1_000_000, |entry| entry.record.time)
            };
            batches
                .into_iter()
                .filter(|batch| time(batch) < oldest)
                .collect()
        }
    };
    if act == Act::Do {
        history::forget(&repo, &old)?;
    }
    Ok(old)
}

/// Finishes or rolls back what was under way when somebody was interrupted, and does nothing else.
pub fn recover(repo_dir: &Path) -> Result<(Recovery, Vec<Settled>), Diagnostic> {
    publish::recover(&Repo::open(repo_dir)?)
}

/// Where the caller stands: which batches are theirs to take back without naming them.
struct Here {
    /// The linked worktree.
    worktree: Option<String>,
    /// The branch that HEAD names, or `HEAD` itself when it is detached.
    reference: String,
    /// What the caller may change.
    reach: Reach,
}

impl Here {
    fn of(repo: &Repo, reach: &Reach) -> Result<Here, Diagnostic> {
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
    fn check_reach(&self, record: &Record) -> Result<(), Diagnostic> {
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
            short(&record.id),
            if outside == 1 { "file" } else { "files" },
        );
        let message = format!(
            "batch {id} changed {outside} {files} outside of {folder}, and nothing else can be reached here"
        );
        Err(Diagnostic::new(Code::PathRefused, message)
            .note("name the batch that is meant, if it is another one"))
    }

    /// Says whether the batch is on the caller's branch, or in the caller's worktree.
    fn has(&self, record: &Record) -> bool {
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
        f.write_str(&gone::branch_words(&self.reference))
    }
}

/// Returns the first digits of an id, enough for people.
pub(super) fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

fn changed_since(message: String) -> Diagnostic {
    Diagnostic::new(Code::ChangedSince, message)
}

/// Refuses to touch a worktree from another one.
fn check_place(repo: &Repo, record: &Record) -> Result<(), Diagnostic> {
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
    let id = short(&record.id);
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
