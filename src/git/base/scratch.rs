//! `Scratch`: a folder below the git folder for what is only needed for a moment.
//!
//! Invariant: whoever uses one holds a lock on it, which the kernel gives back when they die; so one that nobody holds is a dead
//! publisher's and can go, however young it is.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tempfile::TempDir;

/// What its name begins with.
pub(in crate::git) const PREFIX: &str = "tmp-";

/// A folder of our own, gone when this is dropped.
#[derive(Debug)]
pub(in crate::git) struct Scratch {
    pub(in crate::git) folder: TempDir,
    /// The lock.
    pub(in crate::git) _held: File,
}

impl Scratch {
    /// Returns where it is.
    pub(in crate::git) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Says whether `folder`, called `name`, is one that its maker left behind.
pub(in crate::git) fn is_abandoned(name: &str, folder: &Path) -> bool {
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
