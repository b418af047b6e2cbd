//! Which batch is taken back, and what that comes to.

use std::path::Path;

use super::inverse;
use super::step::{self, Step, check_held, reversed};
use super::{Act, Here, changed_since, check_place, short};
use crate::actions::apply::Options;
use crate::actions::outcome::{Outcome, Subject};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Head, Repo};
use crate::history::{self, Batch, Entry};
use crate::manifest::Destination;
use crate::publish::restore::{Relocation, Way};
use crate::snapshot::Id;

/// Takes back the batch whose id begins with `id`, or else the last one that still stands where the caller is.
pub fn undo(repo_dir: &Path, id: Option<&str>, act: Act, options: &Options) -> Outcome {
    let run = || {
        let repo = step::open(repo_dir, options)?;
        step::run(&repo, act, options, Subject::Undo, &|| {
            let entry = pick(&repo, id)?;
            let step = decide(&repo, &entry)?;
            Ok((entry, step))
        })
    };
    run().unwrap_or_else(|errors| step::refused(Subject::Undo, errors))
}

fn pick(repo: &Repo, id: Option<&str>) -> Result<Entry, Diagnostic> {
    let batches = history::list(repo)?;
    let Some(id) = id else { return last(repo, &batches) };
    let entry = history::read(repo, history::find(&batches, id)?)?;
    if entry.mark.is_some() {
        let message = format!("batch {} is taken back already", short(&entry.record.id));
        return Err(Diagnostic::new(Code::NothingToUndo, message).note("`git segedit redo` puts it forth again"));
    }
    check_place(repo, &entry.record)?;
    Ok(entry)
}

/// Returns the last batch of the caller's branch and worktree that was not taken back.
fn last(repo: &Repo, batches: &[Batch]) -> Result<Entry, Diagnostic> {
    let here = Here::of(repo)?;
    let mut elsewhere = None;
    for batch in batches.iter().filter(|batch| batch.undone.is_none()) {
        let entry = history::read(repo, batch)?;
        if here.has(&entry.record) {
            return Ok(entry);
        }
        elsewhere.get_or_insert(entry);
    }
    let refusal = Diagnostic::new(
        Code::NothingToUndo,
        format!("no batch is left to take back on {} or in this worktree", here.words()),
    );
    Err(match elsewhere {
        None => refusal,
        Some(entry) => {
            let id = short(&entry.record.id);
            let place =
                entry.record.branch().map_or("in another worktree".to_owned(), |name| format!("on {}", shown(name)));
            refusal.note(format!("the last one stands {place}: `git segedit undo {id}`"))
        }
    })
}

fn decide(repo: &Repo, entry: &Entry) -> Result<Step, Diagnostic> {
    let record = &entry.record;
    match (record.destination, &record.commit, &record.reference) {
        (Destination::Commit, Some(commit), Some(reference)) => on_branch(repo, entry, commit, reference),
        (Destination::Stash, Some(commit), _) => {
            if repo.stashed()?.contains(commit) {
                return Ok(Step::DropStash(commit.clone()));
            }
            Err(changed_since(format!("the stash entry of batch {} is no longer listed", short(&record.id))))
        }
        (Destination::Commit | Destination::Stash, _, _) => {
            Err(Diagnostic::new(Code::Io, format!("{} names no commit", step::ref_of(entry))))
        }
        (Destination::Index | Destination::Cached | Destination::Worktree, _, _) => {
            let changes = reversed(entry.changes(repo)?);
            check_held(record.destination, &changes, repo)?;
            Ok(Step::Restore(record.destination, changes))
        }
    }
}

fn on_branch(repo: &Repo, entry: &Entry, commit: &Id, reference: &str) -> Result<Step, Diagnostic> {
    let name = branch_words(repo, reference)?;
    match repo.tip(reference)? {
        None => Err(changed_since(format!("{name} is gone"))),
        Some(tip) if tip == *commit => Ok(Step::Relocate(back(repo, entry, commit, reference)?, Vec::new())),
        Some(tip) if repo.descends(&tip, commit)? => inverse::of(repo, entry, commit, reference, &tip),
        Some(_) => Err(changed_since(format!(
            "{name} does not hold batch {} any more: commit {} is not in its history",
            short(&entry.record.id),
            short(&commit.0)
        ))),
    }
}

/// Returns what messages call the ref. A batch on a detached HEAD stays there.
pub(super) fn branch_words(repo: &Repo, reference: &str) -> Result<String, Diagnostic> {
    if reference != "HEAD" {
        return Ok(shown(reference.strip_prefix("refs/heads/").unwrap_or(reference)));
    }
    match repo.head()? {
        Head::Detached(_) => Ok("HEAD".to_owned()),
        Head::Branch { name, .. } => {
            let name = name.strip_prefix("refs/heads/").unwrap_or(&name);
            Err(changed_since(format!("HEAD was detached, and is on {} now", shown(name))))
        }
    }
}

/// Moves the branch back to where it stood. One that the batch made goes away again, unless somebody has it checked out
/// by now.
fn back(repo: &Repo, entry: &Entry, commit: &Id, reference: &str) -> Result<Relocation, Diagnostic> {
    let record = &entry.record;
    let mut to = record.before.clone();
    if to.is_none() && (repo.has_checked_out(reference)? || !repo.other_checkouts(reference)?.is_empty()) {
        to.clone_from(&record.base);
    }
    Ok(Relocation {
        reference: reference.to_owned(),
        from: Some(commit.clone()),
        to,
        way: Way::Back,
        changes: reversed(entry.changes(repo)?),
        reason: format!("segedit: undo {}", record.id),
    })
}
