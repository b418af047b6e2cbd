//! What stands in the way of a batch in one worktree: everything at once, before anything is touched.

use std::collections::{BTreeMap, BTreeSet};

use super::Refusal;
use super::displace::{DisplacedPath, Replacement, Strictness, dirty};
use super::journal::FileExchange;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Entries, FileFound, FileVersion, Indexed, Repo, Worktree, permissions_as};
use crate::history::{Displaced, DisplacedFile};
use crate::path::RepoPath;
use crate::snapshot::{Change, File, Id};

/// What becomes of the files, and what is known of them beside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intended<'a> {
    /// What becomes of each path, as git stores it.
    pub changes: &'a [Change],
    /// For a path that comes, the one that goes and whose file it is.
    pub moves: &'a BTreeMap<RepoPath, RepoPath>,
    /// What files are to hold that hold just this now, to the byte.
    pub known: &'a [Displaced],
}

impl<'a> Intended<'a> {
    /// Returns what becomes of files of which no more is known.
    pub(crate) fn plain(changes: &'a [Change]) -> Intended<'a> {
        static NO_MOVES: BTreeMap<RepoPath, RepoPath> = BTreeMap::new();
        Intended {
            changes,
            moves: &NO_MOVES,
            known: &[],
        }
    }
}

/// A step, and the new file.
pub(super) type Staged = (FileExchange, Option<NewFile>);

/// A new file, in the form that it has in the worktree.
#[derive(Clone, Debug)]
pub(super) struct NewFile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its permissions; `None` for what a new file gets.
    pub permissions: Option<u32>,
}

/// What was found.
pub(super) struct SurveyedFile {
    /// Why it cannot be.
    pub refusals: Vec<Diagnostic>,
    /// The files to exchange, those that only go first.
    pub steps: Vec<Staged>,
    /// Those of which the history has to keep what they held, and what they hold then.
    pub displaced: Vec<Displaced>,
}

/// Holds what is intended against one worktree.
pub(super) fn survey(
    repo: &Repo,
    worktree: &Worktree,
    entries: Option<&Entries>,
    intended: &Intended<'_>,
    strictness: Strictness,
) -> Result<SurveyedFile, Refusal> {
    let place = Survey::new(repo, worktree, entries, intended, strictness);
    let mut found = SurveyedFile {
        refusals: Vec::new(),
        steps: Vec::new(),
        displaced: Vec::new(),
    };
    for change in intended.changes {
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
                Strictness::CheckedOut | Strictness::Files => {
                    found.refusals.push(staged(&change.path))
                }
            }
            continue;
        }
        if change.after.is_some()
            && let Some(taken) =
                entries.and_then(|entries| taken_in_index(entries, &change.path, &place.leaving))
        {
            found.refusals.push(staged(&taken));
            continue;
        }
        match place.file_step(change, indexed.as_ref()) {
            Ok(None) => {}
            Ok(Some((staged, displaced))) => {
                found.steps.push(staged);
                found.displaced.extend(displaced);
            }
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
fn taken_in_index(
    entries: &Entries,
    path: &RepoPath,
    leaving: &BTreeSet<&RepoPath>,
) -> Option<RepoPath> {
    let above = path.ancestors().find(|folder| {
        !leaving.contains(folder)
            && entries
                .get(folder.as_str())
                .is_ok_and(|entry| entry.is_some())
    });
    let below = || {
        entries.find_below(path.as_str(), |other| {
            !leaving.iter().any(|gone| gone.as_str() == other)
        })
    };
    above.or_else(|| below().and_then(|other| RepoPath::parse(&other).ok()))
}

/// Holds `changes` against the index alone.
pub(super) fn survey_index(
    repo: &Repo,
    entries: &Entries,
    changes: &[Change],
) -> Result<(), Refusal> {
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

/// Says whether the index holds what `changes` lead to.
pub(super) fn holds(
    repo: &Repo,
    entries: &Entries,
    changes: &[Change],
) -> Result<bool, Diagnostic> {
    for change in changes {
        if !matches(
            repo,
            entries.get(change.path.as_str())?.as_ref(),
            change.after.as_ref(),
        ) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the paths that the batch removes.
fn leaving(changes: &[Change]) -> BTreeSet<&RepoPath> {
    changes
        .iter()
        .filter(|change| change.after.is_none())
        .map(|change| &change.path)
        .collect()
}

/// One worktree, and what is intended of it.
struct Survey<'a> {
    repo: &'a Repo,
    worktree: &'a Worktree,
    entries: Option<&'a Entries>,
    strictness: Strictness,
    changes: &'a [Change],
    moves: &'a BTreeMap<RepoPath, RepoPath>,
    /// The paths that the batch removes.
    leaving: BTreeSet<&'a RepoPath>,
    /// What is known of each path of this worktree.
    known: BTreeMap<&'a RepoPath, Vec<&'a Displaced>>,
    /// Which worktree it is.
    name: Option<String>,
}

impl<'a> Survey<'a> {
    fn new(
        repo: &'a Repo,
        worktree: &'a Worktree,
        entries: Option<&'a Entries>,
        intended: &Intended<'a>,
        strictness: Strictness,
    ) -> Survey<'a> {
        let name = repo.worktree_name();
        let mut known: BTreeMap<&RepoPath, Vec<&Displaced>> = BTreeMap::new();
        for file in intended.known.iter().filter(|file| file.worktree == name) {
            known.entry(&file.path).or_default().push(file);
        }
        let (changes, moves, leaving) =
            (intended.changes, intended.moves, leaving(intended.changes));
        Survey {
            repo,
            worktree,
            entries,
            strictness,
            changes,
            moves,
            leaving,
            known,
            name,
        }
    }

    /// Returns what has to be exchanged for `change`, and what of that the history has to keep; `None` when the worktree
    /// does not have the file by intent.
    fn file_step(
        &self,
        change: &Change,
        indexed: Option<&Indexed>,
    ) -> Result<Option<(Staged, Option<Displaced>)>, Refusal> {
        let (path, after) = (&change.path, change.after.as_ref());
        let Some(before) = &change.before else {
            // A file above it that goes makes room; the exchange finds out if it did not.
            if !path
                .ancestors()
                .any(|folder| self.leaving.contains(&folder))
            {
                check_free(self.worktree, path, &self.leaving)?;
            }
            return Ok(Some(self.arrival(change)?));
        };
        let file = match (self.worktree.read(path)?, indexed) {
            (None, Some(entry)) if entry.skip_worktree => return Ok(None),
            (None, _) => {
                return Err(match self.strictness {
                    Strictness::Files => file_moved(self.repo, path, before, None),
                    Strictness::CheckedOut | Strictness::Index => {
                        dirty(path, "was deleted from the worktree").into()
                    }
                });
            }
            (Some(file), _) => file,
        };
        if let Some(content) = self.remembered(change, Some(&file))? {
            return Ok(Some((self.step(path, Some(&file), content, after), None)));
        }
        let (bytes, returns) =
            self.replacement(path, before, &file, after.map(|after| (path, after)))?;
        let permissions = after.map(|after| kept(&file, before, after));
        let content = bytes.map(|bytes| NewFile { bytes, permissions });
        // Of a file that goes, nothing else says who may read it.
        let back = permissions.map(|permissions| permissions_back(permissions, before, after));
        let returns = returns && back == Some(file.permissions);
        let displaced = (!returns).then(|| self.displaced(path, Some(&file), content.as_ref()));
        Ok(Some((
            self.step(path, Some(&file), content, after),
            displaced,
        )))
    }

    /// Returns what comes to a path where nothing stands.
    fn arrival(&self, change: &Change) -> Result<(Staged, Option<Displaced>), Refusal> {
        let (path, after) = (&change.path, change.after.as_ref());
        if let Some(content) = self.remembered(change, None)? {
            return Ok((self.step(path, None, content, after), None));
        }
        let Some(after) = after else {
            return Ok((self.step(path, None, None, None), None));
        };
        let origin = self.moves.get(path).and_then(|from| {
            let at = self
                .changes
                .binary_search_by(|change| change.path.cmp(from))
                .ok()?;
            let gone = self
                .changes
                .get(at)
                .filter(|change| change.after.is_none())?;
            Some((from, gone.before.as_ref()?))
        });
        let moved = match origin {
            Some((from, before)) => self.worktree.read(from)?.map(|file| (from, before, file)),
            None => None,
        };
        let Some((from, before, file)) = moved else {
            let bytes = self.repo.checkout_form(path, after.bytes.to_vec())?;
            return Ok((
                self.step(
                    path,
                    None,
                    Some(NewFile {
                        bytes,
                        permissions: None,
                    }),
                    Some(after),
                ),
                None,
            ));
        };
        let (bytes, _) = self.replacement(from, before, &file, Some((path, after)))?;
        let permissions = Some(kept(&file, before, after));
        let content = bytes.map(|bytes| NewFile { bytes, permissions });
        let displaced = self.displaced(path, None, content.as_ref());
        Ok((self.step(path, None, content, Some(after)), Some(displaced)))
    }

    /// Decides what takes the place of `file`, or refuses.
    fn replacement(
        &self,
        path: &RepoPath,
        before: &File,
        file: &FileFound,
        new: Option<(&RepoPath, &File)>,
    ) -> Result<(Option<Vec<u8>>, bool), Refusal> {
        self.repo.demand_filter(path)?;
        let standing = DisplacedPath {
            repo: self.repo,
            path,
            before,
            found: file,
            strictness: self.strictness,
        };
        let is_clean = || {
            self.entries
                .is_some_and(|entries| entries.is_clean(self.repo, path, &file.stat))
        };
        let replacement = if self.worktree.trusts_mode() && file.mode != before.mode {
            Replacement::Changed
        } else {
            standing.replacement(new, &is_clean)?
        };
        match (replacement, self.strictness) {
            (Replacement::With { bytes, returns }, _) => Ok((bytes, returns)),
            (Replacement::Changed, Strictness::Files) => {
                Err(file_moved(self.repo, path, before, Some(file)))
            }
            (Replacement::Changed, Strictness::CheckedOut | Strictness::Index) => {
                Err(dirty(path, "has changes that are not staged").into())
            }
            (Replacement::Hidden, _) => Err(standing.hidden().into()),
            (Replacement::Met, _) => Err(standing.met().into()),
        }
    }

    /// Returns what is known to be due where `file` stands, if git stores of both what `change` says.
    fn remembered(
        &self,
        change: &Change,
        file: Option<&FileFound>,
    ) -> Result<Option<Option<NewFile>>, Refusal> {
        let path = &change.path;
        for known in self.known.get(path).into_iter().flatten() {
            let stands = match (&known.old, file) {
                (None, None) => true,
                (Some(held), Some(file)) => held.bytes[..] == file.bytes[..],
                (Some(_), None) | (None, Some(_)) => false,
            };
            let holds = |bytes: &[u8], stored: Option<&File>| -> Result<bool, Diagnostic> {
                let Some(stored) = stored else {
                    return Ok(false);
                };
                Ok(bytes == &stored.bytes[..]
                    || self.repo.stored_form(path, bytes.to_vec())? == stored.bytes[..])
            };
            let is_before = match file {
                Some(file) => {
                    let mode = change.before.as_ref().map(|before| before.mode);
                    (!self.worktree.trusts_mode() || mode == Some(file.mode))
                        && holds(&file.bytes, change.before.as_ref())?
                }
                None => change.before.is_none(),
            };
            if !stands || !is_before {
                continue;
            }
            match (&known.new, &change.after) {
                (None, None) => return Ok(Some(None)),
                (Some(held), Some(after)) if holds(&held.bytes, Some(after))? => {
                    let old = known.old.as_ref().and_then(|held| held.permissions);
                    let permissions = match (file, &change.before) {
                        // Whoever changed them since then meant to.
                        (Some(file), Some(before)) if Some(file.permissions) != old => {
                            Some(kept(file, before, after))
                        }
                        // What git says of the executable bit means nothing there.
                        _ if !self.worktree.trusts_mode() => held.permissions,
                        _ => held
                            .permissions
                            .map(|permissions| permissions_as(after.mode, permissions)),
                    };
                    return Ok(Some(Some(NewFile {
                        bytes: held.bytes.to_vec(),
                        permissions,
                    })));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn step(
        &self,
        path: &RepoPath,
        old: Option<&FileFound>,
        content: Option<NewFile>,
        after: Option<&File>,
    ) -> Staged {
        let kind = self.repo.hash_kind();
        let old = old.map(|file| FileVersion::of(kind, &file.bytes, file.mode));
        let new = content
            .as_ref()
            .zip(after)
            .map(|(content, after)| FileVersion::of(kind, &content.bytes, after.mode));
        (
            FileExchange {
                path: path.as_str().to_owned(),
                old,
                new,
            },
            content,
        )
    }

    fn displaced(
        &self,
        path: &RepoPath,
        old: Option<&FileFound>,
        new: Option<&NewFile>,
    ) -> Displaced {
        let old = old.map(|file| DisplacedFile {
            bytes: file.bytes[..].into(),
            permissions: Some(file.permissions),
        });
        let new = new.map(|file| DisplacedFile {
            bytes: file.bytes[..].into(),
            permissions: file.permissions,
        });
        Displaced {
            worktree: self.name.clone(),
            path: path.clone(),
            old,
            new,
        }
    }
}

/// Returns what becomes of `permissions` when the file is made `before` again.
fn permissions_back(permissions: u32, before: &File, after: Option<&File>) -> u32 {
    if after.is_none_or(|after| after.mode == before.mode) {
        permissions
    } else {
        permissions_as(before.mode, permissions)
    }
}

/// Returns the permissions of the file that takes the place of `file`: its own, but for what the batch says.
fn kept(file: &FileFound, before: &File, after: &File) -> u32 {
    if before.mode == after.mode {
        file.permissions
    } else {
        permissions_as(after.mode, file.permissions)
    }
}

/// Refuses when anything at all stands where a file is to be made, but for a folder that the batch empties.
fn check_free(
    worktree: &Worktree,
    path: &RepoPath,
    leaving: &BTreeSet<&RepoPath>,
) -> Result<(), Refusal> {
    match worktree.first_in(path, &|file| {
        leaving.iter().any(|gone| gone.as_str() == file)
    }) {
        Ok(None) => Ok(()),
        Ok(Some(taken)) => Err(in_the_way(&taken).into()),
        // A file where a folder is needed.
        Err(refusal) if refusal.code == Code::WorktreeDirty => Err(Diagnostic {
            code: Code::UntrackedInTheWay,
            ..refusal
        }
        .into()),
        Err(refusal) => Err(refusal.into()),
    }
}

fn matches(repo: &Repo, indexed: Option<&Indexed>, before: Option<&File>) -> bool {
    match (indexed, before) {
        (None, None) => true,
        (Some(indexed), Some(before)) => {
            indexed.bits == before.mode.bits() && indexed.id == before.bytes.id(repo.hash_kind())
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

pub(super) fn stale(repo: &Repo, change: &Change, indexed: Option<Indexed>) -> Refusal {
    let expected = change
        .before
        .as_ref()
        .map(|file| file.bytes.id(repo.hash_kind()));
    Refusal::Stale {
        name: change.path.as_str().to_owned(),
        expected,
        found: indexed.map(|entry| entry.id),
    }
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

fn in_the_way(path: &str) -> Diagnostic {
    let message = format!("{} is in the way and not tracked", shown(path));
    Diagnostic::new(Code::UntrackedInTheWay, message).note("move it away or add it first")
}
