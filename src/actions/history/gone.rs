//! Whether anything of a batch is left where it was published: a batch that is plainly gone is in nobody's way. One whose
//! files were changed since is not gone; it is refused. So is one whose commit was made anew, by an amend or a rebase.

use super::here::{Here, changed_since};
use super::step::{is_skipped, sources_of};
use super::{inverse, short_id};
use crate::diagnostic::{Diagnostic, shown};
use crate::git::{Head, ReadSource, Repo};
use crate::history::HistoryEntry;
use crate::manifest::Destination;
use crate::snapshot::{Change, Id};

pub(super) use super::here::branch_words;

/// Returns why nothing of `entry` is left, and what can be done about that; `None` where something is.
pub(super) fn why_gone(
    repo: &Repo,
    here: &Here,
    entry: &HistoryEntry,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let record = &entry.record;
    let id = short_id(&record.id);
    match (record.destination, &record.commit, &record.reference) {
        (Destination::Commit, Some(commit), Some(reference)) => {
            match branch_holding(repo, here, reference, commit)? {
                Some(_) => Ok(None),
                None => describe_left_branch(repo, here, id, commit, reference).map(Some),
            }
        }
        (Destination::Stash, Some(commit), _) => {
            if repo.stashed()?.contains(commit) {
                return Ok(None);
            }
            let refusal =
                changed_since(format!("the stash entry of batch {id} is no longer listed"));
            Ok(Some(refusal.note(
                "popped or applied, what it held is work of yours now; `git diff HEAD` shows it",
            )))
        }
        (Destination::Commit | Destination::Stash, _, _) => Ok(None),
        (Destination::Index | Destination::Cached | Destination::Worktree, _, _) => {
            let changes = entry.changes(repo)?;
            for source in sources_of(record.destination) {
                if !is_taken_back(repo, source, &changes)? {
                    return Ok(None);
                }
            }
            let refusal = changed_since(format!("nothing of batch {id} is left where it was"));
            Ok(Some(refusal.note(format!(
                "`git segedit show-batch {id}` shows what it changed"
            ))))
        }
    }
}

/// Returns why the last batch can't be taken back without naming it, where its branch no longer holds its commit but has what
/// it changed: it was amended or rebased, and an older batch would not be what is meant.
pub(super) fn why_rewritten(
    repo: &Repo,
    entry: &HistoryEntry,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let record = &entry.record;
    let (Destination::Commit, Some(commit), Some(reference)) =
        (record.destination, &record.commit, &record.reference)
    else {
        return Ok(None);
    };
    let Some(tip) = repo.tip(reference)? else {
        return Ok(None);
    };
    let source = ReadSource::Commit {
        tree: repo.tree_of(&tip)?,
        commit: tip,
    };
    let changes = entry.changes(repo)?;
    if is_taken_back(repo, &source, &changes)? {
        return still_in_worktree(repo, entry, reference, &changes);
    }
    let (id, commit, name) = (
        short_id(&record.id),
        short_id(&commit.0),
        branch_words(reference),
    );
    let refusal = changed_since(format!(
        "commit {commit} of the last batch, {id}, is not in the history of {name} any more, but what it changed is still there: it \
         was amended, rebased or squashed"
    ));
    let paths = changes.iter().map(|change| shown(change.path.as_str()));
    let first = paths.take(1).collect::<String>();
    Ok(Some(refusal.note(format!(
        "`git log -- {first}` shows what it became, and `git revert` takes that back"
    ))))
}

/// Returns the same where the branch has nothing of the batch any more, but the index or the worktree that is on it has: it was reset, to
/// be committed anew.
fn still_in_worktree(
    repo: &Repo,
    entry: &HistoryEntry,
    reference: &str,
    changes: &[Change],
) -> Result<Option<Diagnostic>, Diagnostic> {
    let is_on_it = matches!(repo.head()?, Head::Branch { name, .. } if name == reference);
    if repo.workdir().is_none() || !is_on_it {
        return Ok(None);
    }
    for source in [ReadSource::Index, ReadSource::Worktree] {
        if is_taken_back(repo, &source, changes)? {
            continue;
        }
        let (id, name) = (short_id(&entry.record.id), branch_words(reference));
        let place = match source {
            ReadSource::Index => "index",
            _ => "worktree",
        };
        let refusal = changed_since(format!(
            "the commit of the last batch, {id}, is not in the history of {name} any more, but what it changed is still in the {place}: \
             the branch was reset"
        ));
        return Ok(Some(
            refusal.note("commit it again, or `git restore` takes it back"),
        ));
    }
    Ok(None)
}

/// Returns whether taking `changes` back would change nothing in `source`, because that was done. What is neither as before nor
/// as after is not that: it is in the way.
fn is_taken_back(repo: &Repo, source: &ReadSource, changes: &[Change]) -> Result<bool, Diagnostic> {
    let holding = repo.holding(source)?;
    for change in changes {
        let is_taken_back = holding.file(&change.path).is_ok_and(|held| {
            inverse::inverse_of_file(change, held.as_ref(), repo.hash_kind())
                .is_ok_and(|after| after == held)
        });
        // What the batch removed is absent because of that.
        let may_be_skipped = *source == ReadSource::Worktree && change.after.is_some();
        let is_absent = || is_skipped(repo, &change.path);
        let holds = is_taken_back || may_be_skipped && is_absent()?;
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the ref that holds `commit`, with its tip: the one that the batch was published on, or else the caller's, which
/// may have taken it over.
pub(super) fn branch_holding(
    repo: &Repo,
    here: &Here,
    reference: &str,
    commit: &Id,
) -> Result<Option<(String, Id)>, Diagnostic> {
    for name in [reference, &here.reference] {
        // A batch on a detached HEAD was not on the branch that HEAD names now.
        if name == "HEAD" && here.reference != "HEAD" {
            continue;
        }
        if let Some(tip) = repo.tip(name)?
            && repo.descends(&tip, commit)?
        {
            return Ok(Some((name.to_owned(), tip)));
        }
    }
    Ok(None)
}

/// Says why no branch of concern holds `commit` any more.
fn describe_left_branch(
    repo: &Repo,
    here: &Here,
    id: &str,
    commit: &Id,
    reference: &str,
) -> Result<Diagnostic, Diagnostic> {
    let (name, commit_id) = (branch_words(reference), short_id(&commit.0));
    let is_here = repo.has_object(commit)?;
    if reference == "HEAD" && here.reference != "HEAD" {
        let refusal = changed_since(format!(
            "HEAD was detached when batch {id} was published, and is on {here} now"
        ));
        return Ok(if is_here {
            refusal.note(format!(
                "`git checkout --detach {commit_id}` goes back there"
            ))
        } else {
            refusal
        });
    }
    if repo.tip(reference)?.is_none() {
        let refusal = changed_since(format!(
            "{name}, which batch {id} was published on, is gone"
        ));
        return Ok(if is_here {
            refusal.note(format!("`git branch {name} {commit_id}` brings it back"))
        } else {
            refusal
        });
    }
    let message = format!(
        "{name} does not hold batch {id} any more: commit {commit_id} is not in its history"
    );
    Ok(changed_since(message).note(format!(
        "it was amended, rebased or reset away; `git log --grep={id}` finds what it became, and `git revert` takes that back"
    )))
}
