//! `Snapshot`: the paths of one batch as they are in one base.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::base::Base;
use super::change::Change;
use super::entry::{File, SnapshotEntry};
use super::id::HashKind;
use super::project::Project;
use super::templates::Templates;
use crate::path::RepoPath;

/// The paths of one batch as they stand in one base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// What it was taken of.
    pub base: Base,
    /// Which hash names the repository's objects, and so its segments.
    pub hash: HashKind,
    /// An entry for every path that the batch names or that a pathspec of it matched.
    pub entries: BTreeMap<RepoPath, SnapshotEntry>,
    /// For each list of pathspecs in the batch, the regular files it matched, sorted.
    pub matches: BTreeMap<Vec<String>, Vec<RepoPath>>,
    /// Templates that files of the batch were made from, where an operation asks for a block of such a file.
    pub templates: Arc<Templates>,
    /// The files in which an operation of the batch looks for references; none where none does.
    pub project: Arc<Project>,
}

impl Snapshot {
    /// Returns what stands at `path`; a path that nobody asked for is absent.
    pub fn entry(&self, path: &RepoPath) -> &SnapshotEntry {
        const NOTHING: &SnapshotEntry = &SnapshotEntry::Absent {
            nearest: Vec::new(),
            twin: None,
        };
        self.entries.get(path).unwrap_or(NOTHING)
    }

    /// Returns the regular file at `path`.
    pub fn file(&self, path: &RepoPath) -> Option<&File> {
        match self.entry(path) {
            SnapshotEntry::File(file) => Some(file),
            SnapshotEntry::Folder
            | SnapshotEntry::Symlink
            | SnapshotEntry::Submodule
            | SnapshotEntry::Behind { .. }
            | SnapshotEntry::Absent { .. } => None,
        }
    }
}

impl Snapshot {
    /// Returns the snapshot as `changes` leave it: what a second batch of the same call is resolved against.
    pub fn with(mut self, changes: &[Change]) -> Snapshot {
        for change in changes {
            let entry = match &change.after {
                Some(file) => SnapshotEntry::File(file.clone()),
                None => SnapshotEntry::Absent {
                    nearest: Vec::new(),
                    twin: None,
                },
            };
            if change.after.is_none() {
                self.matches
                    .values_mut()
                    .for_each(|matched| matched.retain(|path| *path != change.path));
            }
            self.entries.insert(change.path.clone(), entry);
        }
        if changes
            .iter()
            .any(|change| self.templates.holds(&change.path))
        {
            self.templates = Arc::new(self.templates.with(changes));
        }
        if !self.project.files.is_empty() {
            self.project = Arc::new(self.project.with(changes));
        }
        self
    }
}
