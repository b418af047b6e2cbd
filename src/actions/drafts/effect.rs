//! What the edits of a draft make of its base, and how both are written.

use super::open::OpenDraft;
use crate::actions::apply::{self, Options};
use crate::actions::held::Expectations;
use crate::actions::outcome::Outcome;
use crate::diagnostic::{Code, Diagnostic};
use crate::drafts::{DraftHeader, DraftLock, DraftText};
use crate::git::{Durability, Object, ReadSource, Repo};
use crate::manifest::Manifest;
use crate::manifest::yaml::{self, MAX_BYTES};
use crate::path::Reach;
use crate::publish::{PublishTarget, Refusal};
use crate::snapshot::{Change, Id};

/// Returns what the edits that `whole` has already make of `target`, or the outcome that says which of them does not fit any
/// more.
pub(super) fn replay(
    whole: &Manifest,
    header: &DraftHeader,
    repo: &Repo,
    target: &PublishTarget,
) -> Result<Result<Vec<Change>, Box<Outcome>>, Refusal> {
    if whole.operations.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let silent = Options {
        no_verify: true,
        durability: Durability::Configured,
        diff: false,
        report: |_| Vec::new(),
        progress: Box::new(|_| ()),
        origin: None,
        reach: Reach::default(),
    };
    let (outcome, checked) = apply::look_at(
        repo,
        whole,
        target,
        &[],
        &mut Expectations::of_draft(&header.held),
        &silent,
    )?;
    Ok(match checked {
        Some(checked) => Ok(checked.candidate().changes().to_vec()),
        None => Err(Box::new(outcome)),
    })
}

/// Writes a draft that has the operations of `whole`, which make `changes` of `source`.
pub(super) fn store_tree(
    repo: &Repo,
    locked: &DraftLock,
    draft: &OpenDraft,
    header: DraftHeader,
    whole: &Manifest,
    source: &ReadSource,
    changes: &[Change],
) -> Result<(), Diagnostic> {
    let tree = tree_of(repo, source, changes)?;
    let header = DraftHeader {
        tree: tree.as_ref().map(|(id, _)| id.0.clone()),
        ..header
    };
    let text = DraftText::write(repo, &header, &yaml::write(whole));
    let is_full =
        text.bytes.len() > MAX_BYTES || yaml::read(draft.name.as_str(), &text.bytes).is_err();
    if is_full {
        let message = format!(
            "draft `{}` would be larger than an operation file may be",
            draft.name
        );
        return Err(Diagnostic::new(Code::TooLarge, message)
            .note("publish it, or put the edit into another draft"));
    }
    let old = (!draft.text.bytes.is_empty()).then_some(&draft.text);
    locked.write(
        repo,
        old,
        &text,
        tree.as_ref().map(|(id, objects)| (id, &objects[..])),
    )
}

/// Returns the tree that `changes` make of what git has of `source`, and what it needs; `None` where that holds something
/// else in the place of a file. Of the worktree and the index that is the tree of HEAD: what a draft leaves as it is, is read
/// where it is.
fn tree_of(
    repo: &Repo,
    source: &ReadSource,
    changes: &[Change],
) -> Result<Option<(Id, Vec<Object>)>, Diagnostic> {
    let base = match source {
        ReadSource::Commit { tree, .. } => Some(tree.clone()),
        ReadSource::Unborn { tree } => tree.clone(),
        ReadSource::Index | ReadSource::Worktree => repo
            .head()?
            .commit()
            .map(|commit| repo.tree_of(commit))
            .transpose()?,
    };
    let held = ReadSource::Unborn { tree: base.clone() };
    let holding = repo.holding(&held)?;
    let mut rebased = Vec::new();
    for change in changes {
        let before = holding.file(&change.path)?;
        if before.is_some() || change.after.is_some() {
            rebased.push(Change {
                path: change.path.clone(),
                before,
                after: change.after.clone(),
            });
        }
    }
    Ok(repo.tree_with(base.as_ref(), &rebased).ok())
}
