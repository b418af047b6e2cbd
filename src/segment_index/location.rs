//! Where the index is kept.

use std::path::PathBuf;

use super::store::{self};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::Repo;

/// Returns where the index is kept; a refusal for callers who have no cache folder.
pub(crate) fn path(repo: &Repo) -> Result<PathBuf, Diagnostic> {
    let nowhere = || {
        Diagnostic::new(
            Code::Io,
            "there is no cache folder of yours to keep an index in",
        )
    };
    let folder =
        folder(repo).ok_or_else(|| nowhere().note("it is `$XDG_CACHE_HOME`, or `~/.cache`"))?;
    Ok(store::file(&folder))
}

/// Returns the folder that the index is kept in. It is the caller's own: from what is kept here follows which
/// bytes an edit replaces, and what stood in the git folder, whoever made that could have written.
pub(super) fn folder(repo: &Repo) -> Option<PathBuf> {
    repo.cache_place()
}
