//! `Folder`: writes and removes below one folder, never through a symbolic link.
//!
//! Invariant: every system call names one component below a folder that was itself opened that way (`O_NOFOLLOW`). What a
//! program left running in a checkout puts in the way makes the call fail and never leads outside.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode as Permissions, OFlags, Timespec, Timestamps};
use rustix::io::Errno;

use crate::diagnostic::{Diagnostic, shown};
use crate::git::base::held_folder::{FOLDER, OWNER, open_folder, remove_entry};
use crate::git::failure;

/// A folder held open.
pub(super) struct FolderHandle {
    path: PathBuf,
    root: OwnedFd,
    /// The folder that was written to last, by its path: files come in order.
    recent: Option<(Vec<u8>, OwnedFd)>,
}

impl FolderHandle {
    /// Opens the folder at `path`.
    pub(super) fn open(path: &Path) -> Result<FolderHandle, Diagnostic> {
        let attempt = format!("open {}", path.display());
        let root = rustix::fs::open(path, FOLDER, Permissions::empty())
            .map_err(failure::system(&attempt))?;
        unlock(&root).map_err(failure::system(&attempt))?;
        Ok(FolderHandle {
            path: path.to_owned(),
            root,
            recent: None,
        })
    }

    /// Returns where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder itself.
    pub(super) fn root(&self) -> &OwnedFd {
        &self.root
    }

    /// Opens it once more, for another thread.
    pub(super) fn again(&self) -> Result<FolderHandle, Diagnostic> {
        let root = self
            .root
            .as_fd()
            .try_clone_to_owned()
            .map_err(failure::system("open a checkout"))?;
        Ok(FolderHandle {
            path: self.path.clone(),
            root,
            recent: None,
        })
    }

    /// Writes a file, with the permissions that the caller's umask leaves a new one. One that was there makes way.
    pub(super) fn write(
        &mut self,
        path: &[u8],
        bytes: &[u8],
        executable: bool,
    ) -> Result<(), Diagnostic> {
        let permissions = Permissions::from_raw_mode(if executable { 0o777 } else { 0o666 });
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        self.put(path, |folder, name| {
            let file = rustix::fs::openat(folder, name, flags, permissions)?;
            File::from(file).write_all(bytes)
        })
    }

    /// Dates the file at `path`, written last in this folder's memory, back to a moment that only its content decides.
    ///
    /// Tools that keep what they learned take a file of the same size and the same second for the same file; two versions of
    /// one file are laid out within a second here.
    pub(super) fn date(&mut self, path: &[u8], seconds: i64) -> Result<(), Diagnostic> {
        let (above, name) = split(path);
        let attempt = || format!("date {}", shown(&String::from_utf8_lossy(path)));
        let moment = Timespec {
            tv_sec: seconds,
            tv_nsec: 0,
        };
        let times = Timestamps {
            last_access: moment,
            last_modification: moment,
        };
        let folder = match &self.recent {
            Some((known, folder)) if known == above => rustix::io::dup(folder),
            _ => self.reach(above, MissingFolder::Fail),
        };
        let dated = folder.and_then(|folder| {
            rustix::fs::utimensat(folder, name, &times, AtFlags::SYMLINK_NOFOLLOW)
        });
        dated.map_err(|error| failure::system(&attempt())(std::io::Error::from(error)))
    }

    /// Makes a symbolic link to `target`. A file that was there makes way.
    pub(super) fn link(&mut self, path: &[u8], target: &[u8]) -> Result<(), Diagnostic> {
        self.put(path, |folder, name| {
            Ok(rustix::fs::symlinkat(target, folder, name)?)
        })
    }

    /// Makes an empty folder, or leaves the one that is there.
    pub(super) fn make(&mut self, path: &[u8]) -> Result<(), Diagnostic> {
        self.put(path, |folder, name| {
            match rustix::fs::mkdirat(folder, name, Permissions::from_raw_mode(0o777)) {
                Err(Errno::EXIST) => Ok(()),
                made => Ok(made?),
            }
        })
    }

    /// Calls `put` with the folder and the name of `path`, the folder made and the name free unless it is a folder's.
    fn put(
        &mut self,
        path: &[u8],
        put: impl FnOnce(&OwnedFd, &[u8]) -> std::io::Result<()>,
    ) -> Result<(), Diagnostic> {
        let (above, name) = split(path);
        let attempt = || format!("lay out {}", shown(&String::from_utf8_lossy(path)));
        if self.recent.as_ref().is_none_or(|(known, _)| known != above) {
            let folder = self
                .reach(above, MissingFolder::Make)
                .map_err(|error| failure::system(&attempt())(error))?;
            self.recent = Some((above.to_vec(), folder));
        }
        let Some((_, folder)) = &self.recent else {
            return Ok(());
        };
        match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT | Errno::ISDIR) => {}
            Err(error) => return Err(failure::system(&attempt())(error)),
        }
        put(folder, name).map_err(|error| failure::system(&attempt())(error))
    }

    /// Removes what stands at `path`, with all that is in it, and the folders that this leaves empty.
    pub(super) fn remove(&mut self, path: &[u8]) -> Result<(), Diagnostic> {
        self.recent = None;
        let attempt = || format!("remove {}", shown(&String::from_utf8_lossy(path)));
        self.try_remove(path)
            .map_err(|error| failure::system(&attempt())(error))
    }

    fn try_remove(&self, path: &[u8]) -> rustix::io::Result<()> {
        const NOTHING_THERE: [Errno; 3] = [Errno::NOENT, Errno::NOTDIR, Errno::LOOP];
        let (mut above, name) = split(path);
        match self
            .reach(above, MissingFolder::Fail)
            .and_then(|folder| remove_entry(&folder, name))
        {
            Err(error) if !NOTHING_THERE.contains(&error) => return Err(error),
            Ok(()) | Err(_) => {}
        }
        while !above.is_empty() {
            let (next, name) = split(above);
            let folder = self.reach(next, MissingFolder::Fail);
            match folder.and_then(|folder| rustix::fs::unlinkat(&folder, name, AtFlags::REMOVEDIR))
            {
                Ok(()) => {}
                Err(Errno::NOTEMPTY | Errno::EXIST) => break,
                Err(error) if NOTHING_THERE.contains(&error) => {}
                Err(error) => return Err(error),
            }
            above = next;
        }
        Ok(())
    }

    /// Opens the folder at `path`, one component at a time.
    fn reach(&self, path: &[u8], missing: MissingFolder) -> rustix::io::Result<OwnedFd> {
        let mut here = rustix::io::dup(&self.root)?;
        for name in path
            .split(|&byte| byte == b'/')
            .filter(|name| !name.is_empty())
        {
            here = match (open_folder(&here, name), missing) {
                (Err(Errno::NOENT), MissingFolder::Make) => {
                    match rustix::fs::mkdirat(&here, name, Permissions::from_raw_mode(0o777)) {
                        Ok(()) | Err(Errno::EXIST) => open_folder(&here, name)?,
                        Err(error) => return Err(error),
                    }
                }
                (opened, _) => opened?,
            };
        }
        Ok(here)
    }
}

/// What becomes of a folder that is not there.
#[derive(Clone, Copy)]
enum MissingFolder {
    Make,
    Fail,
}

fn unlock(folder: &OwnedFd) -> rustix::io::Result<()> {
    let found = rustix::fs::fstat(folder)?;
    if found.st_mode & OWNER != OWNER {
        rustix::fs::fchmod(
            folder,
            Permissions::from_raw_mode(found.st_mode & 0o7777 | OWNER),
        )?;
    }
    Ok(())
}

/// Returns the folder and the name of `path`.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}

/// Returns a tree's path as the system's.
pub(super) fn os_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}
