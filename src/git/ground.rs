//! `Ground`: the three things that a snapshot can be taken of, behind the few questions that a reader asks.

mod index;
mod tree;
mod worktree;

use super::{ReadSource, Repo, failure};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::{Blob, FileMode, HashKind, Id};

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathKind {
    /// A regular file.
    File(FileMode),
    /// A folder.
    Folder,
    /// A symbolic link.
    Symlink,
    /// A submodule, or a nested repository.
    Submodule,
}

/// A commit's tree, the index, or the worktree.
pub(super) trait Ground {
    /// Returns what stands at `path`, every folder above which is known to be one.
    fn kind(&self, path: &str) -> Result<Option<PathKind>, Diagnostic>;
    /// Returns the content of the regular file at `path`, as git stores it.
    fn bytes(&self, path: &RepoPath) -> Result<Blob, Diagnostic>;
    /// Returns where the symbolic link at `path` leads, as it is written.
    fn target(&self, path: &RepoPath) -> Result<Vec<u8>, Diagnostic> {
        // A link is stored like a file that holds where it leads.
        self.bytes(path).map(|bytes| bytes.to_vec())
    }
    /// Returns the stored blob that `bytes` would read at `path`, where there is one.
    fn blob(&self, path: &str) -> Result<Option<Id>, Diagnostic>;
    /// Says whether something is tracked at `path` or below it.
    fn is_tracked(&self, path: &str) -> Result<bool, Diagnostic> {
        Ok(self.kind(path)?.is_some())
    }
    /// Returns the names in `folder` (`""` is the root), in no order.
    fn names(&self, folder: &str) -> Result<Vec<String>, Diagnostic>;
    /// Calls `visit` with every tracked path and what stands there, sorted, until it returns false.
    fn files(&self, visit: &mut dyn FnMut(&str, FileMode) -> bool) -> Result<(), Diagnostic>;
}

impl Repo {
    /// Returns what `source` stands for, ready to be asked.
    pub(super) fn ground(&self, source: &ReadSource) -> Result<Box<dyn Ground + '_>, Diagnostic> {
        Ok(match source {
            ReadSource::Commit { tree, .. } => Box::new(tree::TreeGround::new(self, Some(tree))),
            ReadSource::Unborn { tree } => Box::new(tree::TreeGround::new(self, tree.as_ref())),
            ReadSource::Index => Box::new(index::IndexGround::new(self)?),
            ReadSource::Worktree => Box::new(worktree::WorktreeGround::new(self)?),
        })
    }

    /// Returns the content of the blob `blob`, which stands at `path`. A missing one is never an absent file: a partial
    /// clone is asked to fetch it, anything else is a failure.
    pub(super) fn blob_bytes(&self, blob: &Id, path: &str) -> Result<Blob, Diagnostic> {
        let oid = self.oid(blob)?;
        match self.while_repacked(|| self.git2.find_blob(oid)) {
            Ok(found) => {
                let bytes = found.content();
                check_intact(self.hash_kind(), blob, path, bytes)?;
                Ok(Blob::known(bytes.to_vec(), self.hash_kind(), blob.clone()))
            }
            Err(error) if error.code() == git2::ErrorCode::NotFound && self.is_partial() => {
                let attempt = format!("fetch the content of {}", shown(path));
                let git = self
                    .program()
                    .fetching(&format!("the content of {}", shown(path)))?;
                let bytes = git.demand(&attempt, &["cat-file", "blob", &blob.0], &[])?;
                Ok(Blob::known(bytes, self.hash_kind(), blob.clone()))
            }
            Err(error) => Err(unreadable(blob, path, error)),
        }
    }
}

/// Refuses `bytes` that are not those of the blob `blob`, which stands at `path`. For whoever reads one by libgit2, which is
/// told not to look at that itself.
pub(super) fn check_intact(
    hash: HashKind,
    blob: &Id,
    path: &str,
    bytes: &[u8],
) -> Result<(), Diagnostic> {
    if Id::of_blob(hash, bytes) == *blob {
        return Ok(());
    }
    let message = format!(
        "the content of {} is damaged: it is not that of blob {blob}",
        shown(path)
    );
    Err(Diagnostic::new(Code::Io, message).note("`git fsck` says what else is damaged"))
}

/// Says why the content of the blob `blob`, which stands at `path`, cannot be had.
pub(super) fn unreadable(blob: &Id, path: &str, error: git2::Error) -> Diagnostic {
    if error.code() != git2::ErrorCode::NotFound {
        return failure::git2(&format!("read {}", shown(path)))(error);
    }
    let message = format!(
        "the content of {} is missing from the repository (blob {blob})",
        shown(path)
    );
    Diagnostic::new(Code::Io, message).note("`git fsck` says what else is missing")
}
