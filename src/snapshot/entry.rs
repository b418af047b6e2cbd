//! `Entry`: what is at one path of a snapshot, mostly a `File`.

use super::blob::Blob;
use crate::path::RepoPath;

/// How git would write the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMode {
    /// 100644
    Regular,
    /// 100755
    Executable,
}

/// A regular file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Executable or not.
    pub mode: FileMode,
    /// The content as git stores it (for the worktree: as it would be stored).
    pub bytes: Blob,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotEntry {
    /// A regular file.
    File(File),
    /// A folder.
    Folder,
    /// A symbolic link.
    Symlink,
    /// A submodule, or a nested repository.
    Submodule,
    /// The path passes through something that is not a folder: a link, a submodule, a file.
    Behind {
        /// What stands in the way.
        what: Obstacle,
        /// Where.
        at: RepoPath,
    },
    /// Nothing, with the paths a caller may have meant.
    Absent {
        /// Paths that exist and are spelled nearly so, nearest first.
        nearest: Vec<RepoPath>,
        /// A path that a case-folding or normalising file system takes for the same.
        twin: Option<RepoPath>,
    },
}

/// What a path cannot pass through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A symbolic link.
    Symlink,
    /// A submodule, or a nested repository.
    Submodule,
    /// A regular file.
    File,
}
