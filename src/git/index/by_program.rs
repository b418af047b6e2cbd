//! Indexes that only git writes: those that are split into a shared file and what differs from that, and those that have folders for
//! entries.

use std::fs;

use super::edit::IndexEdit;
use crate::diagnostic::Diagnostic;
use crate::git::base::index_file::IndexFormat;
use crate::git::{Repo, failure};
use crate::snapshot::HashKind;

/// Has git write a plain copy of a split or sparse index, and returns its bytes.
pub(super) fn read_full_copy(repo: &Repo) -> Result<Vec<u8>, Diagnostic> {
    let attempt = "read a split or sparse index";
    let folder = repo.scratch()?;
    let copy = folder.path().join("index");
    fs::copy(&repo.index_file, &copy).map_err(failure::system(attempt))?;
    let plain = ["-c", "core.splitIndex=false", "-c", "index.sparse=false"];
    let rewrite = ["update-index", "--no-split-index", "--force-write-index"];
    let program = repo.program().with("GIT_INDEX_FILE", &copy);
    program.demand(attempt, &[&plain[..], &rewrite].concat(), &[])?;
    fs::read(&copy).map_err(failure::system(attempt))
}

/// Has git itself make the edits on a copy, so that a split index stays split and a sparse one sparse.
pub(super) fn with_git(
    repo: &Repo,
    edits: &[IndexEdit],
    format: IndexFormat,
    skipped: &[u8],
) -> Result<Vec<u8>, Diagnostic> {
    let attempt = "write a split or sparse index";
    let folder = repo.scratch()?;
    let file = folder.path().join("index");
    fs::copy(&repo.index_file, &file).map_err(failure::system(attempt))?;
    let zero = "0".repeat(match repo.hash_kind() {
        HashKind::Sha1 => 40,
        HashKind::Sha256 => 64,
    });
    let mut lines = Vec::new();
    let (gone, kept): (Vec<&IndexEdit>, Vec<&IndexEdit>) =
        edits.iter().partition(|edit| edit.entry.is_none());
    for edit in gone.into_iter().chain(kept) {
        match &edit.entry {
            None => lines.extend(format!("0 {zero}\t{}\0", edit.path).bytes()),
            Some((mode, blob)) => {
                lines.extend(format!("{:o} {blob}\t{}\0", mode.bits(), edit.path).bytes())
            }
        }
    }
    let git = repo.program().with("GIT_INDEX_FILE", &file);
    let full = ["-c", "index.sparse=false", "update-index"];
    let run = |arguments: &[&str], input: &[u8]| {
        git.demand(attempt, &[&full[..], arguments].concat(), input)
    };
    if format == IndexFormat::Sparse {
        // Made full first: told to change a path inside a folder that a sparse index holds as one entry, git 2.47 keeps both.
        run(&["--force-write-index"], &[])?;
    }
    run(&["-z", "--index-info"], &lines)?;
    if !skipped.is_empty() {
        // `--index-info` makes new entries, and new entries are checked out.
        run(&["-z", "--skip-worktree", "--stdin"], skipped)?;
    }
    if format == IndexFormat::Sparse {
        // And once more with the caller's own settings, which make it sparse again. Not so a split one: a write by force
        // cuts it off from its shared file.
        git.demand(attempt, &["update-index", "--force-write-index"], &[])?;
    }
    fs::read(&file).map_err(failure::system(attempt))
}
