//! The worktree as a `Ground`: its files as git would store them, tracked or not.

use super::{Ground, PathKind};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::Repo;
use crate::git::index::Entries;
use crate::git::worktree::Worktree;
use crate::path::RepoPath;
use crate::snapshot::{Blob, FileMode, Id};

/// The worktree, and the index for what only that knows.
pub(super) struct WorktreeGround<'r> {
    repo: &'r Repo,
    worktree: Worktree,
    entries: Entries,
}

impl<'r> WorktreeGround<'r> {
    pub(super) fn new(repo: &'r Repo) -> Result<WorktreeGround<'r>, Diagnostic> {
        Ok(WorktreeGround {
            repo,
            worktree: repo.worktree()?,
            entries: repo.read_index()?,
        })
    }

    /// Returns what the index holds at `path`, whatever state it is in.
    fn indexed_bits(&self, path: &str) -> Option<u32> {
        self.entries
            .get(path)
            .ok()
            .flatten()
            .map(|entry| entry.bits)
    }
}

impl Ground for WorktreeGround<'_> {
    fn kind(&self, path: &str) -> Result<Option<PathKind>, Diagnostic> {
        let kind = self.worktree.kind(path)?;
        // A submodule that is not checked out is an empty folder; only the index knows.
        if kind == Some(PathKind::Folder) && self.indexed_bits(path) == Some(0o160_000) {
            return Ok(Some(PathKind::Submodule));
        }
        if let Some(PathKind::File(found)) = kind {
            let indexed = self.indexed_bits(path).and_then(FileMode::from_bits);
            let mode = if self.worktree.trusts_mode() {
                found
            } else {
                indexed.unwrap_or(FileMode::Regular)
            };
            return Ok(Some(PathKind::File(mode)));
        }
        if kind.is_none()
            && self
                .entries
                .get(path)
                .ok()
                .flatten()
                .is_some_and(|entry| entry.skip_worktree)
        {
            let message = format!("{} is not checked out here (sparse checkout)", shown(path));
            return Err(Diagnostic::new(Code::UnsupportedRepository, message)
                .note("destination `commit`, `index` or `cached` can change it"));
        }
        Ok(kind)
    }

    fn bytes(&self, path: &RepoPath) -> Result<Blob, Diagnostic> {
        let found = self.worktree.read(path)?;
        let bytes = found.map(|file| file.bytes).unwrap_or_default();
        self.repo.stored_form(path, bytes).map(Blob::from)
    }

    fn target(&self, path: &RepoPath) -> Result<Vec<u8>, Diagnostic> {
        let link = self.repo.workdir().map(|top| top.join(path.as_str()));
        let target = link.and_then(|link| std::fs::read_link(link).ok());
        Ok(target
            .map(|target| target.into_os_string().into_encoded_bytes())
            .unwrap_or_default())
    }

    fn blob(&self, _path: &str) -> Result<Option<Id>, Diagnostic> {
        Ok(None)
    }

    fn is_tracked(&self, path: &str) -> Result<bool, Diagnostic> {
        Ok(self.entries.has(path) || self.entries.has_folder(path))
    }

    fn names(&self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        self.worktree.names(folder)
    }

    fn files(&self, visit: &mut dyn FnMut(&str, FileMode) -> bool) -> Result<(), Diagnostic> {
        let mut outcome = Ok(());
        self.entries.each(&mut |path, entry| match (
            FileMode::from_bits(entry.bits),
            self.worktree.kind(path),
        ) {
            (Some(_), Ok(Some(PathKind::File(mode)))) => visit(path, mode),
            (_, Err(error)) if error.code == Code::Io => {
                outcome = Err(error);
                false
            }
            // Deleted, replaced by something else, or behind a link: no file to speak of.
            (Some(_) | None, _) => true,
        });
        outcome
    }
}
