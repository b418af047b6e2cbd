//! What stands in the way of a batch in one worktree: everything at once, before anything is touched.

use std::collections::BTreeSet;

use super::Refusal;
use super::journal::Step;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ELSEWHERE, Entries, FileFound, Indexed, Repo, Version, Worktree};
use crate::path::RepoPath;
use crate::snapshot::{Change, File, Id, Mode};

/// What the index and the files of a worktree are held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Index and files both are what the batch was resolved against: a commit that is checked out.
    CheckedOut,
    /// The index is what the batch was resolved against, or it is stale; the files are what the index says.
    Index,
    /// The files are what the batch was resolved against, or it is stale.
    Files,
}

/// A step, and the new file's bytes in checkout form.
pub(super) type Staged = (Step, Option<Vec<u8>>);

/// What was found.
pub(super) struct Found {
    /// Why it cannot be.
    pub refusals: Vec<Diagnostic>,
    /// The files to exchange, those that only go first.
    pub steps: Vec<Staged>,
}

/// Holds `changes` against one worktree.
pub(super) fn survey(
    repo: &Repo,
    worktree: &Worktree,
    entries: Option<&Entries>,
    changes: &[Change],
    strictness: Strictness,
) -> Result<Found, Refusal> {
    let leaving = leaving(changes);
    let mut found = Found { refusals: Vec::new(), steps: Vec::new() };
    for change in changes {
        let indexed = match entries.map(|entries| entries.get(change.path.as_str())) {
            Some(Err(refusal)) => {
                found.refusals.push(refusal);
                continue;
            }
            Some(Ok(indexed)) => indexed,
            None => None,
        };
        if entries.is_some() && !matches(repo, indexed.as_ref(), change.before.as_ref()) {
            match strictness {
                Strictness::Index => return Err(stale(repo, change, indexed)),
                Strictness::CheckedOut | Strictness::Files => found.refusals.push(staged(&change.path)),
            }
            continue;
        }
        if change.after.is_some()
            && let Some(taken) = entries.and_then(|entries| taken_in_index(entries, &change.path, &leaving))
        {
            found.refusals.push(staged(&taken));
            continue;
        }
        match file_step(repo, worktree, change, indexed.as_ref(), &leaving, strictness) {
            Ok(step) => found.steps.extend(step),
            Err(Refusal::Refused(refusals)) => found.refusals.extend(refusals),
            Err(other) => return Err(other),
        }
    }
    // What goes makes room: a file can become a folder in one batch.
    found.steps.sort_by_key(|(step, _)| step.new.is_some());
    Ok(found)
}

/// Returns the entry that would have to leave the index for a file at `path`, and that the batch does not remove: a
/// file where it needs a folder, or a file below it.
fn taken_in_index(entries: &Entries, path: &RepoPath, leaving: &BTreeSet<&RepoPath>) -> Option<RepoPath> {
    let above = path
        .ancestors()
        .find(|folder| !leaving.contains(folder) && entries.get(folder.as_str()).is_ok_and(|entry| entry.is_some()));
    let below = || entries.find_below(path.as_str(), |other| !leaving.iter().any(|gone| gone.as_str() == other));
    above.or_else(|| below().and_then(|other| RepoPath::parse(&other).ok()))
}

/// Holds `changes` against the index alone.
pub(super) fn survey_index(repo: &Repo, entries: &Entries, changes: &[Change]) -> Result<(), Refusal> {
    let leaving = leaving(changes);
    for change in changes {
        let indexed = entries.get(change.path.as_str())?;
        if !matches(repo, indexed.as_ref(), change.before.as_ref()) {
            return Err(stale(repo, change, indexed));
        }
        if change.after.is_some()
            && let Some(taken) = taken_in_index(entries, &change.path, &leaving)
        {
            return Err(staged(&taken).into());
        }
    }
    Ok(())
}

/// Returns the paths that the batch removes.
fn leaving(changes: &[Change]) -> BTreeSet<&RepoPath> {
    changes.iter().filter(|change| change.after.is_none()).map(|change| &change.path).collect()
}

/// Returns what has to be exchanged for `change`, or `None` when the worktree does not have the file by intent.
fn file_step(
    repo: &Repo,
    worktree: &Worktree,
    change: &Change,
    indexed: Option<&Indexed>,
    leaving: &BTreeSet<&RepoPath>,
    strictness: Strictness,
) -> Result<Option<Staged>, Refusal> {
    let path = &change.path;
    let old = match &change.before {
        None => {
            // A file above it that goes makes room; the exchange finds out if it did not.
            if !path.ancestors().any(|folder| leaving.contains(&folder)) {
                check_free(worktree, path, leaving)?;
            }
            None
        }
        Some(before) => match (worktree.read(path)?, indexed) {
            (None, Some(entry)) if entry.skip_worktree => return Ok(None),
            (None, _) => match strictness {
                Strictness::Files => return Err(file_moved(repo, path, before, None)),
                Strictness::CheckedOut | Strictness::Index => {
                    return Err(dirty(path, "was deleted from the worktree").into());
                }
            },
            (Some(file), _) => {
                if !same(repo, worktree, path, before, &file)? {
                    return Err(match strictness {
                        Strictness::Files => file_moved(repo, path, before, Some(&file)),
                        Strictness::CheckedOut | Strictness::Index => {
                            dirty(path, "has changes that are not staged").into()
                        }
                    });
                }
                Some(Version::of(repo.hash_kind(), &file.bytes, file.mode))
            }
        },
    };
    let content = match &change.after {
        Some(after) => Some((repo.checkout_form(path, after.bytes.to_vec())?, after.mode)),
        None => None,
    };
    let new = content.as_ref().map(|(bytes, mode)| Version::of(repo.hash_kind(), bytes, *mode));
    Ok(Some((Step { path: path.as_str().to_owned(), old, new }, content.map(|(bytes, _)| bytes))))
}

/// Returns whether the worktree's file is `before`, as git would say.
fn same(
    repo: &Repo,
    worktree: &Worktree,
    path: &RepoPath,
    before: &File,
    file: &FileFound,
) -> Result<bool, Diagnostic> {
    if worktree.trusts_mode() && file.mode != before.mode {
        return Ok(false);
    }
    Ok(file.bytes[..] == before.bytes[..]
        || repo.stored_form(path, file.bytes.clone())?[..] == before.bytes[..]
        // A file stored with CRLF in spite of its attributes: git leaves it alone in both directions.
        || repo.checkout_form(path, before.bytes.to_vec())? == file.bytes)
}

/// Refuses when anything at all stands where a file is to be made, but for a folder that the batch empties.
fn check_free(worktree: &Worktree, path: &RepoPath, leaving: &BTreeSet<&RepoPath>) -> Result<(), Refusal> {
    match worktree.first_in(path, &|file| leaving.iter().any(|gone| gone.as_str() == file)) {
        Ok(None) => Ok(()),
        Ok(Some(taken)) => Err(in_the_way(&taken).into()),
        // A file where a folder is needed.
        Err(refusal) if refusal.code == Code::WorktreeDirty => {
            Err(Diagnostic { code: Code::UntrackedInTheWay, ..refusal }.into())
        }
        Err(refusal) => Err(refusal.into()),
    }
}

fn matches(repo: &Repo, indexed: Option<&Indexed>, before: Option<&File>) -> bool {
    match (indexed, before) {
        (None, None) => true,
        (Some(indexed), Some(before)) => {
            let bits = if before.mode == Mode::Executable { 0o100_755 } else { 0o100_644 };
            indexed.bits == bits && indexed.id == before.bytes.id(repo.hash_kind())
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn stale(repo: &Repo, change: &Change, indexed: Option<Indexed>) -> Refusal {
    let expected = change.before.as_ref().map(|file| file.bytes.id(repo.hash_kind()));
    Refusal::Stale { name: change.path.as_str().to_owned(), expected, found: indexed.map(|entry| entry.id) }
}

fn file_moved(repo: &Repo, path: &RepoPath, before: &File, found: Option<&FileFound>) -> Refusal {
    let id = |bytes: &[u8]| Id::of_blob(repo.hash_kind(), bytes);
    Refusal::Stale {
        name: path.as_str().to_owned(),
        expected: Some(id(&before.bytes)),
        found: found.map(|file| id(&file.bytes)),
    }
}

fn staged(path: &RepoPath) -> Diagnostic {
    dirty(path, "has staged changes")
}

fn dirty(path: &RepoPath, what: &str) -> Diagnostic {
    Diagnostic::new(Code::WorktreeDirty, format!("{} {what}", shown(path.as_str())))
        .note(format!("commit or stash your changes first{ELSEWHERE}"))
}

fn in_the_way(path: &str) -> Diagnostic {
    let message = format!("{} is in the way and not tracked", shown(path));
    Diagnostic::new(Code::UntrackedInTheWay, message).note("move it away or add it first")
}
