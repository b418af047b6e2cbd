//! Whether what is written has to be on disk before it counts as written.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use super::{Repo, failure};
use crate::diagnostic::Diagnostic;

impl Repo {
    /// Returns whether a ref is flushed.
    pub(super) fn flushes_refs(&self) -> bool {
        self.config.flush().refs
    }

    /// Has the disk take what was written to `folder` and to those above it, up to the git folder, if that is asked for.
    pub(super) fn flush_folders(&self, folder: &Path) -> Result<(), Diagnostic> {
        if !self.config.flush().folders {
            return Ok(());
        }
        for folder in folder
            .ancestors()
            .take_while(|folder| folder.starts_with(self.common_dir()))
        {
            let flushed = match File::open(folder) {
                // The last ref in it was removed, and the folder with it.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                opened => opened.and_then(|folder| folder.sync_all()),
            };
            flushed.map_err(failure::system(&format!("flush {}", folder.display())))?;
        }
        Ok(())
    }
}
