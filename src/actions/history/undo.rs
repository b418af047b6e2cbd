//! Which batch is taken back, what that comes to, and why it may not be.
//!
//! Refusals, in order: the batch is of another branch or worktree, or cannot be reached from here (`here`); its commits are gone, or were made
//! again (`gone`); what it changed is not what it left there (`step`); what came after it is in the way (`reversal`, `inverse`).

use std::path::Path;

use super::gone::{branch_holding, branch_words, why_gone, why_rewritten};
use super::here::{Here, check_place};
use super::step::{self, Decided, ReadyStep, UndoStep, check_held, reverse_changes};
use super::{StepMode, short_id};
use crate::actions::apply::Options;
use crate::actions::history::reversal;
use crate::actions::outcome::{Outcome, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::Repo;
use crate::history::{self, HistoryEntry};
use crate::manifest::Destination;
use crate::publish::restore::{RefDirection, Relocation};
use crate::snapshot::Id;

/// Takes back the batch whose id begins with `id`, or else the last one that still stands where the caller is.
pub fn undo(repo_dir: &Path, id: Option<&str>, act: StepMode, options: &Options) -> Outcome {
    step::open_repository(repo_dir, options, Subject::Undo, |repo| {
        step::run_step(repo, act, options, Subject::Undo, &|| {
            let here = Here::of(repo, &options.reach)?;
            match id {
                Some(id) => named_entry(repo, &here, id),
                None => last_entry(repo, &here),
            }
        })
    })
}

fn named_entry(repo: &Repo, here: &Here, id: &str) -> Result<Decided, Diagnostic> {
    let batches = history::list(repo)?;
    let entry = history::read(repo, history::find(&batches, id)?)?;
    if entry.mark.is_some() {
        let message = format!("batch {} is taken back already", short_id(&entry.record.id));
        return Err(Diagnostic::new(Code::NothingToUndo, message)
            .note("`git segedit redo` puts it forth again"));
    }
    check_place(repo, &entry.record)?;
    if let Some(refusal) = why_gone(repo, here, &entry)? {
        return Err(refusal);
    }
    let step = decide(repo, here, &entry)?;
    let warnings = reversal::reversal_warnings(&step, repo.hash_kind());
    Ok(Decided {
        entry,
        step,
        warnings,
    })
}

/// Decides about the last batch of the caller's branch and worktree that was not taken back. Those of which nothing is left
/// are passed over, and that is said. One whose commit was made anew is refused, with the batch before it.
fn last_entry(repo: &Repo, here: &Here) -> Result<Decided, Diagnostic> {
    let (mut elsewhere, mut passed) = (None, Vec::new());
    let mut rewritten: Option<Diagnostic> = None;
    for batch in history::list(repo)?
        .iter()
        .filter(|batch| batch.undone.is_none())
    {
        let entry = match history::look(repo, batch)? {
            Ok(entry) => entry,
            Err(wrong) => {
                passed.push(wrong);
                continue;
            }
        };
        if !here.has(&entry.record) {
            if elsewhere.is_none() {
                elsewhere = find_branch_with(repo, here, &entry)?;
            }
            continue;
        }
        if let Some(why) = why_gone(repo, here, &entry)? {
            if rewritten.is_none() {
                rewritten = why_rewritten(repo, &entry)?;
            }
            passed.push(why);
            continue;
        }
        if let Some(refusal) = rewritten {
            let id = short_id(&entry.record.id);
            return Err(refusal.note(format!(
                "`git segedit undo {id}` takes back the batch before it"
            )));
        }
        let others =
            "`git segedit undo <id>` takes back another one, which `git segedit log` lists";
        let step = decide(repo, here, &entry).map_err(|refusal| match refusal.code {
            Code::ChangedSince | Code::MergeConflict => refusal.note(others),
            _ => refusal,
        })?;
        let mut warnings = passed_over(passed);
        warnings.extend(reversal::reversal_warnings(&step, repo.hash_kind()));
        return Ok(Decided {
            entry,
            step,
            warnings,
        });
    }
    if let Some(refusal) = rewritten {
        return Err(refusal);
    }
    let message = format!("no batch is left to take back on {here} or in this worktree");
    let notes = passed_over(passed)
        .into_iter()
        .map(|warning| warning.message)
        .chain(elsewhere);
    Err(notes.fold(
        Diagnostic::new(Code::NothingToUndo, message),
        Diagnostic::note,
    ))
}

fn passed_over(mut passed: Vec<Diagnostic>) -> Vec<Diagnostic> {
    const MOST: usize = 5;
    let more = passed.len().saturating_sub(MOST);
    passed.truncate(MOST);
    for why in &mut passed {
        why.message.insert_str(0, "passed over: ");
    }
    if more > 0 {
        passed.push(Diagnostic::new(
            Code::ChangedSince,
            format!("passed over: {more} more that are gone"),
        ));
    }
    passed
}

/// Says where a batch that is not the caller's could be taken back; `None` where nothing of it is left.
fn find_branch_with(
    repo: &Repo,
    here: &Here,
    entry: &HistoryEntry,
) -> Result<Option<String>, Diagnostic> {
    let record = &entry.record;
    let id = short_id(&record.id);
    if let (Destination::Commit, Some(commit), Some(reference)) =
        (record.destination, &record.commit, &record.reference)
        && reference != "HEAD"
    {
        let held = branch_holding(repo, here, reference, commit)?;
        return Ok(held.map(|(name, _)| {
            format!(
                "the last one stands on {}: `git segedit undo {id}`",
                branch_words(&name)
            )
        }));
    }
    let there = repo.worktree_named(record.worktree.as_deref());
    Ok(there.map(|folder| {
        format!(
            "the last one stands in {}: `git segedit undo {id}` there",
            folder.display()
        )
    }))
}

/// Says what takes `entry` back, of which something is left.
fn decide(repo: &Repo, here: &Here, entry: &HistoryEntry) -> Result<UndoStep, Diagnostic> {
    let record = &entry.record;
    here.check_reach(record)?;
    match (record.destination, &record.commit, &record.reference) {
        (Destination::Commit, Some(commit), Some(reference)) => {
            match branch_holding(repo, here, reference, commit)? {
                // What was pushed would come back with the next pull.
                Some((name, tip))
                    if name == *reference && tip == *commit && !repo.is_on_a_remote(commit)? =>
                {
                    let back = move_back(repo, entry, commit, reference)?;
                    Ok(ReadyStep::Relocate(back, Vec::new()).into())
                }
                Some((name, tip)) => reversal::reversal_of(repo, entry, commit, &name, &tip),
                None => Err(branch_moved(entry)),
            }
        }
        (Destination::Stash, Some(commit), _) => Ok(ReadyStep::DropStash(commit.clone()).into()),
        (Destination::Commit | Destination::Stash, _, _) => Err(Diagnostic::new(
            Code::Io,
            format!("{} names no commit", step::ref_of(entry)),
        )),
        (Destination::Index | Destination::Cached | Destination::Worktree, _, _) => {
            let changes = reverse_changes(entry.changes(repo)?);
            check_held(record.destination, &changes, repo)?;
            Ok(ReadyStep::Restore(record.destination, changes).into())
        }
    }
}

/// Says that the branch moved between two looks at it.
fn branch_moved(entry: &HistoryEntry) -> Diagnostic {
    let message = format!(
        "the branch moved while batch {} was taken back",
        short_id(&entry.record.id)
    );
    super::here::changed_since(message).note("repeat the request")
}

/// Moves the branch back to where it stood. One that the batch made goes away again, unless somebody has it checked out
/// by now.
fn move_back(
    repo: &Repo,
    entry: &HistoryEntry,
    commit: &Id,
    reference: &str,
) -> Result<Relocation, Diagnostic> {
    let record = &entry.record;
    let mut to = record.before.clone();
    if to.is_none()
        && (repo.has_checked_out(reference)? || !repo.other_checkouts(reference)?.is_empty())
    {
        to.clone_from(&record.base);
    }
    Ok(Relocation {
        reference: reference.to_owned(),
        from: Some(commit.clone()),
        to,
        way: RefDirection::Back,
        changes: reverse_changes(entry.changes(repo)?),
        reason: format!("segedit: undo {}", record.id),
    })
}
