//! Reading the history: names first, which is cheap, and each entry when it is asked for.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::displaced::{self, Displaced};
use super::record::{self, BatchRecord, UndoMark};
use super::{BATCHES, UNDONE};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ReadSource, Repo, is_ref_name};
use crate::snapshot::{Change, Id};

/// An entry by its name; nothing of it is read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedEntry {
    /// `<when>-<id>`: the last part of its ref.
    pub name: String,
    /// Its tree.
    pub tree: Id,
    /// The tree that says how it was taken back.
    pub undone: Option<Id>,
}

/// An entry.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// Its name.
    pub batch: NamedEntry,
    /// What is written about it.
    pub record: BatchRecord,
    /// How it was taken back, if it was.
    pub mark: Option<UndoMark>,
}

impl NamedEntry {
    /// Returns the batch's id.
    pub fn id(&self) -> &str {
        self.name.split_once('-').map_or(&self.name, |(_, id)| id)
    }

    /// Returns when it was published, in microseconds since 1970.
    pub fn micros(&self) -> u64 {
        let when = self.name.split_once('-').map_or("", |(when, _)| when);
        u64::from_str_radix(when, 16).unwrap_or(0)
    }
}

/// Returns the names of all entries, the last published first.
pub(crate) fn list(repo: &Repo) -> Result<Vec<NamedEntry>, Diagnostic> {
    let last = |name: &str, folder: &str| name.strip_prefix(folder).map(str::to_owned);
    let undone: BTreeMap<String, Id> = repo
        .refs_below(UNDONE)?
        .into_iter()
        .filter_map(|(name, tree)| Some((last(&name, UNDONE)?, tree)))
        .collect();
    let mut batches: Vec<NamedEntry> = Vec::new();
    for (name, tree) in repo.refs_below(BATCHES)? {
        let Some(name) = last(&name, BATCHES) else {
            continue;
        };
        let undone = undone.get(&name).cloned();
        batches.push(NamedEntry { name, tree, undone });
    }
    batches.reverse();
    Ok(batches)
}

/// Reads one entry.
pub(crate) fn read(repo: &Repo, batch: &NamedEntry) -> Result<HistoryEntry, Diagnostic> {
    look(repo, batch)?
}

/// Reads one entry, or returns what is wrong with it: anybody can make a ref. That nothing can be read now is a failure.
pub(crate) fn look(
    repo: &Repo,
    batch: &NamedEntry,
) -> Result<Result<HistoryEntry, Diagnostic>, Diagnostic> {
    let record: BatchRecord = match part(
        repo,
        &batch.tree,
        "record.json",
        &format!("{BATCHES}{}", batch.name),
    )? {
        Ok(record) => record,
        Err(wrong) => return Ok(Err(wrong)),
    };
    if let Some(name) = record
        .reference
        .as_deref()
        .filter(|name| !is_ref_name(name))
    {
        let message = format!(
            "{BATCHES}{} speaks of `{}`, which is no ref",
            shown(&batch.name),
            shown(name)
        );
        return Ok(Err(Diagnostic::new(Code::Io, message)));
    }
    let mark = match &batch.undone {
        None => None,
        Some(tree) => match part(
            repo,
            tree,
            "undone.json",
            &format!("{UNDONE}{}", batch.name),
        )? {
            Ok(mark) => Some(mark),
            Err(wrong) => return Ok(Err(wrong)),
        },
    };
    Ok(Ok(HistoryEntry {
        batch: batch.clone(),
        record,
        mark,
    }))
}

/// Reads what the file `name` in the `tree` of `reference` says.
fn part<T: DeserializeOwned>(
    repo: &Repo,
    tree: &Id,
    name: &str,
    reference: &str,
) -> Result<Result<T, Diagnostic>, Diagnostic> {
    let reference = shown(reference);
    Ok(match repo.file_in_folder(tree, name)? {
        Some(bytes) => record::parse(&reference, &bytes),
        None => Err(Diagnostic::new(
            Code::Io,
            format!("{reference} has no {name} that can be read"),
        )
        .note(format!("`git update-ref -d {reference}` forgets it"))),
    })
}

/// Returns the batch whose id begins with `id`.
pub(crate) fn find<'b>(batches: &'b [NamedEntry], id: &str) -> Result<&'b NamedEntry, Diagnostic> {
    let begins = |batch: &NamedEntry| {
        batch
            .id()
            .get(..id.len())
            .is_some_and(|digits| digits.eq_ignore_ascii_case(id))
    };
    let fits: Vec<&NamedEntry> = batches
        .iter()
        .filter(|batch| !id.is_empty() && begins(batch))
        .collect();
    match fits.as_slice() {
        [only] => Ok(only),
        [] => Err(Diagnostic::new(
            Code::NothingToUndo,
            format!("there is no batch `{}`", shown(id)),
        )
        .note("`git segedit log` lists the batches")),
        several => {
            let message = format!(
                "`{}` is the beginning of {} batches",
                shown(id),
                several.len()
            );
            Err(Diagnostic::new(Code::NothingToUndo, message)
                .suggest(several.iter().map(|batch| batch.id().to_owned())))
        }
    }
}

/// Forgets entries, and that they were taken back. What they hold is git's to collect.
pub(crate) fn forget(repo: &Repo, batches: &[NamedEntry]) -> Result<(), Diagnostic> {
    let mut refs = Vec::new();
    for batch in batches {
        refs.push((format!("{BATCHES}{}", batch.name), batch.tree.clone()));
        refs.extend(
            batch
                .undone
                .iter()
                .map(|tree| (format!("{UNDONE}{}", batch.name), tree.clone())),
        );
    }
    repo.remove_refs(&refs)
}

impl HistoryEntry {
    /// Returns the operation file.
    pub fn operations(&self, repo: &Repo) -> Result<Vec<u8>, Diagnostic> {
        file(repo, &self.batch.tree, super::OPERATIONS, &self.batch.name)
    }

    /// Returns the report, if it was written.
    pub fn report(&self, repo: &Repo) -> Result<Option<Vec<u8>>, Diagnostic> {
        repo.file_in_folder(&self.batch.tree, "report.json")
    }

    /// Returns the bytes of the commit called `name`: `commit`, or `index-commit` of a stash entry.
    pub fn commit(&self, repo: &Repo, name: &str) -> Result<Vec<u8>, Diagnostic> {
        file(repo, &self.batch.tree, name, &self.batch.name)
    }

    /// Returns the files of worktrees that held more than git stores of them, as the batch displaced them.
    pub fn displaced(&self, repo: &Repo) -> Result<Vec<Displaced>, Diagnostic> {
        displaced::read(repo, &self.record.displaced)
    }

    /// Returns likewise what undoing the batch displaced.
    pub fn displaced_by_undoing(&self, repo: &Repo) -> Result<Vec<Displaced>, Diagnostic> {
        displaced::read(repo, self.mark.as_ref().map_or(&[], |mark| &mark.displaced))
    }

    /// Returns what the batch made of each path.
    pub fn changes(&self, repo: &Repo) -> Result<Vec<Change>, Diagnostic> {
        let side = |name: &str| {
            Ok::<_, Diagnostic>(ReadSource::Unborn {
                tree: repo.in_folder(&self.batch.tree, name)?,
            })
        };
        let (before, after) = (side("before")?, side("after")?);
        let (before, after) = (repo.holding(&before)?, repo.holding(&after)?);
        let change = |path: &crate::path::RepoPath| {
            Ok(Change {
                path: path.clone(),
                before: before.file(path)?,
                after: after.file(path)?,
            })
        };
        self.record
            .files
            .iter()
            .map(|file| change(&file.path))
            .collect()
    }
}

fn file(repo: &Repo, tree: &Id, name: &str, of: &str) -> Result<Vec<u8>, Diagnostic> {
    repo.file_in_folder(tree, name)?
        .ok_or_else(|| Diagnostic::new(Code::Io, format!("{} has no {name}", shown(of))))
}
