//! Placeholder for what reads segments and changes nothing.

use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::resolve::Segment;

/// A file, in a revision or where the caller stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevPath {
    /// The revision; `None` is the worktree's file, an empty one the index.
    pub rev: Option<String>,
    /// The file.
    pub path: RepoPath,
}

/// Returns the segments of each file.
pub fn outline(_repo_dir: &Path, _paths: &[RevPath]) -> Result<Vec<(RepoPath, Vec<Segment>)>, Vec<Diagnostic>> {
    Ok(Vec::new())
}

/// Returns the segment at an address, `[<rev>:]<path>::<segment>`, and its bytes.
pub fn show(_repo_dir: &Path, _file: &RevPath, _segment: &str) -> Result<(Segment, Vec<u8>), Vec<Diagnostic>> {
    Err(Vec::new())
}

/// Returns the definitions of `name` in the files that a pathspec matches; without one, in every file.
pub fn find(_repo_dir: &Path, _name: &str, _pathspecs: &[String]) -> Result<Vec<Segment>, Vec<Diagnostic>> {
    Ok(Vec::new())
}
