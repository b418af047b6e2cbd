//! `rename_file` of a Python module: the imports of it, in all files, name its new path.

use std::collections::BTreeMap;
use std::ops::Deref;

use super::import::{self, ImportWish};
use super::outcome::OperationOutcome;
use crate::diagnostic::Diagnostic;
use crate::manifest::{Files, OnUnsure, Operation, RenameTerms, Verb};
use crate::path::RepoPath;
use crate::references::{self, Analysis, FileMoves, RepointedFile, Repointing, is_python};
use crate::snapshot::Snapshot;
use crate::syntax::python::ImportStatement;
use crate::text::splice::{Splice, Splices};

/// Files whose imports follow, and the operation that is told of it: the first of those that move a module.
pub(super) struct Repointed {
    /// The operation.
    pub(super) operation: usize,
    /// What changes.
    pub(super) files: BTreeMap<RepoPath, RepointedFile>,
}

/// Returns the path and the new one where an operation moves a module whose imports follow.
pub(super) fn moved_module(operation: &Operation) -> Option<(&RepoPath, &RepoPath, RenameTerms)> {
    let (Verb::RenameFile { to, terms }, Files::One(from)) = (&operation.verb, &operation.files)
    else {
        return None;
    };
    let follows = is_python(from) && is_python(to) && from != to;
    (follows && !operation.rules.leaves_imports()).then_some((from, to, *terms))
}

/// Returns what changes in other files with the modules that the operations at `indices` move; what is not certain is an error of the
/// first of them.
pub(super) fn repointed(
    operations: &[Operation],
    snapshot: &Snapshot,
    indices: &[usize],
    analysis: &impl Deref<Target = Analysis>,
    outcomes: &mut [OperationOutcome],
    errors: &mut Vec<Diagnostic>,
) -> Option<Repointed> {
    let mut moves = FileMoves::new();
    let mut first: Option<(usize, &RepoPath)> = None;
    let mut all_terms = RenameTerms::default();
    for &index in indices {
        let Some((from, to, terms)) = operations.get(index).and_then(moved_module) else {
            continue;
        };
        if snapshot.file(from).is_none() {
            continue;
        }
        moves.insert(from.clone(), to.clone());
        all_terms.changes_mentions |= terms.changes_mentions;
        // One that has to be certain is a part of the whole.
        all_terms.unsure = match first {
            Some(_) if all_terms.unsure != terms.unsure => OnUnsure::Refuse,
            _ => terms.unsure,
        };
        first.get_or_insert((index, from));
    }
    let (operation, from) = first?;
    let outcome = outcomes.get_mut(operation)?;
    let found = references::repointed(analysis, &snapshot.project, &moves, from, all_terms);
    match found {
        Ok(Repointing { files, references }) => {
            outcome.count = references.places.iter().filter(|it| it.is_changed).count();
            outcome.references = Some(Box::new(references));
            Some(Repointed { operation, files })
        }
        Err(refused) => {
            outcome.references = refused.references;
            let place = operations.get(operation).and_then(|it| it.place("to"));
            errors.push(refused.diagnostic.at(place).of_operation(operation));
            None
        }
    }
}

/// Returns the file at `path` with what changes in it.
pub(super) fn rewritten(
    path: &RepoPath,
    bytes: &[u8],
    file: &RepointedFile,
    analysis: &dyn Deref<Target = Analysis>,
) -> Result<Vec<u8>, Diagnostic> {
    let splices = file
        .words
        .iter()
        .map(|(place, new)| Splice::new(*place, new.as_bytes()))
        .collect();
    let splices = Splices::new(splices).map_err(|_| {
        let message = format!("places of {path} that would change are inside of each other");
        Diagnostic::new(crate::diagnostic::Code::Unsupported, message)
    })?;
    let mut bytes = splices.apply(bytes);
    for (old, new) in &file.exchanged {
        let (Ok(old), Ok(new)) = (ImportStatement::parse(old), ImportStatement::parse(new)) else {
            continue;
        };
        let gone = ImportWish::Lacks {
            statement: &old,
            allows_use: true,
        };
        bytes = import::imported(path, &bytes, &gone, analysis)?.bytes;
        bytes = import::imported(path, &bytes, &ImportWish::Has(&new), analysis)?.bytes;
    }
    Ok(bytes)
}
