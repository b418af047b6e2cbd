//! Imports that follow edits (`imports: fix`): one more step behind all others, so that it sees what the whole batch makes of each file.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};

use super::candidate::Candidate;
use super::import::{self, OpenName};
use super::outcome::{MendedImport, OperationOutcome};
use super::step::{FileEdit, Step};
use crate::diff::hunks;
use crate::manifest::{Files, Manifest, Operation, Verb};
use crate::path::RepoPath;
use crate::references::{Analysis, is_python};
use crate::snapshot::{Change, File, Snapshot};
use crate::text::Span;
use crate::text::splice::{Splice, Splices};

/// Names that are left without an import, by file.
pub(super) type OpenNames = BTreeMap<RepoPath, Vec<OpenName>>;

/// Says whether an operation has the imports of its files mended.
pub(super) fn mends(operation: &Operation) -> bool {
    let may_be_python = match &operation.files {
        Files::One(path) => is_python(path),
        Files::Matching(_) => true,
    };
    may_be_python
        && operation.rules.mends_imports()
        && !matches!(operation.verb, Verb::RenameFile { .. } | Verb::Move { .. })
}

/// Returns the step that mends the imports of what the `candidate` edits, if there is anything to mend, and what it leaves open.
pub(super) fn imports(
    candidate: &Candidate,
    manifest: &Manifest,
    snapshot: &Snapshot,
    outcomes: &mut [OperationOutcome],
) -> (Option<Step>, OpenNames) {
    let mut open = OpenNames::new();
    if !manifest.operations.iter().any(mends) {
        return (None, open);
    }
    let (changes, moves) = (candidate.changes(), candidate.moves());
    let last = LazyCell::new(|| snapshot.clone().with(changes));
    let analysis = LazyCell::new(|| Analysis::of(&last.project));
    let mut files = Vec::new();
    for change in changes {
        let Some(after) = change.after.as_ref().filter(|_| is_python(&change.path)) else {
            continue;
        };
        let Some(operation) = mender(candidate, manifest, &change.path) else {
            continue;
        };
        let origin = moves.get(&change.path);
        let before = origin.map_or(change.before.as_ref(), |origin| snapshot.file(origin));
        let left = taken_away(manifest, &change.path);
        let mended = import::mended(
            &change.path,
            before.map(|file| &*file.bytes),
            &after.bytes,
            &left,
            &analysis,
        );
        if !mended.open.is_empty() {
            open.insert(change.path.clone(), mended.open);
        }
        if let Some(edit) = edit_of(change, after, &mended.bytes, operation) {
            files.push(edit);
        }
        if let Some(outcome) = outcomes.get_mut(operation) {
            let told = |statement: String, is_added: bool| MendedImport {
                path: change.path.clone(),
                statement,
                is_added,
            };
            let added = mended.added.into_iter().map(|it| told(it, true));
            let removed = mended.removed.into_iter().map(|it| told(it, false));
            outcome.imports.extend(added.chain(removed));
        }
    }
    let step = (!files.is_empty()).then_some(Step { files });
    (step, open)
}

/// Returns the last operation that edits the file at `path` and has its imports mended.
fn mender(candidate: &Candidate, manifest: &Manifest, path: &RepoPath) -> Option<usize> {
    let edits = candidate.steps().iter().rev().flat_map(|step| &step.files);
    let mut operations = edits
        .filter(|edit| edit.path == *path)
        .flat_map(|edit| {
            let claimed = edit.claims.iter().map(|&(_, operation)| operation);
            claimed.chain(edit.written.iter().map(|written| written.operation))
        })
        .filter(|index| manifest.operations.get(*index).is_some_and(mends));
    operations.next()
}

/// Returns the names whose imports the batch itself takes out of the file at `path`.
fn taken_away<'m>(manifest: &'m Manifest, path: &RepoPath) -> HashSet<&'m str> {
    let mut names = HashSet::new();
    for operation in &manifest.operations {
        let is_here = match &operation.files {
            Files::One(file) => file == path,
            Files::Matching(_) => true,
        };
        if let (true, Verb::Unimport { statement, .. }) = (is_here, &operation.verb) {
            names.extend(statement.names.iter().map(|name| name.bound()));
        }
    }
    names
}

fn edit_of(change: &Change, after: &File, mended: &[u8], operation: usize) -> Option<FileEdit> {
    let hunks = hunks(&after.bytes, mended);
    let splices = hunks
        .iter()
        .map(|hunk| Splice::new(hunk.old, hunk.new.of(mended)))
        .collect();
    let splices = Splices::new(splices).ok()?;
    let spans: Vec<Span> = hunks.iter().map(|hunk| hunk.old).collect();
    if spans.is_empty() {
        return None;
    }
    let file = File {
        mode: after.mode,
        bytes: mended.to_vec().into(),
    };
    Some(FileEdit {
        splices: Some(splices),
        claims: spans.iter().map(|span| (*span, operation)).collect(),
        named: spans,
        ..FileEdit::whole(change.path.clone(), Some(after.clone()), Some(file))
    })
}
