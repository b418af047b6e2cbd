//! `rehearse`: everything that would refuse a batch at publishing, looked for without a lock, a journal or a written
//! byte. What `verify_only` promises is that the real thing would do; only what is here for a moment (a lock of
//! somebody else's) is not looked for.

use super::displace::Strictness;
use super::survey::{self, Intended};
use super::{PublishTarget, Refusal};
use crate::diagnostic::Diagnostic;
use crate::git::{Repo, refuse_pointers};
use crate::history::Displaced;
use crate::manifest::Destination;
use crate::snapshot::merged;

/// Says what would be in the way of what is intended; returns the files of which the history would have to keep what they hold.
pub(crate) fn rehearse(
    intended: &Intended<'_>,
    target: &PublishTarget,
    repo: &Repo,
) -> Result<Vec<Displaced>, Refusal> {
    if target.destination == Destination::Commit {
        target.hooks.check(repo)?;
    }
    let changes = &merged(intended.changes.iter());
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    refuse_pointers(changes)?;
    let intended = &Intended {
        changes,
        ..*intended
    };
    let mut way = WorktreeState::default();
    match target.destination {
        Destination::Commit => on_branch(intended, target, repo, &mut way)?,
        Destination::Index => way.through_worktree(repo, intended, Strictness::Index)?,
        Destination::Cached => survey::survey_index(repo, &repo.read_index()?, changes)?,
        Destination::Worktree => way.through_worktree(repo, intended, Strictness::Files)?,
        Destination::Stash => drop(repo.committer()?),
    }
    if way.refusals.is_empty() {
        Ok(way.displaced)
    } else {
        Err(Refusal::Refused(way.refusals))
    }
}

fn on_branch(
    intended: &Intended<'_>,
    target: &PublishTarget,
    repo: &Repo,
    way: &mut WorktreeState,
) -> Result<(), Refusal> {
    repo.committer()?;
    let Some(reference) = &target.reference else {
        return Ok(());
    };
    repo.check_nothing_under_way(reference)?;
    repo.check_every_checkout_is_here(reference)?;
    // Index and files follow the branch: if that moved, what they hold is not the caller's unfinished work.
    let (expected, found) = (target.expected.id().cloned(), repo.tip(reference)?);
    if expected != found && !target.pinned {
        return Err(Refusal::Stale {
            name: reference.clone(),
            expected,
            found,
        });
    }
    if repo.has_checked_out(reference)? {
        way.through_worktree(repo, intended, Strictness::CheckedOut)?;
    }
    for other in repo.other_checkouts(reference)? {
        way.through_worktree(&other, intended, Strictness::CheckedOut)?;
    }
    Ok(())
}

/// What the worktrees hold where the batch goes.
#[derive(Default)]
struct WorktreeState {
    refusals: Vec<Diagnostic>,
    displaced: Vec<Displaced>,
}

impl WorktreeState {
    fn through_worktree(
        &mut self,
        repo: &Repo,
        intended: &Intended<'_>,
        strictness: Strictness,
    ) -> Result<(), Refusal> {
        let entries = match strictness {
            Strictness::CheckedOut | Strictness::Index => Some(repo.read_index()?),
            Strictness::Files => None,
        };
        let found = survey::survey(
            repo,
            &repo.worktree()?,
            entries.as_ref(),
            intended,
            strictness,
        )?;
        self.refusals.extend(found.refusals);
        self.displaced.extend(found.displaced);
        Ok(())
    }
}
