//! From a manifest and a snapshot to a plan, a step at a time, or to all its problems.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::hash_map::Entry as Found;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Deref;

use super::action::{self, Act};
use super::candidate::Candidate;
use super::edit::{self, Edit};
use super::import::{self, ImportWish};
use super::model::{Plan, Refused};
use super::name_service::NameService;
use super::outcome::{OperationOutcome, OperationStatus};
use super::step::{FileEdit, Step, WrittenContent};
use super::wanted::{names_a_definition, names_a_segment, paths_of, quotes};
use super::{callers, key, mend, overlap, relocation, rename, repoint, whole};
use crate::diagnostic::{Code, Diagnostic};
use crate::diff::hunks;
use crate::manifest::{CheckMode, Choice, Files, Manifest, Operation, ResolveOrder, Verb};
use crate::parallel;
use crate::path::RepoPath;
use crate::references::{Analysis, RenamedPlace, Renaming};
use crate::resolve::{Budget, Document, Reading, refusal};
use crate::snapshot::{File, Snapshot};
use crate::text::Span;
use crate::text::splice::Splices;

/// What all operations of a batch share.
struct BuildContext<'b> {
    /// What is left of the work that the batch may cost.
    allowance: Budget,
    /// Who is asked about names.
    service: &'b dyn NameService,
}

/// Decides what `manifest` makes of `snapshot`; `service` is asked about names of languages whose scopes this program does not know.
pub fn build(
    manifest: &Manifest,
    snapshot: &Snapshot,
    service: &dyn NameService,
) -> Result<Plan, Refused> {
    let mut outcomes: Vec<OperationOutcome> = manifest
        .operations
        .iter()
        .enumerate()
        .map(|(index, operation)| OperationOutcome::untouched(index, operation))
        .collect();
    let every: Vec<usize> = (0..manifest.operations.len()).collect();
    let context = BuildContext {
        allowance: Budget::default(),
        service,
    };
    let built = match manifest.order {
        ResolveOrder::Snapshot => steps_of(manifest, snapshot, &every, &context, &mut outcomes),
        ResolveOrder::Sequential => build_in_sequence(manifest, snapshot, &context, &mut outcomes),
    };
    let built = built.and_then(|steps| {
        let candidate = Candidate::of(steps);
        let twins = whole::refuse_twins(&candidate, &manifest.operations);
        if twins.is_empty() {
            Ok(candidate)
        } else {
            Err(twins)
        }
    });
    match built {
        Ok(candidate) => {
            let (step, open_names) = mend::imports(&candidate, manifest, snapshot, &mut outcomes);
            Ok(Plan {
                operations: outcomes,
                candidate: candidate.with(step.into_iter().collect()),
                open_names,
                beside: None,
            })
        }
        Err(mut errors) => {
            for outcome in &mut outcomes {
                let own = errors
                    .iter()
                    .find(|error| error.operation == Some(outcome.index));
                outcome.error = own.cloned().map(Box::new);
                let failed = outcome.error.is_some();
                outcome.status = if failed {
                    OperationStatus::Failed
                } else {
                    OperationStatus::Skipped
                };
            }
            errors.sort_by_key(|error| error.operation);
            Err(Refused {
                operations: outcomes,
                errors,
            })
        }
    }
}

/// Returns, of each `replace` and `delete` that asks for just what one before it asks for, that one.
fn repeated_operations(manifest: &Manifest) -> BTreeMap<usize, usize> {
    let mut first: HashMap<String, usize> = HashMap::new();
    let mut again = BTreeMap::new();
    for (index, operation) in manifest.operations.iter().enumerate() {
        if matches!(operation.verb, Verb::Replace { .. } | Verb::Delete { .. }) {
            match first.entry(operation.asked()) {
                Found::Occupied(known) => drop(again.insert(index, *known.get())),
                Found::Vacant(slot) => drop(slot.insert(index)),
            }
        }
    }
    again
}

fn done_already(outcomes: &mut [OperationOutcome], index: usize, first: usize) {
    let found = outcomes
        .get(first)
        .map(|first| (first.segment.clone(), first.matched));
    if let (Some((segment, matched)), Some(outcome)) = (found, outcomes.get_mut(index)) {
        outcome.status = OperationStatus::Noop;
        outcome.segment = segment;
        outcome.matched = matched;
    }
}

/// One step for each operation, each on what the one before left. Stops at the first that is refused, because those
/// behind it would be judged against a state that never was.
fn build_in_sequence(
    manifest: &Manifest,
    snapshot: &Snapshot,
    context: &BuildContext<'_>,
    outcomes: &mut [OperationOutcome],
) -> Result<Vec<Step>, Vec<Diagnostic>> {
    let mut current = snapshot.clone();
    let mut steps = Vec::new();
    let asked_again = LazyCell::new(|| repeated_operations(manifest));
    for index in 0..manifest.operations.len() {
        let steps_of_one = match steps_of(manifest, &current, &[index], context, outcomes) {
            Err(errors) if errors.iter().all(is_miss) => match asked_again.get(&index) {
                Some(&first) => {
                    done_already(outcomes, index, first);
                    continue;
                }
                None => return Err(errors),
            },
            other => other?,
        };
        for step in steps_of_one {
            if index > 0 {
                check_allowance(&step, &context.allowance)
                    .map_err(|error| vec![error.of_operation(index)])?;
            }
            current = current.with(&step.changes());
            steps.push(step);
        }
    }
    Ok(steps)
}

/// Refuses a step whose files are more than the batch may rewrite: every step keeps the whole of them.
fn check_allowance(step: &Step, allowance: &Budget) -> Result<(), Diagnostic> {
    for edit in &step.files {
        let Some(after) = edit.after.as_ref().filter(|_| edit.splices.is_some()) else {
            continue;
        };
        allowance
            .spend_rewriting(after.bytes.len())
            .map_err(|exceeded| crate::resolve::refusal::exceeded(&edit.path, exceeded))?;
    }
    Ok(())
}

/// Resolves the operations at `indices` against `snapshot`; modes are set on what the others leave.
fn steps_of(
    manifest: &Manifest,
    snapshot: &Snapshot,
    indices: &[usize],
    context: &BuildContext<'_>,
    outcomes: &mut [OperationOutcome],
) -> Result<Vec<Step>, Vec<Diagnostic>> {
    let edits = build_step(manifest, snapshot, indices, context, outcomes)?;
    let modes = whole::mode_changes(&manifest.operations, snapshot, indices, &edits);
    let mut steps: Vec<Step> = [edits].into_iter().chain(modes).collect();
    let callers = callers::steps(&manifest.operations, snapshot, &steps, indices, outcomes)?;
    steps.extend(callers);
    let is_move = |index: &&usize| {
        let operation = manifest.operations.get(**index);
        operation.is_some_and(|operation| matches!(operation.verb, Verb::Move { .. }))
    };
    let moving: Vec<usize> = indices.iter().filter(is_move).copied().collect();
    if !moving.is_empty() {
        let changes = steps.iter().map(Step::changes);
        let current = changes.fold(snapshot.clone(), |current, changes| current.with(&changes));
        let moves = relocation::moves(&manifest.operations, &current, &moving, outcomes)?;
        steps.extend(moves);
    }
    Ok(steps)
}

/// Resolves the operations at `indices` against `snapshot` and composes their edits.
fn build_step(
    manifest: &Manifest,
    snapshot: &Snapshot,
    indices: &[usize],
    context: &BuildContext<'_>,
    outcomes: &mut [OperationOutcome],
) -> Result<Step, Vec<Diagnostic>> {
    let operations = &manifest.operations;
    let mut errors: Vec<Diagnostic> = Vec::new();
    let allowance = &context.allowance;
    let asked = (context.service, &mut *outcomes);
    let renamings = rename::renamings(operations, snapshot, indices, asked, &mut errors);
    let analysis = LazyCell::new(|| Analysis::of(&snapshot.project));
    let repointed = repoint::repointed(
        operations,
        snapshot,
        indices,
        &analysis,
        outcomes,
        &mut errors,
    );
    let mut documents = read_documents(operations, snapshot, indices, &renamings, &mut errors);
    if let Some(repointed) = &repointed {
        let paths = repointed.files.keys().cloned();
        let operation = repointed.operation;
        read_further(
            paths,
            operation,
            operations,
            snapshot,
            &mut documents,
            &mut errors,
        );
    }
    let Ahead { documents, acted } = read_ahead(documents, operations, snapshot, indices);
    let reading = |document| Box::new(Reading::within(document, allowance));
    let by_path = documents
        .iter()
        .map(|(path, document)| (path, reading(&**document)))
        .collect();
    let mut readings = StepReadings { by_path, acted };
    let mut pending: BTreeMap<RepoPath, PendingFile> = BTreeMap::new();
    if let Some(repointed) = &repointed {
        for (path, file) in &repointed.files {
            let Some(document) = documents.get(path) else {
                continue;
            };
            match repoint::rewritten(path, &document.bytes, file, &analysis) {
                Ok(bytes) => {
                    let pending = pending.entry(path.clone()).or_default();
                    pending.imported = Some((bytes, vec![repointed.operation]));
                }
                Err(error) => errors.push(error.of_operation(repointed.operation)),
            }
        }
    }
    for &index in indices {
        let (Some(operation), Some(outcome)) = (operations.get(index), outcomes.get_mut(index))
        else {
            continue;
        };
        let is_move = matches!(operation.verb, Verb::Move { .. });
        if is_move || errors.iter().any(|error| error.operation == Some(index)) {
            continue;
        }
        if let Some(renaming) = renamings.get(&index) {
            for (path, places) in &renaming.places {
                let pending = pending.entry(path.clone()).or_default();
                pending.take(index, places);
            }
            continue;
        }
        if let Some(wish) = import_wish(operation) {
            let found = import_into(
                operation,
                &wish,
                snapshot,
                &documents,
                &analysis,
                &mut pending,
                outcome,
            );
            errors.extend(
                found
                    .into_iter()
                    .map(|error| operation.placed(error, index)),
            );
            continue;
        }
        if let Err(found) = resolve_operation(
            operation,
            index,
            snapshot,
            &mut readings,
            manifest.mode,
            &mut pending,
            outcome,
        ) {
            errors.extend(
                found
                    .into_iter()
                    .map(|error| operation.placed(error, index)),
            );
        }
    }
    let whole = whole::whole_file_changes(operations, snapshot, indices);
    errors.extend(whole.errors);
    let compose = |(path, mut pending): (RepoPath, PendingFile)| {
        let Some(document) = documents.get(&path) else {
            return Ok(None);
        };
        pending.take_imports(document);
        let asked: Vec<(Span, usize)> = claimed_spans(&pending.edits);
        pending.edits =
            key::compose_together(document, pending.edits, &pending.changes, operations)?;
        // Where one splice does the work of several, all of them claim it.
        let left: HashSet<usize> = pending.edits.iter().map(|edit| edit.operation).collect();
        let merged = asked.into_iter().filter(|(_, at)| !left.contains(at));
        pending.merged.extend(merged);
        let splices = overlap::compose(document, &pending.edits, operations)?;
        Ok(file_edit(
            path, document, splices, pending, operations, snapshot,
        ))
    };
    let mut edits: Vec<FileEdit> = Vec::with_capacity(pending.len());
    for composed in parallel::map(pending.into_iter().collect(), compose) {
        match composed {
            Ok(edit) => edits.extend(edit),
            Err(refused) => errors.extend::<Vec<Diagnostic>>(refused),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(Step {
        files: whole::merge_edits(edits, whole.moves),
    })
}

/// The files of a step, as its operations read them.
struct StepReadings<'d> {
    by_path: BTreeMap<&'d RepoPath, Box<Reading<'d>>>,
    acted: BTreeMap<usize, Box<Acted>>,
}

/// What operations want of one file, before it is composed.
#[derive(Default)]
struct PendingFile {
    edits: Vec<Edit>,
    defines: Vec<(usize, String)>,
    written: Vec<WrittenContent>,
    /// What operations make of the entries of a configuration file.
    changes: Vec<(usize, key::KeyChange)>,
    /// What imports make of it, one after the other, and the operations that do.
    imported: Option<(Vec<u8>, Vec<usize>)>,
    /// What operations claimed whose edits are a part of another's now.
    merged: Vec<(Span, usize)>,
}

impl PendingFile {
    /// Takes in what a renaming changes in the file.
    fn take(&mut self, index: usize, places: &[RenamedPlace]) {
        self.edits.extend(places.iter().map(|place| Edit {
            operation: index,
            what: edit::EditKind::replace(place.span, place.to.as_bytes()),
        }));
    }

    /// Takes in what imports change in the file, line by line. They know of each other; all others are held apart from them.
    fn take_imports(&mut self, document: &Document) {
        let Some((bytes, operations)) = self.imported.take() else {
            return;
        };
        let Some((last, others)) = operations.split_last() else {
            return;
        };
        for hunk in hunks(&document.bytes, &bytes) {
            let new = hunk.new.of(&bytes);
            self.edits.push(Edit {
                operation: *last,
                what: edit::EditKind::replace(hunk.old, new),
            });
            let claims = others.iter().map(|operation| (hunk.old, *operation));
            self.merged.extend(claims);
        }
    }
}

/// Returns what an operation wants of the imports of its files.
fn import_wish(operation: &Operation) -> Option<ImportWish<'_>> {
    match &operation.verb {
        Verb::Import { statement } => Some(ImportWish::Has(statement)),
        Verb::Unimport {
            statement,
            allows_use,
        } => Some(ImportWish::Lacks {
            statement,
            allows_use: *allows_use,
        }),
        _ => None,
    }
}

/// Has each file of an operation import something, or import it no more; returns why not.
fn import_into(
    operation: &Operation,
    wish: &ImportWish<'_>,
    snapshot: &Snapshot,
    documents: &BTreeMap<RepoPath, Box<Document>>,
    analysis: &dyn Deref<Target = Analysis>,
    pending: &mut BTreeMap<RepoPath, PendingFile>,
    outcome: &mut OperationOutcome,
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let paths = paths_of(operation, snapshot);
    if paths.is_empty() {
        return vec![whole::no_match(operation)];
    }
    for path in paths {
        let Some(document) = documents.get(&path) else {
            continue;
        };
        let pending = pending.entry(path.clone()).or_default();
        let (now, mut operations) = match pending.imported.take() {
            Some((bytes, operations)) => (bytes, operations),
            None => (document.bytes.to_vec(), Vec::new()),
        };
        match import::imported(&path, &now, wish, analysis) {
            Ok(file) => {
                operations.push(outcome.index);
                outcome.count += file.count;
                pending.imported = Some((file.bytes, operations));
            }
            Err(error) => {
                pending.imported = Some((now, operations));
                errors.push(error.at(operation.place("statement")));
            }
        }
    }
    outcome.status = match outcome.count {
        0 => OperationStatus::Noop,
        _ => OperationStatus::Applied,
    };
    errors
}

/// Reads every file that the operations edit; what cannot be edited is an error of its operation.
fn read_documents(
    operations: &[Operation],
    snapshot: &Snapshot,
    indices: &[usize],
    renamings: &BTreeMap<usize, Renaming>,
    errors: &mut Vec<Diagnostic>,
) -> BTreeMap<RepoPath, Box<Document>> {
    let mut documents = BTreeMap::new();
    for &index in indices {
        let Some(operation) = operations.get(index) else {
            continue;
        };
        let paths = match renamings.get(&index) {
            Some(renaming) => renaming.places.keys().cloned().collect(),
            None if whole::edits_inside(&operation.verb) => paths_of(operation, snapshot),
            None => continue,
        };
        read_further(
            paths.into_iter(),
            index,
            operations,
            snapshot,
            &mut documents,
            errors,
        );
    }
    documents
}

/// Reads the files at `paths`, which the operation at `index` edits, as far as they are not read yet.
fn read_further(
    paths: impl Iterator<Item = RepoPath>,
    index: usize,
    operations: &[Operation],
    snapshot: &Snapshot,
    documents: &mut BTreeMap<RepoPath, Box<Document>>,
    errors: &mut Vec<Diagnostic>,
) {
    let Some(operation) = operations.get(index) else {
        return;
    };
    for path in paths {
        if documents.contains_key(&path) {
            continue;
        }
        match whole::editable(snapshot, &path, operation) {
            Ok(file) => {
                let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash)
                    .among(&snapshot.templates);
                documents.insert(path, Box::new(document));
            }
            Err(error) => errors.push(operation.placed(error, index)),
        }
    }
}

/// What came of one operation on one file, and what there is to say of how it was looked for.
type Acted = (Result<Act, Diagnostic>, Vec<String>);

/// The files of a step, read ahead, all at once. What is large stands apart from the trees, which move what they hold.
struct Ahead {
    documents: BTreeMap<RepoPath, Box<Document>>,
    /// Of each operation that names a segment of one file, what comes of it.
    acted: BTreeMap<usize, Box<Acted>>,
}

/// Reads the segments of the files that will be asked for some, and finds those that operations name: nothing in that is
/// shared between files.
fn read_ahead(
    documents: BTreeMap<RepoPath, Box<Document>>,
    operations: &[Operation],
    snapshot: &Snapshot,
    indices: &[usize],
) -> Ahead {
    let mut asking: BTreeMap<RepoPath, Vec<usize>> = BTreeMap::new();
    for &index in indices {
        let Some(operation) = operations
            .get(index)
            .filter(|operation| names_a_segment(operation))
        else {
            continue;
        };
        for path in paths_of(operation, snapshot) {
            asking.entry(path).or_default().push(index);
        }
    }
    let read = |(path, document): (RepoPath, Box<Document>)| {
        let Some(asking) = asking.get(&path) else {
            return (path, document, Vec::new());
        };
        // With its errors: where it has none, what an edit makes of it is soon read.
        document.read_both();
        document.outline();
        let alone =
            |&index: &usize| Some((index, operations.get(index).filter(|it| is_alone(it))?));
        let alone: Vec<(usize, &Operation)> = asking.iter().filter_map(alone).collect();
        let acted = plan_in_document(&document, &alone);
        (path, document, acted)
    };
    let mut acted = Vec::new();
    let documents = parallel::map(documents.into_iter().collect(), read)
        .into_iter()
        .map(|(path, document, found)| {
            acted.extend(found);
            (path, document)
        });
    Ahead {
        documents: documents.collect(),
        acted: acted.into_iter().collect(),
    }
}

/// Returns what comes of each of the operations on one file, none of which has to know of another.
fn plan_in_document(
    document: &Document,
    operations: &[(usize, &Operation)],
) -> Vec<(usize, Box<Acted>)> {
    /// So many are looked for faster than a thread begins.
    const FEW: usize = 32;
    let act =
        |reading: &Reading<'_>, operations: &[(usize, &Operation)]| -> Vec<(usize, Box<Acted>)> {
            let act = |&(index, operation): &(usize, &Operation)| {
                (
                    index,
                    Box::new((action::plan_operation(reading, operation), reading.asides())),
                )
            };
            operations.iter().map(act).collect()
        };
    let reading = Reading::of(document);
    if operations.len() <= FEW {
        return act(&reading, operations);
    }
    let register = reading.register();
    register.sort_by_name();
    let share = operations.len().div_ceil(parallel::width()).max(FEW);
    let shares = operations.chunks(share).collect();
    let shares = parallel::each(shares, |share| {
        act(&Reading::registered(document, register), share)
    });
    shares.into_iter().flatten().collect()
}

/// Says whether an operation has to do with one file, and spends nothing that the batch has only so much of.
fn is_alone(operation: &Operation) -> bool {
    matches!(operation.files, Files::One(_)) && names_a_definition(operation)
}

/// Resolves one operation in each of its files.
fn resolve_operation(
    operation: &Operation,
    index: usize,
    snapshot: &Snapshot,
    readings: &mut StepReadings<'_>,
    mode: CheckMode,
    pending: &mut BTreeMap<RepoPath, PendingFile>,
    outcome: &mut OperationOutcome,
) -> Result<(), Vec<Diagnostic>> {
    let mut acts: Vec<(RepoPath, Act)> = Vec::new();
    let mut so_far = MatchesSoFar::default();
    let mut misses: Vec<Diagnostic> = Vec::new();
    let mut errors: Vec<Diagnostic> = Vec::new();
    let paths = paths_of(operation, snapshot);
    if paths.is_empty() {
        return Err(vec![whole::no_match(operation)]);
    }
    let several = matches!(operation.files, Files::Matching(_));
    let count_of_paths = paths.len();
    for path in paths {
        let Some(reading) = readings.by_path.get(&path) else {
            continue;
        };
        if several && crate::text::is_binary(&reading.document.bytes) {
            continue;
        }
        let acted = readings.acted.remove(&index).map(|acted| *acted);
        let (acted, asides) = acted.unwrap_or_else(|| {
            (
                action::plan_operation(reading, &left_of(operation, &so_far)),
                reading.asides(),
            )
        });
        outcome.asides.extend(asides);
        match acted {
            Ok(act) => {
                so_far.add(&act);
                acts.push((path, act));
            }
            Err(miss) if is_miss(&miss) && (several || mode == CheckMode::Interactive) => {
                misses.push(miss)
            }
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if acts.is_empty() && !misses.is_empty() {
        misses.truncate(1);
        if let (true, Some(miss)) = (count_of_paths > 1, misses.first_mut()) {
            let others =
                format!("it was looked for in {count_of_paths} files, of which this is the first");
            miss.notes.insert(0, others);
        }
        if mode != CheckMode::Interactive {
            return Err(misses);
        }
        outcome.status = OperationStatus::Skipped;
        outcome
            .warnings
            .extend(misses.into_iter().map(|miss| operation.placed(miss, index)));
        return Ok(());
    }
    refuse_miscounted(operation, &acts, readings)?;
    outcome.warnings.extend(
        acts.iter()
            .flat_map(|(_, act)| act.warnings.clone())
            .map(|it| operation.placed(it, index)),
    );
    outcome.count += acts.iter().map(|(_, act)| act.count).sum::<usize>();
    outcome.segment = acts.iter().find_map(|(_, act)| act.segment.clone());
    outcome.matched = acts.iter().find_map(|(_, act)| act.matched);
    let changes = acts.iter().any(|(path, act)| {
        readings
            .by_path
            .get(path)
            .is_some_and(|it| changes_something_in(it, act))
    });
    let changes = changes || whole::changes_something(operation, snapshot);
    outcome.status = if changes {
        OperationStatus::Applied
    } else {
        OperationStatus::Noop
    };
    for (path, act) in acts {
        let pending = pending.entry(path).or_default();
        pending.edits.extend(action::edits_of(&act, index));
        pending
            .defines
            .extend(act.defines.into_iter().map(|name| (index, name)));
        let written = act.written.into_iter();
        pending
            .written
            .extend(written.map(|(content, replaced)| WrittenContent {
                operation: index,
                content,
                replaced,
            }));
        pending
            .changes
            .extend(act.change.map(|change| (index, change)));
    }
    Ok(())
}

/// What a `substitute` came to in the files that it was already in.
#[derive(Debug, Default)]
struct MatchesSoFar {
    files: usize,
    found: usize,
    replaced: usize,
}

impl MatchesSoFar {
    fn add(&mut self, act: &Act) {
        self.files += 1;
        self.found += act.found;
        self.replaced += act.count;
    }
}

/// Returns what is left to do of a `substitute` that replaces the first so many matches, or the n-th, after what it did `so_far`.
fn left_of<'o>(operation: &'o Operation, so_far: &MatchesSoFar) -> Cow<'o, Operation> {
    let Verb::Substitute { find, count, .. } = &operation.verb else {
        return Cow::Borrowed(operation);
    };
    if so_far.files == 0 {
        return Cow::Borrowed(operation);
    }
    let left = match (find.choice, count) {
        (Choice::Nth(number), _) if number > so_far.found => operation
            .clone()
            .choosing(Choice::Nth(number - so_far.found)),
        (Choice::Nth(_), _) => with_count(operation.clone().choosing(Choice::Only), 0),
        (Choice::Only | Choice::Every, Some(count)) => {
            with_count(operation.clone(), count.saturating_sub(so_far.replaced))
        }
        (Choice::Only | Choice::Every, None) => return Cow::Borrowed(operation),
    };
    Cow::Owned(left)
}

fn with_count(mut operation: Operation, most: usize) -> Operation {
    if let Verb::Substitute { count, .. } = &mut operation.verb {
        *count = Some(most);
    }
    operation
}

/// Most files whose matches are counted one by one in a refusal.
const MOST_FILES_LISTED: usize = 10;

/// Refuses a `substitute` that found more or fewer matches, over all its files, than it says there are.
fn refuse_miscounted(
    operation: &Operation,
    acts: &[(RepoPath, Act)],
    readings: &StepReadings<'_>,
) -> Result<(), Vec<Diagnostic>> {
    let Verb::Substitute {
        find, expect_count, ..
    } = &operation.verb
    else {
        return Ok(());
    };
    let found: usize = acts.iter().map(|(_, act)| act.found).sum();
    let place = match acts {
        [(path, _)] => path.to_string(),
        _ => format!("{} files", acts.len()),
    };
    if let Some(expected) = expect_count.filter(|expected| *expected != found) {
        let message = format!("{found} matches in {place}, expected {expected}");
        let mismatch =
            Diagnostic::new(Code::CountMismatch, message).at(operation.place("expect_count"));
        let listed = match acts {
            [(path, act)] => {
                let places: Vec<Span> = act.edits.iter().map(edit::EditKind::claim).collect();
                let reading = readings.by_path.get(path);
                match reading {
                    Some(reading) => refusal::listing(mismatch, reading, &places),
                    None => mismatch,
                }
            }
            several => several
                .iter()
                .take(MOST_FILES_LISTED)
                .fold(mismatch, |mismatch, (path, act)| {
                    mismatch.note(format!("{path}: {}", act.found))
                }),
        };
        return Err(vec![listed]);
    }
    match find.choice {
        Choice::Nth(number) if number > found => {
            let message = format!("{found} matches in {place}, and `occurrence` asks for another");
            Err(vec![
                Diagnostic::new(Code::CountMismatch, message).at(operation.place("occurrence")),
            ])
        }
        Choice::Nth(_) | Choice::Only | Choice::Every => Ok(()),
    }
}

/// Says whether a refusal only means that the words are not there.
fn is_miss(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.code, Code::TextNotFound | Code::PatternNotFound)
}

/// Says whether an act would change any byte.
fn changes_something_in(reading: &Reading<'_>, act: &Act) -> bool {
    act.edits.iter().any(|what| match what {
        edit::EditKind::Replace(splice) => {
            splice.span.of(&reading.document.bytes) != splice.bytes.as_slice()
        }
        edit::EditKind::Insert(insertion) => {
            !(insertion.content.is_empty()
                && insertion.before.is_empty()
                && insertion.after.is_empty())
        }
        edit::EditKind::DeleteLines(_) => true,
    })
}

/// Returns the old bytes that each edit claims, with its operation.
fn claimed_spans(edits: &[Edit]) -> Vec<(Span, usize)> {
    edits
        .iter()
        .map(|edit| (edit.what.claim(), edit.operation))
        .collect()
}

fn file_edit(
    path: RepoPath,
    document: &Document,
    splices: Splices,
    pending: PendingFile,
    operations: &[Operation],
    snapshot: &Snapshot,
) -> Option<FileEdit> {
    let before = snapshot.file(&path)?.clone();
    let after = File {
        mode: before.mode,
        bytes: splices.apply(&document.bytes).into(),
    };
    let mut claims = claimed_spans(&pending.edits);
    claims.extend(pending.merged);
    let is_named = |edit: &&Edit| {
        operations
            .get(edit.operation)
            .is_none_or(|operation| !quotes(operation))
    };
    let (named, quoted): (Vec<&Edit>, Vec<&Edit>) = pending.edits.iter().partition(is_named);
    // Where both insert at one place, what is beside it may be meant for a part of what is quoted.
    let quoted: HashSet<Span> = quoted
        .iter()
        .map(|edit| edit.what.claim())
        .filter(|claim| claim.is_empty())
        .collect();
    let claims_of_named = named.iter().map(|edit| edit.what.claim());
    let mut named: Vec<Span> = claims_of_named
        .filter(|claim| !quoted.contains(claim))
        .collect();
    named.sort_unstable();
    Some(FileEdit {
        path,
        before: Some(before),
        after: Some(after),
        moved_from: None,
        splices: Some(splices),
        claims,
        named,
        defines: pending.defines,
        written: pending.written,
        outline: document.known_outline(),
    })
}
