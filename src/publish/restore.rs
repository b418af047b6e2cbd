//! Undo and redo: what was published, taken back or put forth again by the way it came.
//!
//! A branch moves back, or on, with index and files of its worktrees following exactly as for a batch; index and files take
//! the changes the other way round. Either way the point of no return, the journal and what a crash leaves are those
//! of `publish`. Which batch, and whether it may, is `actions::history`'s business.

use super::commit::{self, Goal, Move};
use super::survey::Intended;
use super::{Hooks, Queue, Refusal};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Expected, NewCommit, Object, Repo};
use crate::history::Displaced;
use crate::manifest::Destination;
use crate::snapshot::{Change, Id};

/// Called before the point of no return, with what the history has to keep of files that make way.
pub(crate) type AnnounceDisplaced<'a> = &'a mut dyn FnMut(Vec<Displaced>) -> Result<(), Diagnostic>;

/// Where a ref goes, and what that makes of the worktrees that have it checked out.
#[derive(Clone, Debug)]
pub(crate) struct Relocation {
    /// The ref, in full.
    pub reference: String,
    /// Where it has to stand; `None` for a ref that must not exist.
    pub from: Option<Id>,
    /// Where it goes; `None` for nowhere.
    pub to: Option<Id>,
    /// Which way that is.
    pub way: RefDirection,
    /// What becomes of the files.
    pub changes: Vec<Change>,
    /// What the ref's log says.
    pub reason: String,
}

/// Which way a ref goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefDirection {
    /// To a descendant.
    On,
    /// To an ancestor.
    Back,
}

/// Moves a ref back or on, and returns what failed after it moved. Files that hold just what is `known` hold the rest of that
/// afterwards, to the byte.
pub(crate) fn relocate(
    relocation: &Relocation,
    known: &[Displaced],
    hooks: Hooks,
    repo: &Repo,
    queue: &Queue,
    announce: AnnounceDisplaced<'_>,
) -> Result<Vec<Diagnostic>, Refusal> {
    let _held = queue;
    hooks.check(repo)?;
    let goal = match (relocation.way, &relocation.to) {
        (RefDirection::On, Some(to)) => Goal::On(to),
        (RefDirection::On, None) => {
            return Err(Diagnostic::new(Code::Io, "a ref cannot move on to nothing").into());
        }
        (RefDirection::Back, to) => Goal::Back(to.as_ref()),
    };
    let expected = relocation
        .from
        .clone()
        .map_or(Expected::Absent, Expected::At);
    let (reference, reason) = (relocation.reference.as_str(), relocation.reason.clone());
    let intended = Intended {
        known,
        ..Intended::plain(&relocation.changes)
    };
    commit::go(
        &Move {
            reference,
            expected: &expected,
            goal,
            reason,
        },
        &intended,
        repo,
        announce,
    )
}

/// Stores a commit on `tip` that makes `changes`, and returns it. Nobody sees it yet.
pub(crate) fn commit_on(
    tip: &Id,
    changes: &[Change],
    message: &str,
    repo: &Repo,
) -> Result<Id, Refusal> {
    let (tree, mut objects) = repo.tree_with(Some(&repo.tree_of(tip)?), changes)?;
    let (author, committer) = (repo.author()?, repo.committer()?);
    let parents = std::slice::from_ref(tip);
    let commit = NewCommit {
        tree: &tree,
        parents,
        author: &author,
        committer: &committer,
        message,
    };
    if repo.signs_commits() {
        repo.write_objects(&objects)?;
        return Ok(repo.signed_commit(&commit)?);
    }
    let commit = repo.commit_object(&commit)?;
    let id = commit.id.clone();
    objects.push(commit);
    repo.write_objects(&objects)?;
    Ok(id)
}

/// Puts `changes` into the index, the worktree's files, or both; `known` as for `relocate`.
pub(crate) fn restore(
    changes: &[Change],
    known: &[Displaced],
    destination: Destination,
    repo: &Repo,
    queue: &Queue,
    announce: AnnounceDisplaced<'_>,
) -> Result<(), Refusal> {
    let _held = queue;
    super::files::put(
        &Intended {
            known,
            ..Intended::plain(changes)
        },
        destination,
        repo,
        announce,
    )
}

/// Drops the stash entry `commit`, wherever it stands in the list.
pub(crate) fn drop_stash(
    commit: &Id,
    repo: &Repo,
    queue: &Queue,
    announce: AnnounceDisplaced<'_>,
) -> Result<(), Refusal> {
    let _held = queue;
    announce(Vec::new())?;
    if repo.drop_stash(commit)? {
        return Ok(());
    }
    let short = shown(commit.0.get(..8).unwrap_or(&commit.0));
    Err(Diagnostic::new(
        Code::ChangedSince,
        format!("the stash entry {short} is no longer listed"),
    )
    .into())
}

/// Puts the stash entry that `commits` make, itself the last of them, on top of the stash again.
pub(crate) fn stash_again(
    commits: &[Object],
    line: &str,
    repo: &Repo,
    queue: &Queue,
    announce: AnnounceDisplaced<'_>,
) -> Result<(), Refusal> {
    let _held = queue;
    let Some(entry) = commits.last() else {
        return Ok(());
    };
    repo.write_objects(commits)?;
    announce(Vec::new())?;
    Ok(repo.store_stash(&entry.id, line)?)
}
