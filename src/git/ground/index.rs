//! The index as a `Ground`.

use super::tree::kind_of;
use super::{Ground, PathKind};
use crate::diagnostic::Diagnostic;
use crate::git::Repo;
use crate::git::index::Entries;
use crate::path::RepoPath;
use crate::snapshot::{Blob, FileMode, Id};

/// The index as it stood when the snapshot was taken.
pub(super) struct IndexGround<'r> {
    repo: &'r Repo,
    entries: Entries,
}

impl<'r> IndexGround<'r> {
    pub(super) fn new(repo: &'r Repo) -> Result<IndexGround<'r>, Diagnostic> {
        repo.need_worktree("the index")?;
        Ok(IndexGround {
            repo,
            entries: repo.read_index()?,
        })
    }
}

impl Ground for IndexGround<'_> {
    fn kind(&self, path: &str) -> Result<Option<PathKind>, Diagnostic> {
        let entry = self.entries.get(path)?;
        let folder = || self.entries.has_folder(path).then_some(PathKind::Folder);
        Ok(entry.and_then(|entry| kind_of(entry.bits)).or_else(folder))
    }

    fn bytes(&self, path: &RepoPath) -> Result<Blob, Diagnostic> {
        let entry = self.entries.get(path.as_str())?;
        entry.map_or_else(
            || Ok(Blob::default()),
            |entry| self.repo.blob_bytes(&entry.id, path.as_str()),
        )
    }

    fn blob(&self, path: &str) -> Result<Option<Id>, Diagnostic> {
        Ok(self.entries.get(path)?.map(|entry| entry.id))
    }

    fn names(&self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        Ok(self.entries.names(folder))
    }

    fn files(&self, visit: &mut dyn FnMut(&str, FileMode) -> bool) -> Result<(), Diagnostic> {
        self.entries.each(&mut |path, entry| {
            FileMode::from_bits(entry.bits).is_none_or(|mode| visit(path, mode))
        });
        Ok(())
    }
}
