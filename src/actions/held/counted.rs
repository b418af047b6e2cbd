//! `Counted`: the files that a batch counts in, as they were when it counted first.
//!
//! Known limit: a template that a file was made from may change without the file.

use std::collections::{BTreeMap, BTreeSet};

use super::otherwise::Otherwise;
use crate::manifest::{Files, Manifest, ResolveOrder, Verb};
use crate::path::RepoPath;
use crate::snapshot::{Blob, HashKind, Snapshot};

/// Of each operation that counts, the files that it acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CountedMatches {
    by_operation: BTreeMap<usize, Counting>,
}

/// What one operation counts in.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counting {
    /// The field that counts.
    field: &'static str,
    files: BTreeMap<RepoPath, Option<Blob>>,
}

impl CountedMatches {
    /// Returns the files of `snapshot` that the operations of `manifest` count in.
    pub(super) fn of(manifest: &Manifest, snapshot: &Snapshot) -> CountedMatches {
        let counting = |(index, field): (usize, &'static str)| {
            let paths = paths_of(manifest, index, snapshot);
            let content = |path: RepoPath| {
                let blob = snapshot.file(&path).map(|file| file.bytes.clone());
                (path, blob)
            };
            (
                index,
                Counting {
                    field,
                    files: paths.into_iter().map(content).collect(),
                },
            )
        };
        let operations = manifest.operations.iter().enumerate();
        let fields =
            operations.filter_map(|(index, operation)| Some((index, operation.counts_by()?)));
        CountedMatches {
            by_operation: fields.map(counting).collect(),
        }
    }

    /// Says, of each operation that counts, the files that it counts in, with their hashes.
    pub(super) fn say(&self, kind: HashKind, said: &mut BTreeMap<usize, Vec<u8>>) {
        for (operation, counting) in &self.by_operation {
            let text = said.entry(*operation).or_default();
            for (path, file) in &counting.files {
                let id = file
                    .as_ref()
                    .map_or_else(String::new, |file| file.id(kind).0);
                text.extend_from_slice(format!("counts {id} {path}\n").as_bytes());
            }
        }
    }

    /// Returns each operation that counts in a file that is another one in `now`, which is of the same manifest.
    pub(super) fn otherwise(&self, now: &CountedMatches) -> Vec<Otherwise> {
        let changed = |(&operation, was): (&usize, &Counting)| {
            let now = &now.by_operation.get(&operation)?.files;
            let is_other = |path: &&RepoPath| was.files.get(*path) != now.get(*path);
            let path = was.files.keys().chain(now.keys()).find(is_other)?;
            let field = was.field;
            Some(Otherwise {
                operation,
                field,
                does: format!("counts, by `{field}`, in"),
                what: path.to_string(),
            })
        };
        self.by_operation.iter().filter_map(changed).collect()
    }
}

/// Returns the paths that the operation at `index` acts on, and those that earlier steps move there.
fn paths_of(manifest: &Manifest, index: usize, snapshot: &Snapshot) -> BTreeSet<RepoPath> {
    let (earlier, operations) = manifest
        .operations
        .split_at(index.min(manifest.operations.len()));
    let mut paths: BTreeSet<RepoPath> = match operations.first().map(|operation| &operation.files) {
        Some(Files::One(path)) => BTreeSet::from([path.clone()]),
        Some(Files::Matching(specs)) => snapshot
            .matches
            .get(specs)
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
        None => BTreeSet::new(),
    };
    let is_stepwise = manifest.order == ResolveOrder::Sequential;
    for operation in earlier.iter().rev().filter(|_| is_stepwise) {
        if let (Verb::RenameFile { to, .. }, Files::One(from)) = (&operation.verb, &operation.files)
            && paths.contains(to)
        {
            paths.insert(from.clone());
        }
    }
    paths
}
