//! Puts a batch into values: its outcome, its files, what it cost, what it is called.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::outcome::{FileOutcome, Ledger, Outcome, Status, Subject};
use crate::diagnostic::{Diagnostic, shown};
use crate::diff::{self, DiffSide, DiffStyle};
use crate::manifest::{Files, Manifest, Operation, Verb};
use crate::parallel;
use crate::path::RepoPath;
use crate::plan::{Candidate, OperationOutcome, OperationStatus};
use crate::resolve::{Document, Reading, refusal};
use crate::snapshot::{Change, File, HashKind};
use crate::syntax::Outline;
use crate::text::{Span, line_count};

impl Outcome {
    /// Returns the outcome of a manifest that `errors` refused before anything was found.
    pub fn describe_refused(manifest: &Manifest, errors: Vec<Diagnostic>) -> Outcome {
        let untouched = manifest.operations.iter().enumerate();
        let operations = untouched
            .map(|(index, operation)| OperationOutcome::untouched(index, operation))
            .collect();
        Outcome {
            status: Status::of(&errors),
            operations,
            errors,
            ..Outcome::begun(manifest)
        }
    }

    /// Returns the outcome of a manifest of which nothing is known yet, not even its operations.
    pub fn begun(manifest: &Manifest) -> Outcome {
        Outcome {
            status: Status::of(&[]),
            subject: Subject::Batch,
            batch: None,
            destination: manifest.destination,
            mode: manifest.mode,
            base: None,
            reference: None,
            commit: None,
            operations: Vec::new(),
            files: Vec::new(),
            formatters: Vec::new(),
            validators: Vec::new(),
            ledger: Ledger::default(),
            warnings: Vec::new(),
            errors: Vec::new(),
            source: manifest.source.clone(),
            conversation: None,
        }
    }

    /// Fills in what becomes of the files, and what that costs.
    pub fn tell(&mut self, files: Vec<FileOutcome>, manifest: &Manifest) {
        self.files = files;
        self.ledger = count_costs(manifest, &self.files);
    }

    /// Turns it into a refusal: an operation with an error of its own failed, the others were not carried out.
    pub fn fail(&mut self, errors: Vec<Diagnostic>) {
        self.status = Status::of(&errors);
        for operation in &mut self.operations {
            let own = errors
                .iter()
                .find(|error| error.operation == Some(operation.index));
            if let Some(error) = own {
                operation.status = OperationStatus::Failed;
                operation
                    .error
                    .get_or_insert_with(|| Box::new(error.clone()));
            } else if operation.status != OperationStatus::Noop {
                operation.status = OperationStatus::Skipped;
            }
        }
        self.errors = errors;
    }
}

/// Returns an outcome for each manifest of a call that was refused as a whole.
pub(super) fn refused(
    manifests: &[Manifest],
    mut outcomes: Vec<Outcome>,
    errors: Vec<Diagnostic>,
) -> Vec<Outcome> {
    outcomes.truncate(manifests.len());
    for outcome in &mut outcomes {
        // It may have been marked as published already, for the history.
        (outcome.batch, outcome.commit) = (None, None);
        outcome.fail(errors.clone());
    }
    let missing = manifests
        .iter()
        .skip(outcomes.len())
        .map(|manifest| Outcome::describe_refused(manifest, errors.clone()));
    let missing: Vec<Outcome> = missing.collect();
    outcomes.extend(missing);
    outcomes
}

/// Returns what became of each path, sorted. A moved file is one entry, at its new path.
pub(super) fn describe_files(
    candidate: &Candidate,
    hash: HashKind,
    with_diff: bool,
) -> Vec<FileOutcome> {
    let (changes, moves) = (candidate.changes(), candidate.moves());
    let old_at = |path: &RepoPath| {
        let at = changes
            .binary_search_by(|change| change.path.cmp(path))
            .ok()?;
        changes.get(at)?.before.as_ref()
    };
    let left: BTreeSet<&RepoPath> = moves.values().collect();
    let stays = |change: &&Change| change.after.is_some() || !left.contains(&change.path);
    let outlines = candidate.outlines();
    parallel::map(changes.iter().filter(stays).collect(), |change| {
        let renamed_from = moves.get(&change.path);
        let old_path = renamed_from.unwrap_or(&change.path);
        let old = old_at(old_path);
        let (added, removed) = diff::count(
            old.map(|file| &*file.bytes),
            change.after.as_ref().map(|file| &*file.bytes),
        );
        let id = |file: &File| file.bytes.id(hash);
        FileOutcome {
            change: change.clone(),
            renamed_from: renamed_from.cloned(),
            added,
            removed,
            old_blob: old.map(id),
            new_blob: change.after.as_ref().map(id),
            diff: if with_diff {
                unified_diff(old_path, old, change, outlines.get(old_path).copied())
            } else {
                Vec::new()
            },
        }
    })
}

/// Returns the diff of one path, each hunk headed by the address of the segment that it is in.
fn unified_diff(
    old_path: &RepoPath,
    old: Option<&File>,
    change: &Change,
    outline: Option<&Arc<Outline>>,
) -> Vec<u8> {
    let document = old.map(|file| {
        Document::new(old_path.clone(), file.bytes.clone(), HashKind::Sha1)
            .outlined(outline.cloned())
    });
    let reading: OnceCell<Option<Reading<'_>>> = OnceCell::new();
    let heading = |line: usize| {
        let reading = reading
            .get_or_init(|| document.as_ref().map(Reading::of))
            .as_ref()?;
        let start = reading.document.lines().start(line);
        reading
            .enclosing(Span::at(start))
            .map(|named| named.address())
    };
    let old = old.map(|file| DiffSide {
        path: old_path,
        file,
    });
    let new = change.after.as_ref().map(|file| DiffSide {
        path: &change.path,
        file,
    });
    diff::unified(
        old,
        new,
        DiffStyle {
            context: 3,
            heading: &heading,
        },
    )
}

/// Returns what the batch cost against rewriting its files. Tokens are estimated as a quarter of the bytes.
fn count_costs(manifest: &Manifest, files: &[FileOutcome]) -> Ledger {
    // A line that takes the place of another is one that changed.
    let changed = |file: &FileOutcome| file.added.max(file.removed);
    let stays = |file: &FileOutcome| {
        let after = file
            .change
            .after
            .as_ref()
            .map_or(0, |file| line_count(&file.bytes));
        after.saturating_sub(file.added)
    };
    let written: usize = manifest
        .operations
        .iter()
        .map(|operation| written_bytes(&operation.verb))
        .sum();
    let rewritten: usize = files
        .iter()
        .filter_map(|file| file.change.after.as_ref())
        .map(|file| file.bytes.len())
        .sum();
    Ledger {
        lines_changed: files.iter().map(changed).sum(),
        lines_total: files.iter().map(|file| stays(file) + changed(file)).sum(),
        tokens_written: written.div_ceil(4),
        tokens_full_rewrite: rewritten.div_ceil(4),
    }
}

fn written_bytes(verb: &Verb) -> usize {
    match verb {
        Verb::Replace { content, .. }
        | Verb::Insert { content, .. }
        | Verb::Create { content, .. } => content.len(),
        Verb::Substitute { replacement, .. } => replacement.len(),
        Verb::Delete { .. }
        | Verb::Remove { .. }
        | Verb::Chmod { .. }
        | Verb::Move { .. }
        | Verb::RenameFile { .. } => 0,
        Verb::Rename { to, .. } => to.len(),
        Verb::Import { statement } => statement.words().len(),
        Verb::Unimport { .. } => 0,
    }
}

/// Returns the commit message of a manifest that has none: what its operations do.
pub(super) fn summary_line(manifest: &Manifest) -> String {
    match manifest.operations.as_slice() {
        [only] => operation_sentence(only),
        several => {
            let mut files: Vec<String> = several.iter().map(file_words).collect();
            files.sort();
            files.dedup();
            let subject = match files.as_slice() {
                [only] => format!("Edit {only} ({} operations)", several.len()),
                _ => format!("Edit {} files ({} operations)", files.len(), several.len()),
            };
            format!("{subject}\n\n{}", list_paths(several))
        }
    }
}

/// Returns a line for each operation; a batch of thousands keeps a message that can be read, and that git takes.
fn list_paths(operations: &[Operation]) -> String {
    const LONGEST: usize = 8 << 10;
    let mut list = String::new();
    for (at, operation) in operations.iter().enumerate() {
        if list.len() > LONGEST {
            list.push_str(&format!("- and {} more", operations.len() - at));
            break;
        }
        list.push_str(&format!("- {}\n", operation_sentence(operation)));
    }
    list.trim_end().to_owned()
}

fn operation_sentence(operation: &Operation) -> String {
    let file = file_words(operation);
    let within = |what: Option<String>| {
        what.map_or_else(|| file.clone(), |what| format!("{what} in {file}"))
    };
    match &operation.verb {
        Verb::Replace { selector, .. } => {
            format!(
                "Replace {}",
                within(
                    selector
                        .as_ref()
                        .map(|scoped| refusal::words(&scoped.selector))
                )
            )
        }
        Verb::Insert {
            selector: Some(scoped),
            ..
        } => {
            format!(
                "Insert beside {}",
                within(Some(refusal::words(&scoped.selector)))
            )
        }
        Verb::Insert { selector: None, .. } => format!("Insert into {file}"),
        Verb::Delete { selector, .. } => format!(
            "Delete {}",
            within(Some(refusal::words(&selector.selector)))
        ),
        Verb::Substitute { find, .. } => format!(
            "Substitute {}",
            within(Some(refusal::words(&find.selector)))
        ),
        Verb::Create { .. } => format!("Create {file}"),
        Verb::Remove { .. } => format!("Remove {file}"),
        Verb::Chmod { executable: true } => format!("Make {file} executable"),
        Verb::Chmod { executable: false } => format!("Make {file} not executable"),
        Verb::Rename { selector, to, .. } => {
            format!(
                "Rename {} to {} in {file}",
                refusal::words(selector),
                shown(to)
            )
        }
        Verb::Import { statement } => format!("Add `{}` to {file}", shown(&statement.words())),
        Verb::Unimport { statement, .. } => {
            format!("Take `{}` out of {file}", shown(&statement.words()))
        }
        Verb::Move { selector, to, .. } => {
            let what = within(Some(refusal::words(selector)));
            let beside = to.beside.as_ref().map(refusal::words);
            match (&to.file, beside) {
                (Some(to), _) => format!("Move {what} to {}", shown(to.as_str())),
                (None, Some(beside)) => format!("Move {what} to {beside}"),
                (None, None) => format!("Move {what}"),
            }
        }
        Verb::RenameFile { to, .. } => format!("Rename {file} to {}", shown(to.as_str())),
    }
}

fn file_words(operation: &Operation) -> String {
    match &operation.files {
        Files::One(path) => shown(path.as_str()),
        Files::Matching(specs) => shown(&specs.join(" ")),
    }
}

/// Returns a name for one batch: 16 hexadecimal digits that no other process picks at the same time.
pub(super) fn batch_id() -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos());
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.write_u128(now);
    format!("{:016x}", hasher.finish())
}

/// Returns the microseconds since 1970.
pub(super) fn micros() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_micros());
    u64::try_from(now).unwrap_or(u64::MAX)
}
