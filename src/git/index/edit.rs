//! `IndexEdit`: what an index shall say about one path.

use crate::git::base::stat::Stat;
use crate::path::RepoPath;
use crate::snapshot::{FileMode, Id};

/// What the index shall say about one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexEdit {
    /// The path.
    pub path: RepoPath,
    /// Mode and blob; `None` to forget the path.
    pub entry: Option<(FileMode, Id)>,
    /// What the system says about the file just written, so that git need not read it again.
    pub stat: Option<Stat>,
}
