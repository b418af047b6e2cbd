//! `ReadSource`: what a snapshot is taken of.

use crate::snapshot::Id;

/// What is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadSource {
    /// The tree of a commit.
    Commit {
        /// The commit.
        commit: Id,
        /// The tree to read: the commit's own, or what earlier batches of the same call make of it.
        tree: Id,
    },
    /// A branch without a commit: nothing, or what earlier batches of the same call made of it.
    Unborn {
        /// The tree to read.
        tree: Option<Id>,
    },
    /// The index.
    Index,
    /// The worktree's files.
    Worktree,
}
