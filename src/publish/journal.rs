//! The journal: what a publisher is about to do, written first, so that the next one can finish it or roll it back.
//!
//! One file, `segedit/journal` in the git folder that all worktrees share; whoever holds the queue owns it. JSON:
//!
//! ```json
//! {"version": 1,
//!  "pivot": {"ref": {"name": "refs/heads/main", "new": "<oid>"}},
//!  "ref_lock": {"path": ".git/refs/heads/main.lock", "inode": 17},
//!  "sites": [{"worktree": "/src", "index": ".git/index", "lock": {"path": ".git/index.lock", "inode": 12},
//!             "stage": ".git/segedit/.segedit-x1",
//!             "steps": [{"path": "a.py", "old": {"bytes": "<oid>", "executable": false}, "new": {…}}]}]}
//! ```
//!
//! `pivot` is the one act that decides whether the batch happened: the ref that names `new`, or no longer `old`; the index that took the place
//! of its lock, or the removal of the journal itself. `steps` are in the order in which files are exchanged with the
//! numbered files of the stage. Invariant: nothing that the journal would have to take back happens before it is on
//! disk.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Code, Diagnostic};
use crate::git::{Repo, Version, step};
use crate::path::RepoPath;

/// The version of this form.
pub(super) const VERSION: u32 = 1;

/// What is under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub version: u32,
    pub pivot: Pivot,
    pub ref_lock: Option<LockFile>,
    pub sites: Vec<SiteRecord>,
}

/// What decides whether the batch happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Pivot {
    /// The ref names the new commit, or one that descends from it.
    Ref { name: String, new: String },
    /// The ref no longer names the old commit, nor one that descends from it.
    Back { name: String, old: String },
    /// The lock took the index's place.
    Index,
    /// The journal is gone.
    Journal,
}

/// A lock file of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LockFile {
    pub path: PathBuf,
    pub inode: u64,
}

/// One worktree that follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SiteRecord {
    pub worktree: PathBuf,
    pub index: PathBuf,
    pub lock: Option<LockFile>,
    pub stage: Option<PathBuf>,
    pub steps: Vec<Step>,
    /// What the index to come says about the changed paths: path and blob.
    #[serde(default)]
    pub entries: Vec<(String, Option<String>)>,
}

/// One file to exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    pub path: String,
    pub old: Option<Version>,
    pub new: Option<Version>,
}

impl Step {
    /// Returns the path, checked again: a journal is a file that anybody could have written.
    pub(super) fn checked_path(&self) -> Result<RepoPath, Diagnostic> {
        RepoPath::parse(&self.path).map_err(|_| unreadable("it names a path outside the worktree"))
    }
}

/// The journal on disk. It goes when this is dropped, unless it is left for others.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    left: bool,
}

impl Journal {
    /// Writes `record`, complete and on disk, in the place of what the journal said before.
    pub(super) fn write(repo: &Repo, record: &Record) -> Result<Journal, Diagnostic> {
        let journal = Journal { path: path(repo)?, left: false };
        journal.rewrite(record)?;
        Ok(journal)
    }

    /// Says more.
    pub(super) fn rewrite(&self, record: &Record) -> Result<(), Diagnostic> {
        let failed = |error: std::io::Error| {
            Diagnostic::new(Code::Io, format!("could not write {}: {error}", self.path.display()))
        };
        step("journal")?;
        let text = serde_json::to_vec(record).map_err(|error| failed(error.into()))?;
        let draft = self.path.with_extension("new");
        let write = || {
            let mut file = File::create(&draft)?;
            file.write_all(&text)?;
            // Without worktrees there is only the lock of a ref to take back, and git, too, leaves that to a power cut.
            if !record.sites.is_empty() {
                file.sync_all()?;
            }
            fs::rename(&draft, &self.path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&draft);
            failed(error)
        })?;
        step("journal-written")
    }

    /// Leaves the journal where it is, for the next publisher: something could not be put in order now.
    pub(super) fn leave(&mut self) {
        self.left = true;
    }

    /// Ends it, unless it is left. Only after this may go what it would take to put things back.
    pub(super) fn end(&self) {
        if !self.left {
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Removes it, which is the point of no return of a batch that has no other.
    pub(super) fn remove(&mut self) -> Result<(), Diagnostic> {
        step("journal-remove")?;
        let attempt = |error| Diagnostic::new(Code::Io, format!("could not remove {}: {error}", self.path.display()));
        fs::remove_file(&self.path).map_err(attempt)
    }

    /// Returns whether it is left.
    pub(super) fn is_left(&self) -> bool {
        self.left
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads the journal that somebody left, or `None`.
pub(super) fn read(repo: &Repo) -> Result<Option<Record>, Diagnostic> {
    let path = repo.common_dir().join("segedit").join("journal");
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Diagnostic::new(Code::Io, format!("could not read {}: {error}", path.display()))),
    };
    // Before anything else of it: what a newer version writes may have any form.
    match serde_json::from_slice(&text) {
        Ok(Versioned { version: VERSION }) => {}
        Ok(Versioned { version }) if version > VERSION => return Err(newer(&path)),
        Ok(Versioned { version }) => return Err(unreadable(&format!("there is no version {version}"))),
        Err(error) => return Err(unreadable(&error.to_string())),
    }
    serde_json::from_slice(&text).map(Some).map_err(|error| unreadable(&error.to_string()))
}

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Says that only somebody else can finish what is under way; without the journal nobody could.
fn newer(path: &Path) -> Diagnostic {
    let message = format!("a newer version of this program was interrupted here; its journal is {}", path.display());
    Diagnostic::new(Code::Io, message).note("leave that file, and have that version finish: `git segedit recover`")
}

/// Takes up the journal that `read` returned.
pub(super) fn take_up(repo: &Repo) -> Result<Journal, Diagnostic> {
    Ok(Journal { path: path(repo)?, left: false })
}

fn path(repo: &Repo) -> Result<PathBuf, Diagnostic> {
    Ok(repo.home()?.join("journal"))
}

fn unreadable(why: &str) -> Diagnostic {
    Diagnostic::new(Code::Io, format!("the journal of an interrupted publication cannot be read: {why}"))
        .note("it is the file segedit/journal in the git folder; remove it once the worktree is as it should be")
}

/// Returns the lock file that stands at `path` as a journal names it.
pub(super) fn lock_file(path: PathBuf) -> Option<LockFile> {
    inode(&path).map(|inode| LockFile { path, inode })
}

/// Removes a lock file if it is the one that the journal names; anybody else's stays.
pub(super) fn remove_lock(lock: &LockFile) {
    if is_ours(lock) {
        let _ = fs::remove_file(&lock.path);
    }
}

/// Returns whether the lock file that stands there is the one that the journal names.
pub(super) fn is_ours(lock: &LockFile) -> bool {
    inode(&lock.path) == Some(lock.inode)
}

/// Returns the inode of the file at `path`.
pub(super) fn inode(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    fs::symlink_metadata(path).ok().map(|metadata| metadata.ino())
}
