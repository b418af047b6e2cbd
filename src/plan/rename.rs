//! `rename`: a definition gets another name, and so does every place that surely means it.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::ops::Deref;

use super::outcome::{OperationOutcome, OperationStatus};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Files, Operation, Verb};
use crate::references::{self, Analysis, RenameRefused, Renaming};
use crate::resolve::{Document, Reading, segments_called};
use crate::snapshot::Snapshot;

/// Returns what the operations at `indices` rename that do so; what cannot be renamed is an error of its operation.
pub(super) fn renamings(
    operations: &[Operation],
    snapshot: &Snapshot,
    indices: &[usize],
    outcomes: &mut [OperationOutcome],
    errors: &mut Vec<Diagnostic>,
) -> BTreeMap<usize, Renaming> {
    let mut found = BTreeMap::new();
    // Each file is read once, however many names are looked for.
    let analysis = LazyCell::new(|| Analysis::of(&snapshot.project));
    for &index in indices {
        let (Some(operation), Some(outcome)) = (operations.get(index), outcomes.get_mut(index))
        else {
            continue;
        };
        match renaming(operation, snapshot, &analysis) {
            None => {}
            Some(Ok(renaming)) => {
                describe(operation, snapshot, &renaming, outcome);
                found.insert(index, renaming);
            }
            Some(Err(refused)) => {
                outcome.references = refused.references;
                errors.push(refused.diagnostic.of_operation(index));
            }
        }
    }
    found
}

fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    analysis: &impl Deref<Target = Analysis>,
) -> Option<Result<Renaming, RenameRefused>> {
    let Verb::Rename { symbol, to, terms } = &operation.verb else {
        return None;
    };
    let Files::One(path) = &operation.files else {
        let refusal = Diagnostic::new(Code::Unsupported, "`rename` names the file of a definition");
        return Some(Err(refusal.into()));
    };
    let field = |code: Code| match code {
        Code::FileNotFound | Code::UnsupportedLanguage => "file",
        Code::NameClash => "to",
        _ => "symbol",
    };
    let found = super::whole::editable(snapshot, path, operation)
        .map_err(RenameRefused::from)
        .and_then(|_| references::rename(analysis, path, symbol, to, *terms));
    Some(found.map_err(|mut refused| {
        if refused.diagnostic.place.is_none() {
            let place = operation.place(field(refused.diagnostic.code));
            *refused.diagnostic = refused.diagnostic.at(place);
        }
        refused
    }))
}

fn describe(
    operation: &Operation,
    snapshot: &Snapshot,
    renaming: &Renaming,
    outcome: &mut OperationOutcome,
) {
    outcome.count = renaming.places.values().map(Vec::len).sum();
    outcome.status = match &operation.verb {
        Verb::Rename { to, .. } if *to == renaming.references.word => OperationStatus::Noop,
        _ => OperationStatus::Applied,
    };
    if let (Files::One(path), Verb::Rename { symbol, .. }) = (&operation.files, &operation.verb)
        && let Some(file) = snapshot.file(path)
    {
        let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash);
        let reading = Reading::of(&document);
        let called = symbol.components.last().map_or("", |last| &last.name);
        let named = segments_called(&reading, called);
        let address = format!("{path}::{symbol}");
        outcome.segment = named.into_iter().find(|it| it.address == address);
    }
    outcome.references = Some(Box::new(renaming.references.clone()));
}
