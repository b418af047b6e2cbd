//! An edit that goes into a draft: added after those before it, or refused with the draft as it was.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use super::effect::{replay, store_tree};
use super::open::{CURRENT_FOR, Drafted, OpenDraft, ago, load, micros, one_draft};
use crate::actions::apply::{self, Options};
use crate::actions::held::Expectations;
use crate::actions::outcome::{OperationOutcome, Outcome, Status};
use crate::diagnostic::{Code, Diagnostic};
use crate::drafts::{self, DraftHeader, DraftLock, DraftName, DraftOrigin, DraftText, Shelved};
use crate::git::Repo;
use crate::manifest::{CheckMode, Files, Manifest, Operation, Overrides, ResolveOrder, Verb};
use crate::plan::Candidate;
use crate::publish::{self, Hooks, PublishTarget, Refusal};
use crate::snapshot::Change;

/// Most times that an edit is resolved again because a branch moved.
const MOST_ATTEMPTS: usize = 5;

/// An edit that goes into a draft.
pub struct DraftEdit {
    /// The draft.
    pub name: DraftName,
    /// The edit's own operations, in the mode that is asked for, and where the draft goes if this begins it.
    pub manifest: Manifest,
    /// The call in a few words, to be named by where it no longer fits: `segedit_delete a.py::f`.
    pub call: String,
}

/// Adds an edit to a draft, which it begins if there is none of that name, at the time `now`.
pub fn add_edit(
    repo: Result<Repo, Diagnostic>,
    edit: &DraftEdit,
    options: &Options,
    now: SystemTime,
) -> Drafted {
    let added = repo
        .map(Repo::starting_only_the_callers)
        .map_err(one_draft)
        .and_then(|repo| {
            publish::recover_if_idle(&repo).map_err(one_draft)?;
            drafts::sweep(&repo, now);
            let locked = DraftLock::wait(&repo, &edit.name).map_err(one_draft)?;
            let added = add_locked(&repo, &locked, edit, options, now);
            // An edit that begins a draft and fails leaves nothing.
            if locked.read(&repo, now) == Ok(Shelved::Nothing) {
                let _ = locked.remove(&repo);
            }
            added
        });
    added.unwrap_or_else(|errors| Drafted {
        outcome: Outcome::describe_refused(&edit.manifest, errors),
        draft: None,
    })
}

fn add_locked(
    repo: &Repo,
    locked: &DraftLock,
    edit: &DraftEdit,
    options: &Options,
    now: SystemTime,
) -> Result<Drafted, Vec<Diagnostic>> {
    let shelved = locked.read(repo, now).map_err(one_draft)?;
    let draft = match load(repo, &edit.name, shelved, now).map_err(one_draft)? {
        Some(draft) => {
            draft.check_reach(&options.reach)?;
            continue_draft(draft, repo, now)?
        }
        None => {
            locked.clear(repo).map_err(one_draft)?;
            begin_draft(repo, locked, edit, now)?
        }
    };
    locked.mend(repo, &draft.text).map_err(one_draft)?;
    add_to(&draft, repo, locked, edit, options, now)
}

/// Returns a draft that an edit can go on with.
fn continue_draft(
    draft: OpenDraft,
    repo: &Repo,
    now: SystemTime,
) -> Result<OpenDraft, Vec<Diagnostic>> {
    draft.check_place(repo).map_err(one_draft)?;
    draft.check_origin().map_err(one_draft)?;
    if draft.age > CURRENT_FOR {
        let rested = format!(
            "was not touched for {}: {}",
            ago(draft.age),
            draft.state(now).words()
        );
        return Err(one_draft(draft.exists(&rested)));
    }
    Ok(draft)
}

/// Returns the draft that `edit` begins, which is not stored yet.
fn begin_draft(
    repo: &Repo,
    locked: &DraftLock,
    edit: &DraftEdit,
    now: SystemTime,
) -> Result<OpenDraft, Vec<Diagnostic>> {
    let name = &edit.name;
    if let Some(twin) = locked.twin() {
        let message = format!("draft `{twin}` differs from `{name}` in capitals only");
        return Err(one_draft(Diagnostic::new(Code::DraftExists, message)));
    }
    if repo.is_revision(name.as_str()) {
        let message =
            format!("`{name}` is a revision already, and a draft is read by its name like one");
        return Err(one_draft(
            Diagnostic::new(Code::Malformed, message).suggest([format!("{name}-draft")]),
        ));
    }
    // No later edit could go on with it.
    repo.need_key(&format!("begin draft `{name}`"))
        .map_err(|refusal| one_draft(refusal.note("without a draft the edit can be made")))?;
    let header = DraftHeader {
        draft: name.to_string(),
        begun: micros(now),
        edits: 0,
        worktree: repo.worktree_name(),
        tree: None,
        operations: String::new(),
        held: BTreeMap::new(),
    };
    let text = DraftText {
        bytes: Vec::new(),
        header: None,
        origin: DraftOrigin::Here,
    };
    Ok(OpenDraft {
        name: name.clone(),
        text,
        header,
        age: Duration::ZERO,
    })
}

/// Adds `edit` to `draft`, again when the branch moved in between.
fn add_to(
    draft: &OpenDraft,
    repo: &Repo,
    locked: &DraftLock,
    edit: &DraftEdit,
    options: &Options,
    now: SystemTime,
) -> Result<Drafted, Vec<Diagnostic>> {
    let is_new = draft.text.bytes.is_empty();
    let mut whole = match is_new {
        true => Manifest {
            operations: Vec::new(),
            mode: CheckMode::Strict,
            order: ResolveOrder::Sequential,
            ..edit.manifest.clone()
        },
        false => draft.manifest(&Overrides::default())?,
    };
    let edit_manifest = Manifest {
        destination: whole.destination,
        ..edit.manifest.clone()
    };
    for attempt in 1.. {
        let tried = attempt_once(&whole, &draft.header, &edit_manifest, repo, options);
        let Tried {
            target,
            mut outcome,
            added,
        } = match tried {
            Ok(tried) => tried,
            Err(Refusal::Stale { .. }) if attempt < MOST_ATTEMPTS => continue,
            Err(refusal) => return Err(refusal.diagnostics()),
        };
        let mut state = draft.state(now);
        let left = (!is_new).then(|| state.clone());
        let Some(Added {
            operations,
            changes,
        }) = added
        else {
            return Ok(Drafted {
                outcome,
                draft: left,
            });
        };
        if outcome.files.is_empty() {
            outcome.status = Status::Unchanged;
            return Ok(Drafted {
                outcome,
                draft: left,
            });
        }
        outcome.status = Status::Verified;
        state.edits += 1;
        if edit.manifest.mode == CheckMode::VerifyOnly {
            return Ok(Drafted {
                outcome,
                draft: Some(state),
            });
        }
        let id = format!("{} {}", state.edits, edit.call);
        let numbered = |operation: Operation| Operation {
            id: Some(id.clone()),
            ..operation
        };
        let earlier = whole.operations.len();
        whole
            .operations
            .extend(operations.into_iter().map(numbered));
        let mut header = DraftHeader {
            edits: state.edits,
            ..draft.header.clone()
        };
        let mut now = apply::expectations_of(&whole, &target.source, repo)
            .map_err(one_draft)?
            .hashes(repo.hash_kind());
        header.held.append(&mut now.split_off(&earlier));
        store_tree(
            repo,
            locked,
            draft,
            header,
            &whole,
            &target.source,
            &changes,
        )
        .map_err(one_draft)?;
        return Ok(Drafted {
            outcome,
            draft: Some(state),
        });
    }
    Err(Vec::new())
}

/// What came of trying an edit on top of a draft.
struct Tried {
    target: PublishTarget,
    outcome: Outcome,
    /// `None` where the edit is refused.
    added: Option<Added>,
}

/// An edit that goes into a draft.
struct Added {
    /// Its operations, each held to what it takes the place of: what comes there until the draft is published is somebody's work.
    operations: Vec<Operation>,
    /// What the draft makes of its base with it.
    changes: Vec<Change>,
}

fn attempt_once(
    whole: &Manifest,
    header: &DraftHeader,
    edit: &Manifest,
    repo: &Repo,
    options: &Options,
) -> Result<Tried, Refusal> {
    let target = publish::aim(
        repo,
        whole.destination,
        whole.branch.as_deref(),
        whole.base.as_deref(),
        Hooks::Skip,
    )?;
    let before = match replay(whole, header, repo, &target)? {
        Ok(changes) => changes,
        Err(outcome) => {
            return Ok(Tried {
                target,
                outcome: *outcome,
                added: None,
            });
        }
    };
    let (mut outcome, checked) = apply::look_at(
        repo,
        edit,
        &target,
        &before,
        &mut Expectations::default(),
        options,
    )?;
    let Some(checked) = checked else {
        return Ok(Tried {
            target,
            outcome,
            added: None,
        });
    };
    let changes = apply::merged_with_earlier(&before, checked.candidate());
    let errors = apply::in_the_way(&changes, &target, repo)?;
    if !errors.is_empty() {
        outcome.fail(errors);
        return Ok(Tried {
            target,
            outcome,
            added: None,
        });
    }
    let held = |(operation, found): (&Operation, &OperationOutcome)| {
        let hash = match &operation.verb {
            Verb::Remove { .. } => hash_of_file(operation, checked.candidate(), repo),
            _ => found.segment.as_ref().map(|segment| segment.hash.clone()),
        };
        operation.clone().expecting(hash)
    };
    let operations = edit
        .operations
        .iter()
        .zip(&outcome.operations)
        .map(held)
        .collect();
    Ok(Tried {
        target,
        outcome,
        added: Some(Added {
            operations,
            changes,
        }),
    })
}

/// Returns the blob id of the file that `operation` is about, before the batch touches it.
fn hash_of_file(operation: &Operation, candidate: &Candidate, repo: &Repo) -> Option<String> {
    let Files::One(path) = &operation.files else {
        return None;
    };
    let edit = candidate
        .steps()
        .iter()
        .flat_map(|step| &step.files)
        .find(|edit| edit.path == *path)?;
    Some(edit.before.as_ref()?.bytes.id(repo.hash_kind()).0)
}
