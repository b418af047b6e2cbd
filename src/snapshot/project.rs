//! `Project`: all files that a batch has to know which looks for references.

use std::collections::BTreeMap;

use super::Change;
use super::blob::Blob;
use crate::path::RepoPath;

/// The tracked files of a base that are code, and of the others those that hold a word that is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// Their bytes.
    pub files: BTreeMap<RepoPath, Blob>,
}

impl Project {
    pub(super) fn with(&self, changes: &[Change]) -> Project {
        let mut project = self.clone();
        for change in changes {
            match &change.after {
                Some(file) => {
                    let bytes = file.bytes.clone();
                    project.files.insert(change.path.clone(), bytes);
                }
                None => drop(project.files.remove(&change.path)),
            }
        }
        project
    }
}
