//! Taking back a batch whose files were changed since: its inverse, merged with what is there now.

use super::inverse::{Inverse, cannot_invert, inverse_of_file, refuse_conflicts};
use super::short_id;
use super::step::{ReadyStep, UndoStep};
use crate::diagnostic::Diagnostic;
use crate::git::{ReadSource, Repo, TreeFailure};
use crate::history::HistoryEntry;
use crate::plan::Candidate;
use crate::snapshot::{Change, HashKind, Id};
use crate::verify::{self, twice};

/// Returns what takes `commit`, which `entry` is about, back on top of `tip`.
pub(super) fn reversal_of(
    repo: &Repo,
    entry: &HistoryEntry,
    commit: &Id,
    reference: &str,
    tip: &Id,
) -> Result<UndoStep, Diagnostic> {
    let source = ReadSource::Commit {
        commit: tip.clone(),
        tree: repo.tree_of(tip)?,
    };
    let now = repo.holding(&source)?;
    let (mut changes, mut conflicts) = (Vec::new(), Vec::new());
    for change in entry.changes(repo)? {
        let ours = now.file(&change.path)?;
        match inverse_of_file(&change, ours.as_ref(), repo.hash_kind()) {
            Ok(after) if after == ours => {}
            Ok(after) => changes.push(Change {
                path: change.path,
                before: ours,
                after,
            }),
            Err(found) => conflicts.extend(found),
        }
    }
    if let Some(refusal) = refuse_conflicts(conflicts, &entry.record.id) {
        return Err(refusal);
    }
    if changes.is_empty() {
        return Ok(ReadyStep::Nothing.into());
    }
    if let Err(TreeFailure::Refused(clash)) = repo.tree_with(Some(&repo.tree_of(tip)?), &changes) {
        // What was read just now is not stale: a file and a folder want the same place.
        return Err(cannot_invert(&entry.record.id, &clash.message));
    }
    // Merged by lines: what came together so may still not be a program.
    let (mut errors, _) = verify::syntax(&Candidate::of_changes(changes.clone()));
    if !errors.is_empty() {
        let first = errors.remove(0);
        return Err(first.note(
            "the file was changed since the batch, and does not go together with undoing it",
        ));
    }
    let (id, short_commit) = (&entry.record.id, short_id(&commit.0));
    let message = format!(
        "Undo \"{}\"\n\nThis takes back batch {id}, commit {short_commit}.\n\nSegedit-Undoes: {id}\n",
        repo.subject_of(commit)?
    );
    let (reference, tip) = (reference.to_owned(), tip.clone());
    Ok(UndoStep::Invert(Inverse {
        reference,
        tip,
        changes,
        message,
        batch: id.clone(),
    }))
}

/// Returns what the caller should know of `step`: a name that it brings back, and that was defined again since.
pub(super) fn reversal_warnings(step: &UndoStep, kind: HashKind) -> Vec<Diagnostic> {
    match step {
        UndoStep::Invert(inverse) => inverse
            .changes
            .iter()
            .flat_map(|change| twice::anywhere(change, kind))
            .collect(),
        _ => Vec::new(),
    }
}
