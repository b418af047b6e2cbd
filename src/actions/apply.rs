//! The story on one page: load, resolve, plan, verify, publish.
//!
//! Several operation files of one call are resolved one on the other and published together, by one ref move.

use std::path::Path;
use std::time::SystemTime;

use super::held::Expectations;
use super::keeping::{self, Published};
use super::outcome::{Outcome, Status};
use super::{describe, modules, projects, templates};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Durability, ReadSource, Repo};
use crate::history::Conversation;
use crate::linters::{self, ConfiguredLinters, Formatting, LinterContext, Validation};
use crate::manifest::{CheckMode, Destination, Files, Manifest, Operation, Selector, Verb};
use crate::path::Reach;
use crate::plan::{self, Candidate, OperationOutcome, Plan};
use crate::publish::{self, Batch, Hooks, Intended, PublishTarget, Queue, Receipt, Refusal};
use crate::servers::Servers;
use crate::snapshot::{self, Change, Snapshot};
use crate::verify::{self, Checked, Judged, Verified};
use crate::{drafts, parallel};

/// How batches are applied, beside what their manifests say.
pub struct Options {
    /// Skip the hooks that git would run.
    pub no_verify: bool,
    /// How durable what is written shall be.
    pub durability: Durability,
    /// Make the unified diffs.
    pub diff: bool,
    /// Words a batch's outcome for the history.
    pub report: fn(&Outcome) -> Vec<u8>,
    /// Told in a few words what is going on.
    pub progress: Box<dyn Fn(&str) + Send + Sync>,
    /// Where the batches come from, if that is a model.
    pub origin: Option<EditOrigin>,
    /// What of the repository they may change.
    pub reach: Reach,
}

impl Options {
    /// Returns what becomes of the hooks that git would run.
    pub(super) fn hooks(&self) -> Hooks {
        if self.no_verify {
            Hooks::Skip
        } else {
            Hooks::Heed
        }
    }
}

/// The talk with a model that a batch came from.
#[derive(Clone, Debug)]
pub struct EditOrigin {
    /// What the history keeps of it.
    pub conversation: Conversation,
    /// Trailers of the program's own that the commit gets.
    pub trailers: Vec<(&'static str, String)>,
}

/// Applies each manifest and says what became of it.
pub fn run(repo_dir: &Path, manifests: Vec<Manifest>, options: &Options) -> Vec<Outcome> {
    run_in(
        Repo::open_as(repo_dir, options.durability),
        &manifests,
        options,
    )
}

/// Does the same in a repository that was opened for writing, or could not be.
pub fn run_in(
    repo: Result<Repo, Diagnostic>,
    manifests: &[Manifest],
    options: &Options,
) -> Vec<Outcome> {
    let refuse_all = |error: Diagnostic| {
        manifests
            .iter()
            .map(|manifest| Outcome::describe_refused(manifest, vec![error.clone()]))
            .collect()
    };
    if let Some(error) = manifests
        .iter()
        .find_map(|manifest| disagreement(&manifests[0], manifest))
    {
        return refuse_all(error);
    }
    // Whoever only checks starts nothing that the repository brings along.
    let checks = manifests
        .iter()
        .all(|manifest| manifest.mode == CheckMode::VerifyOnly);
    match repo.map(|repo| {
        if checks {
            repo.starting_only_the_callers()
        } else {
            repo
        }
    }) {
        Ok(repo) => match recover_first(&repo, checks) {
            Ok(warnings) => {
                if !checks {
                    drafts::sweep(&repo, SystemTime::now());
                }
                let held = |manifest: &Manifest| {
                    let header = drafts::header_of_ours(&repo, &manifest.source.text);
                    header.map_or_else(Expectations::default, |header| {
                        Expectations::of_draft(&header.held)
                    })
                };
                let again = Again {
                    redo_of: None,
                    held: manifests.iter().map(held).collect(),
                };
                let mut outcomes = attempt_until_published(&repo, manifests, options, again);
                for (manifest, outcome) in manifests.iter().zip(&outcomes) {
                    if outcome.status == Status::Published {
                        drafts::forget(&repo, &manifest.source.text);
                    }
                }
                outcomes
                    .first_mut()
                    .into_iter()
                    .for_each(|first| first.warnings.extend(warnings.iter().cloned()));
                outcomes
            }
            Err(error) => refuse_all(error),
        },
        Err(error) => refuse_all(error),
    }
}

/// Applies the manifest of a draft in `repo` and says what became of it; what was interrupted is in order.
pub(super) fn apply_draft(
    repo: &Repo,
    manifest: &Manifest,
    held: Expectations,
    options: &Options,
) -> Vec<Outcome> {
    attempt_until_published(
        repo,
        std::slice::from_ref(manifest),
        options,
        Again {
            redo_of: None,
            held: vec![held],
        },
    )
}

/// Puts in order what was interrupted: all of it for whoever publishes, for whoever only checks as much as for a reader.
/// Returns what to warn of.
fn recover_first(repo: &Repo, checks: bool) -> Result<Vec<Diagnostic>, Diagnostic> {
    if checks {
        publish::recover_if_idle(repo).map(|()| Vec::new())
    } else {
        publish::recover_if_needed(repo)
    }
}

/// Applies a manifest that puts forth again the batch `redo_of`, and is held to what that was resolved to.
pub(super) fn retry(
    repo: &Repo,
    manifest: Manifest,
    redo_of: &str,
    held: Expectations,
    options: &Options,
) -> Vec<Outcome> {
    attempt_until_published(
        repo,
        &[manifest],
        options,
        Again {
            redo_of: Some(redo_of),
            held: vec![held],
        },
    )
}

/// Returns what a manifest is held to that was resolved against `source`.
pub(super) fn expectations_of(
    manifest: &Manifest,
    source: &ReadSource,
    repo: &Repo,
) -> Result<Expectations, Diagnostic> {
    let manifest = &*projects::settled(repo, source, manifest)?;
    let snapshot = read_snapshot(repo, manifest, source, &[])?;
    let servers = Servers::of(repo, source, &[], &|_| ());
    let plan = plan::build(manifest, &snapshot, &servers).ok();
    Ok(Expectations::of(manifest, &snapshot, plan.as_ref()))
}

/// What is known of batches that are not resolved for the first time.
#[derive(Default)]
struct Again<'b> {
    /// The batch that this one puts forth again.
    redo_of: Option<&'b str>,
    /// Of each manifest, what it is held to.
    held: Vec<Expectations>,
}

/// Most times that a batch is resolved again because the world moved.
const MOST_ATTEMPTS: usize = 20;

/// Tries until the batches are published or refused. The first attempt resolves before it queues, so that slow checks
/// hold nobody up; the later ones hold the queue, so that whoever was overtaken once gets its turn, and are held to what the first
/// one found.
fn attempt_until_published(
    repo: &Repo,
    manifests: &[Manifest],
    options: &Options,
    mut known: Again<'_>,
) -> Vec<Outcome> {
    let mut queue: Option<Queue<'_>> = None;
    known
        .held
        .resize_with(manifests.len(), Expectations::default);
    let mut attempt = 0;
    loop {
        attempt += 1;
        let mut outcomes = Vec::new();
        match attempt_once(repo, manifests, options, &mut known, queue, &mut outcomes) {
            Ok(()) => return outcomes,
            Err(Refusal::Stale { .. }) if attempt < MOST_ATTEMPTS && !is_pinned(manifests) => {
                (options.progress)("the branch moved; resolving again");
                queue = match Queue::enter(repo) {
                    Ok(queue) => Some(queue),
                    Err(error) => return describe::refused(manifests, outcomes, vec![error]),
                };
            }
            Err(refusal) => return describe::refused(manifests, outcomes, refusal.diagnostics()),
        }
    }
}

/// A base that the caller named is not exchanged for another.
fn is_pinned(manifests: &[Manifest]) -> bool {
    manifests.iter().any(|manifest| manifest.base.is_some())
}

/// One way through the story. `outcomes` holds an outcome for each manifest unless nothing could be aimed at.
fn attempt_once(
    repo: &Repo,
    manifests: &[Manifest],
    options: &Options,
    known: &mut Again<'_>,
    queue: Option<Queue<'_>>,
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Refusal> {
    let Some(first) = manifests.first() else {
        return Ok(());
    };
    let target = publish::aim(
        repo,
        first.destination,
        first.branch.as_deref(),
        first.base.as_deref(),
        options.hooks(),
    )?;
    let ready = verify_each(repo, manifests, &target, &mut known.held, options, outcomes)?;
    if ready.len() < manifests.len() || ready.iter().all(|verified| verified.changes().is_empty()) {
        return Ok(());
    }

    let ids: Vec<String> = manifests.iter().map(|_| describe::batch_id()).collect();
    let changes: Vec<Vec<Change>> = ready
        .iter()
        .map(|verified| verified.changes().to_vec())
        .collect();
    let trailers = options
        .origin
        .as_ref()
        .map_or(&[][..], |origin| &origin.trailers);
    let batches = batches_of(manifests, ready, &ids, trailers)?;
    let batches = publish::in_stored_form(batches, &target, repo)?;
    let batches = publish::hooks::ask(batches, &target, repo)?;
    if first.mode == CheckMode::VerifyOnly {
        if let Some(first) = outcomes.first_mut() {
            first.warnings.extend(target.hooks.withheld(&target, repo));
        }
        return rehearse(&batches, &changes, &target, repo);
    }

    (options.progress)("publishing");
    let queue = match queue {
        Some(queue) => queue,
        None => Queue::enter(repo)?,
    };
    let published = Published {
        manifests,
        ids: &ids,
        changes: &changes,
        target: &target,
        redo_of: known.redo_of,
    };
    let mut receipt = publish_batches(&batches, &published, outcomes, options, &queue)
        .map_err(|refusal| keeping::note_leftover(refusal, repo))?;
    // The next one's turn: a hook may want to publish something itself.
    drop(queue);
    publish::hooks::tell(&mut receipt, &target, repo);
    if let Some(last) = outcomes.last_mut() {
        last.warnings.extend(receipt.warnings);
    }
    Ok(())
}

/// Resolves and verifies the manifests, each on what those before it change, up to the first that is refused.
fn verify_each(
    repo: &Repo,
    manifests: &[Manifest],
    target: &PublishTarget,
    held: &mut [Expectations],
    options: &Options,
    outcomes: &mut Vec<Outcome>,
) -> Result<Vec<Verified>, Refusal> {
    let mut ready: Vec<Verified> = Vec::new();
    let mut earlier: Vec<Change> = Vec::new();
    for (manifest, held) in manifests.iter().zip(held) {
        (options.progress)("resolving");
        let (outcome, verified) = plan_and_verify(repo, manifest, target, &earlier, held, options)?;
        outcomes.push(outcome);
        let Some(verified) = verified else {
            break;
        };
        // For whoever comes next; of a large batch it is a large copy.
        if manifests.len() > 1 {
            earlier.extend_from_slice(verified.changes());
        }
        ready.push(verified);
    }
    Ok(ready)
}

/// Says what would refuse `batches` at publishing.
fn rehearse(
    batches: &[Batch],
    changes: &[Vec<Change>],
    target: &PublishTarget,
    repo: &Repo,
) -> Result<(), Refusal> {
    let (changes, moves) = (changes.concat(), publish::moves(batches));
    let intended = Intended {
        moves: &moves,
        ..Intended::plain(&changes)
    };
    publish::rehearse(&intended, target, repo)
}

/// Publishes `batches`, has the history keep an entry of each, and says so in the outcomes.
fn publish_batches(
    batches: &[Batch],
    published: &Published<'_>,
    outcomes: &mut [Outcome],
    options: &Options,
    queue: &Queue<'_>,
) -> Result<Receipt, Refusal> {
    let prepared = publish::prepare(batches, published.target, queue)?;
    mark_published(outcomes, published.ids, prepared.receipt());
    let announced = if prepared.is_empty() {
        None
    } else {
        keeping::announce(published, outcomes, &prepared, options.report, queue)?
    };
    keeping::commit(prepared, announced, "the batch is published", queue)
}

/// A batch of more operations has a plan that takes a while to give back.
const MANY: usize = 500;

/// Reads what a manifest is resolved against, on top of the `changes` of those before it.
fn read_snapshot(
    repo: &Repo,
    manifest: &Manifest,
    source: &ReadSource,
    changes: &[Change],
) -> Result<Snapshot, Diagnostic> {
    let (paths, pathspecs) = plan::wanted_paths(manifest);
    let snapshot = repo.snapshot(source, &paths, &pathspecs)?.with(changes);
    let by_block = plan::asked_for_blocks(manifest, &snapshot);
    let snapshot = templates::templates_beside(repo, source, snapshot, changes, &by_block)?;
    let wanted = plan::wanted_files(manifest);
    projects::project_beside(repo, source, snapshot, changes, wanted.as_ref())
}

/// Reads the snapshot, plans one manifest on top of the `changes` of those before it, and checks the plan with this program's
/// own eyes. What was resolved before is refused where it is not what it was `held` to.
pub(super) fn look_at(
    repo: &Repo,
    manifest: &Manifest,
    target: &PublishTarget,
    changes: &[Change],
    held: &mut Expectations,
    options: &Options,
) -> Result<(Outcome, Option<Checked>), Refusal> {
    let out_of_reach = out_of_reach(manifest, &options.reach);
    if !out_of_reach.is_empty() {
        return Ok((Outcome::describe_refused(manifest, out_of_reach), None));
    }
    let manifest = &*projects::settled(repo, &target.source, manifest)?;
    let snapshot = read_snapshot(repo, manifest, &target.source, changes)?;
    let mut outcome = Outcome {
        base: snapshot.base.commit().cloned(),
        reference: target.reference.clone(),
        conversation: options
            .origin
            .as_ref()
            .map(|origin| Box::new(origin.conversation.clone())),
        ..Outcome::begun(manifest)
    };
    let out_of_reach = matched_beyond(manifest, &snapshot, &options.reach);
    if !out_of_reach.is_empty() {
        outcome.fail(out_of_reach);
        return Ok((outcome, None));
    }
    let miscounted = held.count(manifest, &snapshot);
    if !miscounted.is_empty() {
        outcome.fail(miscounted);
        return Ok((outcome, None));
    }
    // Those that run end here: linters are shown the same checkout.
    let built = {
        let servers = Servers::of(repo, &target.source, changes, &*options.progress);
        plan::build(manifest, &snapshot, &servers)
    };
    let plan = match built {
        Ok(mut plan) => {
            let out_of_reach = changed_beyond(manifest, &plan, &options.reach);
            if !out_of_reach.is_empty() {
                outcome.fail(out_of_reach);
                return Ok((outcome, None));
            }
            let overtaken = held.take(manifest, &plan, snapshot.hash);
            // What was found is told here and asked for nowhere else.
            outcome.operations = std::mem::take(&mut plan.operations);
            leave_out_beyond(&mut outcome.operations, &options.reach);
            if !overtaken.is_empty() {
                outcome.fail(overtaken);
                return Ok((outcome, None));
            }
            plan
        }
        Err(mut refused) => {
            leave_out_beyond(&mut refused.operations, &options.reach);
            for error in &mut refused.errors {
                leave_notes_out(error, &options.reach);
            }
            outcome.operations = refused.operations;
            outcome.fail(refused.errors);
            return Ok((outcome, None));
        }
    };
    let plan = Plan {
        beside: modules::beside(repo, &target.source, &plan.candidate, changes)?,
        ..plan
    };
    let files = |made: &Candidate| describe::describe_files(made, snapshot.hash, options.diff);
    (options.progress)("checking");
    let (look, told) = verify::check(plan, &manifest.operations, manifest.mode, files);
    outcome.tell(told, manifest);
    for (index, removed) in look.removed {
        if let Some(operation) = outcome.operations.get_mut(index) {
            operation.removed.push(removed);
        }
    }
    match look.outcome {
        Ok(checked) => {
            outcome.warnings = point_at_content(look.warnings, manifest);
            Ok((outcome, Some(checked)))
        }
        Err(rejected) => {
            let outcome = refused_outcome(
                outcome,
                rejected.errors,
                manifest,
                &merged_with_earlier(changes, &rejected.candidate),
                target,
                repo,
            )?;
            Ok((outcome, None))
        }
    }
}

/// Says which operations name a file that is out of reach. Nothing of such a file is read, so that no refusal shows what it holds.
pub(super) fn out_of_reach(manifest: &Manifest, reach: &Reach) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (index, operation) in manifest.operations.iter().enumerate() {
        let named = match &operation.files {
            Files::One(path) => Some(path),
            Files::Matching(_) => None,
        };
        let to = match &operation.verb {
            Verb::RenameFile { to, .. } => Some(to),
            Verb::Move { to, .. } => to.file.as_ref(),
            _ => None,
        };
        for path in named.into_iter().chain(to) {
            if let Err(problem) = reach.check(path) {
                let message = format!("path `{}` {problem}", shown(path.as_str()));
                errors.push(Diagnostic::new(Code::PathRefused, message).of_operation(index));
            }
        }
    }
    errors
}

/// Says which files a batch would change that are out of reach, whichever way it came to them.
fn changed_beyond(manifest: &Manifest, plan: &Plan, reach: &Reach) -> Vec<Diagnostic> {
    let Some(folder) = reach.folder() else {
        return Vec::new();
    };
    let edits = plan.candidate.steps().iter().flat_map(|step| &step.files);
    let mut outside = edits.filter(|edit| !reach.holds(edit.path.as_str()));
    let Some(first) = outside.next() else {
        return Vec::new();
    };
    let follows = |operation: &Operation| {
        let names = matches!(
            operation.verb,
            Verb::Rename { .. } | Verb::RenameFile { .. } | Verb::Move { .. }
        );
        names || operation.callers.is_some()
    };
    let index = manifest.operations.iter().position(follows);
    let operation = index.and_then(|index| manifest.operations.get(index));
    let what = match operation {
        Some(operation) if operation.callers.is_some() => "callers",
        Some(operation) => operation.verb.name(),
        None => "edit",
    };
    let path = shown(first.path.as_str());
    let message =
        format!("`{what}` would change {path}, and nothing but {folder} can be reached here");
    let refusal = Diagnostic::new(Code::PathRefused, message);
    vec![match index {
        Some(index) => refusal.of_operation(index),
        None => refusal,
    }]
}

/// Leaves out what is found of a name in files that are out of reach.
fn leave_out_beyond(operations: &mut [OperationOutcome], reach: &Reach) {
    for operation in operations {
        if let Some(references) = &mut operation.references {
            let places = [&mut references.places, &mut references.doubts];
            for places in places {
                places.retain(|place| reach.holds(place.path.as_str()));
            }
        }
        if let Some(error) = &mut operation.error {
            leave_notes_out(error, reach);
        }
    }
}

/// Leaves out of a refusal the places in files that are out of reach: those of a name are notes that begin with their address,
/// those of a circle say which file imports which.
fn leave_notes_out(error: &mut Diagnostic, reach: &Reach) {
    let (Some(folder), Code::NotCertain | Code::NameClash | Code::ImportCycle | Code::StillUsed) =
        (reach.folder(), error.code)
    else {
        return;
    };
    let path = |note: &str| {
        let (address, _) = note.split_once(", line ")?;
        let path = address.split("::").next().unwrap_or(address);
        Some(path.to_owned())
    };
    let count = error.notes.len();
    let is_circle = error.code == Code::ImportCycle;
    error
        .notes
        .retain(|note| match note.split_once(" imports ") {
            Some((one, other)) if is_circle => reach.holds(one) && reach.holds(other),
            _ => path(note).is_none_or(|path| reach.holds(&path)),
        });
    let left = count - error.notes.len();
    if left > 0 {
        error
            .notes
            .insert(0, format!("{left} more outside of {folder}"));
    }
}

/// Says which operations have `files` that match one out of reach.
fn matched_beyond(manifest: &Manifest, snapshot: &Snapshot, reach: &Reach) -> Vec<Diagnostic> {
    let Some(folder) = reach.folder() else {
        return Vec::new();
    };
    let mut errors = Vec::new();
    for (index, operation) in manifest.operations.iter().enumerate() {
        let Files::Matching(specs) = &operation.files else {
            continue;
        };
        let matched = snapshot.matches.get(specs).into_iter().flatten();
        let outside = matched.filter(|path| !reach.holds(path.as_str())).count();
        if outside > 0 {
            let message = format!(
                "`files` match {outside} that are not in {folder}, and nothing else can be reached here"
            );
            let note = format!("`{folder}/**` and the like match in there alone");
            errors.push(
                Diagnostic::new(Code::PathRefused, message)
                    .of_operation(index)
                    .note(note),
            );
        }
    }
    errors
}

/// Returns what publishing would meet: a batch on top of the `changes` of those before it.
pub(super) fn merged_with_earlier(changes: &[Change], candidate: &Candidate) -> Vec<Change> {
    snapshot::merged(changes.iter().chain(candidate.changes()))
}

/// Plans and verifies one manifest on top of the `changes` of those before it.
fn plan_and_verify(
    repo: &Repo,
    manifest: &Manifest,
    target: &PublishTarget,
    changes: &[Change],
    held: &mut Expectations,
    options: &Options,
) -> Result<(Outcome, Option<Verified>), Refusal> {
    let (mut outcome, checked) = look_at(repo, manifest, target, changes, held, options)?;
    let Some(checked) = checked else {
        return Ok((outcome, None));
    };
    let linters = match ConfiguredLinters::of(repo, &target.source) {
        Ok(linters) => linters,
        Err(errors)
            if manifest.mode == CheckMode::Interactive
                || linters::fixes_config(checked.candidate().changes()) =>
        {
            outcome.warnings.extend(errors);
            None
        }
        Err(errors) => {
            let outcome = refused_outcome(
                outcome,
                errors,
                manifest,
                &merged_with_earlier(changes, checked.candidate()),
                target,
                repo,
            )?;
            return Ok((outcome, None));
        }
    };
    if linters.is_none() {
        outcome
            .warnings
            .extend(linters::uncommitted_config(repo, &target.source));
    }
    if let Some(linters) = &linters
        && !linters.would_run(checked.candidate().changes()).is_empty()
    {
        // What the repository refuses is not linted.
        let errors = in_the_way(
            &merged_with_earlier(changes, checked.candidate()),
            target,
            repo,
        )?;
        if !errors.is_empty() {
            outcome.fail(errors);
            return Ok((outcome, None));
        }
    }
    let context = linters.as_ref().map(|linters| LinterContext {
        repo,
        source: &target.source,
        earlier: changes,
        linters,
        progress: &*options.progress,
    });
    let steps = checked.candidate().steps().len();
    let judged = run_linters(checked, manifest.mode, context.as_ref())?;
    outcome
        .warnings
        .extend(point_at_content(judged.warnings, manifest));
    if judged.candidate.steps().len() > steps {
        let files = describe::describe_files(&judged.candidate, repo.hash_kind(), options.diff);
        outcome.tell(files, manifest);
    }
    (outcome.formatters, outcome.validators) = (judged.formatters, judged.validators);
    match judged.outcome {
        Ok(verified) => {
            if manifest.operations.len() > MANY {
                parallel::discard(judged.candidate);
            }
            let empty = verified.changes().is_empty();
            outcome.status = if empty {
                Status::Unchanged
            } else {
                Status::Verified
            };
            let ignored = ignored_files(verified.changes(), manifest.destination, repo);
            outcome.warnings.extend(ignored);
            let unseen = unseen_uses(verified.changes(), manifest, target, (repo, &options.reach))?;
            outcome.warnings.extend(unseen);
            Ok((outcome, Some(verified)))
        }
        Err(errors) => {
            let outcome = refused_outcome(
                outcome,
                errors,
                manifest,
                &merged_with_earlier(changes, &judged.candidate),
                target,
                repo,
            )?;
            Ok((outcome, None))
        }
    }
}

/// Warns of new files that git ignores here, where publishing them puts them under version control: `git add` would refuse that.
fn ignored_files(changes: &[Change], destination: Destination, repo: &Repo) -> Option<Diagnostic> {
    const MOST_NAMED: usize = 5;
    if destination == Destination::Worktree {
        return None;
    }
    let mut ignored = changes
        .iter()
        .filter(|change| change.before.is_none() && repo.ignores(&change.path))
        .map(|change| shown(change.path.as_str()));
    let named: Vec<String> = ignored.by_ref().take(MOST_NAMED).collect();
    let more = match ignored.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "git ignores {}{more} here, and this brings it under version control",
        named.join(", ")
    );
    let note = "`destination: worktree` writes a file without that; `git segedit undo` takes the batch back";
    (!named.is_empty()).then(|| Diagnostic::new(Code::PathRefused, message).note(note))
}

/// Warns of files of the worktree in which a renamed name is, and in which it was not looked for: they are not tracked, or were changed since
/// what the batch is resolved against.
fn unseen_uses(
    changes: &[Change],
    manifest: &Manifest,
    target: &PublishTarget,
    (repo, reach): (&Repo, &Reach),
) -> Result<Vec<Diagnostic>, Diagnostic> {
    const MOST_NAMED: usize = 5;
    let follows = matches!(
        manifest.destination,
        Destination::Commit | Destination::Index | Destination::Worktree
    );
    if !follows || manifest.branch.is_some() {
        return Ok(Vec::new());
    }
    let mut warnings = Vec::new();
    for (index, operation) in manifest.operations.iter().enumerate() {
        let symbol = match &operation.verb {
            Verb::Rename {
                selector: Selector::Symbol(symbol),
                ..
            }
            | Verb::Move {
                selector: Selector::Symbol(symbol),
                reexports: false,
                ..
            } => symbol,
            _ if operation.callers.is_some() => match operation.scoped().map(|it| &it.selector) {
                Some(Selector::Symbol(symbol)) => symbol,
                _ => continue,
            },
            _ => continue,
        };
        let mut word = plan::word_of(symbol);
        // Who makes an instance writes the name of the class.
        if let (Some(_), [.., class, _]) = (&operation.callers, &symbol.components[..])
            && matches!(word.as_str(), "__init__" | "__new__")
        {
            word = class.name.clone();
        }
        let mut found = repo.lines_beside(&word, &target.source)?;
        let is_changed = |path: &str| changes.iter().any(|change| change.path.as_str() == path);
        found.retain(|path, _| reach.holds(path) && !is_changed(path));
        let named: Vec<String> = found
            .keys()
            .take(MOST_NAMED)
            .map(|path| shown(path).to_string())
            .collect();
        if named.is_empty() {
            continue;
        }
        let more = match found.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "`{}` is in {}{more} of the worktree, too, which was not looked at: not tracked, or changed and not committed",
            shown(&word),
            named.join(", ")
        );
        warnings.push(
            Diagnostic::new(Code::NotCertain, message)
                .note(match operation.verb {
                    Verb::Move { .. } => "what means the moved one there has it from the old place still: change it there; after `git add` of it a move with `destination: worktree` sees it",
                    Verb::Replace { .. } | Verb::Insert { .. } | Verb::Delete { .. } => "calls there stay as they are: change them there; after `git add` of it `destination: worktree` sees them",
                    _ => "what means the renamed one there has the old name still: change it there; after `git add` of it a rename with `destination: worktree` sees it",
                })
                .of_operation(index),
        );
    }
    Ok(warnings)
}

/// Has a checked plan formatted and validated by what is configured; without linters it is verified as it is.
fn run_linters(
    checked: Checked,
    mode: CheckMode,
    context: Option<&LinterContext<'_>>,
) -> Result<Judged, Diagnostic> {
    let Some(context) = context else {
        let formatted = verify::with_formatting(checked, Formatting::none_configured());
        return Ok(verify::conclude(formatted, Validation::not_run(), mode));
    };
    let formatting = linters::format(checked.candidate(), context)?;
    let formatted = verify::with_formatting(checked, formatting);
    let validation = match formatted.to_validate(mode) {
        Some(permission) => linters::validate(formatted.candidate(), context, permission)?,
        None => Validation::not_run(),
    };
    Ok(verify::conclude(formatted, validation, mode))
}

/// Returns the outcome of a batch that a check refused. A repository in the way goes before a failed check: mending the
/// content alone would not help the caller.
fn refused_outcome(
    mut outcome: Outcome,
    errors: Vec<Diagnostic>,
    manifest: &Manifest,
    changes: &[Change],
    target: &PublishTarget,
    repo: &Repo,
) -> Result<Outcome, Refusal> {
    let mut errors = point_at_content(errors, manifest);
    errors.extend(in_the_way(changes, target, repo)?);
    outcome.fail(errors);
    Ok(outcome)
}

/// Returns what in the repository would refuse `changes`; that the world moved is for the caller to know.
pub(super) fn in_the_way(
    changes: &[Change],
    target: &PublishTarget,
    repo: &Repo,
) -> Result<Vec<Diagnostic>, Refusal> {
    match publish::rehearse(&Intended::plain(changes), target, repo) {
        Ok(_) => Ok(Vec::new()),
        Err(stale @ Refusal::Stale { .. }) => Err(stale),
        Err(refusal) => Ok(refusal.diagnostics()),
    }
}

/// Returns what the checks found, each pointing at the content that it speaks of.
fn point_at_content(mut found: Vec<Diagnostic>, manifest: &Manifest) -> Vec<Diagnostic> {
    for diagnostic in &mut found {
        if let Some(index) = diagnostic.operation
            && diagnostic.place.is_none()
        {
            diagnostic.place = manifest
                .operations
                .get(index)
                .and_then(|operation| operation.place("content"))
                .cloned();
        }
    }
    found
}

fn batches_of(
    manifests: &[Manifest],
    ready: Vec<Verified>,
    ids: &[String],
    own: &[(&'static str, String)],
) -> Result<Vec<Batch>, Diagnostic> {
    manifests
        .iter()
        .zip(ready)
        .zip(ids)
        .map(|((manifest, verified), id)| {
            let summary = || describe::summary_line(manifest);
            let message = manifest.message.clone().unwrap_or_else(summary);
            let message = publish::message::compose(&message, &manifest.trailers, own, id)?;
            Ok(Batch {
                verified,
                message,
                author: manifest.author.clone(),
            })
        })
        .collect()
}

/// Says in the outcomes what is published, for the history to keep; `describe::refused` takes it back if it is not.
fn mark_published(outcomes: &mut [Outcome], ids: &[String], receipt: &Receipt) {
    for ((outcome, id), commit) in outcomes.iter_mut().zip(ids).zip(&receipt.commits) {
        if outcome.status == Status::Verified {
            outcome.status = Status::Published;
            outcome.batch = Some(id.clone());
            outcome.commit.clone_from(commit);
        }
    }
}

/// Says how two manifests of one call disagree about where they go: they are published together, so they may not.
fn disagreement(first: &Manifest, other: &Manifest) -> Option<Diagnostic> {
    let field = if first.destination != other.destination {
        "destination"
    } else if first.branch != other.branch {
        "branch"
    } else if first.base != other.base {
        "base"
    } else if (first.mode == CheckMode::VerifyOnly) != (other.mode == CheckMode::VerifyOnly) {
        "mode"
    } else {
        return None;
    };
    let message = format!(
        "`{}` and `{}` have a different `{field}`",
        first.source.name, other.source.name
    );
    let note = format!(
        "operation files of one call are published together; `--{field}` overrides all of them"
    );
    Some(Diagnostic::new(Code::Malformed, message).note(note))
}
