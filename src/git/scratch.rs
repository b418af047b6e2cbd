//! Making a folder for what is only needed for a moment.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;

use rustix::fs::{FlockOperation, flock};

use super::base::scratch::{PREFIX, Scratch};
use super::{Repo, failure};
use crate::diagnostic::Diagnostic;

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
