//! Opens a repository for readers, once what an interrupted command left is settled.

use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::git::{Durability, Repo};
use crate::publish;

/// Opens the repository for somebody who only reads.
pub(super) fn open_to_read(repo_dir: &Path) -> Result<Repo, Diagnostic> {
    settle_first(Repo::glance(repo_dir)?)
}

/// Returns a repository for somebody who reads the index or the worktree, and shall not see half of what an interrupted command
/// left; a commit is never half. What cannot be put in order by a reader, say because it may not write there, or because it does
/// not bear our seal, waits for somebody who publishes.
pub(super) fn settle_first(repo: Repo) -> Result<Repo, Diagnostic> {
    if !publish::is_left_over(&repo) {
        return Ok(repo);
    }
    let repo = repo
        .for_writing(Durability::Configured)?
        .starting_only_the_callers();
    let _ = publish::recover_if_idle(&repo);
    Ok(repo)
}
