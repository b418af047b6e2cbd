//! `rehearse`: everything that would refuse a batch at publishing, looked for without a lock, a journal or a written
//! byte. What `verify_only` promises is that the real thing would do; only what is here for a moment (a lock of
//! somebody else's) is not looked for.

use super::displace::Strictness;
use super::survey::{self, Intended};
use super::{Hooks, PublishTarget, Refusal};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{Expected, Repo, refuse_pointers};
use crate::history::Displaced;
use crate::manifest::Destination;
use crate::snapshot::merged;

/// Where it would go.
#[derive(Clone, Debug)]
pub(crate) enum RehearsalTarget {
    /// To a branch, which has to be what is `expected` of it, unless whoever asks named the base.
    Branch {
        /// Full name of the ref.
        reference: String,
        expected: Expected,
        pinned: bool,
        hooks: Hooks,
    },
    /// To index, files or both.
    Files(Destination),
    /// To the list of stash entries.
    Stash,
}

impl RehearsalTarget {
    fn of(target: &PublishTarget) -> Result<RehearsalTarget, Diagnostic> {
        Ok(match (target.destination, &target.reference) {
            (Destination::Commit, Some(reference)) => RehearsalTarget::Branch {
                reference: reference.clone(),
                expected: target.expected.clone(),
                pinned: target.pinned,
                hooks: target.hooks,
            },
            (Destination::Commit, None) => return Err(no_branch()),
            (Destination::Stash, _) => RehearsalTarget::Stash,
            (destination, _) => RehearsalTarget::Files(destination),
        })
    }
}

/// Says that a commit has no branch to go to.
pub(super) fn no_branch() -> Diagnostic {
    Diagnostic::new(Code::Io, "a commit without a branch to put it on")
}

/// Says what would be in the way of publishing what is intended.
pub(crate) fn rehearse(
    intended: &Intended<'_>,
    target: &PublishTarget,
    repo: &Repo,
) -> Result<(), Refusal> {
    rehearse_at(intended, &RehearsalTarget::of(target)?, repo).map(drop)
}

/// Says what would be in the way of what is intended; returns the files of which the history would have to keep what they hold.
pub(crate) fn rehearse_at(
    intended: &Intended<'_>,
    target: &RehearsalTarget,
    repo: &Repo,
) -> Result<Vec<Displaced>, Refusal> {
    if let RehearsalTarget::Branch { hooks, .. } = target {
        hooks.check(repo)?;
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
    match target {
        RehearsalTarget::Branch {
            reference,
            expected,
            pinned,
            hooks: _,
        } => {
            let expected = Some(expected).filter(|_| !pinned);
            on_branch(intended, reference, expected, repo, &mut way)?;
        }
        RehearsalTarget::Files(Destination::Index) => {
            way.through_worktree(repo, intended, Strictness::Index)?;
        }
        RehearsalTarget::Files(Destination::Cached) => {
            survey::survey_index(repo, &repo.read_index()?, changes)?;
        }
        RehearsalTarget::Files(_) => way.through_worktree(repo, intended, Strictness::Files)?,
        RehearsalTarget::Stash => drop(repo.committer()?),
    }
    if way.refusals.is_empty() {
        Ok(way.displaced)
    } else {
        Err(Refusal::Refused(way.refusals))
    }
}

fn on_branch(
    intended: &Intended<'_>,
    reference: &str,
    expected: Option<&Expected>,
    repo: &Repo,
    way: &mut WorktreeState,
) -> Result<(), Refusal> {
    repo.committer()?;
    repo.check_nothing_under_way(reference)?;
    repo.check_every_checkout_is_here(reference)?;
    // Index and files follow the branch: if that moved, what they hold is not the caller's unfinished work.
    if let Some(expected) = expected {
        let (expected, found) = (expected.id().cloned(), repo.tip(reference)?);
        if expected != found {
            return Err(Refusal::Stale {
                name: reference.to_owned(),
                expected,
                found,
            });
        }
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
