//! `Change`: one path of a snapshot written anew.

use std::collections::BTreeMap;

use super::entry::File;
use crate::path::RepoPath;

/// What a batch makes of one path; a rename is a removal and a creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path.
    pub path: RepoPath,
    /// The file before, as the snapshot had it.
    pub before: Option<File>,
    /// The file after.
    pub after: Option<File>,
}

/// Merges changes of one path, each on what the one before it left; sorted, those that end as they began left out.
pub fn merged<'c>(changes: impl Iterator<Item = &'c Change>) -> Vec<Change> {
    let mut all: BTreeMap<&RepoPath, Change> = BTreeMap::new();
    for change in changes {
        all.entry(&change.path)
            .and_modify(|first| first.after.clone_from(&change.after))
            .or_insert_with(|| change.clone());
    }
    all.into_values()
        .filter(|change| change.before != change.after)
        .collect()
}
