//! Prepares batches for what their destination asks for: objects first.

use super::batch::{Batch, Receipt, combined, moves};
use super::prepared::{Prepared, PreparedAct};
use super::queue::Queue;
use super::refusal::Refusal;
use super::survey::Intended;
use super::target::PublishTarget;
use super::{commit, files, stash};
use crate::manifest::Destination;

/// Prepares to publish `batches` in order and together: all of them or none.
///
/// Each batch is resolved on what the one before it makes of `target`. The queue is held by the caller, who may want to
/// hold it over resolving and verifying as well, when others move the branch faster than that.
pub(crate) fn prepare<'q>(
    batches: &[Batch],
    target: &PublishTarget,
    queue: &'q Queue<'_>,
) -> Result<Prepared<'q>, Refusal> {
    let repo = queue.repo();
    match target.destination {
        Destination::Commit => {
            let (receipt, ready) = commit::prepare(batches, target, repo)?;
            let act = ready.map_or(PreparedAct::Nothing, PreparedAct::Branch);
            return Ok(Prepared::new(receipt, act));
        }
        Destination::Stash => {
            let (receipt, ready) = stash::prepare(batches, target, repo)?;
            let act = ready.map_or(PreparedAct::Nothing, PreparedAct::Stash);
            return Ok(Prepared::new(receipt, act));
        }
        Destination::Index | Destination::Cached | Destination::Worktree => {}
    }
    let commits = vec![None; batches.len()];
    let (changes, moves) = (combined(batches), moves(batches));
    if changes.is_empty() {
        return Ok(Prepared::nothing(Receipt::of_files(commits, Vec::new())));
    }
    let intended = Intended {
        changes: &changes,
        moves: &moves,
        known: &[],
    };
    let (receipt, ready) = files::prepare(&intended, commits, target.destination, repo)?;
    Ok(Prepared::new(receipt, PreparedAct::Files(ready)))
}
