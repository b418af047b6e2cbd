//! Weighs the losses of a whole batch: which refuse it, which are warned of, and which an operation asked for.

use std::collections::BTreeMap;

use super::decorators::{self, Complaint};
use super::exchange::{Arrivals, Came, Fates, FileExchanged, Gone, is_moved_by};
use super::heads;
use super::losses::Losses;
use super::words::as_word;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::Operation;
use crate::plan::Removed;
use crate::resolve::Document;

/// What a batch removes, and what there is to say against it.
#[derive(Clone, Debug, Default)]
pub struct Weighed {
    /// Everything, in the order of the files, with the index of the operation that takes it away.
    pub removed: Vec<(usize, Removed)>,
    /// A refusal for each operation that removes what it does not ask for.
    pub refusals: Vec<Diagnostic>,
    /// The same, where the segments of the old file are a guess; and what goes of decorators, directives, heads of files and documentation.
    pub warnings: Vec<Diagnostic>,
}

/// Weighs what went and came in all files of a batch.
///
/// `created` returns the new files of the batch, each with its step; it is asked only if something went.
pub fn weigh(
    losses: &[Losses],
    operations: &[Operation],
    created: impl FnOnce() -> Vec<(usize, Document)>,
) -> Weighed {
    let mut weighed = Weighed::default();
    let is_any_gone = losses.iter().any(|losses| !losses.exchange.is_empty());
    let all_of = |(step, file): &(usize, Document)| (*step, Came::all_of(file));
    let created: Vec<(usize, Vec<Came>)> = if is_any_gone {
        created().iter().map(all_of).collect()
    } else {
        Vec::new()
    };
    let of_created = created
        .iter()
        .flat_map(|(step, came)| came.iter().map(|came| (*step, came)));
    let came = losses
        .iter()
        .flat_map(|losses| losses.exchange.came.iter().map(|came| (losses.step, came)));
    let mut arrivals = Arrivals::of(came.chain(of_created));
    let mut earlier: Vec<&FileExchanged> = Vec::new();
    for Losses {
        step,
        exchange,
        shrunk,
        decorators,
        directives,
        links,
        halves,
        left_out,
        missing,
        bound_along,
    } in losses
    {
        let refused_names = exchange.refused_names(operations);
        let by_steps = exchange.gone_step_by_step(&earlier);
        earlier.push(exchange);
        let mut unasked: BTreeMap<(bool, usize), Vec<Lost<'_>>> = BTreeMap::new();
        let by_steps = by_steps.iter().map(|gone| (gone, None));
        let Fates { lost, kept } = exchange.fates(*step, &mut arrivals);
        for (gone, displaced) in lost.into_iter().chain(by_steps) {
            let asks = |at: &&usize| {
                operations
                    .get(**at)
                    .is_some_and(|operation| gone.is_asked_for(operation, &exchange.undefined))
            };
            let asking = gone.operations.iter().find(asks);
            let Some(&index) = asking.or(gone.operations.first()) else {
                continue;
            };
            if !operations.get(index).is_some_and(is_moved_by) {
                weighed.removed.push((index, gone.as_removed()));
            }
            let is_refused = exchange
                .undefined
                .iter()
                .any(|(at, name)| *at == index && *name == gone.qualified);
            if !is_refused && asking.is_none() {
                unasked
                    .entry((gone.is_guessed, index))
                    .or_default()
                    .push((gone, displaced));
            }
        }
        // Of a file that does not parse nobody knows all that it defines.
        let list = if exchange.is_guessed {
            &mut weighed.warnings
        } else {
            &mut weighed.refusals
        };
        list.extend(refused_names);
        let mut decorators = decorators.clone();
        let mut left_out = left_out.clone();
        for (gone, came) in kept {
            for decorator in decorators::gone_on_the_way(gone, came) {
                if !decorators.iter().any(|other| decorator.is_same(other)) {
                    decorators.push(decorator);
                }
            }
            let undocumented = heads::undocumented_on_the_way(gone, came);
            left_out.extend(
                undocumented.filter(|found| !left_out.iter().any(|other| found.is_same(other))),
            );
        }
        for (complaint, diagnostic) in decorators
            .iter()
            .filter_map(|decorator| decorator.complaint(operations))
        {
            match complaint {
                Complaint::Refusal => weighed.refusals.push(diagnostic),
                Complaint::Warning => weighed.warnings.push(diagnostic),
            }
        }
        for ((is_guessed, index), gone) in unasked {
            let list = if is_guessed {
                &mut weighed.warnings
            } else {
                &mut weighed.refusals
            };
            list.push(refusal(&gone).of_operation(index));
        }
        weighed.refusals.extend(
            shrunk
                .as_ref()
                .and_then(|shrunk| shrunk.unasked(operations))
                .map(shrinking),
        );
        weighed
            .refusals
            .extend(links.iter().filter_map(|link| link.refusal(operations)));
        weighed.refusals.extend(
            bound_along
                .iter()
                .filter_map(|bound| bound.refusal(operations)),
        );
        weighed.refusals.extend(
            halves
                .iter()
                .filter_map(|halves| halves.refusal(operations)),
        );
        weighed.warnings.extend(
            directives
                .iter()
                .filter_map(|directive| directive.warning(operations)),
        );
        weighed
            .warnings
            .extend(heads::warnings(&left_out, operations));
        weighed.warnings.extend(
            missing
                .iter()
                .filter_map(|missing| missing.warning(operations)),
        );
    }
    weighed
}

/// What goes, and what it would be in another place.
type Lost<'a> = (&'a Gone, Option<&'a Came>);

/// Refuses that `gone`, which is not empty, goes without a word. What is inside of another of them goes without saying.
fn refusal(gone: &[Lost<'_>]) -> Diagnostic {
    const MOST: usize = 10;
    // Those around others come before them.
    let mut outermost: Vec<Lost<'_>> = Vec::new();
    for &(gone, displaced) in gone {
        if !outermost
            .last()
            .is_some_and(|(outer, _)| gone.is_inside(&outer.qualified))
        {
            outermost.push((gone, displaced));
        }
    }
    let mut named: Vec<String> = outermost
        .iter()
        .take(MOST)
        .map(|(gone, displaced)| gone.described(*displaced))
        .collect();
    if outermost.len() > MOST {
        named.push(format!("and {} more", outermost.len() - MOST));
    }

    let path = gone
        .first()
        .map(|(gone, _)| gone.path.to_string())
        .unwrap_or_default();
    let message = format!(
        "{path} would lose {}, which nothing asked for",
        named.join(", ")
    );
    let names: Vec<String> = outermost
        .iter()
        .take(MOST)
        .map(|(gone, _)| as_word(gone.allowance()))
        .collect();
    Diagnostic::new(Code::WouldRemove, message).note(format!(
        "keep it in the content, delete it by an operation of its own, or allow it: `allow_remove: [{}]` (`--allow-remove`)",
        names.join(", ")
    ))
}

/// Refuses that most lines of a file go without a word.
fn shrinking((operation, sentence): (usize, String)) -> Diagnostic {
    Diagnostic::new(Code::WouldRemove, sentence)
        .note("delete by an operation of its own what has to go, or allow it: `allow_remove: true` (`--allow-remove`)")
        .of_operation(operation)
}
