//! Puts a batch into the history: what its entry says, made before the batch is published and kept after it.

use std::collections::BTreeMap;

use super::outcome::{FileOutcome, Outcome, Status};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{ReadSource, Repo};
use crate::history::{self, Announced, BatchRecord, FileRecord, LedgerRecord, NewEntry, States};
use crate::manifest::{Destination, Manifest, yaml};
use crate::path::RepoPath;
use crate::publish::{self, Prepared, PublishTarget, Queue, Receipt, Refusal};
use crate::snapshot::{Change, HashKind};

/// What is about to be published; one of each for every batch of the call.
pub(super) struct Published<'a> {
    pub manifests: &'a [Manifest],
    pub ids: &'a [String],
    pub changes: &'a [Vec<Change>],
    pub target: &'a PublishTarget,
    /// The batch that the only one puts forth again.
    pub redo_of: Option<&'a str>,
}

/// Stores and announces the entries of what is `prepared`; `outcomes` say what comes of it.
pub(super) fn announce(
    published: &Published<'_>,
    outcomes: &[Outcome],
    prepared: &Prepared<'_>,
    report: fn(&Outcome) -> Vec<u8>,
    queue: &Queue<'_>,
) -> Result<Option<Announced>, Diagnostic> {
    let (repo, micros) = (queue.repo(), super::describe::micros());
    let entries = draft_entries(
        repo,
        published,
        outcomes,
        prepared.receipt(),
        report,
        micros,
    )?;
    history::announce(repo, &entries, micros)
}

/// Commits what is `prepared` and lets the history say what was `announced`. By then it is `done`: that the history does not say
/// so is only a warning. What is refused is not announced any more.
pub(super) fn commit(
    prepared: Prepared<'_>,
    announced: Option<Announced>,
    done: &str,
    queue: &Queue<'_>,
) -> Result<Receipt, Refusal> {
    let repo = queue.repo();
    match prepared.commit() {
        Ok(mut receipt) => {
            let failure = announced.and_then(|announced| announced.keep(repo).err());
            receipt
                .warnings
                .extend(failure.map(|failure| warn_of_history(failure, done)));
            Ok(receipt)
        }
        Err(refusal) => {
            // Where files could not be put back, what they hold proves nothing until whoever comes next has done that.
            if let Some(announced) = announced
                && !publish::is_unsettled(repo)
            {
                announced.withdraw(repo);
            }
            Err(refusal)
        }
    }
}

fn warn_of_history(failure: Diagnostic, done: &str) -> Diagnostic {
    let message = format!(
        "{done}, but the history does not say so yet: {}",
        failure.message
    );
    Diagnostic::new(failure.code, message).note("the next command of git segedit makes up for it")
}

/// Has the refusal of a publication say so where something of it was left.
pub(super) fn note_leftover(refusal: Refusal, repo: &Repo) -> Refusal {
    if !publish::is_unsettled(repo) {
        return refusal;
    }
    refusal.note(
        "something is left to be put in order; `git segedit recover`, or whatever command is next, does that",
    )
}

fn draft_entries(
    repo: &Repo,
    published: &Published<'_>,
    outcomes: &[Outcome],
    receipt: &Receipt,
    report: fn(&Outcome) -> Vec<u8>,
    micros: u64,
) -> Result<Vec<NewEntry>, Diagnostic> {
    let mut entries = Vec::new();
    let mut parent = match &published.target.source {
        ReadSource::Commit { commit, .. } => Some(commit.clone()),
        ReadSource::Unborn { .. } | ReadSource::Index | ReadSource::Worktree => None,
    };
    let mut before = receipt.before.clone();
    let each = published
        .manifests
        .iter()
        .zip(outcomes)
        .zip(published.changes)
        .zip(&receipt.commits);
    for (((manifest, outcome), changes), commit) in each {
        if outcome.status != Status::Published || changes.is_empty() {
            continue;
        }
        let states = match manifest.destination {
            Destination::Commit | Destination::Stash if commit.is_none() => continue,
            Destination::Commit | Destination::Stash => States::Commits {
                before: parent
                    .as_ref()
                    .map(|parent| repo.tree_of(parent))
                    .transpose()?,
            },
            Destination::Index | Destination::Cached | Destination::Worktree => {
                States::Files(changes.clone())
            }
        };
        let record = BatchRecord {
            version: 1,
            id: outcome
                .batch
                .clone()
                .ok_or_else(|| Diagnostic::new(Code::Io, "a published batch without an id"))?,
            time: micros / 1_000_000,
            destination: manifest.destination,
            mode: manifest.mode,
            worktree: repo.worktree_name(),
            reference: outcome.reference.clone(),
            before: before.clone(),
            base: parent.clone().or_else(|| outcome.base.clone()),
            commit: commit.clone(),
            operations: manifest.operations.len(),
            files: file_records(changes, &outcome.files, repo.hash_kind()),
            ledger: ledger_record(outcome),
            source: manifest.source.name.clone(),
            who: repo.who(),
            message: manifest.message.clone(),
            author: manifest
                .author
                .as_ref()
                .map(|author| format!("{} <{}>", author.name, author.email)),
            redo_of: published.redo_of.map(str::to_owned),
            displaced: Vec::new(),
            conversation: outcome.conversation.clone(),
        };
        let touched = |path: &RepoPath| {
            changes
                .binary_search_by(|change| change.path.cmp(path))
                .is_ok()
        };
        let displaced = receipt
            .displaced
            .iter()
            .filter(|file| touched(&file.path))
            .cloned()
            .collect();
        entries.push(NewEntry {
            record,
            operations: operation_records(manifest),
            report: report(outcome),
            states,
            displaced,
        });
        if manifest.destination == Destination::Commit {
            (parent, before) = (commit.clone(), commit.clone());
        }
    }
    Ok(entries)
}

/// Returns the operation file as given; the one that a command line stands for is written.
fn operation_records(manifest: &Manifest) -> String {
    if manifest.source.text.is_empty() {
        yaml::write(manifest)
    } else {
        manifest.source.text.clone()
    }
}

fn file_records(changes: &[Change], told: &[FileOutcome], kind: HashKind) -> Vec<FileRecord> {
    let told: BTreeMap<&RepoPath, &FileOutcome> =
        told.iter().map(|file| (&file.change.path, file)).collect();
    let lines = |change: &Change| {
        told.get(&change.path)
            .map_or((0, 0), |file| (file.added, file.removed))
    };
    changes
        .iter()
        .map(|change| FileRecord::of(change, kind, lines(change)))
        .collect()
}

fn ledger_record(outcome: &Outcome) -> LedgerRecord {
    let ledger = &outcome.ledger;
    LedgerRecord {
        lines_changed: ledger.lines_changed,
        lines_total: ledger.lines_total,
        tokens_written: ledger.tokens_written,
        tokens_full_rewrite: ledger.tokens_full_rewrite,
    }
}
