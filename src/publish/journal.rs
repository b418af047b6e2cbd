//! The journal: what a publisher is about to do, written first, so that the next one can finish it or roll it back.
//!
//! One file, `segedit/journal` in the git folder that all worktrees share; whoever holds the queue owns it. JSON, and in a line of
//! its own the seal of whoever wrote it:
//!
//! ```json
//! {"version": 2,
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
//! disk. What is read here is not to be believed: see `leftover`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{FileVersion, HeldFile, Home, NameInFolder, Repo, Seal, step};
use crate::path::RepoPath;
use crate::snapshot::Id;

/// The version of this form. What the first version wrote reads alike and bears no seal.
pub(super) const VERSION: u32 = 2;

/// What a seal on a journal is a seal on.
const SORT: &str = "journal";

/// The longest journal that is read, in bytes: that of some million files.
const LONGEST: u64 = 512 << 20;

const NAME: &str = "journal";
/// What one that was set aside is called; further ones have a number behind it.
const REFUSED: &str = "journal.refused";
/// Most of them that are kept.
const MOST_REFUSED: usize = 8;

/// What is under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JournalRecord {
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
    pub steps: Vec<FileExchange>,
    /// What the index to come says about the changed paths: path and `index_entry`; earlier versions wrote the blob alone.
    #[serde(default)]
    pub entries: Vec<(String, Option<String>)>,
}

/// Returns how the journal writes what an index says of a path: mode and blob, for a mode alone may change.
pub(super) fn index_entry(mode: u32, blob: &Id) -> String {
    format!("{mode:o} {}", blob.0)
}

/// One file to exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileExchange {
    pub path: String,
    pub old: Option<FileVersion>,
    pub new: Option<FileVersion>,
}

impl FileExchange {
    /// Returns the path, checked again: a journal is a file that anybody could have written.
    pub(super) fn checked_path(&self) -> Result<RepoPath, Diagnostic> {
        RepoPath::parse(&self.path).map_err(|_| {
            Diagnostic::new(
                Code::Io,
                format!(
                    "the journal names {}, which is no file of a worktree",
                    shown(&self.path)
                ),
            )
        })
    }
}

/// The journal on disk. It goes when this is dropped, unless it is left for others.
#[derive(Debug)]
pub(super) struct Journal {
    home: Home,
    file: NameInFolder,
    left: bool,
}

impl Journal {
    /// Writes `record`, complete and on disk, in the place of what the journal said before.
    pub(super) fn write(repo: &Repo, record: &JournalRecord) -> Result<Journal, Diagnostic> {
        let journal = take_up(repo)?;
        journal.rewrite(repo, record)?;
        Ok(journal)
    }

    /// Says more.
    pub(super) fn rewrite(&self, repo: &Repo, record: &JournalRecord) -> Result<(), Diagnostic> {
        step("journal")?;
        let text = serde_json::to_vec(record).map_err(|error| {
            Diagnostic::new(
                Code::Io,
                format!("could not write {}: {error}", self.file.path().display()),
            )
        })?;
        // Without worktrees there is only the lock of a ref to take back, and git, too, leaves that to a power cut.
        self.home
            .replace(NAME, &repo.sealed(SORT, text), !record.sites.is_empty())?;
        step("journal-written")
    }

    /// Leaves the journal where it is, for the next publisher: something could not be put in order now.
    pub(super) fn leave(&mut self) {
        self.left = true;
    }

    /// Ends it, unless it is left, and returns whether it is gone. Only after this may go what it would take to put things back.
    pub(super) fn end(&self) -> bool {
        if self.left {
            return false;
        }
        match self.file.remove() {
            Ok(()) => true,
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        }
    }

    /// Removes it, which is the point of no return of a batch that has no other.
    pub(super) fn remove(&mut self) -> Result<(), Diagnostic> {
        step("journal-remove")?;
        let attempt = |error| {
            Diagnostic::new(
                Code::Io,
                format!("could not remove {}: {error}", self.file.path().display()),
            )
        };
        self.file.remove().map_err(attempt)
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

/// What stands where a journal would.
pub(super) enum JournalState {
    /// Nothing.
    Nothing,
    /// A record, and whose it is.
    Record(Box<JournalRecord>, Seal),
    /// Something else, for this reason.
    Unreadable(String),
}

/// Reads what somebody left.
pub(super) fn read(repo: &Repo) -> Result<JournalState, Diagnostic> {
    let Some(home) = repo.home_if_any()? else {
        return Ok(JournalState::Nothing);
    };
    let place = home.place(NAME)?;
    let failed = |error| {
        Diagnostic::new(
            Code::Io,
            format!("could not read {}: {error}", place.path().display()),
        )
    };
    let bytes = match place.read(LONGEST).map_err(failed)? {
        HeldFile::Nothing => return Ok(JournalState::Nothing),
        HeldFile::Unfit(why) => return Ok(JournalState::Unreadable(why.to_owned())),
        HeldFile::Bytes(bytes) => bytes,
    };
    let (text, seal) = repo.unsealed(SORT, &bytes);
    // Before anything else of it: what a newer version writes may have any form.
    match serde_json::from_slice(text) {
        Ok(VersionedJournal {
            version: 1..=VERSION,
        }) => {}
        Ok(VersionedJournal { version }) if version > VERSION => return Err(newer(place.path())),
        Ok(VersionedJournal { version }) => {
            return Ok(JournalState::Unreadable(format!(
                "there is no version {version}"
            )));
        }
        Err(error) => return Ok(JournalState::Unreadable(error.to_string())),
    }
    Ok(match serde_json::from_slice(text) {
        Ok(record) => JournalState::Record(record, whose(&place, seal)),
        Err(error) => JournalState::Unreadable(error.to_string()),
    })
}

/// Returns whose a record is: a seal of another user's, who shares the repository with us, says as little as none.
fn whose(place: &NameInFolder, seal: Seal) -> Seal {
    let is_mine = place.owner() == Some(rustix::process::geteuid().as_raw());
    if seal == Seal::Foreign && !is_mine {
        Seal::Missing
    } else {
        seal
    }
}

/// Says whether a journal stands there, whatever it is.
pub(super) fn is_there(repo: &Repo) -> bool {
    let place = repo
        .home_if_any()
        .ok()
        .flatten()
        .and_then(|home| home.place(NAME).ok());
    place.is_some_and(|place| place.inode().is_some())
}

/// Says whether what stands there is nothing, or this program's own for this user: what a reader may put in order.
pub(super) fn is_ours(repo: &Repo) -> bool {
    matches!(
        read(repo),
        Ok(JournalState::Nothing | JournalState::Record(_, Seal::Ours))
    )
}

/// Sets what stands there aside, with the stages that it may speak of, so that it does no harm and can be looked at. Returns
/// where it is then.
pub(super) fn set_aside(repo: &Repo) -> Result<PathBuf, Diagnostic> {
    let home = repo.home()?;
    let taken = home.names();
    // An earlier one stays until somebody has looked at it; past so many, the last makes way.
    let mut name = REFUSED.to_owned();
    for nth in 2..=MOST_REFUSED {
        if taken.contains(&name) {
            name = format!("{REFUSED}-{nth}");
        }
    }
    let aside = home.place(&name)?;
    let attempt = |error| {
        Diagnostic::new(
            Code::Io,
            format!("could not set the journal aside: {error}"),
        )
    };
    aside.remove_all().map_err(attempt)?;
    home.place(NAME)?.rename(&aside).map_err(attempt)?;
    // The next sweep would take them for what a dead publisher left.
    for name in home.names() {
        if let Some(rest) = name.strip_prefix(".segedit-") {
            let kept = home.place(&format!("refused-{rest}"))?;
            let _ = home.place(&name)?.rename(&kept);
        }
    }
    Ok(aside.path().to_owned())
}

#[derive(Deserialize)]
struct VersionedJournal {
    version: u32,
}

/// Says that only somebody else can finish what is under way; without the journal nobody could.
fn newer(path: &Path) -> Diagnostic {
    let message = format!(
        "a newer version of this program was interrupted here; its journal is {}",
        path.display()
    );
    Diagnostic::new(Code::Io, message)
        .note("leave that file, and have that version finish: `git segedit recover`")
}

/// Takes up the journal that `read` returned.
pub(super) fn take_up(repo: &Repo) -> Result<Journal, Diagnostic> {
    let home = repo.home()?;
    Ok(Journal {
        file: home.place(NAME)?,
        home,
        left: false,
    })
}

/// Returns the lock file that stands at `path` as a journal names it.
pub(super) fn lock_file(path: PathBuf) -> Option<LockFile> {
    inode(&path).map(|inode| LockFile { path, inode })
}

/// Returns the inode of the file at `path`.
fn inode(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    fs::symlink_metadata(path)
        .ok()
        .map(|metadata| metadata.ino())
}
