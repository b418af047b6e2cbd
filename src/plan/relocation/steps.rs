//! The way in: the moves among some operations, one after the other.

use super::moved::Moving;
use super::{definition, section};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Files, Operation, Selector, Verb};
use crate::plan::outcome::OperationOutcome;
use crate::plan::step::Step;
use crate::snapshot::Snapshot;

/// Returns the steps of the operations at `indices` that move something, on the files as `snapshot` has them.
pub(in crate::plan) fn moves(
    operations: &[Operation],
    snapshot: &Snapshot,
    indices: &[usize],
    outcomes: &mut [OperationOutcome],
) -> Result<Vec<Step>, Vec<Diagnostic>> {
    let mut current = snapshot.clone();
    let mut steps = Vec::new();
    for &index in indices {
        let (Some(operation), Some(outcome)) = (operations.get(index), outcomes.get_mut(index))
        else {
            continue;
        };
        let Verb::Move {
            selector,
            to,
            terms,
            reexports,
        } = &operation.verb
        else {
            continue;
        };
        let Files::One(path) = &operation.files else {
            continue;
        };
        let moving = Moving {
            operations,
            index,
            operation,
            path,
            selector,
            to,
            terms: *terms,
            reexports: *reexports,
        };
        let made = match selector {
            Selector::Section(_) => section::steps(&moving, &current, outcome),
            _ => definition::steps(&moving, &current, outcome),
        };
        let made = made.map_err(|refused| {
            outcome.references = refused.references;
            outcome.imports.clear();
            vec![placed(*refused.diagnostic, &moving)]
        })?;
        for step in made {
            current = current.with(&step.changes());
            steps.push(step);
        }
    }
    Ok(steps)
}

/// Returns a refusal that points at what it is about.
fn placed(refusal: Diagnostic, moving: &Moving<'_>) -> Diagnostic {
    let field = match refusal.code {
        Code::FileNotFound | Code::UnsupportedLanguage => "file",
        Code::NameClash | Code::ImportCycle => "to",
        _ => moving.selector.field(),
    };
    let refusal = match refusal.place {
        Some(_) => refusal,
        None => refusal.at(moving.operation.place(field)),
    };
    refusal.of_operation(moving.index)
}
