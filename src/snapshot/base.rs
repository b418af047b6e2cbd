//! `Base`: what a snapshot was taken of.

use super::id::Id;

/// What a snapshot was taken of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A commit and its tree.
    Commit {
        /// The commit.
        commit: Id,
        /// Its tree.
        tree: Id,
    },
    /// A branch without a commit yet.
    Unborn,
    /// The index, over the commit that HEAD names if there is one.
    Index {
        /// HEAD's commit.
        head: Option<Id>,
    },
    /// The worktree's files, over the commit that HEAD names if there is one.
    Worktree {
        /// HEAD's commit.
        head: Option<Id>,
    },
}

impl Base {
    /// Returns the commit that the snapshot stands on.
    pub fn commit(&self) -> Option<&Id> {
        match self {
            Base::Commit { commit, .. } => Some(commit),
            Base::Unborn => None,
            Base::Index { head } | Base::Worktree { head } => head.as_ref(),
        }
    }
}
