//! What programs did to a checkout, found by the times that the system keeps of files and undone.
//!
//! A file's own time can be set to anything, the time of its last change of any kind cannot: what is younger than the
//! checkout was touched. Only such files are read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;

use rustix::fs::{FileType, Mode as Permissions, OFlags, Stat};

use super::folder::FolderHandle;
use super::form::Form;
use super::record::{CheckoutRecord, Moment};
use crate::diagnostic::{Diagnostic, shown};
use crate::git::base::held_folder::{look, names, remove_entry, unlocked};
use crate::git::changes::TreeFile;
use crate::git::failure;
use crate::snapshot::{FileMode, HashKind, Id};

/// What is laid out, by path.
pub(super) type FilesByPath = BTreeMap<Vec<u8>, TreeFile>;

/// What there was to do.
#[derive(Debug, Default)]
pub(super) struct Mended {
    /// How many files and folders were too many.
    pub removed: usize,
    /// What has to be laid out again.
    pub missing: Vec<Vec<u8>>,
}

/// Removes from `folder` what does not belong to what is `laid`, or is no longer as it was laid.
pub(super) fn mend(
    folder: &mut FolderHandle,
    record: &CheckoutRecord,
    laid: &FilesByPath,
    hash: HashKind,
    now: Moment,
) -> Result<Mended, Diagnostic> {
    // A clock that was set back says nothing about what happened since.
    let moment = if now < record.moment {
        (i64::MIN, 0)
    } else {
        record.moment
    };
    let mut walk = Walk {
        record,
        laid,
        hash,
        moment,
        seen: BTreeSet::new(),
        removed: 0,
    };
    walk.folder(folder.root(), b"")?;
    let missing = laid
        .keys()
        .filter(|path| !walk.seen.contains(*path))
        .cloned()
        .collect();
    Ok(Mended {
        removed: walk.removed,
        missing,
    })
}

struct Walk<'a> {
    record: &'a CheckoutRecord,
    laid: &'a FilesByPath,
    hash: HashKind,
    moment: Moment,
    /// What is as it should be.
    seen: BTreeSet<Vec<u8>>,
    removed: usize,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &OwnedFd, prefix: &[u8]) -> Result<(), Diagnostic> {
        let attempt = |path: &[u8]| format!("look at {}", shown(&String::from_utf8_lossy(path)));
        for name in names(folder).map_err(|error| failure::system(&attempt(prefix))(error))? {
            let name = name.to_bytes();
            let path = [prefix, name].concat();
            let failed = |error| failure::system(&attempt(&path))(error);
            let found = look(folder, name).map_err(failed)?;
            if self.is_ours(&path, &found) {
                let inner = unlocked(folder, name, &found).map_err(failed)?;
                self.folder(&inner, &[&path, &b"/"[..]].concat())?;
            } else if !self
                .laid
                .get(&path)
                .is_some_and(|file| self.is_as_laid(folder, name, file, &found))
            {
                remove_entry(folder, name).map_err(failed)?;
                // One that was only changed is written again, and counts as that.
                self.removed += usize::from(!self.laid.contains_key(&path));
                continue;
            }
            self.seen.insert(path);
        }
        Ok(())
    }

    /// Says whether a folder is the one that was made there.
    fn is_ours(&self, path: &[u8], found: &Stat) -> bool {
        FileType::from_raw_mode(found.st_mode) == FileType::Directory
            && self.record.folders.get(path) == Some(&found.st_ino)
    }

    /// Says whether what was `found` is what was laid out.
    fn is_as_laid(&self, folder: &OwnedFd, name: &[u8], file: &TreeFile, found: &Stat) -> bool {
        if FileType::from_raw_mode(found.st_mode) == FileType::Directory {
            return false;
        }
        let changed = [
            (
                found.st_ctime,
                i64::try_from(found.st_ctime_nsec).unwrap_or_default(),
            ),
            (
                found.st_mtime,
                i64::try_from(found.st_mtime_nsec).unwrap_or_default(),
            ),
        ];
        changed.into_iter().all(|time| time < self.moment)
            || self.has_content(folder, name, file, found)
    }

    /// Says whether a file that was touched has its bytes and its mode all the same. Where the bytes are git's work, nobody
    /// knows without doing that work again.
    fn has_content(&self, folder: &OwnedFd, name: &[u8], file: &TreeFile, found: &Stat) -> bool {
        let regular = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
        let mode = if found.st_mode & 0o100 == 0 {
            FileMode::Regular
        } else {
            FileMode::Executable
        };
        let readable = found.st_mode & 0o600 == 0o600;
        if self.record.form != Form::Stored
            || !regular
            || !readable
            || FileMode::from_bits(file.bits) != Some(mode)
        {
            return false;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut bytes = Vec::new();
        let read = rustix::fs::openat(folder, name, flags, Permissions::empty())
            .map_err(std::io::Error::from)
            .and_then(|file| File::from(file).read_to_end(&mut bytes));
        read.is_ok() && Id::of_blob(self.hash, &bytes) == file.id
    }
}
