//! `Counted`: the files that a batch counts in, as they were when it counted first.
//!
//! Who was overtaken resolves its batch again, and who puts a batch forth again does so, too. A name finds its place in what the
//! file has become; a number finds one as well, but another. So an operation that counts is held to the very file.
//! Known limit: a template that a file was made from may change without the file.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Destination, Files, Manifest, Order, Verb};
use crate::path::RepoPath;
use crate::snapshot::{Blob, Snapshot};

/// Of each operation that counts, the files that it acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    by_operation: BTreeMap<usize, Counting>,
}

/// What one operation counts in.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counting {
    /// The field that counts.
    field: &'static str,
    files: BTreeMap<RepoPath, Option<Blob>>,
}

/// An operation whose count has another meaning now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miscounted {
    /// Index of the operation.
    pub operation: usize,
    /// The field that counts.
    pub field: &'static str,
    /// A file that is not what it was.
    pub path: RepoPath,
}

impl Counted {
    /// Returns the files of `snapshot` that the operations of `manifest` count in.
    pub fn of(manifest: &Manifest, snapshot: &Snapshot) -> Counted {
        let counting = |(index, field): (usize, &'static str)| {
            let paths = paths_of(manifest, index, snapshot);
            let content = |path: RepoPath| {
                let blob = snapshot.file(&path).map(|file| file.bytes.clone());
                (path, blob)
            };
            (index, Counting { field, files: paths.into_iter().map(content).collect() })
        };
        let operations = manifest.operations.iter().enumerate();
        let fields = operations.filter_map(|(index, operation)| Some((index, operation.counts_by()?)));
        Counted { by_operation: fields.map(counting).collect() }
    }

    /// Says whether nothing counts.
    pub fn is_empty(&self) -> bool {
        self.by_operation.is_empty()
    }

    /// Returns each operation that counts in a file that is another one in `now`, which is of the same manifest.
    pub fn miscounted(&self, now: &Counted) -> Vec<Miscounted> {
        let changed = |(&operation, was): (&usize, &Counting)| {
            let now = &now.by_operation.get(&operation)?.files;
            let is_other = |path: &&RepoPath| was.files.get(*path) != now.get(*path);
            let path = was.files.keys().chain(now.keys()).find(is_other)?.clone();
            Some(Miscounted { operation, field: was.field, path })
        };
        self.by_operation.iter().filter_map(changed).collect()
    }
}

impl Miscounted {
    /// Returns the refusal of a batch that somebody overtook.
    pub fn refusal(&self, manifest: &Manifest) -> Diagnostic {
        let code = match manifest.destination {
            Destination::Commit | Destination::Stash => Code::RefMoved,
            Destination::Index | Destination::Cached | Destination::Worktree => Code::ChangedSince,
        };
        let Miscounted { operation, field, path } = self;
        let path = shown(path.as_str());
        let message =
            format!("operation {operation} counts, by `{field}`, in {path}, which somebody changed meanwhile");
        let place = manifest.operations.get(*operation).and_then(|operation| operation.place(field));
        Diagnostic::new(code, message)
            .note("read the file again and repeat the request; what is named, or held to its hash by `expect`, is resolved again by itself")
            .at(place)
            .of_operation(*operation)
    }
}

/// Returns the paths that the operation at `index` acts on, and those that earlier steps move there.
fn paths_of(manifest: &Manifest, index: usize, snapshot: &Snapshot) -> BTreeSet<RepoPath> {
    let (earlier, operations) = manifest.operations.split_at(index.min(manifest.operations.len()));
    let mut paths: BTreeSet<RepoPath> = match operations.first().map(|operation| &operation.files) {
        Some(Files::One(path)) => BTreeSet::from([path.clone()]),
        Some(Files::Matching(specs)) => snapshot.matches.get(specs).into_iter().flatten().cloned().collect(),
        None => BTreeSet::new(),
    };
    let is_stepwise = manifest.order == Order::Sequential;
    for operation in earlier.iter().rev().filter(|_| is_stepwise) {
        if let (Verb::RenameFile { to }, Files::One(from)) = (&operation.verb, &operation.files)
            && paths.contains(to)
        {
            paths.insert(from.clone());
        }
    }
    paths
}
