//! `Candidate`: the files as a plan leaves them, in memory.
//!
//! Invariant: `changes` and `moves` are those of the steps. They are worked out once, where it is made, and are what checks, linters,
//! diffs and publishing read.

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::step::{FileEdit, Step};
use crate::path::RepoPath;
use crate::snapshot::Change;
use crate::syntax::{Outline, language_in};

/// The files as a plan leaves them.
#[derive(Clone, Debug, Default)]
pub struct Candidate {
    steps: Vec<Step>,
    changes: Vec<Change>,
    moves: BTreeMap<RepoPath, RepoPath>,
}

impl Candidate {
    /// Returns what `steps` leave.
    pub(crate) fn of(steps: Vec<Step>) -> Candidate {
        let changes = merged_changes(&steps);
        let moves = origins(&steps, &changes);
        Candidate {
            steps,
            changes,
            moves,
        }
    }

    /// Returns what others made of files, of which only before and after are known. A file that keeps its bytes under another name was
    /// moved, so that it answers for no more than before.
    #[expect(
        clippy::mutable_key_type,
        reason = "a blob remembers its id, which has no say in what it equals"
    )]
    pub fn of_changes(changes: Vec<Change>) -> Candidate {
        let gone: HashMap<_, _> = changes
            .iter()
            .filter(|change| change.after.is_none())
            .filter_map(|change| Some((change.before.as_ref()?.bytes.clone(), change.path.clone())))
            .collect();
        let files = changes.into_iter().map(|change| {
            let origin = change
                .after
                .as_ref()
                .filter(|_| change.before.is_none())
                .and_then(|file| gone.get(&file.bytes));
            let moved_from = origin
                .filter(|origin| {
                    let name = |path| Some(language_in(path, &change.after.as_ref()?.bytes)?.name);
                    name(origin) == name(&change.path)
                })
                .cloned();
            FileEdit {
                moved_from,
                ..FileEdit::whole(change.path, change.before, change.after)
            }
        });
        let files = files.collect();
        Candidate::of(vec![Step { files }])
    }

    /// Returns what `steps` on top of it leave.
    pub(crate) fn with(self, steps: Vec<Step>) -> Candidate {
        if steps.is_empty() {
            return self;
        }
        let mut all = self.steps;
        all.extend(steps);
        Candidate::of(all)
    }

    /// Returns the steps from the snapshot to it.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns what becomes of each path of the snapshot, sorted; paths that end as they began are left out.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns, for each path that `rename_file` gave a file of the snapshot, the path it had there.
    pub(crate) fn moves(&self) -> &BTreeMap<RepoPath, RepoPath> {
        &self.moves
    }

    /// Returns the segments of the snapshot's files, of those where resolution asked for them.
    pub(crate) fn outlines(&self) -> BTreeMap<&RepoPath, &Arc<Outline>> {
        let mut outlines = BTreeMap::new();
        // What a later step asked for is not the snapshot's.
        for edit in self
            .steps
            .iter()
            .rev()
            .flat_map(|step| &step.files)
            .filter(|edit| edit.splices.is_some())
        {
            let path = edit.moved_from.as_ref().unwrap_or(&edit.path);
            match &edit.outline {
                Some(outline) => drop(outlines.insert(path, outline)),
                None => drop(outlines.remove(path)),
            }
        }
        outlines
    }
}

/// Returns what becomes of each path over all steps.
fn merged_changes(steps: &[Step]) -> Vec<Change> {
    let mut changes: BTreeMap<RepoPath, Change> = BTreeMap::new();
    for change in steps.iter().flat_map(Step::changes) {
        match changes.entry(change.path.clone()) {
            Slot::Occupied(mut known) => known.get_mut().after = change.after,
            Slot::Vacant(slot) => drop(slot.insert(change)),
        }
    }
    changes
        .into_values()
        .filter(|change| change.before != change.after)
        .collect()
}

/// Returns where the files that moved were before the first step.
fn origins(steps: &[Step], changes: &[Change]) -> BTreeMap<RepoPath, RepoPath> {
    let mut origins: BTreeMap<RepoPath, RepoPath> = BTreeMap::new();
    for edit in steps.iter().flat_map(|step| &step.files) {
        if let Some(from) = &edit.moved_from {
            let origin = origins.remove(from).unwrap_or_else(|| from.clone());
            origins.insert(edit.path.clone(), origin);
        }
    }
    let change_of = |path: &RepoPath| {
        changes
            .binary_search_by(|change| change.path.cmp(path))
            .ok()
            .and_then(|at| changes.get(at))
    };
    let gone = |change: &Change| change.before.is_some() && change.after.is_none();
    let came = |change: &Change| change.before.is_none();
    origins.retain(|path, origin| {
        change_of(path).is_some_and(came) && change_of(origin).is_some_and(gone)
    });
    origins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{File, FileMode};

    #[test]
    fn a_file_that_only_moved_is_a_move() {
        let change = |path: &str, before: Option<&str>, after: Option<&str>| {
            let file = |text: &str| File {
                mode: FileMode::Regular,
                bytes: text.as_bytes().into(),
            };
            Change {
                path: RepoPath::parse(path).unwrap(),
                before: before.map(file),
                after: after.map(file),
            }
        };
        let candidate = Candidate::of_changes(vec![
            change("a.py", Some("def"), None),
            change("b.py", None, Some("def")),
            change("c.rs", None, Some("def")),
            change("d.py", None, Some("def f")),
            change("e.py", Some("x"), Some("def")),
        ]);
        let moves: Vec<_> = candidate
            .moves()
            .iter()
            .map(|(path, from)| (path.as_str(), from.as_str()))
            .collect();
        assert_eq!(moves, [("b.py", "a.py")]);
    }
}
