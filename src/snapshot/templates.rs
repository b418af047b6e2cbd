//! `Templates`: those that files of a batch were made from.

use std::collections::{BTreeMap, BTreeSet};

use super::Change;
use super::blob::Blob;
use crate::path::RepoPath;

/// The folders of templates that the base configures, as far as somebody had to look into them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Templates {
    /// The folders, each with its final slash, in the configuration's order.
    pub folders: Vec<String>,
    /// Every file in them.
    pub paths: BTreeSet<RepoPath>,
    /// The content of those that were read.
    pub files: BTreeMap<RepoPath, Blob>,
}

impl Templates {
    /// Says whether `path` is in one of the folders.
    pub fn holds(&self, path: &RepoPath) -> bool {
        self.folders
            .iter()
            .any(|folder| path.as_str().starts_with(folder))
    }

    pub(super) fn with(&self, changes: &[Change]) -> Templates {
        let mut templates = self.clone();
        for change in changes.iter().filter(|change| self.holds(&change.path)) {
            match &change.after {
                Some(file) => {
                    templates.paths.insert(change.path.clone());
                    templates
                        .files
                        .insert(change.path.clone(), file.bytes.clone());
                }
                None => {
                    templates.paths.remove(&change.path);
                    templates.files.remove(&change.path);
                }
            }
        }
        templates
    }
}
