//! What takes the place of a worktree's file: the new content, in the form that this file has.
//!
//! git stores less than a file may hold: a filter takes secrets or the outputs of a notebook out of it, line endings are made
//! plain. Bytes that git can make again make way for what checking out would give. All others are nowhere else: the edit
//! is carried over to them, line by line, and the result held to what git would store of it. Where that cannot be, the
//! file is refused. Invariant: no byte of a file makes way that is neither in git, nor in what takes its place, nor told to
//! the history (`displaced`).

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ELSEWHERE, FileFound, Repo};
use crate::path::RepoPath;
use crate::snapshot::File;
use crate::text::carry::carry;

/// A file of the worktree that is to make way.
pub(super) struct DisplacedPath<'a> {
    pub repo: &'a Repo,
    pub path: &'a RepoPath,
    /// What git stores of it.
    pub before: &'a File,
    pub found: &'a FileFound,
    pub strictness: Strictness,
}

/// What takes its place.
#[derive(Debug)]
pub(super) enum Replacement {
    /// These bytes, or nothing.
    With {
        bytes: Option<Vec<u8>>,
        /// Whether undoing, which goes by the same rules, would bring back what stands there now.
        returns: bool,
    },
    /// Nothing: git would store something else of it than `before`.
    Changed,
    /// Nothing: it holds what git does not store, and that is not known to be so by intent.
    Hidden,
    /// Nothing: it holds what git does not store, in the lines that are to change.
    Met,
}

impl DisplacedPath<'_> {
    /// Decides what takes its place when `new`, a path and what is to be stored there, is to, or nothing. `is_clean` says
    /// whether the index knows that the file is as somebody added it.
    pub(super) fn replacement(
        &self,
        new: Option<(&RepoPath, &File)>,
        is_clean: &dyn Fn() -> bool,
    ) -> Result<Replacement, Diagnostic> {
        let (repo, stored, held) = (self.repo, &self.before.bytes[..], &self.found.bytes[..]);
        let is_stored = stored == held;
        let with = |bytes, returns| Ok(Replacement::With { bytes, returns });
        let is_plain = |path: &RepoPath| repo.is_converted(path).map(|converted| !converted);
        if is_plain(self.path)?
            && (!is_stored || new.map_or(Ok(true), |(path, _)| is_plain(path))?)
        {
            let bytes = new.map(|(_, after)| after.bytes.to_vec());
            return if is_stored {
                with(bytes, true)
            } else {
                Ok(Replacement::Changed)
            };
        }
        let Some((path, after)) = new else {
            let is_given = is_stored || repo.checkout_form(self.path, stored.to_vec())? == held;
            return match self.doubt(is_given, is_clean)? {
                Some(refusal) => Ok(refusal),
                None => with(None, is_given),
            };
        };
        let form = || repo.checkout_form(path, after.bytes.to_vec());
        let is_checked_out = repo.checkout_form(self.path, stored.to_vec())? == held;
        if is_checked_out && (is_stored || self.strictness != Strictness::Files) {
            let bytes = form()?;
            // A destination that reads the files carries an edit over where it can.
            let returns = self.strictness != Strictness::Files || bytes == after.bytes[..];
            return with(Some(bytes), returns);
        }
        if is_stored && path == self.path && is_stored_as_it_is(repo, path, &after.bytes)? {
            // It keeps that form: LF where git would write CRLF, a keyword that is not filled in.
            let returns = is_stored_as_it_is(repo, path, stored)? && form()? != after.bytes[..];
            return with(Some(after.bytes.to_vec()), returns);
        }
        let is_given = is_stored || is_checked_out;
        if let Some(refusal) = self.doubt(is_given, is_clean)? {
            return Ok(refusal);
        }
        // A filter or an encoding that cannot make anything of the result refuses it as well.
        let fits = |carried: &Vec<u8>| {
            repo.stored_form(path, carried.clone())
                .is_ok_and(|form| form == after.bytes[..])
        };
        if let Some(carried) = carry(stored, &after.bytes, held).filter(fits) {
            return with(Some(carried), false);
        }
        if is_given {
            with(Some(form()?), false)
        } else {
            Ok(Replacement::Met)
        }
    }

    /// Returns what is against touching the file at all; nothing where git can give its bytes again.
    fn doubt(
        &self,
        is_given: bool,
        is_clean: &dyn Fn() -> bool,
    ) -> Result<Option<Replacement>, Diagnostic> {
        if is_given {
            return Ok(None);
        }
        if self.repo.stored_form(self.path, self.found.bytes.clone())? != self.before.bytes[..] {
            return Ok(Some(Replacement::Changed));
        }
        let is_known = self.strictness == Strictness::Files || is_clean();
        Ok((!is_known).then_some(Replacement::Hidden))
    }

    /// Words a refusal of it: what to say after the path, and what to do.
    pub(super) fn hidden(&self) -> Diagnostic {
        let path = shown(self.path.as_str());
        self.refusal("holds what git does not store: it is not what checking it out gives, and not known to be unchanged")
            .note(format!(
                "a filter or the settings for line endings hide the difference; `git add {path}` says that it is meant to be so, \
                 and it is then kept"
            ))
    }

    /// Words a refusal where the edit meets what git does not store.
    pub(super) fn met(&self) -> Diagnostic {
        self.refusal("holds what git does not store, in lines that would change")
            .note(format!("a filter or the settings for line endings hide it; edit the file by hand{ELSEWHERE}"))
    }

    fn refusal(&self, what: &str) -> Diagnostic {
        dirty(self.path, what)
    }
}

/// Says whether git stores `bytes` of the file at `path` as they are.
pub(super) fn is_stored_as_it_is(
    repo: &Repo,
    path: &RepoPath,
    bytes: &[u8],
) -> Result<bool, Diagnostic> {
    Ok(!repo.is_converted(path)? || repo.stored_form(path, bytes.to_vec())? == bytes)
}

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

pub(super) fn dirty(path: &RepoPath, what: &str) -> Diagnostic {
    Diagnostic::new(
        Code::WorktreeDirty,
        format!("{} {what}", shown(path.as_str())),
    )
    .note(format!("commit or stash your changes first{ELSEWHERE}"))
    .note("`--destination worktree` edits files as they are")
}
