//! The worktree's files: read and exchanged below its root, never through a symbolic link.
//!
//! Invariant: every system call names one component below a folder that was itself opened that way
//! (`O_NOFOLLOW`), so a link put in the way at any moment makes the call fail and never leads outside.
//! What is replaced is looked at *after* it was exchanged: a writer who was faster keeps their bytes.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::{AsFd as _, OwnedFd};

use rustix::fs::{AtFlags, FileType, Mode as Permissions, OFlags};
use rustix::io::Errno;

use super::ground::Kind;
use super::index::Stat;
use super::{Repo, failure};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::Mode;

/// A worktree, its root held open.
pub struct Worktree {
    root: OwnedFd,
    /// Whether the executable bit of files means anything here (`core.fileMode`).
    pub(super) trusts_mode: bool,
}

/// A regular file of the worktree as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFound {
    /// Its bytes, in checkout form.
    pub bytes: Vec<u8>,
    /// Whether its owner may execute it.
    pub mode: Mode,
    /// Its metadata.
    pub stat: Stat,
}

impl Repo {
    /// Opens this repository's worktree.
    pub fn worktree(&self) -> Result<Worktree, Diagnostic> {
        let root = self.need_worktree("the worktree")?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let attempt = format!("open {}", root.display());
        let root = rustix::fs::open(root, flags, Permissions::empty()).map_err(failure::system(&attempt))?;
        Ok(Worktree { root, trusts_mode: self.config.get_bool("core.filemode").unwrap_or(true) })
    }

    /// Returns the worktree's root, or refuses in the name of `what`.
    pub(super) fn need_worktree(&self, what: &str) -> Result<&std::path::Path, Diagnostic> {
        self.git2.workdir().filter(|_| !self.is_bare()).ok_or_else(|| {
            Diagnostic::new(Code::UnsupportedRepository, format!("{what} is asked for, and the repository is bare"))
                .note("a bare repository takes only the destination `commit`")
        })
    }
}

impl Worktree {
    /// Returns what stands at `path`, or `None`.
    pub(super) fn kind(&self, path: &str) -> Result<Option<Kind>, Diagnostic> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(folder) = self.folder(folder)? else { return Ok(None) };
        let stat = match rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
            Err(error) => return Err(failure::system(&format!("look at {}", shown(path)))(error)),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Ok(Some(Kind::File(mode_of(stat.st_mode)))),
            FileType::Symlink => Ok(Some(Kind::Symlink)),
            FileType::Directory if rustix::fs::statat(&folder, format!("{name}/.git"), AtFlags::empty()).is_ok() => {
                Ok(Some(Kind::Submodule))
            }
            FileType::Directory => Ok(Some(Kind::Folder)),
            _ => Err(not_regular(path)),
        }
    }

    /// Reads the regular file at `path`; `None` when nothing stands there. Anything but a file, and anything behind a
    /// link, is refused.
    pub fn read(&self, path: &RepoPath) -> Result<Option<FileFound>, Diagnostic> {
        let Some(folder) = self.folder(path.parent().as_ref().map_or("", RepoPath::as_str))? else { return Ok(None) };
        self.read_in(&folder, path.file_name(), path)
    }

    pub(super) fn read_in(
        &self,
        folder: &OwnedFd,
        name: &str,
        path: &RepoPath,
    ) -> Result<Option<FileFound>, Diagnostic> {
        // Without blocking: the name may have become a pipe that nobody writes to.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let attempt = format!("read {}", shown(path.as_str()));
        let file = match rustix::fs::openat(folder, name, flags, Permissions::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP | Errno::NXIO) => return Err(not_regular(path.as_str())),
            Err(error) => return Err(failure::system(&attempt)(error)),
        };
        let metadata = file.metadata().map_err(failure::system(&attempt))?;
        if !metadata.is_file() {
            return Err(not_regular(path.as_str()));
        }
        let mut bytes = Vec::new();
        (&file).read_to_end(&mut bytes).map_err(failure::system(&attempt))?;
        use std::os::unix::fs::MetadataExt as _;
        Ok(Some(FileFound { bytes, mode: mode_of(metadata.mode()), stat: Stat::of(&metadata) }))
    }

    /// Returns the names in the folder at `path`.
    pub(super) fn names(&self, path: &str) -> Result<Vec<String>, Diagnostic> {
        let attempt = format!("list {}", shown(path));
        let Some(folder) = self.folder(path)? else { return Ok(Vec::new()) };
        let entries = rustix::fs::Dir::read_from(&folder).map_err(failure::system(&attempt))?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failure::system(&attempt))?;
            if let Ok(name) = entry.file_name().to_str()
                && !matches!(name, "." | ".." | ".git")
            {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Opens the folder at `path` (`""` is the root), one component at a time; `None` when it is not there.
    pub(super) fn folder(&self, path: &str) -> Result<Option<OwnedFd>, Diagnostic> {
        let mut here = self.root.as_fd().try_clone_to_owned().map_err(failure::system("open the worktree"))?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            here = match rustix::fs::openat(&here, name, flags, Permissions::empty()) {
                Ok(folder) => folder,
                Err(Errno::NOENT) => return Ok(None),
                // Linux says NOTDIR for a link when a directory is asked for, others say LOOP.
                Err(Errno::NOTDIR | Errno::LOOP) => return Err(in_the_way(&here, name, path)),
                Err(error) => return Err(failure::system(&format!("open {}", shown(path)))(error)),
            };
        }
        Ok(Some(here))
    }
}

fn mode_of(bits: u32) -> Mode {
    if bits & 0o100 == 0 { Mode::Regular } else { Mode::Executable }
}

/// Says what stands at `name` where a folder should.
fn in_the_way(folder: &OwnedFd, name: &str, path: &str) -> Diagnostic {
    let link = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink);
    let what = if link { "a symbolic link" } else { "a file" };
    let code = if link { Code::PathRefused } else { Code::WorktreeDirty };
    Diagnostic::new(code, format!("in the worktree, {} passes through {what} at `{}`", shown(path), shown(name)))
}

fn not_regular(path: &str) -> Diagnostic {
    Diagnostic::new(Code::PathRefused, format!("{} in the worktree is not a regular file", shown(path)))
}
