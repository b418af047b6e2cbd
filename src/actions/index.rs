//! Looks after the index of segments that `find` looks names up in: brings it up to date, builds it anew, measures it, drops it.

use std::path::{Path, PathBuf};

use super::look::here;
use super::open::open_to_read;
use crate::diagnostic::{Code, Diagnostic};
use crate::segment_index::{self, IndexLook, IndexSize, ReadProgress, Refreshed};

/// What to do about the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexAct {
    /// Bring it up to date.
    Refresh,
    /// Drop it and build it anew.
    Rebuild,
    /// Drop it.
    Drop,
    /// Only look.
    Look,
}

/// What became of the index, or what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexAnswer {
    /// The file that it is kept in.
    pub path: PathBuf,
    /// What was done.
    pub done: IndexChange,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexChange {
    /// It is up to date.
    Refreshed(Refreshed),
    /// It is no longer there.
    Dropped {
        /// Whether it was.
        existed: bool,
    },
    /// It was looked at.
    Looked(IndexLook),
}

impl IndexChange {
    /// Returns what there is now.
    pub fn measure(&self) -> IndexSize {
        match self {
            IndexChange::Refreshed(refreshed) => refreshed.measure,
            IndexChange::Looked(IndexLook::There(standing)) => standing.measure,
            IndexChange::Dropped { .. }
            | IndexChange::Looked(IndexLook::Nothing | IndexLook::Unusable) => IndexSize::default(),
        }
    }
}

/// Does `act` for the files that `find` would search.
pub fn run(
    repo_dir: &Path,
    act: IndexAct,
    progress: ReadProgress<'_>,
) -> Result<IndexAnswer, Vec<Diagnostic>> {
    let run = || {
        let repo = open_to_read(repo_dir)?;
        let path = segment_index::path(&repo)?;
        let done = match act {
            IndexAct::Drop => IndexChange::Dropped {
                existed: segment_index::drop_all(&repo)?,
            },
            IndexAct::Look => IndexChange::Looked(segment_index::standing(&repo, &here(&repo)?)?),
            IndexAct::Refresh | IndexAct::Rebuild => {
                let source = here(&repo)?;
                if act == IndexAct::Rebuild {
                    segment_index::drop_all(&repo)?;
                }
                let refreshed = segment_index::refresh(&repo, &source, progress)?;
                IndexChange::Refreshed(refreshed.ok_or_else(|| unusable(&path))?)
            }
        };
        Ok(IndexAnswer { path, done })
    };
    run().map_err(|error| vec![error])
}

fn unusable(path: &Path) -> Diagnostic {
    Diagnostic::new(Code::Io, format!("could not write {}", path.display()))
        .note("`find` works without it; it needs a folder that can be written, room on the disk, and nobody who writes it for long")
}
