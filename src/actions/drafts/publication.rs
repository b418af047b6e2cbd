//! A draft as a whole: published and over, looked at and current again, or forgotten.

use std::time::SystemTime;

use super::effect::{replay, store_tree};
use super::open::{DraftState, Drafted, OpenDraft, load, missing, one_draft};
use crate::actions::apply::{self, Options};
use crate::actions::held::Expectations;
use crate::diagnostic::{Class, Code, Diagnostic};
use crate::drafts::{self, DraftHeader, DraftLock, DraftName, DraftOrigin, Shelved};
use crate::git::Repo;
use crate::manifest::{CheckMode, Destination, Manifest, Overrides};
use crate::path::Reach;
use crate::publish::{self, Hooks};

/// How a draft is published.
#[derive(Clone, Debug, Default)]
pub struct Publication {
    /// The message. It makes a commit of a draft that goes to files, unless the destination is given.
    pub message: Option<String>,
    /// Where it goes, instead of where it was begun for.
    pub destination: Option<Destination>,
    /// The branch.
    pub branch: Option<String>,
    /// Everything but publishing is done.
    pub is_rehearsal: bool,
}

/// Publishes the draft `name` at the time `now`, and forgets it. One that is refused stays; one that is only rehearsed stays too,
/// and counts as looked at.
pub fn publish(
    repo: Result<Repo, Diagnostic>,
    name: &DraftName,
    how: &Publication,
    options: &Options,
    now: SystemTime,
) -> Result<Drafted, Vec<Diagnostic>> {
    let repo = repo.map_err(one_draft)?;
    let repo = if how.is_rehearsal {
        repo.starting_only_the_callers()
    } else {
        repo
    };
    let warnings = match how.is_rehearsal {
        true => publish::recover_if_idle(&repo).map(|()| Vec::new()),
        false => publish::recover_if_needed(&repo),
    };
    let warnings = warnings.map_err(one_draft)?;
    drafts::sweep(&repo, now);
    let locked = DraftLock::wait(&repo, name).map_err(one_draft)?;
    let found = load(
        &repo,
        name,
        locked.read(&repo, now).map_err(one_draft)?,
        now,
    )
    .map_err(one_draft)?;
    let Some(draft) = found else {
        return Err(one_draft(missing(&repo, locked, name)));
    };
    draft.check_reach(&options.reach)?;
    draft.check_place(&repo).map_err(one_draft)?;
    if !how.is_rehearsal {
        draft.check_origin().map_err(one_draft)?;
    }
    let manifest = draft.manifest(&draft_overrides(&draft, how)?)?;
    let mut outcomes = apply::apply_draft(
        &repo,
        &manifest,
        Expectations::of_draft(&draft.header.held),
        options,
    );
    let Some(mut outcome) = outcomes.pop() else {
        return Err(Vec::new());
    };
    outcome.warnings.extend(warnings);
    let draft_left = Some(draft.state(now));
    let kept = match (how.is_rehearsal, outcome.errors.is_empty()) {
        // What cannot be forgotten now is over all the same.
        (false, true) => {
            let gone = locked.remove(&repo);
            gone.map_err(|failure| {
                Diagnostic::new(
                    failure.code,
                    format!("draft `{name}` is published; {}", failure.message),
                )
            })
        }
        (false, false) => Ok(()),
        (true, true) => adopt(&draft, &repo, &locked),
        (true, false) if draft.text.origin == DraftOrigin::Here => {
            locked.write(&repo, Some(&draft.text), &draft.text, None)
        }
        (true, false) => Ok(()),
    };
    outcome.warnings.extend(kept.err());
    // What is in the way of any draft, such as a hook or a full disk, says nothing about where it fits.
    let does_not_fit = |error: &Diagnostic| error.class() == Class::Unresolved;
    if outcome.errors.iter().any(does_not_fit) && fits_where_it_was_begun(&draft, &manifest, &repo)
    {
        let note = "the draft fits the files as they are, with changes that are not committed: as a commit it is resolved without them; \
                    give `destination`, or commit them first";
        outcome
            .errors
            .iter_mut()
            .for_each(|error| error.notes.push(note.to_owned()));
    }
    Ok(Drafted {
        outcome,
        draft: draft_left,
    })
}

/// Says whether a draft that does not fit where `manifest` sends it does where it was begun.
fn fits_where_it_was_begun(draft: &OpenDraft, manifest: &Manifest, repo: &Repo) -> bool {
    let Ok(begun) = draft.manifest(&Overrides::default()) else {
        return false;
    };
    if begun.destination == manifest.destination {
        return false;
    }
    let aimed = publish::aim(
        repo,
        begun.destination,
        begun.branch.as_deref(),
        begun.base.as_deref(),
        Hooks::Skip,
    );
    aimed.is_ok_and(|target| {
        replay(&begun, &draft.header, repo, &target).is_ok_and(|tried| tried.is_ok())
    })
}

/// Returns what takes the place of the draft's own fields when it is published.
fn draft_overrides(draft: &OpenDraft, how: &Publication) -> Result<Overrides, Vec<Diagnostic>> {
    let begun_for = draft.manifest(&Overrides::default())?.destination;
    // A message is of a commit, and so is a branch.
    let is_commit = how.message.is_some() || how.branch.is_some();
    let destination = match (how.destination, begun_for) {
        (Some(given), _) => Some(given),
        (None, Destination::Worktree | Destination::Index | Destination::Cached) if is_commit => {
            Some(Destination::Commit)
        }
        (None, _) => None,
    };
    let mode = if how.is_rehearsal {
        CheckMode::VerifyOnly
    } else {
        CheckMode::Strict
    };
    let (message, branch) = (how.message.clone(), how.branch.clone());
    Ok(Overrides {
        message,
        destination,
        branch,
        mode: Some(mode),
        ..Overrides::default()
    })
}

/// Forgets the draft `name`, unless it is out of `reach`, and returns what it was, as far as that is known.
pub fn discard(
    repo: Result<Repo, Diagnostic>,
    name: &DraftName,
    reach: &Reach,
    now: SystemTime,
) -> Result<Option<DraftState>, Vec<Diagnostic>> {
    let repo = repo.map_err(one_draft)?.starting_only_the_callers();
    publish::recover_if_idle(&repo).map_err(one_draft)?;
    drafts::sweep(&repo, now);
    let locked = DraftLock::wait(&repo, name).map_err(one_draft)?;
    let shelved = locked.read(&repo, now).map_err(one_draft)?;
    let was = match &shelved {
        Shelved::Nothing => return Err(one_draft(missing(&repo, locked, name))),
        Shelved::Draft(..) => load(&repo, name, shelved, now).ok().flatten(),
        Shelved::Unfit(_) => None,
    };
    was.iter().try_for_each(|draft| draft.check_reach(reach))?;
    locked.remove(&repo).map_err(one_draft)?;
    Ok(was.map(|draft| draft.state(now)))
}

/// Makes a draft that was looked at current, and this user's: it is written again, as it reads.
fn adopt(draft: &OpenDraft, repo: &Repo, locked: &DraftLock) -> Result<(), Diagnostic> {
    let first = |mut errors: Vec<Diagnostic>| {
        errors
            .pop()
            .unwrap_or_else(|| Diagnostic::new(Code::Io, "no reason"))
    };
    let whole = draft.manifest(&Overrides::default()).map_err(first)?;
    let aimed = publish::aim(
        repo,
        whole.destination,
        whole.branch.as_deref(),
        whole.base.as_deref(),
        Hooks::Skip,
    );
    // Where it was begun for may be gone, and where it shall go instead was looked at.
    let changes = aimed.and_then(
        |target| match replay(&whole, &draft.header, repo, &target) {
            Ok(Ok(changes)) => Ok((target, changes)),
            Ok(Err(outcome)) => Err(first(outcome.errors)),
            Err(refusal) => Err(first(refusal.diagnostics())),
        },
    );
    let edits = match draft.text.origin {
        DraftOrigin::Here => draft.header.edits,
        DraftOrigin::Elsewhere => whole.operations.len(),
    };
    let mut header = DraftHeader {
        edits,
        ..draft.header.clone()
    };
    if let (DraftOrigin::Elsewhere, Ok((target, _))) = (draft.text.origin, &changes) {
        // What was looked at is what it is held to from now on.
        header.held =
            apply::expectations_of(&whole, &target.source, repo)?.hashes(repo.hash_kind());
    }
    match changes {
        Ok((target, changes)) => store_tree(
            repo,
            locked,
            draft,
            header,
            &whole,
            &target.source,
            &changes,
        ),
        Err(_) if draft.text.origin == DraftOrigin::Here => {
            locked.write(repo, Some(&draft.text), &draft.text, None)
        }
        Err(failure) => Err(failure),
    }
}
