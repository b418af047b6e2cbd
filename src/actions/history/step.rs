//! `Step`: what an undo or a redo comes to, decided before anything is done. Rehearsed or carried out, by the way that
//! publishing goes.

use std::path::Path;

use super::StepMode;
use super::here::changed_since;
use super::inverse::Inverse;
use crate::actions::apply::Options;
use crate::actions::outcome::{Ledger, Outcome, Status, Subject};
use crate::actions::{describe, keeping};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ELSEWHERE, Expected, Object, ObjectKind, ReadSource, Repo};
use crate::history::{
    self, BATCHES, Displaced, FileRecord, HistoryEntry, How, Proof, UNDONE, UndoMark,
};
use crate::manifest::{self, Destination};
use crate::path::RepoPath;
use crate::plan::Candidate;
use crate::publish::restore::{self, RefDirection, Relocation};
use crate::publish::{self, Intended, Prepared, Queue, Receipt, Refusal, RehearsalTarget};
use crate::snapshot::{Change, File, Id};

/// What is said where index or files are not as they were left.
const UNTOUCHED: &str = "only what still is as the batch left it is touched; nothing was changed";

/// What it comes to.
#[derive(Clone, Debug)]
pub(super) enum UndoStep {
    /// A commit on top undoes what one further down did. It is made when the step is taken.
    Invert(Inverse),
    /// All of it is there.
    Ready(ReadyStep),
}

/// A step of which all is there.
#[derive(Clone, Debug)]
pub(super) enum ReadyStep {
    /// A ref moves; what it needs may have been collected since, so it is stored again.
    Relocate(Relocation, Vec<Object>),
    /// Index, files or both are changed.
    Restore(Destination, Vec<Change>),
    /// An entry leaves the stash.
    DropStash(Id),
    /// An entry comes back: its commits, itself last, and its line in the list.
    StashAgain(Vec<Object>, String),
    /// It is so already.
    Nothing,
}

impl From<ReadyStep> for UndoStep {
    fn from(step: ReadyStep) -> UndoStep {
        UndoStep::Ready(step)
    }
}

/// What is to be done about which batch.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    pub entry: HistoryEntry,
    pub step: UndoStep,
    /// What the caller should know of how that was found.
    pub warnings: Vec<Diagnostic>,
}

/// What the history says afterwards.
#[derive(Clone, Debug)]
pub(super) enum Note<'e> {
    /// The batch is taken back.
    Undone(&'e HistoryEntry),
    /// It stands again.
    Redone(&'e HistoryEntry),
}

impl UndoStep {
    /// Returns what becomes of the files.
    fn changes(&self) -> &[Change] {
        match self {
            UndoStep::Invert(inverse) => &inverse.changes,
            UndoStep::Ready(ReadyStep::Relocate(relocation, _)) => &relocation.changes,
            UndoStep::Ready(ReadyStep::Restore(_, changes)) => changes,
            UndoStep::Ready(
                ReadyStep::DropStash(_) | ReadyStep::StashAgain(..) | ReadyStep::Nothing,
            ) => &[],
        }
    }

    /// Returns what the caller is shown: of a stash entry what it holds, which is nowhere else.
    fn shown(&self, entry: &HistoryEntry, repo: &Repo) -> Result<Vec<Change>, Diagnostic> {
        match self {
            UndoStep::Ready(ReadyStep::DropStash(_)) => Ok(reverse_changes(entry.changes(repo)?)),
            UndoStep::Ready(ReadyStep::StashAgain(..)) => entry.changes(repo),
            UndoStep::Invert(_) | UndoStep::Ready(_) => Ok(self.changes().to_vec()),
        }
    }

    /// Says what would be in the way.
    fn rehearse(&self, note: &Note<'_>, repo: &Repo, options: &Options) -> Result<(), Refusal> {
        let Some(target) = self.target(options) else {
            return Ok(());
        };
        let known = note.known(repo)?;
        let intended = Intended {
            known: &known,
            ..Intended::plain(self.changes())
        };
        let displaced = publish::rehearse_at(&intended, &target, repo)
            .map_err(|refusal| self.worded(refusal))?;
        if matches!(note, Note::Redone(_)) {
            note.check_kept(&displaced, repo)?;
        }
        Ok(())
    }

    /// Returns where it goes; `None` for what goes through no worktree.
    fn target(&self, options: &Options) -> Option<RehearsalTarget> {
        let on_branch = |reference: &str, from: Option<&Id>| RehearsalTarget::Branch {
            reference: reference.to_owned(),
            expected: from.cloned().map_or(Expected::Absent, Expected::At),
            pinned: false,
            hooks: options.hooks(),
        };
        match self {
            UndoStep::Invert(inverse) => Some(on_branch(&inverse.reference, Some(&inverse.tip))),
            UndoStep::Ready(ReadyStep::Relocate(relocation, _)) => {
                Some(on_branch(&relocation.reference, relocation.from.as_ref()))
            }
            UndoStep::Ready(ReadyStep::Restore(destination, _)) => {
                Some(RehearsalTarget::Files(*destination))
            }
            UndoStep::Ready(
                ReadyStep::DropStash(_) | ReadyStep::StashAgain(..) | ReadyStep::Nothing,
            ) => None,
        }
    }

    /// Does it, lets the history say so, and returns the commit that stands there now, with what failed once that was so.
    fn carry_out(
        self,
        note: &Note<'_>,
        options: &Options,
        queue: &Queue<'_>,
    ) -> Result<(Option<Id>, Vec<Diagnostic>), Refusal> {
        let repo = queue.repo();
        let (step, how) = match self {
            UndoStep::Invert(inverse) => {
                let commit =
                    restore::commit_on(&inverse.tip, &inverse.changes, &inverse.message, repo)?;
                let step = ReadyStep::Relocate(inverse.relocation(&commit), Vec::new());
                (step, How::Inverse { commit })
            }
            UndoStep::Ready(step) => {
                let how = step.how();
                (step, how)
            }
        };
        let mut receipt = step
            .publish(note, how, options, queue)
            .map_err(|refusal| keeping::note_leftover(refusal, repo))?;
        Ok((receipt.commits.pop().flatten(), receipt.warnings))
    }

    /// Words a refusal for somebody who publishes nothing: files that are not as the batch left them changed since, and
    /// there is no other branch to go to.
    fn worded(&self, refusal: Refusal) -> Refusal {
        let restores = matches!(self, UndoStep::Ready(ReadyStep::Restore(..)));
        worded(restores, refusal)
    }
}

impl ReadyStep {
    fn publish(
        &self,
        note: &Note<'_>,
        how: How,
        options: &Options,
        queue: &Queue<'_>,
    ) -> Result<Receipt, Refusal> {
        let restores = matches!(self, ReadyStep::Restore(..));
        let repo = queue.repo();
        let known = note.known(repo)?;
        let prepared = self
            .prepare(&known, options, queue)
            .map_err(|refusal| worded(restores, refusal))?;
        let displaced = &prepared.receipt().displaced;
        let announced = note
            .promise(self.proof(repo), how, displaced, repo)
            .map_err(|refusal| worded(restores, refusal.into()))?;
        keeping::commit(prepared, Some(announced), note.done(), queue)
            .map_err(|refusal| worded(restores, refusal))
    }

    fn prepare<'q>(
        &self,
        known: &[Displaced],
        options: &Options,
        queue: &'q Queue<'_>,
    ) -> Result<Prepared<'q>, Refusal> {
        match self {
            ReadyStep::Relocate(relocation, needs) => {
                queue.repo().write_objects(needs)?;
                restore::prepare_relocation(relocation, known, options.hooks(), queue)
            }
            ReadyStep::Restore(destination, changes) => {
                restore::prepare_files(changes, known, *destination, queue)
            }
            ReadyStep::DropStash(commit) => Ok(restore::prepare_drop(commit, queue)),
            ReadyStep::StashAgain(commits, line) => restore::prepare_stash(commits, line, queue),
            ReadyStep::Nothing => Ok(restore::prepare_nothing()),
        }
    }

    fn how(&self) -> How {
        match self {
            ReadyStep::Relocate(relocation, _) => How::Moved {
                to: relocation.to.clone(),
            },
            ReadyStep::DropStash(_) => How::Dropped,
            ReadyStep::Restore(..) | ReadyStep::StashAgain(..) | ReadyStep::Nothing => {
                How::Restored
            }
        }
    }

    fn proof(&self, repo: &Repo) -> Proof {
        let name = |id: &Option<Id>| id.as_ref().map(|id| id.0.clone()).unwrap_or_default();
        let worktree = || repo.workdir().unwrap_or(repo.git_dir()).to_owned();
        match self {
            ReadyStep::Relocate(step, _) if step.way == RefDirection::On => Proof::Reached {
                name: step.reference.clone(),
                commit: name(&step.to),
            },
            ReadyStep::Relocate(step, _) => Proof::Left {
                name: step.reference.clone(),
                commit: name(&step.from),
            },
            ReadyStep::Restore(Destination::Worktree, changes) => Proof::Written {
                worktree: worktree(),
                files: file_records(changes, repo),
            },
            ReadyStep::Restore(_, changes) => Proof::Indexed {
                worktree: worktree(),
                files: file_records(changes, repo),
            },
            ReadyStep::DropStash(commit) => Proof::Unstashed {
                commit: commit.0.clone(),
            },
            ReadyStep::StashAgain(commits, _) => Proof::Stashed {
                commit: name(&commits.last().map(|last| last.id.clone())),
            },
            ReadyStep::Nothing => Proof::Given,
        }
    }
}

/// Words a refusal for somebody who publishes nothing, and perhaps `restores` files.
fn worded(restores: bool, refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Stale { name, .. } if restores => refuse_changed(&[name]).into(),
        Refusal::Refused(refusals) => {
            let reworded = |refusal: Diagnostic| match refusal.code {
                Code::WorktreeDirty if restores => Diagnostic {
                    code: Code::ChangedSince,
                    notes: vec![UNTOUCHED.to_owned()],
                    ..refusal
                },
                _ => here_only(refusal),
            };
            Refusal::Refused(refusals.into_iter().map(reworded).collect())
        }
        Refusal::Stale { .. } | Refusal::Failed(_) => refusal,
    }
}

/// Returns a refusal without the way out that only a publication has.
fn here_only(mut refusal: Diagnostic) -> Diagnostic {
    for note in &mut refusal.notes {
        if let Some(kept) = note.strip_suffix(ELSEWHERE) {
            *note = kept.to_owned();
        }
    }
    refusal
}

impl Note<'_> {
    /// Says what has happened to the batch.
    fn done(&self) -> &'static str {
        match self {
            Note::Undone(_) => "the batch is taken back",
            Note::Redone(_) => "the batch is put forth again",
        }
    }

    /// Returns what files shall hold, to the byte, that hold just what the batch or its undoing left.
    fn known(&self, repo: &Repo) -> Result<Vec<Displaced>, Diagnostic> {
        match self {
            Note::Undone(entry) => Ok(entry
                .displaced(repo)?
                .into_iter()
                .map(Displaced::reversed)
                .collect()),
            Note::Redone(entry) => {
                let undone = entry
                    .displaced_by_undoing(repo)?
                    .into_iter()
                    .map(Displaced::reversed);
                Ok(undone.chain(entry.displaced(repo)?).collect())
            }
        }
    }

    /// Refuses where a file goes that holds what is nowhere else: what is put forth again writes no entry that would keep it.
    fn check_kept(&self, displaced: &[Displaced], repo: &Repo) -> Result<(), Diagnostic> {
        let known = self.known(repo)?;
        for file in displaced.iter().filter(|file| file.new.is_none()) {
            let Some(held) = &file.old else { continue };
            let stored = repo.stored_form(&file.path, held.bytes.to_vec())?;
            let is_kept = stored == held.bytes[..]
                || repo.checkout_form(&file.path, stored)? == held.bytes[..]
                || known.iter().any(|known| {
                    known
                        .old
                        .as_ref()
                        .is_some_and(|old| old.bytes == held.bytes)
                });
            if !is_kept {
                let path = shown(file.path.as_str());
                let message = format!("{path} holds what git does not store, and would be removed");
                return Err(
                    Diagnostic::new(Code::WorktreeDirty, message).note("move it away first")
                );
            }
        }
        Ok(())
    }

    /// Writes down what the history shall say, and with it what becomes of `displaced` files.
    fn promise(
        &self,
        proof: Proof,
        how: How,
        displaced: &[Displaced],
        repo: &Repo,
    ) -> Result<history::Announced, Diagnostic> {
        match self {
            Note::Undone(entry) => {
                let time = history::moments(repo, describe::micros(), 1)?;
                let mark = UndoMark {
                    version: 1,
                    time,
                    how,
                    displaced: Vec::new(),
                };
                let tree = history::store_mark(repo, &entry.batch, mark, displaced)?;
                history::promise(
                    repo,
                    proof,
                    &[(format!("{UNDONE}{}", entry.batch.name), tree)],
                    &[],
                )
            }
            Note::Redone(entry) => {
                self.check_kept(displaced, repo)?;
                let mark = entry
                    .batch
                    .undone
                    .iter()
                    .map(|tree| (format!("{UNDONE}{}", entry.batch.name), tree.clone()));
                history::promise(repo, proof, &[], &mark.collect::<Vec<_>>())
            }
        }
    }
}

/// Returns what `redo` and `undo` say in the end.
fn step_outcome(
    subject: Subject,
    entry: &HistoryEntry,
    changes: Vec<Change>,
    repo: &Repo,
    diff: bool,
) -> Outcome {
    let record = &entry.record;
    Outcome {
        status: Status::Verified,
        subject,
        batch: Some(record.id.clone()),
        destination: record.destination,
        mode: record.mode,
        base: None,
        reference: record.reference.clone(),
        commit: None,
        operations: Vec::new(),
        files: describe::describe_files(&Candidate::of_changes(changes), repo.hash_kind(), diff),
        formatters: Vec::new(),
        validators: Vec::new(),
        ledger: Ledger::default(),
        warnings: Vec::new(),
        errors: Vec::new(),
        source: manifest::ManifestText {
            name: record.source.clone(),
            text: String::new(),
        },
        conversation: None,
    }
}

/// Returns the outcome of an undo or a redo that `errors` refuse.
pub(super) fn refused_outcome(subject: Subject, errors: Vec<Diagnostic>) -> Outcome {
    Outcome {
        status: Status::of(&errors),
        subject,
        batch: None,
        destination: Destination::default(),
        mode: manifest::CheckMode::default(),
        base: None,
        reference: None,
        commit: None,
        operations: Vec::new(),
        files: Vec::new(),
        formatters: Vec::new(),
        validators: Vec::new(),
        ledger: Ledger::default(),
        warnings: Vec::new(),
        errors,
        source: manifest::ManifestText::default(),
        conversation: None,
    }
}

/// Opens the repository, puts in order what was interrupted there, since what is decided on half of something is wrong, and
/// does `run` in it.
pub(super) fn open_repository(
    repo_dir: &Path,
    options: &Options,
    subject: Subject,
    run: impl FnOnce(&Repo) -> Result<Outcome, Vec<Diagnostic>>,
) -> Outcome {
    let open = || {
        let repo = Repo::open_as(repo_dir, options.durability)?;
        let warnings = publish::recover_if_needed(&repo)?;
        Ok((repo, warnings))
    };
    match open() {
        Ok((repo, warnings)) => {
            let mut outcome = run(&repo).unwrap_or_else(|errors| refused_outcome(subject, errors));
            outcome.warnings.extend(warnings);
            outcome
        }
        Err(error) => refused_outcome(subject, vec![error]),
    }
}

/// Does `decide` and what comes of it, again when the world moved in between; nothing is done in a rehearsal.
pub(super) fn run_step(
    repo: &Repo,
    act: StepMode,
    options: &Options,
    subject: Subject,
    decide: &dyn Fn() -> Result<Decided, Diagnostic>,
) -> Result<Outcome, Vec<Diagnostic>> {
    const MOST_ATTEMPTS: usize = 5;
    let mut attempt = 1;
    loop {
        let queue = match act {
            StepMode::Do => Some(Queue::enter(repo).map_err(|error| vec![error])?),
            StepMode::Rehearse => None,
        };
        let Decided {
            entry,
            step,
            warnings,
        } = decide().map_err(|error| vec![error])?;
        let changes = step.shown(&entry, repo).map_err(|error| vec![error])?;
        let mut outcome = step_outcome(subject, &entry, changes, repo, options.diff);
        outcome.warnings = warnings;
        let unchanged = matches!(step, UndoStep::Ready(ReadyStep::Nothing));
        let note = if subject == Subject::Redo {
            Note::Redone(&entry)
        } else {
            Note::Undone(&entry)
        };
        let done = match &queue {
            Some(queue) => step.carry_out(&note, options, queue),
            None => step
                .rehearse(&note, repo, options)
                .map(|()| (None, Vec::new())),
        };
        match done {
            Ok((commit, warnings)) => {
                outcome.commit = commit;
                outcome.warnings.extend(warnings);
                outcome.status = match act {
                    _ if unchanged => Status::Unchanged,
                    StepMode::Do => Status::Published,
                    StepMode::Rehearse => Status::Verified,
                };
                return Ok(outcome);
            }
            Err(Refusal::Stale { .. }) if attempt < MOST_ATTEMPTS => attempt += 1,
            Err(refusal) => return Err(refusal.diagnostics()),
        }
    }
}

/// Refuses when index or files hold anything but what `changes` begin with.
pub(super) fn check_held(
    destination: Destination,
    changes: &[Change],
    repo: &Repo,
) -> Result<(), Diagnostic> {
    let mut differing: Vec<String> = Vec::new();
    let trusts_mode = repo.worktree()?.trusts_mode();
    for source in sources_of(destination) {
        let holding = repo.holding(source)?;
        let exact = *source == ReadSource::Index || trusts_mode;
        for change in changes {
            // What cannot be read, a link or a conflict, is not what was left either.
            let held = holding
                .file(&change.path)
                .is_ok_and(|found| same_file(found.as_ref(), change.before.as_ref(), exact));
            let is_absent = || is_skipped(repo, &change.path);
            if held || *source == ReadSource::Worktree && is_absent()? {
                continue;
            }
            if !differing.iter().any(|path| path == change.path.as_str()) {
                differing.push(change.path.as_str().to_owned());
            }
        }
    }
    if differing.is_empty() {
        Ok(())
    } else {
        Err(refuse_changed(&differing))
    }
}

/// Returns what holds a batch that went to `destination`.
pub(super) fn sources_of(destination: Destination) -> &'static [ReadSource] {
    match destination {
        Destination::Index => &[ReadSource::Index, ReadSource::Worktree],
        Destination::Cached => &[ReadSource::Index],
        Destination::Worktree => &[ReadSource::Worktree],
        Destination::Commit | Destination::Stash => &[],
    }
}

/// Says whether a file is not in the worktree, and the index says that it need not be, in a sparse checkout or not.
pub(super) fn is_skipped(repo: &Repo, path: &RepoPath) -> Result<bool, Diagnostic> {
    if repo.worktree()?.read(path)?.is_some() {
        return Ok(false);
    }
    Ok(repo
        .read_index()?
        .get(path.as_str())?
        .is_some_and(|entry| entry.skip_worktree))
}

fn same_file(found: Option<&File>, expected: Option<&File>, exact: bool) -> bool {
    match (found, expected) {
        (None, None) => true,
        (Some(found), Some(expected)) => {
            found.bytes == expected.bytes && (!exact || found.mode == expected.mode)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn refuse_changed(paths: &[String]) -> Diagnostic {
    const MOST: usize = 10;
    let mut named: Vec<String> = paths.iter().take(MOST).map(|path| shown(path)).collect();
    if paths.len() > MOST {
        named.push(format!("{} more", paths.len() - MOST));
    }
    changed_since(format!("changed since: {}", named.join(", "))).note(UNTOUCHED)
}

/// Returns what each file becomes, as the history writes it.
fn file_records(changes: &[Change], repo: &Repo) -> Vec<FileRecord> {
    changes
        .iter()
        .map(|change| FileRecord::of(change, repo.hash_kind(), (0, 0)))
        .collect()
}

/// Returns `changes` the other way round.
pub(super) fn reverse_changes(changes: Vec<Change>) -> Vec<Change> {
    changes
        .into_iter()
        .map(|change| Change {
            path: change.path,
            before: change.after,
            after: change.before,
        })
        .collect()
}

/// Returns the commit that `bytes` are, as an object to be stored again.
pub(super) fn commit_object(id: &Id, bytes: Vec<u8>) -> Object {
    Object {
        kind: ObjectKind::Commit,
        id: id.clone(),
        bytes: bytes.into(),
    }
}

/// Returns the full name of an entry's ref, for messages.
pub(super) fn ref_of(entry: &HistoryEntry) -> String {
    format!("{BATCHES}{}", entry.batch.name)
}
