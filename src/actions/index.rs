//! Looks after the catalog of segments that `find` looks names up in: brings it up to date, builds it anew, measures it, drops it.

use std::path::{Path, PathBuf};

use super::look::here;
use super::open::visit;
use crate::catalog::{self, Looked, Measure, Progress, Refreshed};
use crate::diagnostic::{Code, Diagnostic};

/// What to do about the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Bring it up to date.
    Refresh,
    /// Drop it and build it anew.
    Rebuild,
    /// Drop it.
    Drop,
    /// Only look.
    Look,
}

/// What became of the catalog, or what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// The file that it is kept in.
    pub path: PathBuf,
    /// What was done.
    pub done: Done,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// It is up to date.
    Refreshed(Refreshed),
    /// It is no longer there.
    Dropped {
        /// Whether it was.
        existed: bool,
    },
    /// It was looked at.
    Looked(Looked),
}

impl Done {
    /// Returns what there is now.
    pub fn measure(&self) -> Measure {
        match self {
            Done::Refreshed(refreshed) => refreshed.measure,
            Done::Looked(Looked::There(standing)) => standing.measure,
            Done::Dropped { .. } | Done::Looked(Looked::Nothing | Looked::Unusable) => {
                Measure::default()
            }
        }
    }
}

/// Does `act` for the files that `find` would search.
pub fn run(repo_dir: &Path, act: Act, progress: Progress<'_>) -> Result<Indexed, Vec<Diagnostic>> {
    let run = || {
        let repo = visit(repo_dir)?;
        let path = catalog::path(&repo)?;
        let done = match act {
            Act::Drop => Done::Dropped {
                existed: catalog::drop_all(&repo)?,
            },
            Act::Look => Done::Looked(catalog::standing(&repo, &here(&repo)?)?),
            Act::Refresh | Act::Rebuild => {
                let source = here(&repo)?;
                if act == Act::Rebuild {
                    catalog::drop_all(&repo)?;
                }
                let refreshed = catalog::refresh(&repo, &source, progress)?;
                Done::Refreshed(refreshed.ok_or_else(|| unusable(&path))?)
            }
        };
        Ok(Indexed { path, done })
    };
    run().map_err(|error| vec![error])
}

fn unusable(path: &Path) -> Diagnostic {
    Diagnostic::new(Code::Io, format!("could not write {}", path.display()))
        .note("`find` works without it; it needs a folder that can be written, room on the disk, and nobody who writes it for long")
}
