//! `Scratch`: a folder below the git folder for what is only needed for a moment.
//!
//! Invariant: whoever uses one holds a lock on it, which the kernel gives back when they die; so one that nobody holds is a dead
//! publisher's and can go, however young it is.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tempfile::TempDir;

use super::{Repo, failure};
use crate::diagnostic::Diagnostic;

const PREFIX: &str = "tmp-";

/// A folder of our own, gone when this is dropped.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: TempDir,
    _held: File,
}

impl Scratch {
    /// Returns where it is.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Repo {
    /// Makes a folder for what is only needed for a moment, on the file system of the git folder.
    pub(super) fn scratch(&self) -> Result<Scratch, Diagnostic> {
        let failed = || failure::system("make a temporary folder");
        let home = self.home()?;
        loop {
            let folder = tempfile::Builder::new()
                .prefix(PREFIX)
                .tempdir_in(home.path())
                .map_err(failed())?;
            // Between the two somebody may have swept it away.
            let held = match File::open(folder.path()) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                held => held.map_err(failed())?,
            };
            // Where there are no such locks, age decides.
            let _ = flock(&held, FlockOperation::LockShared);
            if fs::metadata(folder.path())
                .is_ok_and(|there| Some(there.ino()) == held.metadata().ok().map(|m| m.ino()))
            {
                return Ok(Scratch {
                    folder,
                    _held: held,
                });
            }
        }
    }
}

/// Says whether `folder`, called `name`, is one that its maker left behind.
pub(super) fn is_abandoned(name: &str, folder: &Path) -> bool {
    const LONG: Duration = Duration::from_secs(24 * 60 * 60);
    let old = |file: &File| {
        let modified = file.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| {
            SystemTime::now()
                .duration_since(modified)
                .is_ok_and(|age| age > LONG)
        })
    };
    // A folder: to open a pipe is to wait for somebody who writes to it.
    let is_folder = || folder.symlink_metadata().is_ok_and(|found| found.is_dir());
    let Some(file) = name
        .starts_with(PREFIX)
        .then(|| is_folder().then(|| File::open(folder).ok()))
        .flatten()
        .flatten()
    else {
        return false;
    };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => true,
        Err(Errno::NOLCK | Errno::NOSYS | Errno::OPNOTSUPP) => old(&file),
        Err(_) => false,
    }
}
