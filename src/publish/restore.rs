//! Undo and redo: what was published, taken back or put forth again by the way it came.
//!
//! A branch moves back, or on, with index and files of its worktrees following exactly as for a batch; index and files take
//! the changes the other way round. Either way the point of no return, the journal and what a crash leaves are those
//! of `publish`. Which batch, and whether it may, is `actions::history`'s business.

use super::commit::{Goal, Move, PreparedMove};
use super::prepared::{Prepared, PreparedAct};
use super::stash::{PreparedStash, StashChange};
use super::survey::Intended;
use super::{Hooks, Queue, Receipt, Refusal, files};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{Expected, NewCommit, Object, Repo};
use crate::history::Displaced;
use crate::manifest::Destination;
use crate::snapshot::{Change, Id};

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

/// Prepares to move a ref back or on. Files that hold just what is `known` hold the rest of that afterwards, to the byte.
pub(crate) fn prepare_relocation<'q>(
    relocation: &Relocation,
    known: &[Displaced],
    hooks: Hooks,
    queue: &'q Queue<'_>,
) -> Result<Prepared<'q>, Refusal> {
    let repo = queue.repo();
    hooks.check(repo)?;
    let goal = match (relocation.way, &relocation.to) {
        (RefDirection::On, Some(to)) => Goal::On(to.clone()),
        (RefDirection::On, None) => {
            return Err(Diagnostic::new(Code::Io, "a ref cannot move on to nothing").into());
        }
        (RefDirection::Back, to) => Goal::Back(to.clone()),
    };
    let branch_move = Move {
        reference: relocation.reference.clone(),
        expected: relocation
            .from
            .clone()
            .map_or(Expected::Absent, Expected::At),
        goal,
        reason: relocation.reason.clone(),
    };
    let intended = Intended {
        known,
        ..Intended::plain(&relocation.changes)
    };
    let (ready, displaced) = PreparedMove::prepare(branch_move, &intended, repo)?;
    let receipt = Receipt {
        reference: Some(relocation.reference.clone()),
        before: relocation.from.clone(),
        commits: vec![relocation.to.clone()],
        displaced,
        warnings: Vec::new(),
    };
    Ok(Prepared::new(receipt, PreparedAct::Branch(ready)))
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

/// Prepares to put `changes` into the index, the worktree's files, or both; `known` as for a relocation.
pub(crate) fn prepare_files<'q>(
    changes: &[Change],
    known: &[Displaced],
    destination: Destination,
    queue: &'q Queue<'_>,
) -> Result<Prepared<'q>, Refusal> {
    let intended = Intended {
        known,
        ..Intended::plain(changes)
    };
    let (receipt, ready) = files::prepare(&intended, Vec::new(), destination, queue.repo())?;
    Ok(Prepared::new(receipt, PreparedAct::Files(ready)))
}

/// Prepares to drop the stash entry `commit`.
pub(crate) fn prepare_drop<'q>(commit: &Id, queue: &'q Queue<'_>) -> Prepared<'q> {
    let act = PreparedStash {
        repo: queue.repo(),
        entry: commit.clone(),
        change: StashChange::Drop,
    };
    let receipt = Receipt::of_files(Vec::new(), Vec::new());
    Prepared::new(receipt, PreparedAct::Stash(act))
}

/// Prepares to put the stash entry that `commits` make, itself the last of them, on top of the stash again.
pub(crate) fn prepare_stash<'q>(
    commits: &[Object],
    line: &str,
    queue: &'q Queue<'_>,
) -> Result<Prepared<'q>, Refusal> {
    let repo = queue.repo();
    let Some(entry) = commits.last() else {
        return Ok(prepare_nothing());
    };
    repo.write_objects(commits)?;
    let act = PreparedStash {
        repo,
        entry: entry.id.clone(),
        change: StashChange::Push(line.to_owned()),
    };
    let receipt = Receipt::of_files(vec![Some(entry.id.clone())], Vec::new());
    Ok(Prepared::new(receipt, PreparedAct::Stash(act)))
}

/// Prepares what is so already.
pub(crate) fn prepare_nothing<'q>() -> Prepared<'q> {
    Prepared::nothing(Receipt::of_files(Vec::new(), Vec::new()))
}
