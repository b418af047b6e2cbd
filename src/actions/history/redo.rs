//! Which batch is put forth again, and what that comes to.
//!
//! Where everything still is as undoing left it, the very same commit, files or stash entry come back. On a branch
//! that others have moved on, the operation file is resolved again, by name; that is a batch of its own.

use std::path::Path;

use super::gone::{branch_holding, branch_words, why_gone};
use super::here::{Here, changed_since, check_place};
use super::step::{self, Decided, ReadyStep, UndoStep, check_held, commit_object, reverse_changes};
use super::{StepMode, short_id};
use crate::actions::apply::{self, Options};
use crate::actions::held::Expectations;
use crate::actions::outcome::{OperationOutcome, OperationStatus, Outcome, Status, Subject};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ReadSource, Repo};
use crate::history::{self, HistoryEntry, How, NamedEntry};
use crate::manifest::{CheckMode, Destination, Manifest, NamesRule, Overrides, yaml};
use crate::publish::restore::{RefDirection, Relocation};
use crate::snapshot::Id;

/// Puts forth again the batch whose id begins with `id`, or else the one that was taken back last where the caller is.
pub fn redo(repo_dir: &Path, id: Option<&str>, act: StepMode, options: &Options) -> Outcome {
    step::open_repository(repo_dir, options, Subject::Redo, |repo| {
        match by_name(repo, id, options).map_err(|error| vec![error])? {
            Some(by_name) => publish_again(repo, by_name, act, options),
            None => step::run_step(repo, act, options, Subject::Redo, &|| match pick_entry(
                repo,
                &Here::of(repo, &options.reach)?,
                id,
            )? {
                (entry, Some(step)) => Ok(Decided {
                    entry,
                    step,
                    warnings: Vec::new(),
                }),
                (entry, None) => Err(moved_again(&entry)),
            }),
        }
    })
}

/// A batch that can only be had by resolving its operation file again.
struct ByName {
    entry: HistoryEntry,
    manifest: Manifest,
    /// What it was resolved to.
    held: Expectations,
}

/// Returns the batch and its operation file when it can only be had by resolving that again.
fn by_name(repo: &Repo, id: Option<&str>, options: &Options) -> Result<Option<ByName>, Diagnostic> {
    let here = Here::of(repo, &options.reach)?;
    let (entry, step) = pick_entry(repo, &here, id)?;
    if step.is_some() {
        return Ok(None);
    }
    let manifest = manifest(repo, &here, &entry)?;
    let held = held(repo, &entry, &manifest)?;
    Ok(Some(ByName {
        entry,
        manifest,
        held,
    }))
}

/// Returns what the batch was resolved to, and so is held to.
fn held(
    repo: &Repo,
    entry: &HistoryEntry,
    manifest: &Manifest,
) -> Result<Expectations, Diagnostic> {
    let id = short_id(&entry.record.id);
    let source = match parents(&entry.commit(repo, "commit")?).first() {
        Some(parent) if repo.has_object(parent)? => repo.source_of(Some(&parent.0))?,
        Some(parent) => {
            let parent = short_id(&parent.0);
            let message = format!(
                "batch {id} was made for commit {parent}, which is gone: git has collected it"
            );
            let look = format!(
                "`git segedit show-batch {id}` shows its operation file, to be written for the files as they are"
            );
            return Err(changed_since(message).note(look));
        }
        None => ReadSource::Unborn { tree: None },
    };
    Ok(apply::expectations_of(manifest, &source, repo)?.published_as(id))
}

/// Resolves the operation file again and publishes it as a batch of its own.
fn publish_again(
    repo: &Repo,
    by_name: ByName,
    act: StepMode,
    options: &Options,
) -> Result<Outcome, Vec<Diagnostic>> {
    let ByName {
        entry,
        mut manifest,
        held,
    } = by_name;
    if act == StepMode::Rehearse {
        manifest.mode = CheckMode::VerifyOnly;
    }
    let mut outcomes = apply::retry(repo, manifest, &entry.record.id, held, options);
    let mut outcome = match outcomes.pop() {
        Some(outcome) => outcome,
        None => step::refused_outcome(Subject::Redo, Vec::new()),
    };
    outcome.subject = Subject::Redo;
    let published = matches!(outcome.status, Status::Published | Status::Verified);
    if published {
        let place = outcome
            .reference
            .as_deref()
            .map_or_else(String::new, branch_words);
        let message = format!(
            "{place} moved on, so batch {} was resolved again by name",
            short_id(&entry.record.id)
        );
        outcome
            .warnings
            .push(Diagnostic::new(Code::ChangedSince, message));
    }
    let is_skipped = |operation: &OperationOutcome| operation.status == OperationStatus::Skipped;
    if outcome.status == Status::Unchanged && !outcome.operations.iter().any(is_skipped) {
        let noted = is_published(repo, &entry, act, options)?;
        outcome.batch = noted.batch;
        outcome.warnings.extend(noted.warnings);
    }
    Ok(outcome)
}

/// Has the history say that the batch stands: somebody brought back all that it changed.
fn is_published(
    repo: &Repo,
    entry: &HistoryEntry,
    act: StepMode,
    options: &Options,
) -> Result<Outcome, Vec<Diagnostic>> {
    step::run_step(repo, act, options, Subject::Redo, &|| {
        let entry = named_entry(repo, &history::list(repo)?, &entry.record.id)?;
        Ok(Decided {
            entry,
            step: ReadyStep::Nothing.into(),
            warnings: Vec::new(),
        })
    })
}

fn manifest(repo: &Repo, here: &Here, entry: &HistoryEntry) -> Result<Manifest, Diagnostic> {
    let record = &entry.record;
    let reference = record
        .reference
        .as_deref()
        .filter(|_| record.destination == Destination::Commit);
    let branch = reference
        .map(|reference| place_of(repo, here, entry, reference))
        .transpose()?;
    let overrides = Overrides {
        message: record.message.clone(),
        author: record.author.clone(),
        destination: Some(record.destination),
        branch: branch.filter(|name| name != "HEAD"),
        base: None,
        mode: Some(record.mode),
        // What passed once is not held to more.
        names: Some(NamesRule::Warn),
    };
    let bytes = entry.operations(repo)?;
    let read = yaml::read_with(&record.source, &bytes, &overrides);
    let mut manifest = read.map_err(|errors| {
        let why = errors.first().map_or("", |error| error.message.as_str());
        Diagnostic::new(
            Code::Io,
            format!(
                "the operation file of batch {} cannot be read: {why}",
                short_id(&record.id)
            ),
        )
    })?;
    manifest.base = None;
    Ok(manifest)
}

/// Returns the batch, and what putting it forth comes to; nothing when its operation file has to be resolved again.
fn pick_entry(
    repo: &Repo,
    here: &Here,
    id: Option<&str>,
) -> Result<(HistoryEntry, Option<UndoStep>), Diagnostic> {
    let batches = history::list(repo)?;
    let entry = match id {
        Some(id) => named_entry(repo, &batches, id)?,
        None => last_undone(repo, here, &batches)?,
    };
    let step = decide(repo, here, &entry)?;
    Ok((entry, step))
}

fn named_entry(repo: &Repo, batches: &[NamedEntry], id: &str) -> Result<HistoryEntry, Diagnostic> {
    let nothing = |message: String| Err(Diagnostic::new(Code::NothingToRedo, message));
    let found = history::find(batches, id).map_err(|error| Diagnostic {
        code: Code::NothingToRedo,
        ..error
    })?;
    let entry = history::read(repo, found)?;
    let shown_id = short_id(&entry.record.id).to_owned();
    if entry.mark.is_none() {
        return nothing(format!("batch {shown_id} stands, and was not taken back"));
    }
    if let Some(other) = successor(repo, batches, &entry)? {
        return nothing(format!(
            "batch {shown_id} was put forth again as {}",
            short_id(&other.record.id)
        ));
    }
    check_place(repo, &entry.record).map_err(|error| Diagnostic {
        code: Code::NothingToRedo,
        ..error
    })?;
    Ok(entry)
}

/// Returns what was taken back last on the caller's branch or in the caller's worktree.
fn last_undone(
    repo: &Repo,
    here: &Here,
    batches: &[NamedEntry],
) -> Result<HistoryEntry, Diagnostic> {
    let mut undone = Vec::new();
    for batch in batches.iter().filter(|batch| batch.undone.is_some()) {
        // Of one that cannot be read `log` and `undo` warn.
        let Ok(entry) = history::look(repo, batch)? else {
            continue;
        };
        if here.has(&entry.record) || was_undone_here(repo, here, &entry)? {
            undone.push(entry);
        }
    }
    undone.sort_by_key(|entry| std::cmp::Reverse(when(entry)));
    for entry in undone {
        if successor(repo, batches, &entry)?.is_some() {
            continue;
        }
        if let Some(newer) = newer_batch(repo, batches, &entry, here)? {
            let (old, new) = (short_id(&entry.record.id), short_id(&newer.record.id));
            let message = format!(
                "batch {old} cannot be put forth again: batch {new} was published since it was taken back"
            );
            return Err(Diagnostic::new(Code::NothingToRedo, message).note(format!(
                "`git segedit redo {old}` tries it all the same, on top of that"
            )));
        }
        return Ok(entry);
    }
    let message = format!("no batch is left to put forth again on {here} or in this worktree");
    Err(Diagnostic::new(Code::NothingToRedo, message))
}

/// Returns when the batch was taken back.
fn when(entry: &HistoryEntry) -> u64 {
    entry.mark.as_ref().map_or(0, |mark| mark.time)
}

/// Returns the batch that puts `entry` forth again already.
fn successor(
    repo: &Repo,
    batches: &[NamedEntry],
    entry: &HistoryEntry,
) -> Result<Option<HistoryEntry>, Diagnostic> {
    since(repo, batches, entry, &|other| {
        Ok(other.record.redo_of.as_deref() == Some(&entry.record.id))
    })
}

/// Returns a batch of the caller's that was published since `entry` was taken back and still stands.
fn newer_batch(
    repo: &Repo,
    batches: &[NamedEntry],
    entry: &HistoryEntry,
    here: &Here,
) -> Result<Option<HistoryEntry>, Diagnostic> {
    let is_new = |other: &HistoryEntry| {
        other.mark.is_none() && other.record.redo_of.is_none() && here.has(&other.record)
    };
    since(repo, batches, entry, &|other| {
        Ok(is_new(other) && why_gone(repo, here, other)?.is_none())
    })
}

fn since(
    repo: &Repo,
    batches: &[NamedEntry],
    entry: &HistoryEntry,
    fits: &dyn Fn(&HistoryEntry) -> Result<bool, Diagnostic>,
) -> Result<Option<HistoryEntry>, Diagnostic> {
    for batch in batches
        .iter()
        .take_while(|batch| batch.micros() > when(entry))
    {
        let Ok(other) = history::look(repo, batch)? else {
            continue;
        };
        if fits(&other)? {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// Returns whether the batch was taken back on the caller's branch, although it was published on another one, which is gone.
fn was_undone_here(repo: &Repo, here: &Here, entry: &HistoryEntry) -> Result<bool, Diagnostic> {
    match &entry.record.reference {
        Some(reference) if entry.record.destination == Destination::Commit => {
            Ok(reference != "HEAD" && place_of(repo, here, entry, reference)? == here.reference)
        }
        Some(_) | None => Ok(false),
    }
}

/// Returns the ref that is to take the batch again: where it was taken back.
fn place_of(
    repo: &Repo,
    here: &Here,
    entry: &HistoryEntry,
    reference: &str,
) -> Result<String, Diagnostic> {
    let held = match entry.mark.as_ref().map(|mark| &mark.how) {
        Some(How::Inverse { commit }) => branch_holding(repo, here, reference, commit)?,
        Some(How::Moved { .. } | How::Restored | How::Dropped) | None => None,
    };
    Ok(held.map_or_else(|| reference.to_owned(), |(name, _)| name))
}

fn decide(repo: &Repo, here: &Here, entry: &HistoryEntry) -> Result<Option<UndoStep>, Diagnostic> {
    let record = &entry.record;
    here.check_reach(record)?;
    match (record.destination, &record.commit, &record.reference) {
        (Destination::Commit, Some(commit), Some(reference)) => {
            let place = place_of(repo, here, entry, reference)?;
            on_branch(repo, here, entry, commit, &place)
        }
        (Destination::Stash, Some(commit), _) => stash_again(repo, entry, commit).map(Some),
        (Destination::Commit | Destination::Stash, _, _) => Err(Diagnostic::new(
            Code::Io,
            format!("{} names no commit", step::ref_of(entry)),
        )),
        (Destination::Index | Destination::Cached | Destination::Worktree, _, _) => {
            let changes = entry.changes(repo)?;
            check_held(record.destination, &changes, repo)?;
            Ok(Some(ReadyStep::Restore(record.destination, changes).into()))
        }
    }
}

fn on_branch(
    repo: &Repo,
    here: &Here,
    entry: &HistoryEntry,
    commit: &Id,
    reference: &str,
) -> Result<Option<UndoStep>, Diagnostic> {
    if reference == "HEAD" && here.reference != "HEAD" {
        let id = short_id(&entry.record.id);
        return Err(changed_since(format!(
            "HEAD was detached when batch {id} was taken back, and is on {here} now"
        ))
        .note("`git checkout --detach <commit>` goes back there"));
    }
    let tip = repo.tip(reference)?;
    let relocation = |to: Id, way, changes| Relocation {
        reference: reference.to_owned(),
        from: tip.clone(),
        to: Some(to),
        way,
        changes,
        reason: format!("segedit: redo {}", entry.record.id),
    };
    match (&tip, entry.mark.as_ref().map(|mark| &mark.how)) {
        (tip, Some(How::Moved { to })) if tip == to => {
            let bytes = entry.commit(repo, "commit")?;
            for parent in parents(&bytes)
                .iter()
                .filter(|parent| tip.as_ref() != Some(parent))
            {
                check_ground(repo, entry, parent)?;
            }
            let needs = vec![commit_object(commit, bytes)];
            Ok(Some(
                ReadyStep::Relocate(
                    relocation(commit.clone(), RefDirection::On, entry.changes(repo)?),
                    needs,
                )
                .into(),
            ))
        }
        (Some(tip), Some(How::Inverse { commit: inverse }))
            if tip == inverse && !repo.is_on_a_remote(inverse)? =>
        {
            let parent = repo.parents_of(inverse)?.into_iter().next();
            let parent = parent.ok_or_else(|| {
                changed_since(format!("commit {} has no parent", short_id(&inverse.0)))
            })?;
            let changes = reverse_changes(repo.changes_of(inverse, &parent)?);
            Ok(Some(
                ReadyStep::Relocate(relocation(parent, RefDirection::Back, changes), Vec::new())
                    .into(),
            ))
        }
        (None, _) => Err(branch_is_gone(repo, entry, reference)),
        // Somebody put it back by hand.
        (Some(tip), Some(How::Moved { .. })) if repo.descends(tip, commit)? => {
            Ok(Some(ReadyStep::Nothing.into()))
        }
        (Some(tip), Some(How::Inverse { commit: inverse }))
            if repo.descends(tip, commit)? && !repo.descends(tip, inverse)? =>
        {
            Ok(Some(ReadyStep::Nothing.into()))
        }
        (Some(_), _) => Ok(None),
    }
}

/// Says that there is no branch to put the batch on, and how to have one again.
fn branch_is_gone(repo: &Repo, entry: &HistoryEntry, reference: &str) -> Diagnostic {
    let (name, id) = (branch_words(reference), short_id(&entry.record.id));
    let refusal = changed_since(format!(
        "{name}, which batch {id} was published on, is gone"
    ));
    let stood = match entry.mark.as_ref().map(|mark| &mark.how) {
        Some(How::Moved { to: Some(commit) } | How::Inverse { commit }) => Some(commit),
        Some(How::Moved { to: None } | How::Restored | How::Dropped) | None => None,
    };
    match stood.filter(|commit| repo.has_object(commit).unwrap_or(false)) {
        Some(commit) => refusal.note(format!(
            "`git branch {name} {}` brings it back as it was",
            short_id(&commit.0)
        )),
        None => refusal.note(format!(
            "`git segedit show-batch {id}` shows its operation file, to be applied elsewhere"
        )),
    }
}

/// Returns the stash entry as it was, to be made again from its bytes: git may have collected it since.
fn stash_again(repo: &Repo, entry: &HistoryEntry, commit: &Id) -> Result<UndoStep, Diagnostic> {
    if repo.stashed()?.contains(commit) {
        return Ok(ReadyStep::Nothing.into());
    }
    let bytes = entry.commit(repo, "commit")?;
    let parents = parents(&bytes);
    let [base, index] = parents.as_slice() else {
        return Err(Diagnostic::new(
            Code::Io,
            format!("{} is no stash entry", step::ref_of(entry)),
        ));
    };
    check_ground(repo, entry, base)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let line = text
        .split_once("\n\n")
        .map_or("", |(_, message)| message)
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    let index = commit_object(index, entry.commit(repo, "index-commit")?);
    Ok(ReadyStep::StashAgain(vec![index, commit_object(commit, bytes)], line).into())
}

/// Refuses to put a commit back on one that is gone: git would find the repository broken.
fn check_ground(repo: &Repo, entry: &HistoryEntry, parent: &Id) -> Result<(), Diagnostic> {
    if repo.has_history(parent)? {
        return Ok(());
    }
    let (id, parent) = (short_id(&entry.record.id), short_id(&parent.0));
    Err(changed_since(format!(
        "batch {id} stood on commit {parent}, which is gone: git has collected it"
    ))
    .note(format!(
        "`git segedit show-batch {id}` shows its operation file, to be applied to something else"
    )))
}

/// Returns the parents of the commit that `bytes` are.
fn parents(bytes: &[u8]) -> Vec<Id> {
    let text = String::from_utf8_lossy(bytes);
    let head = text.lines().take_while(|line| !line.is_empty());
    head.filter_map(|line| line.strip_prefix("parent "))
        .map(|id| Id(id.to_owned()))
        .collect()
}

fn moved_again(entry: &HistoryEntry) -> Diagnostic {
    changed_since(format!(
        "the branch moved while batch {} was put forth again",
        shown(short_id(&entry.record.id))
    ))
    .note("repeat the request")
}
