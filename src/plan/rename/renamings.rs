//! What the operations of a step rename.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::ops::Deref;

use super::heading::OtherRenames;
use super::script::is_script;
use super::{definition, heading, key, page_name};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Files, Operation, Scoped, Selector, Verb};
use crate::plan::name_service::NameService;
use crate::plan::outcome::{OperationOutcome, OperationStatus};
use crate::references::{Analysis, RenameRefused, Renaming};
use crate::resolve::{Document, Purpose, Reading, locate, segments_called};
use crate::snapshot::Snapshot;

/// Returns what the operations at `indices` rename that do so; what cannot be renamed is an error of its operation.
pub(in crate::plan) fn renamings(
    operations: &[Operation],
    snapshot: &Snapshot,
    indices: &[usize],
    (service, outcomes): (&dyn NameService, &mut [OperationOutcome]),
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
        let others = || other_headings(operations, indices, index);
        match renaming(operation, snapshot, (&analysis, service), others) {
            None => {}
            Some(Ok(renaming)) => {
                if let Some(clash) = clash_with_another(operation, &renaming, operations, &found) {
                    errors.push(clash.at(operation.place("to")).of_operation(index));
                    continue;
                }
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

/// Refuses a name that another operation of the step gives to something else in one of the same files: each is held to what the files
/// have now, where nothing is called so.
fn clash_with_another(
    operation: &Operation,
    renaming: &Renaming,
    operations: &[Operation],
    others: &BTreeMap<usize, Renaming>,
) -> Option<Diagnostic> {
    let named = |operation: &Operation| match &operation.verb {
        Verb::Rename { to, terms, .. } if !terms.allows_clash => Some(to.clone()),
        _ => None,
    };
    let to = named(operation)?;
    let shares = |other: &Renaming| {
        let mut paths = renaming.places.keys();
        // Modules that meet in a third one (`export *`) have no place there.
        let meets = || {
            let mut both = renaming.places.keys().chain(other.places.keys());
            both.all(|path| is_script(path, b""))
        };
        (paths.any(|path| other.places.contains_key(path)) || meets())
            && other.references.address != renaming.references.address
    };
    let (index, _) = others.iter().find(|(index, other)| {
        let is_same = operations.get(**index).and_then(named).as_ref() == Some(&to);
        is_same && shares(other)
    })?;
    let message = format!("operation {index} gives the name `{to}` to something else");
    let clash = Diagnostic::new(Code::NameClash, message);
    Some(clash.note(
        "one after the other each is held to what is there: `resolve: sequential`; `clash: allow` renames it all the same",
    ))
}

/// Returns the headings of the page of the operation at `index` that others of a step rename.
fn other_headings<'o>(
    operations: &'o [Operation],
    indices: &[usize],
    index: usize,
) -> OtherRenames<'o> {
    let own = operations.get(index).map(|own| &own.files);
    let others = indices.iter().filter_map(|&at| {
        let other = operations.get(at).filter(|_| at != index)?;
        match &other.verb {
            Verb::Rename {
                selector: selector @ Selector::Section(_),
                to,
                ..
            } if Some(&other.files) == own => Some((at, (selector, to.as_str()))),
            _ => None,
        }
    });
    let (places, headings): (Vec<usize>, Vec<_>) = others.unzip();
    OtherRenames {
        headings,
        is_first: places.iter().all(|at| *at > index),
    }
}

fn renaming<'o>(
    operation: &Operation,
    snapshot: &Snapshot,
    (analysis, service): (&impl Deref<Target = Analysis>, &dyn NameService),
    others: impl FnOnce() -> OtherRenames<'o>,
) -> Option<Result<Renaming, RenameRefused>> {
    let Verb::Rename {
        selector,
        to,
        terms,
    } = &operation.verb
    else {
        return None;
    };
    let Files::One(path) = &operation.files else {
        let refusal = Diagnostic::new(Code::Unsupported, "`rename` names the file of a definition");
        return Some(Err(refusal.into()));
    };
    let found = match selector {
        Selector::Symbol(symbol) => {
            let asked = (symbol, to.as_str(), *terms);
            definition::renaming(operation, snapshot, path, asked, analysis, service)
        }
        Selector::Key(selector) => key::renaming(operation, snapshot, path, (selector, to, *terms)),
        Selector::Element(selector) => {
            page_name::renaming(operation, snapshot, path, (selector, to, *terms))
        }
        _ => heading::renaming(operation, snapshot, path, (selector, to, *terms), &others()),
    };
    Some(found.map_err(|mut refused| {
        if refused.diagnostic.place.is_none() {
            let field = match definition::field(refused.diagnostic.code) {
                "symbol" => selector.field(),
                field => field,
            };
            let place = operation.place(field);
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
    if let (Files::One(path), Verb::Rename { selector, .. }) = (&operation.files, &operation.verb)
        && let Some(file) = snapshot.file(path)
    {
        let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash);
        let reading = Reading::of(&document);
        outcome.segment = match selector {
            Selector::Symbol(symbol) => {
                let called = symbol.components.last().map_or("", |last| &last.name);
                let address = format!("{path}::{symbol}");
                let named = segments_called(&reading, called);
                named.into_iter().find(|it| it.address == address)
            }
            _ => locate(
                &reading,
                &Scoped::from(selector.clone()),
                None,
                Purpose::Edit,
            )
            .ok()
            .map(|(target, _)| target.segment),
        };
    }
    outcome.references = Some(Box::new(renaming.references.clone()));
}
