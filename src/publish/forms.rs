//! Refuses content that git would store in another form than the batch brings: what a filter would encrypt, a file that Git LFS
//! would keep elsewhere, CRLF where LF is asked for.
//!
//! A batch brings what is stored, and no filter runs on the way. An edit of a stored form is one as a rule; content that is new
//! is what somebody would write into a file. What undoing brings back was stored before, and is not asked here.

use std::collections::BTreeMap;

use super::{Batch, Intended, PublishTarget, Refusal, moves, rehearse};
use crate::git::{Brought, Publishing, Repo, refuse_pointers};
use crate::manifest::Destination;
use crate::path::RepoPath;
use crate::snapshot::{Blob, Change, File, merged};

/// Returns `batches` if git stores what each brings as it is, by the attributes of what is published up to there.
pub(crate) fn in_stored_form(
    batches: Vec<Batch>,
    target: &PublishTarget,
    repo: &Repo,
) -> Result<Vec<Batch>, Refusal> {
    let in_worktree = match (target.destination, &target.reference) {
        // A file holds what it is given; `git add` comes later.
        (Destination::Worktree, _) => return Ok(batches),
        (Destination::Commit, Some(reference)) => repo.has_checked_out(reference)?,
        (Destination::Commit, None) => false,
        (Destination::Index | Destination::Cached | Destination::Stash, _) => true,
    };
    let mut attributes: BTreeMap<RepoPath, Option<Blob>> = BTreeMap::new();
    let mut refusals = Vec::new();
    for batch in &batches {
        let changes = batch.verified.changes();
        refuse_pointers(changes)?;
        let rules = changes
            .iter()
            .filter(|change| change.path.file_name() == ".gitattributes");
        attributes.extend(rules.map(|change| {
            let text = change.after.as_ref().map(|file| file.bytes.clone());
            (change.path.clone(), text)
        }));
        let gone = gone(batch);
        let brought: Vec<Brought<'_>> = changes
            .iter()
            .filter_map(|change| brought(change, batch, &gone))
            .collect();
        let publishing = Publishing {
            source: &target.source,
            attributes: &attributes,
            in_worktree,
        };
        refusals.extend(repo.other_forms(&brought, &publishing)?);
    }
    if refusals.is_empty() {
        return Ok(batches);
    }
    // Where a file of the worktree is in the way as well, that says more: which lines of it hold what git does not store.
    let changes = merged(batches.iter().flat_map(|batch| batch.verified.changes()));
    rehearse(
        &Intended {
            moves: &moves(&batches),
            ..Intended::plain(&changes)
        },
        target,
        repo,
    )?;
    Err(Refusal::Refused(refusals))
}

/// Returns what stood where files were that the batch moves elsewhere.
fn gone(batch: &Batch) -> BTreeMap<&RepoPath, &File> {
    if batch.verified.moves().is_empty() {
        return BTreeMap::new();
    }
    let gone = batch
        .verified
        .changes()
        .iter()
        .filter(|change| change.after.is_none());
    gone.filter_map(|change| Some((&change.path, change.before.as_ref()?)))
        .collect()
}

/// Returns what `change` brings; nothing where content stays in its place.
fn brought<'b>(
    change: &'b Change,
    batch: &'b Batch,
    gone: &BTreeMap<&'b RepoPath, &'b File>,
) -> Option<Brought<'b>> {
    let (path, file) = (&change.path, change.after.as_ref()?);
    let Some(before) = &change.before else {
        let from = batch.verified.moves().get(path);
        let before = from.and_then(|from| Some((from, *gone.get(from)?)));
        return Some(Brought { path, file, before });
    };
    (before.bytes != file.bytes).then_some(Brought {
        path,
        file,
        before: Some((path, before)),
    })
}
