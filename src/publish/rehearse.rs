//! `rehearse`: everything that would refuse a batch at publishing, looked for without a lock, a journal or a written
//! byte. What `verify_only` promises is that the real thing would do; only what is here for a moment (a lock of
//! somebody else's) is not looked for.

use super::survey::{self, Intended, Strictness};
use super::{Refusal, Target};
use crate::diagnostic::Diagnostic;
use crate::git::{Repo, refuse_pointers};
use crate::manifest::Destination;
use crate::snapshot::merged;

/// Says what would be in the way of what is intended.
pub fn rehearse(intended: &Intended<'_>, target: &Target, repo: &Repo) -> Result<(), Refusal> {
    if target.destination == Destination::Commit {
        target.hooks.check(repo)?;
    }
    let changes = &merged(intended.changes.iter());
    if changes.is_empty() {
        return Ok(());
    }
    refuse_pointers(changes)?;
    let intended = &Intended { changes, ..*intended };
    match target.destination {
        Destination::Commit => on_branch(intended, target, repo),
        Destination::Index => refuse(in_worktree(repo, intended, Strictness::Index)?),
        Destination::Cached => survey::survey_index(repo, &repo.read_index()?, changes),
        Destination::Worktree => refuse(in_worktree(repo, intended, Strictness::Files)?),
        Destination::Stash => Ok(repo.committer().map(drop)?),
    }
}

fn on_branch(intended: &Intended<'_>, target: &Target, repo: &Repo) -> Result<(), Refusal> {
    repo.committer()?;
    let Some(reference) = &target.reference else { return Ok(()) };
    repo.check_nothing_under_way(reference)?;
    let mut refusals = Vec::new();
    if repo.has_checked_out(reference)? {
        refusals.extend(in_worktree(repo, intended, Strictness::CheckedOut)?);
    }
    for other in repo.other_checkouts(reference)? {
        refusals.extend(in_worktree(&other, intended, Strictness::CheckedOut)?);
    }
    refuse(refusals)
}

fn in_worktree(repo: &Repo, intended: &Intended<'_>, strictness: Strictness) -> Result<Vec<Diagnostic>, Refusal> {
    let entries = match strictness {
        Strictness::CheckedOut | Strictness::Index => Some(repo.read_index()?),
        Strictness::Files => None,
    };
    Ok(survey::survey(repo, &repo.worktree()?, entries.as_ref(), intended, strictness)?.refusals)
}

fn refuse(refusals: Vec<Diagnostic>) -> Result<(), Refusal> {
    if refusals.is_empty() { Ok(()) } else { Err(Refusal::Refused(refusals)) }
}
