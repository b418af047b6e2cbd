//! Publishes batches: objects first, then what their destination asks for.

use super::batch::{Announce, Batch, Receipt, combined, moves};
use super::files::put;
use super::queue::Queue;
use super::refusal::Refusal;
use super::survey::Intended;
use super::target::PublishTarget;
use super::{commit, stash};
use crate::git::Repo;
use crate::manifest::Destination;

/// Publishes `batches` in order and together: all of them or none. `announce` is not called when they change nothing.
///
/// Each batch is resolved on what the one before it makes of `target`. The queue is held by the caller, who may want to
/// hold it over resolving and verifying as well, when others move the branch faster than that.
pub(crate) fn publish(
    batches: Vec<Batch>,
    target: &PublishTarget,
    repo: &Repo,
    queue: &Queue,
    announce: Announce<'_>,
) -> Result<Receipt, Refusal> {
    let _held = queue;
    match target.destination {
        Destination::Commit => return commit::publish(&batches, target, repo, announce),
        Destination::Stash => return stash::publish(&batches, target, repo, announce),
        Destination::Index | Destination::Cached | Destination::Worktree => {}
    }
    let mut receipt = Receipt {
        reference: None,
        before: None,
        commits: vec![None; batches.len()],
        displaced: Vec::new(),
        warnings: Vec::new(),
    };
    let (changes, moves) = (combined(&batches), moves(&batches));
    if !changes.is_empty() {
        let intended = Intended {
            changes: &changes,
            moves: &moves,
            known: &[],
        };
        put(&intended, target.destination, repo, &mut |displaced| {
            receipt.displaced = displaced;
            announce(&receipt)
        })?;
    }
    Ok(receipt)
}
