//! Puts a batch into the history: what its entry says, made before the batch is published and kept after it.

use std::collections::BTreeMap;

use super::outcome::{FileOutcome, Outcome, Status};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{ReadSource, Repo};
use crate::history::{self, Announced, BatchRecord, FileRecord, LedgerRecord, NewEntry, States};
use crate::manifest::{Destination, Manifest, yaml};
use crate::path::RepoPath;
use crate::publish::{self, PublishTarget, Receipt, Refusal};
use crate::snapshot::{Change, HashKind};

/// What is about to be published; one of each for every batch of the call.
pub(super) struct Published<'a> {
    pub manifests: &'a [Manifest],
    pub outcomes: &'a [Outcome],
    pub changes: &'a [Vec<Change>],
    pub target: &'a PublishTarget,
    pub receipt: &'a Receipt,
    /// The batch that the only one puts forth again.
    pub redo_of: Option<&'a str>,
}

/// Stores and announces the entries of what is about to be published.
pub(super) fn announce(
    repo: &Repo,
    published: &Published<'_>,
    report: fn(&Outcome) -> Vec<u8>,
) -> Result<Option<Announced>, Diagnostic> {
    let micros = super::describe::micros();
    history::announce(
        repo,
        &draft_entries(repo, published, report, micros)?,
        micros,
    )
}

/// Lets the history say so. What it says is `done` by now: what fails is only told.
pub(super) fn keep_entry(announced: Announced, done: &str, repo: &Repo) -> Option<Diagnostic> {
    let failure = announced.keep(repo).err()?;
    let message = format!(
        "{done}, but the history does not say so yet: {}",
        failure.message
    );
    Some(
        Diagnostic::new(failure.code, message)
            .note("the next command of git segedit makes up for it"),
    )
}

/// Takes the announcement back, because publishing failed, while the queue is still held. Where files could not be put back,
/// what they hold proves nothing until whoever comes next has done that: it stays, and the refusal says so.
pub(super) fn withdraw_intent(
    announced: Option<Announced>,
    refusal: Refusal,
    repo: &Repo,
) -> Refusal {
    if publish::is_unsettled(repo) {
        return refusal.note(
            "something is left to be put in order; `git segedit recover`, or whatever command is next, does that",
        );
    }
    if let Some(announced) = announced {
        announced.withdraw(repo);
    }
    refusal
}

fn draft_entries(
    repo: &Repo,
    published: &Published<'_>,
    report: fn(&Outcome) -> Vec<u8>,
    micros: u64,
) -> Result<Vec<NewEntry>, Diagnostic> {
    let mut entries = Vec::new();
    let mut parent = match &published.target.source {
        ReadSource::Commit { commit, .. } => Some(commit.clone()),
        ReadSource::Unborn { .. } | ReadSource::Index | ReadSource::Worktree => None,
    };
    let mut before = published.receipt.before.clone();
    let each = published
        .manifests
        .iter()
        .zip(published.outcomes)
        .zip(published.changes)
        .zip(&published.receipt.commits);
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
        let displaced = &published.receipt.displaced;
        let displaced = displaced
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
