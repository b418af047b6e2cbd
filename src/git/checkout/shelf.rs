//! Where the checkouts of a repository are kept: a folder of the caller's cache for each repository, and none for one that
//! is gone. `segedit.cache` in the caller's own git configuration names another place than `~/.cache/git-segedit`.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

use crate::diagnostic::Diagnostic;
use crate::git::{Repo, failure};
use crate::snapshot::{HashKind, Id};

/// Returns the folder of `repo`, or `None` when the caller has no cache that can be written.
pub(super) fn of(repo: &Repo) -> Option<PathBuf> {
    let (folder, owner) = place(repo)?;
    if !folder.is_dir() {
        // For nobody else's eyes: what is laid out there may be read by fewer people where it comes from.
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .ok()?;
        fs::write(folder.join(OWNER), owner.as_os_str().as_bytes()).ok()?;
        folder.parent().map(clear);
    }
    folder.canonicalize().ok()
}

/// Returns where the folder of `repo` stands, and the git folder that it is named after.
fn place(repo: &Repo) -> Option<(PathBuf, PathBuf)> {
    let owner = repo.common_dir().canonicalize().ok()?;
    let name = Id::of_blob(HashKind::Sha1, owner.as_os_str().as_bytes()).0;
    Some((shelves(repo)?.join(name), owner))
}

#[cfg(not(test))]
fn shelves(repo: &Repo) -> Option<PathBuf> {
    use crate::git::environment;
    let absolute = |name: &str| {
        environment::variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let chosen = repo
        .config()
        .protected("segedit.cache")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let home = || {
        absolute("HOME")
            .filter(|home| home.is_dir())
            .map(|home| home.join(".cache"))
    };
    let cache = || {
        absolute("XDG_CACHE_HOME")
            .or_else(home)
            .map(|cache| cache.join("git-segedit"))
    };
    chosen
        .or_else(cache)
        .filter(|shelves| environment::is_own(shelves))
}

/// Tests keep theirs beside the repository that they make.
/// Returns the lock at `path`, or `None` when somebody else has it, or could have it without our knowing.
pub(super) fn try_lock(path: &Path) -> Result<Option<File>, Diagnostic> {
    let attempt = "lock a checkout";
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path);
    let lock = lock.map_err(failure::system(attempt))?;
    loop {
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Some(lock)),
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
            // A file system that has no such locks.
            Err(
                rustix::io::Errno::NOLCK | rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP,
            ) => return Ok(None),
            Err(error) => return Err(failure::system(attempt)(error)),
        }
    }
}

#[cfg(test)]
fn shelves(repo: &Repo) -> Option<PathBuf> {
    crate::git::testing::beside(repo.common_dir(), "cache")
}

impl Repo {
    /// Returns the folder of the caller's cache that is this repository's, made if need be; `None` when there is none to be had.
    /// What stands there, this program wrote for this caller.
    pub fn cache(&self) -> Option<PathBuf> {
        of(self)
    }

    /// Returns where that folder stands, or would stand.
    pub fn cache_place(&self) -> Option<PathBuf> {
        Some(place(self)?.0)
    }

    /// Makes a scratch folder that stands apart from every worktree, below folders that only the caller can write: a tool
    /// looks for its settings in the folders above. It is gone when dropped.
    pub fn scratch_apart(&self) -> Result<TempDir, Diagnostic> {
        let make = || {
            let all = of(self)?.join("scratch");
            fs::create_dir_all(&all).ok()?;
            sweep(&all);
            tempfile::Builder::new()
                .prefix("segedit-")
                .tempdir_in(&all)
                .ok()
        };
        make().map_or_else(
            || TempDir::with_prefix("segedit-").map_err(failure::system("make a scratch folder")),
            Ok,
        )
    }
}

/// Removes what a process that was killed left behind, once it is a day old.
fn sweep(all: &Path) {
    const OLD: Duration = Duration::from_secs(24 * 60 * 60);
    for entry in fs::read_dir(all)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
    {
        let age = entry
            .metadata()
            .and_then(|metadata| metadata.modified())
            .map(|time| time.elapsed());
        if matches!(age, Ok(Ok(age)) if age > OLD) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The file that names the git folder.
const OWNER: &str = "repository";

/// Removes what was kept for repositories that are no more.
fn clear(shelves: &Path) {
    for folder in fs::read_dir(shelves)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| entry.path())
    {
        let gone = fs::read(folder.join(OWNER)).is_ok_and(|owner| {
            !owner.is_empty() && !Path::new(std::ffi::OsStr::from_bytes(&owner)).exists()
        });
        if gone && !is_used(&folder) {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

fn is_used(folder: &Path) -> bool {
    let checkouts = fs::read_dir(folder.join("checkouts"))
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    checkouts
        .map(|entry| entry.path().join("lock"))
        .any(|lock| !matches!(try_lock(&lock), Ok(Some(_))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    #[test]
    fn each_repository_has_its_own_and_what_is_gone_is_cleared() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let clone = |name: &str| {
            let folder = sandbox.beside(name);
            sandbox.git(&["clone", "-q", ".", folder.to_str().unwrap()]);
            of(&Repo::open(&folder).unwrap()).unwrap()
        };
        let own = of(&sandbox.repo()).unwrap();
        let kept = clone("second");
        assert!(
            kept.starts_with(sandbox.beside("cache"))
                && own.starts_with(sandbox.beside("cache"))
                && kept != own
        );
        fs::remove_dir_all(sandbox.beside("second")).unwrap();
        assert!(kept.exists());
        clone("third");
        assert!(
            !kept.exists() && own.exists(),
            "only what belongs to nobody goes"
        );
    }
}
