//! `IndexLock`: the index is ours to write, as git's own commands have it when they write it.
//!
//! Invariant: nobody else's lock is ever removed, and the inode of ours is known before it is in place, so that a journal
//! can name it first.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rustix::fs::{AtFlags, CWD, RenameFlags};
use rustix::io::Errno;

use super::index::{IndexContent, UnwrittenIndex};
use super::{Repo, failure};
use crate::diagnostic::{Code, Diagnostic};

/// How long a lock that somebody else holds is waited for; tests and fuzzers wait for locks that nobody will ever give back.
const PATIENCE: Duration = Duration::from_secs(if cfg!(any(test, fuzzing)) { 2 } else { 10 });

/// A lock on an index, held as git holds one: nobody else writes the index while we have it.
#[derive(Debug)]
pub struct IndexLock {
    index: PathBuf,
    lock: PathBuf,
    file: File,
    held: bool,
}

/// A lock file that is made but not yet in place; its inode is known before the lock exists, so that a journal can
/// name it first.
#[derive(Debug)]
pub struct IndexKey {
    index: PathBuf,
    lock: PathBuf,
    made: tempfile::NamedTempFile,
}

impl Repo {
    /// Makes the file that will be the lock on this worktree's index.
    pub fn index_key(&self) -> Result<IndexKey, Diagnostic> {
        let index = self.index_file.clone();
        // `git commit -a` and `git commit <path>` give their hooks an index that is a lock or a copy; what is written
        // to it is committed or thrown away behind our back.
        let is_copy = index
            .file_name()
            .is_some_and(|name| name.to_string_lossy().ends_with(".lock"));
        if is_copy {
            let message = format!(
                "a git command that runs now holds the index ({})",
                index.display()
            );
            return Err(
                Diagnostic::new(Code::IndexLocked, message).note("run this outside of git's hooks")
            );
        }
        let folder = index.parent().unwrap_or(Path::new("."));
        let made = tempfile::Builder::new()
            .prefix("index.segedit-")
            // Less the umask, as for every file of git's; a temporary file would be for its owner only.
            .permissions(fs::Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .map_err(failure::system("make a lock for the index"))?;
        match fs::metadata(&index) {
            // Whoever could read the index still can.
            Ok(old) => drop(made.as_file().set_permissions(old.permissions())),
            Err(_) => self.config.shared().grant(made.as_file()),
        }
        let mut lock = index.clone().into_os_string();
        lock.push(".lock");
        Ok(IndexKey {
            index,
            lock: lock.into(),
            made,
        })
    }
}

impl IndexKey {
    /// Returns where the lock will stand, and the inode that it will have.
    pub fn lock(&self) -> Result<(&Path, u64), Diagnostic> {
        let metadata = self
            .made
            .as_file()
            .metadata()
            .map_err(failure::system("look at a lock"))?;
        Ok((&self.lock, metadata.ino()))
    }

    /// Takes the lock, or waits for whoever has it and gives up after a while, naming the file and its age.
    pub fn turn(self) -> Result<IndexLock, Diagnostic> {
        super::step("index-lock")?;
        let start = Instant::now();
        let mut pause = Duration::from_millis(5);
        // The lock is a second name of it, or its only one; the first one goes when this function ends.
        let (file, first) = self.made.into_parts();
        loop {
            match put_in_place(&first, &self.lock) {
                Ok(()) => break,
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                    return Err(failure::system(&format!("make {}", self.lock.display()))(
                        error,
                    ));
                }
                Err(_) if start.elapsed() > PATIENCE => {
                    return Err(is_locked("the index", &self.lock, PATIENCE));
                }
                Err(_) => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(200));
        }
        let lock = IndexLock {
            index: self.index,
            lock: self.lock,
            file,
            held: true,
        };
        super::step("index-locked")?;
        Ok(lock)
    }
}

impl IndexLock {
    /// Writes the index to come. Nobody sees it yet; a later write takes the place of an earlier one.
    pub fn write(&mut self, content: &IndexContent) -> Result<(), Diagnostic> {
        use std::io::Seek as _;
        super::step("index-write")?;
        let attempt = format!("write {}", self.lock.display());
        let begun = self.file.set_len(0).and_then(|()| self.file.rewind());
        let written = begun
            .map_err(UnwrittenIndex::System)
            .and_then(|()| content.write_to(&mut self.file))
            .and_then(|()| self.file.sync_all().map_err(UnwrittenIndex::System));
        written.map_err(|why| match why {
            UnwrittenIndex::System(error) => failure::system(&attempt)(error),
            UnwrittenIndex::Damaged => {
                let message = "the index is damaged: its hash is not that of its content";
                Diagnostic::new(Code::Io, message)
                    .note("`git fsck` says more; `rm .git/index` and `git reset` make it anew")
            }
        })
    }

    /// Puts what was written in the index's place, which is also what gives the lock back.
    pub fn take_place(&mut self) -> Result<(), Diagnostic> {
        super::step("index-rename")?;
        let attempt = format!("replace {}", self.index.display());
        fs::rename(&self.lock, &self.index).map_err(failure::system(&attempt))?;
        self.held = false;
        Ok(())
    }

    /// Leaves the lock where it is when this is dropped, for whoever finishes what it was taken for.
    pub fn leave(&mut self) {
        self.held = false;
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        if self.held {
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// Gives the file at `first` the name `lock`, which no other may have, and leaves its inode as it is. Where a file system has no
/// second names (FAT, some shares), the first name goes.
pub(super) fn put_in_place(first: &Path, lock: &Path) -> std::io::Result<()> {
    match rustix::fs::linkat(CWD, first, CWD, lock, AtFlags::empty()) {
        Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS | Errno::MLINK | Errno::INVAL) => {
            rename_in_place(first, lock)
        }
        outcome => Ok(outcome?),
    }
}

fn rename_in_place(first: &Path, lock: &Path) -> std::io::Result<()> {
    Ok(rustix::fs::renameat_with(
        CWD,
        first,
        CWD,
        lock,
        RenameFlags::NOREPLACE,
    )?)
}

/// Says that `what` stayed locked by the file `lock` for as long as anybody can be asked to wait.
pub(super) fn is_locked(what: &str, lock: &Path, patience: Duration) -> Diagnostic {
    let age = fs::metadata(lock)
        .and_then(|metadata| metadata.modified())
        .ok()
        .and_then(|modified| SystemTime::now().duration_since(modified).ok())
        .map_or_else(String::new, |age| {
            format!(", {} seconds old", age.as_secs())
        });
    let seconds = patience.as_secs();
    let message = format!(
        "{what} is locked by {}{age}; waited {seconds} seconds",
        lock.display()
    );
    Diagnostic::new(Code::IndexLocked, message)
        .note("if no git process is running here, one was killed: remove that file by hand")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_put_in_place_once_and_keeps_its_inode() {
        for put in [put_in_place, rename_in_place] {
            let folder = tempfile::tempdir().expect("a folder");
            let [first, second, lock] =
                ["first", "second", "lock"].map(|name| folder.path().join(name));
            fs::write(&first, "1").expect("a file");
            fs::write(&second, "2").expect("a file");
            let inode = fs::metadata(&first).expect("a file").ino();

            put(&first, &lock).expect("no lock is there");
            assert_eq!(fs::metadata(&lock).expect("a lock").ino(), inode);
            let refused = put(&second, &lock).expect_err("a lock is there");
            assert_eq!(refused.kind(), std::io::ErrorKind::AlreadyExists);
            assert_eq!(fs::read(&lock).expect("a lock"), b"1");
            assert!(second.exists());
        }
    }
}
