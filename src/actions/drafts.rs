//! Drafts: edits that are collected and published together.
//!
//! An edit goes through all that needs no program of the repository's (resolving, overlap, drift, syntax, structure,
//! inventory, removals, placeholders), on top of the edits before it, and is added if it passes. What validators and hooks say is asked
//! once, when the draft is published, by the way that every operation file goes. It is resolved by name then, on what there is
//! then.
//!
//! A draft is over when it was published, also by somebody who applied its file, and also if this program died right behind
//! that: the history has its very bytes.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::apply::{self, Options};
use super::outcome::{Outcome, Status};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::drafts::{self, DRAFTS, DraftHeader, DraftLock, DraftName, DraftOrigin, DraftText, KEPT_FOR, Shelved};
use crate::git::{Object, Repo, Source};
use crate::history;
use crate::manifest::yaml::{self, MAX_BYTES};
use crate::manifest::{Destination, Files, Manifest, Mode, Operation, Order, Overrides, Verb};
use crate::path::RepoPath;
use crate::publish::{self, Hooks, Refusal, Target};
use crate::snapshot::{Change, Id};

/// How long a draft may rest and still be continued without a look at it.
const CURRENT_FOR: Duration = Duration::from_secs(60 * 60);

/// Most entries of the history that are asked whether they are a draft.
const MOST_ASKED: usize = 1000;

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

/// A draft in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftState {
    /// Its name.
    pub name: DraftName,
    /// How many calls added to it.
    pub edits: usize,
    /// How long ago it was begun.
    pub begun: Duration,
}

/// What became of an edit or of a publication, and of its draft.
pub struct Drafted {
    /// What became of it.
    pub outcome: Outcome,
    /// The draft as it is now, or as it was published; `None` where there is none.
    pub draft: Option<DraftState>,
}

/// Adds an edit to a draft, which it begins if there is none of that name, at the time `now`.
pub fn add(repo: Result<Repo, Diagnostic>, edit: &DraftEdit, options: &Options, now: SystemTime) -> Drafted {
    let added = repo.map(Repo::starting_only_own).map_err(one).and_then(|repo| {
        publish::recover_if_idle(&repo).map_err(one)?;
        drafts::sweep(&repo, now);
        let locked = DraftLock::wait(&repo, &edit.name).map_err(one)?;
        let added = add_locked(&repo, &locked, edit, options, now);
        // An edit that begins a draft and fails leaves nothing.
        if locked.read(&repo, now) == Ok(Shelved::Nothing) {
            let _ = locked.remove(&repo);
        }
        added
    });
    added.unwrap_or_else(|errors| Drafted { outcome: Outcome::refused(&edit.manifest, errors), draft: None })
}

fn add_locked(
    repo: &Repo,
    locked: &DraftLock,
    edit: &DraftEdit,
    options: &Options,
    now: SystemTime,
) -> Result<Drafted, Vec<Diagnostic>> {
    let shelved = locked.read(repo, now).map_err(one)?;
    let draft = match load(repo, &edit.name, shelved, now).map_err(one)? {
        Some(draft) => continued(draft, repo, now)?,
        None => {
            locked.clear(repo).map_err(one)?;
            begun(repo, locked, edit, now)?
        }
    };
    locked.mend(repo, &draft.text).map_err(one)?;
    add_to(&draft, repo, locked, edit, options, now)
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
    let repo = repo.map_err(one)?;
    let repo = if how.is_rehearsal { repo.starting_only_own() } else { repo };
    let warnings = match how.is_rehearsal {
        true => publish::recover_if_idle(&repo).map(|()| Vec::new()),
        false => publish::recover_if_needed(&repo),
    };
    let warnings = warnings.map_err(one)?;
    drafts::sweep(&repo, now);
    let locked = DraftLock::wait(&repo, name).map_err(one)?;
    let found = load(&repo, name, locked.read(&repo, now).map_err(one)?, now).map_err(one)?;
    let Some(draft) = found else {
        return Err(one(missing(&repo, locked, name)));
    };
    draft.check_place(&repo).map_err(one)?;
    if !how.is_rehearsal {
        draft.check_origin().map_err(one)?;
    }
    let manifest = draft.manifest(&draft.overrides(how)?)?;
    let mut outcomes = apply::run_settled(&repo, std::slice::from_ref(&manifest), options);
    let Some(mut outcome) = outcomes.pop() else { return Err(Vec::new()) };
    outcome.warnings.extend(warnings);
    let draft_left = Some(draft.state(now));
    let kept = match (how.is_rehearsal, outcome.errors.is_empty()) {
        // What cannot be forgotten now is over all the same.
        (false, true) => {
            let gone = locked.remove(&repo);
            gone.map_err(|failure| {
                Diagnostic::new(failure.code, format!("draft `{name}` is published; {}", failure.message))
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
    Ok(Drafted { outcome, draft: draft_left })
}

/// Forgets the draft `name`, and returns what it was, as far as that can be told.
pub fn discard(
    repo: Result<Repo, Diagnostic>,
    name: &DraftName,
    now: SystemTime,
) -> Result<Option<DraftState>, Vec<Diagnostic>> {
    let discarded = || {
        let repo = repo?.starting_only_own();
        publish::recover_if_idle(&repo)?;
        drafts::sweep(&repo, now);
        let locked = DraftLock::wait(&repo, name)?;
        let shelved = locked.read(&repo, now)?;
        let was = match &shelved {
            Shelved::Nothing => return Err(missing(&repo, locked, name)),
            Shelved::Draft(..) => load(&repo, name, shelved, now).ok().flatten().map(|draft| draft.state(now)),
            Shelved::Unfit(_) => None,
        };
        locked.remove(&repo)?;
        Ok(was)
    };
    discarded().map_err(one)
}

/// Returns the revision at which `at`, which may name a draft, is read at `path`: a tree, or what the draft leaves as it is
/// where it goes. `None` where it is no draft that is named; within, `None` is the worktree's file, as for any reader.
pub fn revision(repo: &Repo, at: &str, path: &RepoPath, now: SystemTime) -> Result<Option<Option<String>>, Diagnostic> {
    let short = at.strip_prefix(DRAFTS);
    let Ok(name) = DraftName::parse(short.unwrap_or(at)) else { return Ok(None) };
    let Some(draft) = load(repo, &name, drafts::look(repo, &name, now)?, now)? else { return Ok(None) };
    if short.is_none() && repo.is_revision(at) {
        let message = format!("`{name}` is a draft, and a revision too");
        let full = "the full name tells them apart, such as refs/heads/… of a branch";
        return Err(Diagnostic::new(Code::Malformed, message).candidates([name.reference()]).note(full));
    }
    let tree = match (draft.text.origin, draft.header.tree.clone()) {
        (DraftOrigin::Here, Some(tree)) => Some(tree),
        _ => repo.tip(&name.reference())?.map(|tree| tree.0),
    };
    let Some(tree) = tree else {
        let message = format!("draft `{name}` cannot be read: there is no tree of it");
        return Err(Diagnostic::new(Code::DraftNotFound, message));
    };
    let Ok(manifest) = draft.manifest(&Overrides::default()) else { return Ok(Some(Some(tree))) };
    let is_elsewhere = draft.header.worktree != repo.worktree_name();
    if is_elsewhere || manifest.operations.iter().any(|operation| may_touch(operation, path)) {
        return Ok(Some(Some(tree)));
    }
    Ok(Some(match manifest.destination {
        Destination::Worktree if repo.is_bare() => Some(tree),
        Destination::Worktree => None,
        Destination::Index | Destination::Cached => Some(String::new()),
        Destination::Commit | Destination::Stash if repo.is_revision("HEAD") => Some("HEAD".to_owned()),
        Destination::Commit | Destination::Stash => Some(tree),
    }))
}

/// Says whether `operation` may change what stands at `path`.
fn may_touch(operation: &Operation, path: &RepoPath) -> bool {
    let is_target = matches!(&operation.verb, Verb::RenameFile { to, .. } if to == path);
    match &operation.files {
        Files::One(file) => is_target || file == path,
        Files::Matching(_) => true,
    }
}

/// A draft that was read.
struct OpenDraft {
    name: DraftName,
    text: DraftText,
    /// What is known of it, or what it looks like where that is not known.
    header: DraftHeader,
    /// For how long nobody has written it.
    age: Duration,
}

/// Returns the draft `name` that is `shelved`, if it is still one.
fn load(repo: &Repo, name: &DraftName, shelved: Shelved, now: SystemTime) -> Result<Option<OpenDraft>, Diagnostic> {
    let (text, age) = match shelved {
        Shelved::Nothing => return Ok(None),
        Shelved::Unfit(why) => {
            let message = format!("what stands in the place of draft `{name}` is none: {why}");
            return Err(Diagnostic::new(Code::DraftExists, message));
        }
        Shelved::Draft(text, age) => (text, age),
    };
    let header = match &text.header {
        Some(header) => header.clone(),
        None => DraftHeader {
            draft: name.to_string(),
            begun: seconds(now).saturating_sub(age.as_secs()),
            edits: 0,
            worktree: repo.worktree_name(),
            tree: None,
            operations: String::new(),
        },
    };
    if is_published(repo, &text, &header)? {
        return Ok(None);
    }
    Ok(Some(OpenDraft { name: name.clone(), text, header, age }))
}

/// Says whether a batch of these very bytes was published since the draft was begun.
fn is_published(repo: &Repo, text: &DraftText, header: &DraftHeader) -> Result<bool, Diagnostic> {
    let id = Id::of_blob(repo.hash_kind(), &text.bytes);
    let begun = header.begun.saturating_mul(1_000_000);
    let batches = history::list(repo)?;
    for batch in batches.iter().take_while(|batch| batch.micros() >= begun).take(MOST_ASKED) {
        if repo.in_folder(&batch.tree, history::OPERATIONS)?.as_ref() == Some(&id) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Says that there is no draft `name`, and forgets what is left of one that is over.
fn missing(repo: &Repo, locked: DraftLock, name: &DraftName) -> Diagnostic {
    let _ = locked.remove(repo);
    let days = KEPT_FOR.as_secs() / (24 * 60 * 60);
    Diagnostic::new(Code::DraftNotFound, format!("there is no draft `{name}`"))
        .note(format!("it was published or discarded, or not touched for {days} days"))
}

impl OpenDraft {
    fn state(&self, now: SystemTime) -> DraftState {
        let begun = Duration::from_secs(seconds(now).saturating_sub(self.header.begun));
        DraftState { name: self.name.clone(), edits: self.header.edits, begun }
    }

    /// Reads its operations and where they go. More is not said by an edit, and so not taken from a file that others may have
    /// written.
    fn manifest(&self, overrides: &Overrides) -> Result<Manifest, Vec<Diagnostic>> {
        let read = yaml::read_with(&format!("draft {}", self.name), &self.text.bytes, overrides);
        let manifest = read.map_err(|errors| {
            let about = |error: Diagnostic| error.note(format!("the file of draft `{}` cannot be read", self.name));
            errors.into_iter().map(about).collect::<Vec<_>>()
        })?;
        let Overrides { message, branch, mode, .. } = overrides.clone();
        Ok(Manifest {
            message,
            branch,
            mode: mode.unwrap_or_default(),
            order: Order::Sequential,
            trailers: Vec::new(),
            author: None,
            base: None,
            ..manifest
        })
    }

    /// Returns what takes the place of its own fields when it is published.
    fn overrides(&self, how: &Publication) -> Result<Overrides, Vec<Diagnostic>> {
        let begun_for = self.manifest(&Overrides::default())?.destination;
        // A message is of a commit, and so is a branch.
        let is_commit = how.message.is_some() || how.branch.is_some();
        let destination = match (how.destination, begun_for) {
            (Some(given), _) => Some(given),
            (None, Destination::Worktree | Destination::Index | Destination::Cached) if is_commit => {
                Some(Destination::Commit)
            }
            (None, _) => None,
        };
        let mode = if how.is_rehearsal { Mode::VerifyOnly } else { Mode::Strict };
        let (message, branch) = (how.message.clone(), how.branch.clone());
        Ok(Overrides { message, destination, branch, mode: Some(mode), ..Overrides::default() })
    }

    /// Refuses a draft of another worktree: its edits were made on other files.
    fn check_place(&self, repo: &Repo) -> Result<(), Diagnostic> {
        if self.header.worktree == repo.worktree_name() {
            return Ok(());
        }
        let place = self.header.worktree.as_deref();
        let place = place.map_or_else(|| "the main worktree".to_owned(), |name| format!("worktree `{}`", shown(name)));
        Err(self.exists(&format!("belongs to {place}")))
    }

    /// Refuses a draft that this program did not write just as it is.
    fn check_origin(&self) -> Result<(), Diagnostic> {
        match self.text.origin {
            DraftOrigin::Here => Ok(()),
            DraftOrigin::Elsewhere => {
                Err(self.exists("was written or changed by somebody else than you and this program"))
            }
        }
    }

    fn exists(&self, what: &str) -> Diagnostic {
        Diagnostic::new(Code::DraftExists, format!("draft `{}` {what}", self.name))
    }
}

/// Returns a draft that an edit can go on with.
fn continued(draft: OpenDraft, repo: &Repo, now: SystemTime) -> Result<OpenDraft, Vec<Diagnostic>> {
    draft.check_place(repo).map_err(one)?;
    draft.check_origin().map_err(one)?;
    if draft.age > CURRENT_FOR {
        let DraftState { edits, begun, .. } = draft.state(now);
        let rested = format!("has {edits} edits, was begun {} ago and not touched for {}", ago(begun), ago(draft.age));
        return Err(one(draft.exists(&rested)));
    }
    Ok(draft)
}

/// Returns the draft that `edit` begins, which is not stored yet.
fn begun(repo: &Repo, locked: &DraftLock, edit: &DraftEdit, now: SystemTime) -> Result<OpenDraft, Vec<Diagnostic>> {
    let name = &edit.name;
    if let Some(twin) = locked.twin() {
        let message = format!("draft `{twin}` differs from `{name}` in capitals only");
        return Err(one(Diagnostic::new(Code::DraftExists, message)));
    }
    if repo.is_revision(name.as_str()) {
        let message = format!("`{name}` is a revision already, and a draft is read by its name like one");
        return Err(one(Diagnostic::new(Code::Malformed, message).suggest([format!("{name}-draft")])));
    }
    let header = DraftHeader {
        draft: name.to_string(),
        begun: seconds(now),
        edits: 0,
        worktree: repo.worktree_name(),
        tree: None,
        operations: String::new(),
    };
    let text = DraftText { bytes: Vec::new(), header: None, origin: DraftOrigin::Here };
    Ok(OpenDraft { name: name.clone(), text, header, age: Duration::ZERO })
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
        true => {
            Manifest { operations: Vec::new(), mode: Mode::Strict, order: Order::Sequential, ..edit.manifest.clone() }
        }
        false => draft.manifest(&Overrides::default())?,
    };
    let edit_manifest = Manifest { destination: whole.destination, ..edit.manifest.clone() };
    for attempt in 1.. {
        let tried = attempt_once(&whole, &edit_manifest, repo, options);
        let Tried { target, mut outcome, changes } = match tried {
            Ok(tried) => tried,
            Err(Refusal::Stale { .. }) if attempt < MOST_ATTEMPTS => continue,
            Err(refusal) => return Err(refusal.diagnostics()),
        };
        let mut state = draft.state(now);
        let left = (!is_new).then(|| state.clone());
        let Some(changes) = changes else { return Ok(Drafted { outcome, draft: left }) };
        if outcome.files.is_empty() {
            outcome.status = Status::Unchanged;
            return Ok(Drafted { outcome, draft: left });
        }
        outcome.status = Status::Verified;
        state.edits += 1;
        if edit.manifest.mode == Mode::VerifyOnly {
            return Ok(Drafted { outcome, draft: Some(state) });
        }
        let id = format!("{} {}", state.edits, edit.call);
        let numbered =
            edit_manifest.operations.iter().map(|operation| Operation { id: Some(id.clone()), ..operation.clone() });
        whole.operations.extend(numbered);
        let header = DraftHeader { edits: state.edits, ..draft.header.clone() };
        store(repo, locked, draft, header, &whole, &target.source, &changes).map_err(one)?;
        return Ok(Drafted { outcome, draft: Some(state) });
    }
    Err(Vec::new())
}

/// What came of trying an edit on top of a draft.
struct Tried {
    target: Target,
    outcome: Outcome,
    /// What the draft makes of its base with the edit; `None` where that is refused.
    changes: Option<Vec<Change>>,
}

fn attempt_once(whole: &Manifest, edit: &Manifest, repo: &Repo, options: &Options) -> Result<Tried, Refusal> {
    let target = publish::aim(repo, whole.destination, whole.branch.as_deref(), whole.base.as_deref(), Hooks::Skip)?;
    let before = match replayed(whole, repo, &target)? {
        Ok(changes) => changes,
        Err(outcome) => return Ok(Tried { target, outcome: *outcome, changes: None }),
    };
    let (mut outcome, checked) = apply::look_at(repo, edit, &target, &before, options)?;
    let Some(checked) = checked else { return Ok(Tried { target, outcome, changes: None }) };
    let changes = apply::together(&before, checked.plan());
    let errors = apply::in_the_way(&changes, &target, repo)?;
    if !errors.is_empty() {
        outcome.fail(errors);
        return Ok(Tried { target, outcome, changes: None });
    }
    Ok(Tried { target, outcome, changes: Some(changes) })
}

/// Returns what the edits that `whole` has already make of `target`, or the outcome that says which of them does not fit any
/// more.
fn replayed(whole: &Manifest, repo: &Repo, target: &Target) -> Result<Result<Vec<Change>, Box<Outcome>>, Refusal> {
    if whole.operations.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let silent = Options {
        no_verify: true,
        durability: crate::git::Durability::Configured,
        diff: false,
        report: |_| Vec::new(),
        progress: Box::new(|_| ()),
    };
    let (outcome, checked) = apply::look_at(repo, whole, target, &[], &silent)?;
    Ok(match checked {
        Some(checked) => Ok(checked.plan().changes()),
        None => Err(Box::new(outcome)),
    })
}

/// Writes a draft that has the operations of `whole`, which make `changes` of `source`.
fn store(
    repo: &Repo,
    locked: &DraftLock,
    draft: &OpenDraft,
    header: DraftHeader,
    whole: &Manifest,
    source: &Source,
    changes: &[Change],
) -> Result<(), Diagnostic> {
    let tree = tree(repo, source, changes)?;
    let header = DraftHeader { tree: tree.as_ref().map(|(id, _)| id.0.clone()), ..header };
    let text = DraftText::write(repo, &header, &yaml::write(whole));
    let is_full = text.bytes.len() > MAX_BYTES || yaml::read(draft.name.as_str(), &text.bytes).is_err();
    if is_full {
        let message = format!("draft `{}` would be larger than an operation file may be", draft.name);
        return Err(Diagnostic::new(Code::TooLarge, message).note("publish it, or put the edit into another draft"));
    }
    let old = (!draft.text.bytes.is_empty()).then_some(&draft.text);
    locked.write(repo, old, &text, tree.as_ref().map(|(id, objects)| (id, &objects[..])))
}

/// Makes a draft that was looked at current, and this user's: it is written again, as it reads.
fn adopt(draft: &OpenDraft, repo: &Repo, locked: &DraftLock) -> Result<(), Diagnostic> {
    let first = |mut errors: Vec<Diagnostic>| errors.pop().unwrap_or_else(|| Diagnostic::new(Code::Io, "no reason"));
    let whole = draft.manifest(&Overrides::default()).map_err(first)?;
    let aimed = publish::aim(repo, whole.destination, whole.branch.as_deref(), whole.base.as_deref(), Hooks::Skip);
    // Where it was begun for may be gone, and where it shall go instead was looked at.
    let changes = aimed.and_then(|target| match replayed(&whole, repo, &target) {
        Ok(Ok(changes)) => Ok((target, changes)),
        Ok(Err(outcome)) => Err(first(outcome.errors)),
        Err(refusal) => Err(first(refusal.diagnostics())),
    });
    let edits = draft.header.edits.max(if draft.text.origin == DraftOrigin::Here { 0 } else { whole.operations.len() });
    let header = DraftHeader { draft: draft.name.to_string(), edits, ..draft.header.clone() };
    match changes {
        Ok((target, changes)) => store(repo, locked, draft, header, &whole, &target.source, &changes),
        Err(_) if draft.text.origin == DraftOrigin::Here => locked.write(repo, Some(&draft.text), &draft.text, None),
        Err(failure) => Err(failure),
    }
}

/// Returns the tree that `changes` make of what git has of `source`, and what it needs; `None` where that holds something
/// else in the place of a file. Of the worktree and the index that is the tree of HEAD: what a draft leaves as it is, is read
/// where it is.
fn tree(repo: &Repo, source: &Source, changes: &[Change]) -> Result<Option<(Id, Vec<Object>)>, Diagnostic> {
    let base = match source {
        Source::Commit { tree, .. } => Some(tree.clone()),
        Source::Unborn { tree } => tree.clone(),
        Source::Index | Source::Worktree => repo.head()?.commit().map(|commit| repo.tree_of(commit)).transpose()?,
    };
    let held = Source::Unborn { tree: base.clone() };
    let holding = repo.holding(&held)?;
    let mut rebased = Vec::new();
    for change in changes {
        let before = holding.file(&change.path)?;
        if before.is_some() || change.after.is_some() {
            rebased.push(Change { path: change.path.clone(), before, after: change.after.clone() });
        }
    }
    Ok(repo.tree_with(base.as_ref(), &rebased).ok())
}

/// Returns how long ago something was, in words.
pub fn ago(age: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    match age.as_secs() {
        seconds if seconds < 2 * HOUR => format!("{} min", seconds / MINUTE),
        seconds if seconds < 2 * DAY => format!("{} h", seconds / HOUR),
        seconds => format!("{} days", seconds / DAY),
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn one(error: Diagnostic) -> Vec<Diagnostic> {
    vec![error]
}
