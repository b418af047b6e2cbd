//! What the tests of this room share: a batch in one line, published in one.

use super::{Batch, Hooks, PublishTarget, Queue, Receipt, Refusal, aim, prepare};
use crate::git::Repo;
use crate::manifest::Destination;
use crate::snapshot::Change;
use crate::verify::Verified;

/// Returns a batch of `changes` with `subject` as its message.
pub(super) fn batch(subject: &str, changes: Vec<Change>) -> Batch {
    Batch {
        verified: Verified::for_tests(changes),
        message: format!("{subject}\n"),
        author: None,
    }
}

/// Publishes one batch on HEAD's branch, or wherever `destination` says.
pub(super) fn put(
    repo: &Repo,
    destination: Destination,
    changes: Vec<Change>,
) -> Result<Receipt, Refusal> {
    let target = aim(repo, destination, None, None, Hooks::Skip)?;
    publish(&[batch("batch", changes)], &target, repo)
}

/// Publishes batches, of which the history is told nothing.
pub(super) fn publish(
    batches: &[Batch],
    target: &PublishTarget,
    repo: &Repo,
) -> Result<Receipt, Refusal> {
    prepare(batches, target, &Queue::enter(repo)?)?.commit()
}

/// Returns the codes of a refusal.
pub(super) fn codes(refusal: Refusal) -> Vec<&'static str> {
    refusal
        .diagnostics()
        .iter()
        .map(|diagnostic| diagnostic.code.as_str())
        .collect()
}
