//! `Ground`: the three things that a snapshot can be taken of, behind the few questions that a reader asks.

use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::snapshot::{Blob, FileMode, Id};

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::git) enum PathKind {
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
pub(in crate::git) trait Ground {
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
