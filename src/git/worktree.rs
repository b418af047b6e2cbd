//! The worktree's files: read and exchanged below its root, never through a symbolic link.
//!
//! Invariant: every system call names one component below a folder that was itself opened that way
//! (`O_NOFOLLOW`), so a link put in the way at any moment makes the call fail and never leads outside.
//! What is replaced is looked at *after* it was exchanged: a writer who was faster keeps their bytes.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode as Permissions, OFlags, RenameFlags};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::base::stat::Stat;
use super::ground::PathKind;
use super::{NameInFolder, Repo, failure};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::{FileMode, HashKind, Id};

/// A worktree, its root held open.
pub struct Worktree {
    root: OwnedFd,
    trusts_mode: bool,
}

/// A regular file of the worktree as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFound {
    /// Its bytes, in checkout form.
    pub bytes: Vec<u8>,
    /// Whether its owner may execute it.
    pub mode: FileMode,
    /// Who may read, write and execute it.
    pub permissions: u32,
    /// Its metadata.
    pub stat: Stat,
}

impl Repo {
    /// Opens this repository's worktree.
    pub fn worktree(&self) -> Result<Worktree, Diagnostic> {
        let root = self.need_worktree("the worktree")?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let attempt = format!("open {}", root.display());
        let root = rustix::fs::open(root, flags, Permissions::empty())
            .map_err(failure::system(&attempt))?;
        Ok(Worktree {
            root,
            trusts_mode: self.config.get_bool("core.filemode").unwrap_or(true),
        })
    }

    /// Returns the worktree's root, or refuses in the name of `what`.
    pub(super) fn need_worktree(&self, what: &str) -> Result<&std::path::Path, Diagnostic> {
        self.git2
            .workdir()
            .filter(|_| !self.is_bare())
            .ok_or_else(|| {
                Diagnostic::new(
                    Code::UnsupportedRepository,
                    format!("{what} is asked for, and the repository is bare"),
                )
                .note("a bare repository takes only the destination `commit`")
            })
    }
}

impl Worktree {
    /// Returns what stands at `path`, or `None`.
    pub(super) fn kind(&self, path: &str) -> Result<Option<PathKind>, Diagnostic> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(folder) = self.folder(folder)? else {
            return Ok(None);
        };
        let stat = match rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
            Err(error) => return Err(failure::system(&format!("look at {}", shown(path)))(error)),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Ok(Some(PathKind::File(mode_of(stat.st_mode)))),
            FileType::Symlink => Ok(Some(PathKind::Symlink)),
            FileType::Directory
                if rustix::fs::statat(&folder, format!("{name}/.git"), AtFlags::empty())
                    .is_ok() =>
            {
                Ok(Some(PathKind::Submodule))
            }
            FileType::Directory => Ok(Some(PathKind::Folder)),
            _ => Err(not_regular(path)),
        }
    }

    /// Reads the regular file at `path`; `None` when nothing stands there. Anything but a file, and anything behind a
    /// link, is refused.
    pub fn read(&self, path: &RepoPath) -> Result<Option<FileFound>, Diagnostic> {
        let Some(folder) = self.folder(path.parent().as_ref().map_or("", RepoPath::as_str))? else {
            return Ok(None);
        };
        read_file(&folder, path.file_name(), path.as_str())
    }

    /// Returns whether the executable bit of files means anything here (`core.fileMode`).
    pub fn trusts_mode(&self) -> bool {
        self.trusts_mode
    }

    /// Returns the first thing that stands at `path` or below it and that `leaves` does not name, or a repository of its own
    /// that stands above it; `None` when the place is free once those are gone.
    pub fn first_in(
        &self,
        path: &RepoPath,
        leaves: &dyn Fn(&str) -> bool,
    ) -> Result<Option<String>, Diagnostic> {
        for folder in path.ancestors() {
            if self.kind(folder.as_str())? == Some(PathKind::Submodule) {
                return Ok(Some(folder.as_str().to_owned()));
            }
        }
        let mut open = vec![path.as_str().to_owned()];
        while let Some(path) = open.pop() {
            match self.kind(&path) {
                Ok(None) => {}
                Ok(Some(PathKind::Folder)) => {
                    let names = self.names(&path)?;
                    // An empty folder is nothing to git, but it is somebody's, and a file cannot take its place.
                    if names.is_empty() {
                        return Ok(Some(path));
                    }
                    open.extend(names.into_iter().map(|name| format!("{path}/{name}")));
                }
                Ok(Some(PathKind::File(_))) if leaves(&path) => {}
                Ok(Some(_)) => return Ok(Some(path)),
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(None)
    }

    /// Returns the names in the folder at `path`.
    pub(super) fn names(&self, path: &str) -> Result<Vec<String>, Diagnostic> {
        let attempt = format!("list {}", shown(path));
        let Some(folder) = self.folder(path)? else {
            return Ok(Vec::new());
        };
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

    /// Opens the folder at `path` in one call where the system can keep to the rule by itself.
    #[cfg(target_os = "linux")]
    pub(super) fn folder_at_once(&self, path: &str) -> Result<Option<OwnedFd>, Diagnostic> {
        use rustix::fs::{ResolveFlags, openat2};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let within =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        let name = if path.is_empty() { "." } else { path };
        match openat2(&self.root, name, flags, Permissions::empty(), within) {
            Ok(folder) => Ok(Some(folder)),
            Err(Errno::NOENT) => Ok(None),
            // It is not there, or the system does not know the call: the slow way says which.
            Err(_) => self.folder(path),
        }
    }

    /// Opens the folder at `path`.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn folder_at_once(&self, path: &str) -> Result<Option<OwnedFd>, Diagnostic> {
        self.folder(path)
    }

    /// Opens the folder at `path` (`""` is the root), one component at a time; `None` when it is not there.
    pub(super) fn folder(&self, path: &str) -> Result<Option<OwnedFd>, Diagnostic> {
        let mut here = self
            .root
            .as_fd()
            .try_clone_to_owned()
            .map_err(failure::system("open the worktree"))?;
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

/// Reads the regular file `name` in `folder`, which messages call `path`; `None` when nothing stands there.
fn read_file(folder: &OwnedFd, name: &str, path: &str) -> Result<Option<FileFound>, Diagnostic> {
    // Without blocking: the name may have become a pipe that nobody writes to.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let attempt = format!("read {}", shown(path));
    let file = match rustix::fs::openat(folder, name, flags, Permissions::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP | Errno::NXIO) => return Err(not_regular(path)),
        Err(error) => return Err(failure::system(&attempt)(error)),
    };
    let metadata = file.metadata().map_err(failure::system(&attempt))?;
    if !metadata.is_file() {
        return Err(not_regular(path));
    }
    let mut bytes = Vec::new();
    (&file)
        .read_to_end(&mut bytes)
        .map_err(failure::system(&attempt))?;
    let (mode, permissions) = (mode_of(metadata.mode()), metadata.mode() & PERMISSIONS);
    Ok(Some(FileFound {
        bytes,
        mode,
        permissions,
        stat: Stat::of(&metadata),
    }))
}

/// The bits that say who may read, write and execute a file: those that it keeps when its content is exchanged.
const PERMISSIONS: u32 = 0o777;

/// Returns what becomes of `permissions` when the file becomes, or no longer is, executable: whoever may read it may then
/// execute it, or nobody.
pub fn permissions_as(mode: FileMode, permissions: u32) -> u32 {
    match mode {
        mode if mode == mode_of(permissions) => permissions,
        FileMode::Executable => permissions | 0o100 | (permissions & 0o444) >> 2,
        FileMode::Regular => permissions & !0o111,
    }
}

fn mode_of(bits: u32) -> FileMode {
    if bits & 0o100 == 0 {
        FileMode::Regular
    } else {
        FileMode::Executable
    }
}

/// Says what stands at `name` where a folder should.
fn in_the_way(folder: &OwnedFd, name: &str, path: &str) -> Diagnostic {
    let link = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink);
    let what = if link { "a symbolic link" } else { "a file" };
    let code = if link {
        Code::PathRefused
    } else {
        Code::WorktreeDirty
    };
    Diagnostic::new(
        code,
        format!(
            "in the worktree, {} passes through {what} at `{}`",
            shown(path),
            shown(name)
        ),
    )
}

fn not_regular(path: &str) -> Diagnostic {
    Diagnostic::new(
        Code::PathRefused,
        format!("{} in the worktree is not a regular file", shown(path)),
    )
}

/// A file as the worktree has it or shall have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileVersion {
    /// The blob id that its bytes, in checkout form, would have.
    pub bytes: String,
    /// Whether its owner may execute it.
    pub executable: bool,
}

impl FileVersion {
    /// Returns the version that `bytes` and `mode` make.
    pub fn of(kind: HashKind, bytes: &[u8], mode: FileMode) -> FileVersion {
        FileVersion {
            bytes: Id::of_blob(kind, bytes).0,
            executable: mode == FileMode::Executable,
        }
    }

    /// Returns the mode that git gives it.
    pub fn mode(&self) -> FileMode {
        if self.executable {
            FileMode::Executable
        } else {
            FileMode::Regular
        }
    }
}

/// What an exchange, or taking one back, came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExchangeResult {
    /// What was expected made way for what was staged; or what was to be taken back is, or never happened.
    Done,
    /// Something else stands there; it was left, or put back.
    Changed,
    /// Something else stands there, and what else would be in no file now is here.
    Kept(PathBuf),
}

/// What a slot of a stage holds.
#[derive(Debug)]
enum SlotContent {
    Nothing,
    File(FileVersion),
    /// Something that is no file.
    Other,
}

/// A folder on the worktree's file system where new files wait and displaced ones are kept, by number.
#[derive(Debug)]
pub struct Stage {
    folder: OwnedFd,
    path: PathBuf,
    /// Whether it is removed with the last use of it.
    fleeting: bool,
}

impl Stage {
    /// What its name begins with.
    pub(super) const PREFIX: &str = ".segedit-";

    /// What the name of a save begins with that is kept beside a stage.
    const SAVED: &str = "saved-";

    /// Opens the stage at `path`, which stays when this is dropped.
    fn open(path: &Path) -> Result<Stage, Diagnostic> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let attempt = format!("open {}", path.display());
        let folder = rustix::fs::open(path, flags, Permissions::empty())
            .map_err(failure::system(&attempt))?;
        Ok(Stage {
            folder,
            path: path.to_owned(),
            fleeting: false,
        })
    }

    /// Opens the stage that stands at `place`, which stays when this is dropped; `None` if there is none.
    ///
    /// # Errors
    ///
    /// It cannot be opened now.
    pub fn at(place: &NameInFolder) -> Result<Option<Stage>, Diagnostic> {
        let attempt = format!("open {}", place.path().display());
        let folder = place.open().map_err(failure::system(&attempt))?;
        Ok(folder.map(|folder| Stage {
            folder,
            path: place.path().to_owned(),
            fleeting: false,
        }))
    }

    /// Says whether `name` is one that a stage of ours can have.
    pub fn is_name(name: &str) -> bool {
        let rest = name.strip_prefix(Stage::PREFIX);
        rest.is_some_and(|rest| {
            (1..=32).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    }

    /// Says whether `name` is one that `move_out` gives: of the stage, the slot, and a number.
    fn is_name_of_save(name: &str) -> bool {
        let parts = name.strip_prefix(Stage::SAVED).map(|rest| rest.split('-'));
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        let is_number = |part: &str| part.parse::<usize>().is_ok();
        matches!(parts[..], [own, slot, number]
            if own.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && is_number(slot.trim_end_matches(".aside"))
                && is_number(number))
    }

    /// Leaves it where it is when this is dropped.
    pub fn leave(&mut self) {
        self.fleeting = false;
    }

    /// Keeps what is in a slot, and returns where it is: beside the stage, under a name that nothing sweeps, for the stage goes with the
    /// next command, whatever is in it. Where that fails the journal has to stay, and the stage with it.
    fn keep_save(&self, slot: &str) -> Result<PathBuf, Diagnostic> {
        self.move_out(slot).ok_or_else(|| {
            let place = self.path.join(slot);
            let message = format!(
                "could not move {} beside its folder: it was in the worktree, and is in no other place",
                shown(&place.to_string_lossy())
            );
            Diagnostic::new(Code::Io, message)
        })
    }

    /// Moves what is in a slot beside the stage, and returns where it is then; `None` where that cannot be.
    fn move_out(&self, slot: &str) -> Option<PathBuf> {
        const TRIES: usize = 100;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let around = rustix::fs::openat(&self.folder, "..", flags, Permissions::empty()).ok()?;
        let stage = self.path.file_name()?.to_str()?;
        let own = stage.strip_prefix(Stage::PREFIX).unwrap_or(stage);
        (0..TRIES).find_map(|number| {
            let name = format!("{}{own}-{slot}-{number}", Stage::SAVED);
            rename(&self.folder, slot, &around, &name, RenameFlags::NOREPLACE).ok()?;
            Some(self.path.with_file_name(name))
        })
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Says whether each of the first `slots` holds a regular file of at most `most` bytes, or nothing.
    pub fn holds_files(&self, slots: usize, most: u64) -> bool {
        (0..slots).all(|slot| {
            match rustix::fs::statat(&self.folder, slot.to_string(), AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => {
                    FileType::from_raw_mode(stat.st_mode).is_file()
                        && u64::try_from(stat.st_size).is_ok_and(|size| size <= most)
                }
                Err(error) => error == Errno::NOENT,
            }
        })
    }

    /// Returns what a slot holds.
    ///
    /// # Errors
    ///
    /// It cannot be read now.
    fn content(&self, kind: HashKind, slot: &str) -> Result<SlotContent, Diagnostic> {
        match read_file(&self.folder, slot, "a staged file") {
            Ok(Some(file)) => Ok(SlotContent::File(FileVersion::of(
                kind,
                &file.bytes,
                file.mode,
            ))),
            Ok(None) => Ok(SlotContent::Nothing),
            Err(refusal) if refusal.code == Code::PathRefused => Ok(SlotContent::Other),
            Err(failure) => Err(failure),
        }
    }

    /// Writes a file to `slot` with these permissions; without any, with those that the caller's umask leaves a new one.
    pub fn put(
        &self,
        slot: usize,
        bytes: &[u8],
        mode: FileMode,
        permissions: Option<u32>,
    ) -> Result<(), Diagnostic> {
        // What is not for everybody is not so for a moment, either.
        let first = match (permissions, mode) {
            (Some(_), _) => 0o600,
            (None, FileMode::Executable) => 0o777,
            (None, FileMode::Regular) => 0o666,
        };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let attempt = format!("write {}/{slot}", self.path.display());
        let file = rustix::fs::openat(
            &self.folder,
            slot.to_string(),
            flags,
            Permissions::from_raw_mode(first),
        )
        .map_err(failure::system(&attempt))?;
        let mut file = File::from(file);
        file.write_all(bytes).map_err(failure::system(&attempt))?;
        match permissions {
            Some(permissions) => {
                let permissions = Permissions::from_raw_mode(permissions & PERMISSIONS);
                rustix::fs::fchmod(&file, permissions).map_err(failure::system(&attempt))
            }
            None => Ok(()),
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if self.fleeting {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

impl Repo {
    /// Makes a stage for `worktree`, which is this repository's: below the git folder when that is on the same file
    /// system, so that nobody who watches the worktree sees it, else in the worktree's root.
    pub fn stage(&self, worktree: &Worktree) -> Result<Stage, Diagnostic> {
        let device = |fd: BorrowedFd<'_>| rustix::fs::fstat(fd).map(|stat| stat.st_dev);
        let home = self.home()?;
        let root = self.need_worktree("the worktree")?;
        let near = device(home.as_fd()).is_ok_and(|home| device(worktree.root.as_fd()) == Ok(home));
        let parent = if near { home.path() } else { root };
        let folder = tempfile::Builder::new()
            .prefix(Stage::PREFIX)
            .tempdir_in(parent);
        let path = folder
            .map_err(failure::system("make a folder for staged files"))?
            .keep();
        let mut stage = Stage::open(&path)?;
        stage.fleeting = true;
        Ok(stage)
    }
}

impl Repo {
    /// Returns what was kept of saves, beside the stages that it came from, in the order of names. Nothing but its owner removes it.
    pub fn kept_saves(&self) -> Vec<PathBuf> {
        let home = self.home_if_any().ok().flatten();
        let near = home.map(|home| home.path().to_owned());
        let far = self.workdir().map(Path::to_owned);
        let mut saves = Vec::new();
        for folder in near.into_iter().chain(far) {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            saves.extend(
                names
                    .filter(|name| Stage::is_name_of_save(name))
                    .map(|name| folder.join(name)),
            );
        }
        saves.sort_unstable();
        saves
    }
}

impl Worktree {
    /// Puts what is staged at `slot` in the place of what stands at `path`, and what stood there at `slot`, if it is
    /// `there`; else nothing changes. `put` says whether `slot` holds a file. Folders are made as they are needed
    /// and removed when they are left empty.
    ///
    /// # Errors
    ///
    /// It may have failed halfway: `take_back` tells, and does the rest.
    pub fn exchange(
        &self,
        kind: HashKind,
        stage: &Stage,
        slot: usize,
        path: &RepoPath,
        there: Option<&FileVersion>,
        put: Option<&FileVersion>,
    ) -> Result<ExchangeResult, Diagnostic> {
        let slot_name = slot.to_string();
        let parent = path.parent();
        let parent = parent.as_ref().map_or("", RepoPath::as_str);
        let folder = if put.is_some() && there.is_none() {
            self.make_folder(parent)?
        } else {
            self.folder(parent)?
        };
        let Some(folder) = folder else {
            return Ok(ExchangeResult::Changed);
        };
        let attempt = format!("replace {}", shown(path.as_str()));
        let name = path.file_name();
        let outcome = match (there, put) {
            (None, None) => return Ok(ExchangeResult::Done),
            (None, Some(_)) => rename(
                &stage.folder,
                &slot_name,
                &folder,
                name,
                RenameFlags::NOREPLACE,
            ),
            (Some(_), None) => take(&folder, name, stage, &slot_name),
            (Some(_), Some(_)) => rename(
                &stage.folder,
                &slot_name,
                &folder,
                name,
                RenameFlags::EXCHANGE,
            ),
        };
        match outcome {
            Ok(()) => {}
            Err(Errno::NOENT | Errno::EXIST | Errno::NOTDIR | Errno::ISDIR) => {
                return Ok(ExchangeResult::Changed);
            }
            Err(error) => return Err(failure::system(&attempt)(error)),
        }
        let Some(there) = there else {
            return Ok(ExchangeResult::Done);
        };
        // Only now is it certain what stood there: between a look and a rename others could have written it. What cannot be read may be
        // what was expected, so that nothing more is done: `take_back` looks again.
        let displaced = regular_file(&stage.folder, &slot_name, path.as_str())?;
        if displaced.is_none_or(|found| !self.is(kind, &found, there)) {
            let back = match put {
                Some(put) => put_back((stage, &slot_name), (&folder, name), |bytes| {
                    Id::of_blob(kind, bytes).0 == put.bytes
                }),
                None => put_anew((stage, &slot_name), (&folder, name)),
            };
            // Where that fails, what the slot has now was in the worktree, and is nowhere else: `take_back` tries again.
            return match back? {
                Saves::One => Ok(ExchangeResult::Changed),
                Saves::Several => Ok(ExchangeResult::Kept(stage.keep_save(&slot_name)?)),
            };
        }
        if put.is_none() {
            self.remove_empty(parent);
        }
        Ok(ExchangeResult::Done)
    }

    /// Says whether the file of a step was exchanged, which `new` was staged for: its slot has that no longer. Whatever came in its place
    /// was in the worktree. `None` where both look alike.
    pub fn was_exchanged(
        &self,
        kind: HashKind,
        stage: &Stage,
        slot: usize,
        old: Option<&FileVersion>,
        new: Option<&FileVersion>,
    ) -> Result<Option<bool>, Diagnostic> {
        stage.was_exchanged(kind, slot, (old, new), self.trusts_mode)
    }

    /// Says whether what stands at `path` has the bytes of `version`, or nothing stands there where that is `None`.
    pub fn has(
        &self,
        kind: HashKind,
        path: &RepoPath,
        version: Option<&FileVersion>,
    ) -> Result<bool, Diagnostic> {
        let found = match self.read(path) {
            Ok(found) => found,
            Err(refusal) if matches!(refusal.code, Code::PathRefused | Code::WorktreeDirty) => {
                return Ok(false);
            }
            Err(failure) => return Err(failure),
        };
        let found = found.map(|found| Id::of_blob(kind, &found.bytes).0);
        Ok(found.as_deref() == version.map(|version| version.bytes.as_str()))
    }
}

impl Stage {
    /// Says whether the file of a step was exchanged, as `Worktree::was_exchanged` does.
    fn was_exchanged(
        &self,
        kind: HashKind,
        slot: usize,
        (old, new): (Option<&FileVersion>, Option<&FileVersion>),
        trusts_mode: bool,
    ) -> Result<Option<bool>, Diagnostic> {
        let held = match (old, new, self.content(kind, &slot.to_string())?) {
            (None, None, _) => return Ok(None),
            (old, _, SlotContent::Nothing) => return Ok(Some(old.is_none())),
            (_, _, SlotContent::Other) => return Ok(Some(true)),
            (_, _, SlotContent::File(held)) => held,
        };
        Ok(match (old, new) {
            (Some(old), Some(new)) if held.bytes == new.bytes && old.bytes == new.bytes => {
                // Only the mode changes, so only the mode tells the two apart.
                let tells = trusts_mode && old.executable != new.executable;
                tells.then_some(held.executable != new.executable)
            }
            (_, Some(new)) => Some(held.bytes != new.bytes),
            (_, None) => Some(true),
        })
    }

    /// Keeps what came to a slot from a place that nothing can be put back to. `Changed` says that nothing came, and something was put.
    pub fn keep_behind(
        &self,
        kind: HashKind,
        slot: usize,
        old: Option<&FileVersion>,
        new: Option<&FileVersion>,
    ) -> Result<ExchangeResult, Diagnostic> {
        let name = slot.to_string();
        let aside = aside_of(&name);
        let aside = match identity(&self.folder, &aside)? {
            Some(_) => Some(self.keep_save(&aside)?),
            None => None,
        };
        // Of what differs in its mode alone no byte is lost.
        let was_exchanged = self.was_exchanged(kind, slot, (old, new), false)? == Some(true);
        let kept = match self.content(kind, &name)? {
            SlotContent::File(_) | SlotContent::Other if was_exchanged => {
                Some(self.keep_save(&name)?)
            }
            _ => aside,
        };
        Ok(match kept {
            Some(kept) => ExchangeResult::Kept(kept),
            None if was_exchanged => ExchangeResult::Changed,
            None => ExchangeResult::Done,
        })
    }
}

impl Worktree {
    /// Takes an exchange back that put `new` in the place of `old`, as far as it happened: what the slot has tells. What somebody wrote
    /// since then stays; and what came to the slot and is not `old` was saved right before, and goes back to its place.
    ///
    /// # Errors
    ///
    /// It cannot be told or done now; the stage and the journal that names it have to stay.
    pub fn take_back(
        &self,
        kind: HashKind,
        stage: &Stage,
        slot: usize,
        path: &RepoPath,
        old: Option<&FileVersion>,
        new: Option<&FileVersion>,
    ) -> Result<ExchangeResult, Diagnostic> {
        if self.is_blocked(path)? {
            return stage.keep_behind(kind, slot, old, new);
        }
        let aside = self.end_steps(kind, stage, &slot.to_string(), path, new)?;
        let back = self.take_slot_back(kind, stage, slot, path, (old, new))?;
        Ok(match (back, aside) {
            (ExchangeResult::Done | ExchangeResult::Changed, Some(kept)) => {
                ExchangeResult::Kept(kept)
            }
            (back, _) => back,
        })
    }

    /// Says whether something that is no folder stands where a folder of `path` was, so that nothing can be put there.
    fn is_blocked(&self, path: &RepoPath) -> Result<bool, Diagnostic> {
        let parent = path.parent();
        match self.folder(parent.as_ref().map_or("", RepoPath::as_str)) {
            Ok(_) => Ok(false),
            Err(refusal) if matches!(refusal.code, Code::PathRefused | Code::WorktreeDirty) => {
                Ok(true)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Takes back an exchange of which no step is missing.
    fn take_slot_back(
        &self,
        kind: HashKind,
        stage: &Stage,
        slot: usize,
        path: &RepoPath,
        (old, new): (Option<&FileVersion>, Option<&FileVersion>),
    ) -> Result<ExchangeResult, Diagnostic> {
        let name = slot.to_string();
        if self.was_exchanged(kind, stage, slot, old, new)? != Some(true) {
            return Ok(ExchangeResult::Done);
        }
        let is_old = match stage.content(kind, &name)? {
            // Taken back already, or taken away.
            SlotContent::Nothing if self.is_missing(path) => return Ok(ExchangeResult::Done),
            SlotContent::Nothing => return self.exchange(kind, stage, slot, path, new, None),
            SlotContent::File(held) => old.is_some_and(|old| held.bytes == old.bytes),
            SlotContent::Other => false,
        };
        let Some(old) = old.filter(|_| is_old) else {
            return self.give_back(kind, stage, &name, path, (old, new));
        };
        let back = self.exchange(kind, stage, slot, path, new, Some(old))?;
        if back != ExchangeResult::Changed {
            return Ok(back);
        }
        let found = match self.read(path) {
            Ok(found) => found,
            Err(refusal) if refusal.code == Code::PathRefused => None,
            Err(failure) => return Err(failure),
        };
        if found.is_some_and(|found| self.is(kind, &found, old)) {
            return Ok(ExchangeResult::Done);
        }
        Ok(ExchangeResult::Kept(stage.keep_save(&name)?))
    }

    /// Says whether nothing at all is at `path`.
    fn is_missing(&self, path: &RepoPath) -> bool {
        let parent = path.parent();
        match self.folder(parent.as_ref().map_or("", RepoPath::as_str)) {
            Ok(Some(folder)) => {
                let found =
                    rustix::fs::statat(&folder, path.file_name(), AtFlags::SYMLINK_NOFOLLOW);
                found.is_err_and(|error| error == Errno::NOENT)
            }
            Ok(None) => true,
            Err(_) => false,
        }
    }

    /// Puts what the slot called `slot` has, which somebody saved, in the place of what a batch put at `path` or put back there.
    fn give_back(
        &self,
        kind: HashKind,
        stage: &Stage,
        slot: &str,
        path: &RepoPath,
        (old, new): (Option<&FileVersion>, Option<&FileVersion>),
    ) -> Result<ExchangeResult, Diagnostic> {
        let parent = path.parent();
        let parent = parent.as_ref().map_or("", RepoPath::as_str);
        let kept = || Ok(ExchangeResult::Kept(stage.keep_save(slot)?));
        let Some(folder) = self.make_folder(parent)? else {
            return kept();
        };
        let is_ours = |bytes: &[u8]| {
            let id = Id::of_blob(kind, bytes).0;
            let mut ours = old.into_iter().chain(new);
            ours.any(|version| version.bytes == id)
        };
        let found = match read_file(&folder, path.file_name(), path.as_str()) {
            Ok(Some(found)) if !is_ours(&found.bytes) => return kept(),
            Ok(found) => found,
            Err(refusal) if refusal.code == Code::PathRefused => return kept(),
            Err(failure) => return Err(failure),
        };
        let place = (&folder, path.file_name());
        let back = match found {
            Some(_) => put_back((stage, slot), place, is_ours),
            None => put_anew((stage, slot), place),
        };
        if back? == Saves::Several {
            return kept();
        }
        // What the file was before may be in no other place: it had not to be committed.
        let has_old = match stage.content(kind, slot)? {
            SlotContent::File(held) => old.is_some_and(|old| {
                held.bytes == old.bytes && new.is_none_or(|new| new.bytes != old.bytes)
            }),
            SlotContent::Nothing | SlotContent::Other => false,
        };
        if has_old {
            return kept();
        }
        Ok(ExchangeResult::Changed)
    }

    /// Ends an exchange that was made in small steps, and stopped between two of them: the file goes back where it is missing, else it
    /// goes to the slot, as with an exchange that is made in one. Returns where it is kept if it can do neither.
    fn end_steps(
        &self,
        kind: HashKind,
        stage: &Stage,
        slot: &str,
        path: &RepoPath,
        new: Option<&FileVersion>,
    ) -> Result<Option<PathBuf>, Diagnostic> {
        let parent = path.parent();
        let parent = parent.as_ref().map_or("", RepoPath::as_str);
        let attempt = format!("put {} in order", shown(path.as_str()));
        // The second name of a file that was on its way.
        if let Some(of_slot) = identity(&stage.folder, slot)?
            && let Some(folder) = self.folder(parent)?
            && identity(&folder, path.file_name())? == Some(of_slot)
        {
            rustix::fs::unlinkat(&stage.folder, slot, AtFlags::empty())
                .map_err(failure::system(&attempt))?;
        }
        let aside = aside_of(slot);
        if identity(&stage.folder, &aside)?.is_none() {
            return Ok(None);
        }
        if let Some(folder) = self.make_folder(parent)? {
            let place = (&folder, path.file_name());
            if put_anew((stage, &aside), place)? == Saves::One {
                return Ok(None);
            }
        }
        let is_free = match stage.content(kind, slot)? {
            SlotContent::Nothing => true,
            SlotContent::File(held) => new.is_some_and(|new| held.bytes == new.bytes),
            SlotContent::Other => false,
        };
        if !is_free {
            // What the batch had put is nobody's.
            let is_staged = match stage.content(kind, &aside)? {
                SlotContent::File(held) => new.is_some_and(|new| held.bytes == new.bytes),
                SlotContent::Nothing | SlotContent::Other => false,
            };
            return match is_staged {
                true => Ok(None),
                false => Ok(Some(stage.keep_save(&aside)?)),
            };
        }
        rustix::fs::renameat(&stage.folder, &aside, &stage.folder, slot)
            .map_err(failure::system(&attempt))?;
        Ok(None)
    }

    /// Returns whether `found` is `version`.
    pub fn is(&self, kind: HashKind, found: &FileFound, version: &FileVersion) -> bool {
        let mode = (found.mode == FileMode::Executable) == version.executable;
        (mode || !self.trusts_mode) && Id::of_blob(kind, &found.bytes).0 == version.bytes
    }

    /// Returns the metadata of the regular file at `path`, for the index.
    pub fn stat(&self, path: &RepoPath) -> Option<Stat> {
        let folder = self
            .folder(path.parent().as_ref().map_or("", RepoPath::as_str))
            .ok()
            .flatten()?;
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file =
            rustix::fs::openat(&folder, path.file_name(), flags, Permissions::empty()).ok()?;
        let metadata = File::from(file).metadata().ok()?;
        metadata.is_file().then(|| Stat::of(&metadata))
    }

    /// Opens the folder at `path` and makes what is missing of it; `None` when something else is in the way.
    fn make_folder(&self, path: &str) -> Result<Option<OwnedFd>, Diagnostic> {
        let mut here = self
            .root
            .as_fd()
            .try_clone_to_owned()
            .map_err(failure::system("open the worktree"))?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let attempt = format!("make the folder {}", shown(path));
            match rustix::fs::mkdirat(&here, name, Permissions::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(failure::system(&attempt)(error)),
            }
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            here = match rustix::fs::openat(&here, name, flags, Permissions::empty()) {
                Ok(folder) => folder,
                Err(Errno::NOTDIR | Errno::LOOP) => return Ok(None),
                Err(error) => return Err(failure::system(&attempt)(error)),
            };
        }
        Ok(Some(here))
    }

    /// Removes the folder at `path` and those above it as far as they are empty, but for the one that the caller is in, as git
    /// does.
    pub fn remove_empty(&self, path: &str) {
        let mut path = path;
        while !path.is_empty() {
            let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
            let Ok(Some(folder)) = self.folder(above) else {
                return;
            };
            if is_current(&folder, name)
                || rustix::fs::unlinkat(&folder, name, AtFlags::REMOVEDIR).is_err()
            {
                return;
            }
            path = above;
        }
    }
}

/// How many saves of another program `put_back` met.
#[derive(Debug, PartialEq, Eq)]
enum Saves {
    /// The one that is put back.
    One,
    /// Others since: one is in the worktree, the other in the slot.
    Several,
}

/// Exchanges the file in a slot of a stage with the one in the worktree, which the batch had put there: `is_placed` knows it
/// by its bytes. What comes to the slot is looked at: where it is another, it was saved since, and goes back to the worktree. Where
/// somebody took it away meanwhile, it is put all the same.
fn put_back(
    (stage, slot): (&Stage, &str),
    (folder, name): (&OwnedFd, &str),
    is_placed: impl Fn(&[u8]) -> bool,
) -> Result<Saves, Diagnostic> {
    let attempt = format!("put {} back", shown(name));
    let swap = || {
        let swapped = match rename(&stage.folder, slot, folder, name, RenameFlags::EXCHANGE) {
            Err(Errno::NOENT) => {
                let flags = RenameFlags::NOREPLACE;
                rename(&stage.folder, slot, folder, name, flags).map(|()| Swap::Put)
            }
            outcome => outcome.map(|()| Swap::Exchanged),
        };
        swapped.map_err(failure::system(&attempt))
    };
    let mut saved = bytes_at(&stage.folder, slot)?;
    if swap()? == Swap::Put {
        return Ok(Saves::One);
    }
    let mut came = bytes_at(&stage.folder, slot)?;
    if came.as_deref().is_some_and(is_placed) {
        return Ok(Saves::One);
    }
    // Somebody who saves faster than this looks has as many chances; then both saves are kept as they are.
    for _ in 0..ROUNDS {
        if swap()? == Swap::Put {
            return Ok(Saves::One);
        }
        let back = bytes_at(&stage.folder, slot)?;
        if back == saved {
            break;
        }
        (saved, came) = (came, back);
    }
    Ok(Saves::Several)
}

/// Puts what a slot of a stage has where nothing is, unless something came there meanwhile.
fn put_anew(
    (stage, slot): (&Stage, &str),
    (folder, name): (&OwnedFd, &str),
) -> Result<Saves, Diagnostic> {
    match rename(&stage.folder, slot, folder, name, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(Saves::One),
        Err(Errno::EXIST | Errno::NOTEMPTY | Errno::ISDIR | Errno::NOTDIR) => Ok(Saves::Several),
        Err(error) => Err(failure::system(&format!("put {} back", shown(name)))(error)),
    }
}

/// Moves what stands in the worktree to a slot of a stage, in which nothing is.
fn take(folder: &OwnedFd, name: &str, stage: &Stage, slot: &str) -> Result<(), Errno> {
    let flags = RenameFlags::NOREPLACE;
    match rustix::fs::renameat_with(folder, name, &stage.folder, slot, flags) {
        // In one step all the same: nobody else writes in a stage, and what is linked and then removed may be another file by then.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            match rustix::fs::statat(&stage.folder, slot, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => rustix::fs::renameat(folder, name, &stage.folder, slot),
                Ok(_) => Err(Errno::EXIST),
                Err(error) => Err(error),
            }
        }
        outcome => outcome,
    }
}

/// How a file came from a slot to its place.
#[derive(PartialEq, Eq)]
enum Swap {
    /// In exchange for what was there.
    Exchanged,
    /// Nothing was there.
    Put,
}

/// How often a file is exchanged that somebody goes on saving.
const ROUNDS: usize = 64;

/// Returns the bytes of the regular file called `name`, if there is one.
fn bytes_at(folder: &OwnedFd, name: &str) -> Result<Option<Vec<u8>>, Diagnostic> {
    Ok(regular_file(folder, name, name)?.map(|file| file.bytes))
}

/// Reads the regular file `name` in `folder`, which messages call `path`; `None` where nothing stands there, or something that is none.
fn regular_file(folder: &OwnedFd, name: &str, path: &str) -> Result<Option<FileFound>, Diagnostic> {
    match read_file(folder, name, path) {
        Err(refusal) if refusal.code == Code::PathRefused => Ok(None),
        outcome => outcome,
    }
}

/// Says whether the folder called `name` is the one that this process is in.
fn is_current(folder: &OwnedFd, name: &str) -> bool {
    let here = rustix::fs::stat(".").ok();
    let here = here.map(|here| (here.st_dev, here.st_ino));
    here.is_some() && identity(folder, name).is_ok_and(|found| found == here)
}

/// Returns device and inode of what is called `name`, if anything is.
fn identity(folder: &OwnedFd, name: &str) -> Result<Option<(u64, u64)>, Diagnostic> {
    match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => Ok(Some((found.st_dev, found.st_ino))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(failure::system(&format!("look at {}", shown(name)))(error)),
    }
}

/// Returns where what makes way for the file in `slot` waits, if an exchange is made in small steps.
fn aside_of(slot: &str) -> String {
    format!("{slot}.aside")
}

/// Renames without ever replacing anything that is not looked at: `flags` says whether to exchange or to refuse. On a
/// file system that knows neither, the same is done in small steps, with a gap that only such a file system has.
fn rename(
    from: &OwnedFd,
    old: &str,
    to: &OwnedFd,
    new: &str,
    flags: RenameFlags,
) -> Result<(), Errno> {
    match rustix::fs::renameat_with(from, old, to, new, flags) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
        outcome => return outcome,
    }
    if !flags.contains(RenameFlags::EXCHANGE) {
        let is_folder = rustix::fs::statat(from, old, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_dir());
        if is_folder {
            // No folder has two names; one takes the place of nothing but an empty one.
            return rustix::fs::renameat(from, old, to, new);
        }
        rustix::fs::linkat(from, old, to, new, AtFlags::empty())?;
        return rustix::fs::unlinkat(from, old, AtFlags::empty());
    }
    let aside = aside_of(old);
    rustix::fs::renameat(to, new, from, &aside)?;
    let placed = rename(from, old, to, new, RenameFlags::NOREPLACE);
    if placed.is_ok() {
        return rustix::fs::renameat(from, &aside, from, old);
    }
    // Somebody may have saved the file meanwhile, which was missing. Then this is no exchange that did not happen, but one that stopped
    // halfway, whatever the error says: what is aside is in no other place.
    rename(from, &aside, to, new, RenameFlags::NOREPLACE).map_err(|_| Errno::BUSY)?;
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_happen_is_taken_back_without_a_change() {
        use crate::git::testing::{Sandbox, path};
        use crate::snapshot::HashKind;
        let sandbox = Sandbox::with(&[], &[("a.txt", "old\n")]);
        let repo = sandbox.repo();
        let worktree = repo.worktree().expect("a worktree");
        let stage = repo.stage(&worktree).expect("a stage");
        let version = |bytes: &[u8]| FileVersion {
            executable: false,
            bytes: Id::of_blob(HashKind::Sha1, bytes).0,
        };
        let (old, new) = (version(b"old\n"), version(b"new\n"));
        stage
            .put(0, b"new\n", FileMode::Regular, None)
            .expect("a staged file");
        let place = path("a.txt");
        for _ in 0..2 {
            let back =
                worktree.take_back(HashKind::Sha1, &stage, 0, &place, Some(&old), Some(&new));
            assert_eq!(back.ok(), Some(ExchangeResult::Done));
            assert_eq!(sandbox.read("a.txt"), "old\n");
        }
    }

    /// What stands at `a.txt`, in the slot and aside, as a killed exchange of `old` and `new` or the taking back of one may leave it; what
    /// becomes of the file, and what is kept.
    #[test]
    fn whatever_was_left_of_an_exchange_no_save_is_lost() {
        use crate::git::testing::{Sandbox, path};
        use crate::snapshot::HashKind;
        type Left<'a> = Option<&'a str>;
        let check = |before: (Left<'_>, Left<'_>),
                     left: (Left<'_>, Left<'_>, Left<'_>),
                     expected: (Left<'_>, &[&str])| {
            let sandbox = Sandbox::with(&[], &[("b.txt", "b\n")]);
            let repo = sandbox.repo();
            let worktree = repo.worktree().expect("a worktree");
            let stage = repo.stage(&worktree).expect("a stage");
            let (file, slot, aside) = left;
            let place = sandbox.root().join("a.txt");
            for (place, text) in [
                (place.clone(), file),
                (stage.path().join("0"), slot),
                (stage.path().join("0.aside"), aside),
            ] {
                if let Some(text) = text {
                    std::fs::write(place, text).expect("it is written");
                }
            }
            let version = |text: &str| FileVersion {
                executable: false,
                bytes: Id::of_blob(HashKind::Sha1, text.as_bytes()).0,
            };
            let (old, new) = (before.0.map(version), before.1.map(version));
            // As often as it is killed and asked once more.
            for _ in 0..2 {
                let place = path("a.txt");
                worktree
                    .take_back(
                        HashKind::Sha1,
                        &stage,
                        0,
                        &place,
                        old.as_ref(),
                        new.as_ref(),
                    )
                    .expect("it is taken back");
            }
            drop(stage);
            let read = |place: &Path| std::fs::read_to_string(place).ok();
            let kept: Vec<String> = repo.kept_saves().iter().filter_map(|it| read(it)).collect();
            assert_eq!(
                (read(&place).as_deref(), &kept[..]),
                (
                    expected.0,
                    &expected
                        .1
                        .iter()
                        .map(|&it| it.to_owned())
                        .collect::<Vec<_>>()[..]
                ),
                "{before:?} {left:?}"
            );
        };
        let (old, new, save, other) = (Some("old"), Some("new"), Some("save"), Some("other"));
        // It did not happen, whatever somebody saved since.
        check((old, new), (old, new, None), (old, &[]));
        check((old, new), (save, new, None), (save, &[]));
        // It happened.
        check((old, new), (new, old, None), (old, &[]));
        check((old, None), (None, old, None), (old, &[]));
        check((None, new), (new, None, None), (None, &[]));
        // Somebody wrote the file since then, or took it away.
        check((old, new), (save, old, None), (save, &["old"]));
        check((old, new), (None, old, None), (None, &["old"]));
        check((old, None), (save, old, None), (save, &["old"]));
        check((None, new), (save, None, None), (save, &[]));
        // A save right before made way for what was to be put, or before what was to be put back.
        check((old, new), (new, save, None), (save, &[]));
        check((old, None), (None, save, None), (save, &[]));
        check((old, new), (old, save, None), (save, &["old"]));
        check((None, new), (None, save, None), (save, &[]));
        // And somebody wrote it once more, or took it away.
        check((old, new), (other, save, None), (other, &["save"]));
        check((old, new), (None, save, None), (save, &[]));
        // In small steps, from one to the next.
        check((old, new), (None, new, old), (old, &[]));
        check((old, new), (new, new, old), (old, &[]));
        check((old, new), (new, None, old), (old, &[]));
        check((old, new), (save, new, old), (save, &["old"]));
        // On its way back, after a save that was displaced: what the batch had put is nobody's.
        check((old, new), (other, save, new), (other, &["save"]));
        check((old, new), (None, save, new), (save, &[]));
    }

    #[test]
    fn what_cannot_go_back_for_what_is_in_the_way_is_kept() {
        use crate::git::testing::{Sandbox, path};
        use crate::snapshot::HashKind;
        let sandbox = Sandbox::with(&[], &[("d", "a file where the folder was\n")]);
        let repo = sandbox.repo();
        let worktree = repo.worktree().expect("a worktree");
        let stage = repo.stage(&worktree).expect("a stage");
        stage
            .put(0, b"old\n", FileMode::Regular, None)
            .expect("a staged file");
        let version = |bytes: &[u8]| FileVersion {
            executable: false,
            bytes: Id::of_blob(HashKind::Sha1, bytes).0,
        };
        let (old, new) = (version(b"old\n"), version(b"new\n"));
        let place = path("d/a.txt");
        let back = worktree.take_back(HashKind::Sha1, &stage, 0, &place, Some(&old), Some(&new));
        let Ok(ExchangeResult::Kept(kept)) = back else {
            panic!("{back:?}");
        };
        assert_eq!(std::fs::read_to_string(kept).expect("it is kept"), "old\n");
        assert_eq!(sandbox.read("d"), "a file where the folder was\n");
    }

    #[test]
    fn of_a_file_with_two_names_on_its_way_one_is_left() {
        use crate::git::testing::{Sandbox, path};
        use crate::snapshot::HashKind;
        let version = |bytes: &[u8]| FileVersion {
            executable: false,
            bytes: Id::of_blob(HashKind::Sha1, bytes).0,
        };
        let check = |place: &str,
                     aside: Option<&str>,
                     old: Option<&FileVersion>,
                     expected: Option<&str>| {
            let sandbox = Sandbox::with(&[], &[("a.txt", place)]);
            let repo = sandbox.repo();
            let worktree = repo.worktree().expect("a worktree");
            let stage = repo.stage(&worktree).expect("a stage");
            let file = sandbox.root().join("a.txt");
            std::fs::hard_link(&file, stage.path().join("0")).expect("a second name");
            if let Some(aside) = aside {
                std::fs::write(stage.path().join("0.aside"), aside).expect("a file");
            }
            let new = version(b"new");
            let back =
                worktree.take_back(HashKind::Sha1, &stage, 0, &path("a.txt"), old, Some(&new));
            assert_eq!(back.ok(), Some(ExchangeResult::Done));
            assert_eq!(std::fs::read_to_string(file).ok().as_deref(), expected);
            assert!(repo.kept_saves().is_empty());
        };
        let old = version(b"old");
        // Of what comes to be; of what replaces another; of that other, on its way back.
        check("new", None, None, None);
        check("new", Some("old"), Some(&old), Some("old"));
        check("old", Some("new"), Some(&old), Some("old"));
    }

    #[test]
    fn saves_are_known_by_their_names() {
        for name in ["saved-aB3-0-0", "saved-x-12-3", "saved-x-12.aside-3"] {
            assert!(Stage::is_name_of_save(name), "{name}");
        }
        for name in [
            "saved-",
            "saved-x",
            "saved-x-1",
            "saved-my-work",
            "saved-x-1-2-3",
            "saved-x-1.py-2",
        ] {
            assert!(!Stage::is_name_of_save(name), "{name}");
        }
    }

    #[test]
    fn a_folder_in_the_place_of_a_file_is_put_back_as_well() {
        use crate::git::testing::{Sandbox, path};
        use crate::snapshot::HashKind;
        let sandbox = Sandbox::with(&[], &[("a.txt", "new\n")]);
        let repo = sandbox.repo();
        let worktree = repo.worktree().expect("a worktree");
        let stage = repo.stage(&worktree).expect("a stage");
        std::fs::create_dir(stage.path().join("0")).expect("a folder");
        std::fs::write(stage.path().join("0/work"), "mine\n").expect("a file");
        let version = |bytes: &[u8]| FileVersion {
            executable: false,
            bytes: Id::of_blob(HashKind::Sha1, bytes).0,
        };
        let (old, new) = (version(b"old\n"), version(b"new\n"));
        let place = path("a.txt");
        worktree
            .take_back(HashKind::Sha1, &stage, 0, &place, Some(&old), Some(&new))
            .expect("it is taken back");
        assert_eq!(sandbox.read("a.txt/work"), "mine\n");
    }

    #[test]
    fn a_save_before_the_put_back_stays() {
        let check = |worktree: &str, expected: (&str, &str, Saves)| {
            let place = tempfile::tempdir().expect("a folder");
            let (staged, root) = (place.path().join("stage"), place.path().join("root"));
            std::fs::create_dir(&staged).expect("a stage");
            std::fs::create_dir(&root).expect("a root");
            std::fs::write(staged.join("0"), "first save").expect("a save");
            std::fs::write(root.join("m.py"), worktree).expect("a file");
            let stage = Stage::open(&staged).expect("a stage");
            let held = Stage::open(&root).expect("a root");
            let saves = put_back((&stage, "0"), (&held.folder, "m.py"), |bytes| {
                bytes == b"the batch's"
            })
            .expect("it is put back");
            let read = |path: PathBuf| std::fs::read_to_string(path).expect("a file");
            let (file, slot) = (read(root.join("m.py")), read(staged.join("0")));
            assert_eq!((file.as_str(), slot.as_str(), saves), expected);
        };
        check("the batch's", ("first save", "the batch's", Saves::One));
        check("second save", ("second save", "first save", Saves::Several));
        // Taken away meanwhile.
        let place = tempfile::tempdir().expect("a folder");
        std::fs::write(place.path().join("0"), "first save").expect("a save");
        let stage = Stage::open(place.path()).expect("a stage");
        let root = Stage::open(place.path()).expect("a root");
        let saves = put_back((&stage, "0"), (&root.folder, "m.py"), |_| false);
        assert_eq!(saves.ok(), Some(Saves::One));
        let saved = std::fs::read_to_string(place.path().join("m.py"));
        assert_eq!(saved.expect("it is put"), "first save");
    }

    #[test]
    fn a_save_that_is_kept_survives_whatever_command_is_next() {
        use crate::git::testing::{Sandbox, path};
        let sandbox = Sandbox::with(&[], &[("a.txt", "old\n")]);
        let repo = sandbox.repo();
        let worktree = repo.worktree().expect("a worktree");
        let stage = repo.stage(&worktree).expect("a stage");
        let version = |bytes: &[u8]| FileVersion {
            executable: false,
            bytes: Id::of_blob(HashKind::Sha1, bytes).0,
        };
        // As it is when somebody saved before the exchange, and once more since.
        sandbox.write("a.txt", "second save\n");
        stage
            .put(0, b"first save\n", FileMode::Regular, None)
            .expect("a staged file");
        let (old, new) = (version(b"old\n"), version(b"new\n"));
        let slot = (&stage, "0");
        let held = worktree.folder("").expect("it is read").expect("a root");
        let saves = put_back(slot, (&held, "a.txt"), |bytes| bytes == b"new\n");
        assert_eq!(saves.ok(), Some(Saves::Several));
        let kept = stage.keep_save("0").expect("it is kept");
        drop(stage);
        repo.sweep();
        assert_eq!(repo.kept_saves(), std::slice::from_ref(&kept));
        assert_eq!(
            std::fs::read_to_string(&kept).expect("it is kept"),
            "first save\n"
        );
        assert_eq!(sandbox.read("a.txt"), "second save\n");
        // What is neither is put back, and nothing is to be kept.
        let stage = repo.stage(&worktree).expect("a stage");
        stage
            .put(0, b"new\n", FileMode::Regular, None)
            .expect("a staged file");
        let place = path("a.txt");
        let back = worktree.exchange(HashKind::Sha1, &stage, 0, &place, Some(&old), Some(&new));
        assert_eq!(back.ok(), Some(ExchangeResult::Changed));
        assert_eq!(sandbox.read("a.txt"), "second save\n");
    }

    #[test]
    fn who_may_read_a_file_may_execute_it_then() {
        let check = |mode, permissions, expected| {
            assert_eq!(
                permissions_as(mode, permissions),
                expected,
                "{permissions:o} {mode:?}"
            );
        };
        check(FileMode::Regular, 0o600, 0o600);
        check(FileMode::Regular, 0o444, 0o444);
        check(FileMode::Executable, 0o644, 0o755);
        check(FileMode::Executable, 0o640, 0o750);
        check(FileMode::Executable, 0o400, 0o500);
        check(FileMode::Executable, 0o700, 0o700);
        check(FileMode::Executable, 0o200, 0o300);
        check(FileMode::Regular, 0o755, 0o644);
        check(FileMode::Regular, 0o711, 0o600);
        // Only the owner's bit counts, as for git.
        check(FileMode::Regular, 0o655, 0o655);
    }
}
