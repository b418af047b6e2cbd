//! `NewEntry`: an entry that is made before its batch is published and becomes visible after it.

use super::displaced::{self, Displaced};
use super::intent::{self, Announced, Proof};
use super::record::{self, BatchRecord, FileRecord, RecordedFile};
use super::{BATCHES, NamedEntry, UndoMark};
use crate::diagnostic::Diagnostic;
use crate::git::{Object, ObjectKind, Repo, TreeFailure};
use crate::manifest::Destination;
use crate::snapshot::{Blob, Change, Id};

/// What an entry will hold.
#[derive(Clone, Debug)]
pub(crate) struct NewEntry {
    /// What is written about it.
    pub record: BatchRecord,
    /// The operation file.
    pub operations: String,
    /// The report.
    pub report: Vec<u8>,
    /// The states.
    pub states: States,
    /// Files of worktrees that held more than git stores of them.
    pub displaced: Vec<Displaced>,
}

/// The states before and after.
#[derive(Clone, Debug)]
pub(crate) enum States {
    /// Of a batch that made a commit: where the trees come from is in the commits.
    Commits {
        /// The tree before; `None` on an unborn branch.
        before: Option<Id>,
    },
    /// Of one that made none: the touched files.
    Files(Vec<Change>),
}

impl FileRecord {
    /// Returns what is written about `change`, in a repository whose objects are named by `kind`.
    pub fn of(
        change: &Change,
        kind: crate::snapshot::HashKind,
        lines: (usize, usize),
    ) -> FileRecord {
        let status = match (&change.before, &change.after) {
            (None, _) => "added",
            (_, None) => "deleted",
            (Some(_), Some(_)) => "modified",
        };
        FileRecord {
            path: change.path.clone(),
            status: status.to_owned(),
            old: change
                .before
                .as_ref()
                .map(|file| RecordedFile::of(file, kind)),
            new: change
                .after
                .as_ref()
                .map(|file| RecordedFile::of(file, kind)),
            added: lines.0,
            removed: lines.1,
        }
    }
}

/// Stores `entries`, in order and of one call, and announces them. Nobody sees them yet.
///
/// `now` is in microseconds since 1970. In the publisher's turn only: that orders the entries.
pub(crate) fn announce(
    repo: &Repo,
    entries: &[NewEntry],
    now: u64,
) -> Result<Option<Announced>, Diagnostic> {
    let first = super::moments(repo, now, entries.len())?;
    let mut make = Vec::new();
    for (micros, entry) in (first..).zip(entries) {
        let tree = store(repo, entry)?;
        make.push((format!("{BATCHES}{micros:014x}-{}", entry.record.id), tree));
    }
    let Some(last) = entries.last() else {
        return Ok(None);
    };
    let files = || {
        entries
            .iter()
            .flat_map(|entry| entry.record.files.clone())
            .collect()
    };
    let proof = proof(repo, &last.record, files);
    intent::promise(repo, proof, &make, &[]).map(Some)
}

fn proof(repo: &Repo, record: &BatchRecord, files: impl Fn() -> Vec<FileRecord>) -> Proof {
    let commit = record
        .commit
        .as_ref()
        .map(|commit| commit.0.clone())
        .unwrap_or_default();
    let worktree = || repo.workdir().unwrap_or(repo.git_dir()).to_owned();
    match record.destination {
        Destination::Commit => Proof::Reached {
            name: record.reference.clone().unwrap_or_default(),
            commit,
        },
        Destination::Index | Destination::Cached => Proof::Indexed {
            worktree: worktree(),
            files: files(),
        },
        Destination::Worktree => Proof::Written {
            worktree: worktree(),
            files: files(),
        },
        Destination::Stash => Proof::Stashed { commit },
    }
}

/// Writes the objects of an entry and returns its tree.
fn store(repo: &Repo, entry: &NewEntry) -> Result<Id, Diagnostic> {
    let record = &entry.record;
    let kept = displaced::folder(repo, &entry.displaced)?;
    let written = match entry.displaced.as_slice() {
        [] => record::text(record)?,
        files => {
            let displaced = files
                .iter()
                .map(|file| file.record(repo.hash_kind()))
                .collect();
            record::text(&BatchRecord {
                displaced,
                ..record.clone()
            })?
        }
    };
    let mut files: Vec<(&str, Blob)> = vec![
        (super::OPERATIONS, entry.operations.as_bytes().into()),
        ("record.json", written.into()),
    ];
    if !entry.report.is_empty() {
        files.push(("report.json", (&*entry.report).into()));
    }
    if let Some(commit) = &record.commit {
        files.push(("commit", repo.raw_commit(commit)?.bytes));
        // A stash entry has its index as its second parent.
        if let (Destination::Stash, [_, index, ..]) =
            (record.destination, &repo.parents_of(commit)?[..])
        {
            files.push(("index-commit", repo.raw_commit(index)?.bytes));
        }
    }
    let (names, contents): (Vec<&str>, Vec<Blob>) = files.into_iter().unzip();
    let mut objects = repo.blobs(contents);
    let file =
        |(name, object): (&'static str, &Object)| (name, ObjectKind::Blob, object.id.clone());
    let mut entries: Vec<(&str, ObjectKind, Id)> =
        names.into_iter().zip(&objects).map(file).collect();
    if let Some(folder) = kept {
        entries.push(folder.entry);
        objects.extend(folder.objects);
    }
    match &entry.states {
        States::Commits { before } => {
            entries.extend(
                before
                    .iter()
                    .map(|tree| ("before", ObjectKind::Tree, tree.clone())),
            );
            if let Some(commit) = &record.commit {
                entries.push(("after", ObjectKind::Tree, repo.tree_of(commit)?));
            }
        }
        States::Files(changes) => {
            for (name, side) in [("before", EntrySide::Before), ("after", EntrySide::After)] {
                let (tree, grown) = side.tree(repo, changes)?;
                entries.push((name, ObjectKind::Tree, tree));
                objects.extend(grown);
            }
        }
    }
    let entries: Vec<_> = entries
        .iter()
        .map(|(name, kind, id)| (*name, *kind, id))
        .collect();
    let tree = repo.folder_object(&entries)?;
    let id = tree.id.clone();
    objects.push(tree);
    repo.write_objects(&objects)?;
    Ok(id)
}

#[derive(Clone, Copy)]
enum EntrySide {
    Before,
    After,
}

impl EntrySide {
    /// Returns the tree that the touched files make on this side, and what it needs.
    fn tree(self, repo: &Repo, changes: &[Change]) -> Result<(Id, Vec<Object>), Diagnostic> {
        let file = |change: &Change| match self {
            EntrySide::Before => change.before.clone(),
            EntrySide::After => change.after.clone(),
        };
        let added = |change: &Change| Change {
            path: change.path.clone(),
            before: None,
            after: file(change),
        };
        let added: Vec<Change> = changes
            .iter()
            .map(added)
            .filter(|change| change.after.is_some())
            .collect();
        repo.tree_with(None, &added)
            .map_err(|failure| match failure {
                TreeFailure::Refused(diagnostic) => diagnostic,
                TreeFailure::Stale { path, .. } => Diagnostic::new(
                    crate::diagnostic::Code::Io,
                    format!("{path} stands twice in one batch"),
                ),
            })
    }
}

/// Stores how `batch` was taken back, and what that `displaced`, and returns the tree that says so.
pub(crate) fn store_mark(
    repo: &Repo,
    batch: &NamedEntry,
    mark: UndoMark,
    displaced: &[Displaced],
) -> Result<Id, Diagnostic> {
    let records = displaced
        .iter()
        .map(|file| file.record(repo.hash_kind()))
        .collect();
    let text = repo.blob(record::text(&UndoMark {
        displaced: records,
        ..mark
    })?);
    let mut entries = vec![
        ("batch", ObjectKind::Tree, batch.tree.clone()),
        ("undone.json", ObjectKind::Blob, text.id.clone()),
    ];
    let mut objects = vec![text];
    if let Some(folder) = displaced::folder(repo, displaced)? {
        entries.push(folder.entry);
        objects.extend(folder.objects);
    }
    let entries: Vec<_> = entries
        .iter()
        .map(|(name, kind, id)| (*name, *kind, id))
        .collect();
    let tree = repo.folder_object(&entries)?;
    let id = tree.id.clone();
    objects.push(tree);
    repo.write_objects(&objects)?;
    Ok(id)
}
