//! `Plan`: what a batch makes of its files, a step at a time.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::sync::Arc;

use super::import::OpenName;
use super::outcome::OperationOutcome;
use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::snapshot::{Change, File};
use crate::syntax::Outline;
use crate::text::Span;
use crate::text::splice::Splices;

/// What a batch makes of its files.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One for each operation, in order.
    pub operations: Vec<OperationOutcome>,
    /// The steps from the snapshot to the candidate.
    pub steps: Vec<Step>,
    /// Names that nothing defines and that several imports would bring, by file: `imports: fix` does not guess.
    pub open_names: BTreeMap<RepoPath, Vec<OpenName>>,
}

/// What one step makes of its files, by path.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// One for each touched path.
    pub files: Vec<FileEdit>,
}

/// What one step makes of one path.
#[derive(Clone, Debug)]
pub struct FileEdit {
    /// The path.
    pub path: RepoPath,
    /// The file before the step.
    pub before: Option<File>,
    /// The file after it.
    pub after: Option<File>,
    /// Where `after` comes from, when the step moved it here; `before` is then `None`.
    pub moved_from: Option<RepoPath>,
    /// How its bytes changed; `None` for a file that came or went.
    pub splices: Option<Splices>,
    /// The old bytes that each operation claims: (range, operation).
    pub claims: Vec<(Span, usize)>,
    /// Those of operations that name a place; sorted. The others name bytes, and mean whatever those are a part of.
    pub named: Vec<Span>,
    /// Names that operations replaced and that must still be defined: (operation, qualified name).
    pub defines: Vec<(usize, String)>,
    /// What operations wrote here.
    pub written: Vec<WrittenContent>,
    /// The segments of `before`, when resolution asked for them.
    pub outline: Option<Arc<Outline>>,
}

impl FileEdit {
    /// Returns the edit that leaves nothing of `before` but what is in `after`.
    pub fn whole(path: RepoPath, before: Option<File>, after: Option<File>) -> FileEdit {
        FileEdit {
            path,
            before,
            after,
            moved_from: None,
            splices: None,
            claims: Vec::new(),
            named: Vec::new(),
            defines: Vec::new(),
            written: Vec::new(),
            outline: None,
        }
    }

    /// Returns the operation that trouble at `offset` of the new file most likely comes from: the one whose bytes stand
    /// there, else the nearest ahead, because what is left open is missed only later.
    pub fn operation_at(&self, offset: usize) -> Option<usize> {
        let Some(splices) = &self.splices else {
            return self.written.first().map(|written| written.operation);
        };
        let mut spliced = splices.with_new_spans().peekable();
        let first = spliced.peek().map(|(splice, _)| splice.span);
        let last = spliced
            .take_while(|(_, new)| new.start <= offset)
            .last()
            .map(|(splice, _)| splice.span);
        let culprit = last.or(first)?;
        let meets = |claim: Span| claim.start <= culprit.end && culprit.start <= claim.end;
        self.claims
            .iter()
            .find(|(claim, _)| meets(*claim))
            .map(|&(_, operation)| operation)
    }

    /// Returns the operation that a splice over these old bytes comes from.
    pub fn claimant(&self, splice: Span) -> Option<usize> {
        let meets = |claim: Span| claim.start <= splice.end && splice.start <= claim.end;
        let mut claims = self.claims.iter();
        let holding = claims.clone().find(|(claim, _)| claim.overlaps(splice));
        holding
            .or_else(|| claims.find(|(claim, _)| meets(*claim)))
            .map(|&(_, operation)| operation)
    }
}

/// Content that an operation wrote.
#[derive(Clone, Debug)]
pub struct WrittenContent {
    /// Index of the operation.
    pub operation: usize,
    /// As the caller wrote it.
    pub content: String,
    /// The bytes that it took the place of.
    pub replaced: Vec<u8>,
}

/// Why there is no plan.
#[derive(Clone, Debug)]
pub struct Refused {
    /// One for each operation: failed, or passed over.
    pub operations: Vec<OperationOutcome>,
    /// Every refusal, in the order of the operations.
    pub errors: Vec<Diagnostic>,
}

impl Plan {
    /// Returns what becomes of each path from the snapshot to the candidate, sorted; paths that end as they began are
    /// left out.
    pub fn changes(&self) -> Vec<Change> {
        let mut changes: BTreeMap<RepoPath, Change> = BTreeMap::new();
        for change in self.steps.iter().flat_map(Step::changes) {
            match changes.entry(change.path.clone()) {
                Slot::Occupied(mut known) => known.get_mut().after = change.after,
                Slot::Vacant(slot) => drop(slot.insert(change)),
            }
        }
        changes
            .into_values()
            .filter(|change| change.before != change.after)
            .collect()
    }

    /// Returns the segments of the snapshot's files, of those where resolution asked for them.
    pub fn outlines(&self) -> BTreeMap<&RepoPath, &Arc<Outline>> {
        let mut outlines = BTreeMap::new();
        // What a later step asked for is not the snapshot's.
        for edit in self
            .steps
            .iter()
            .rev()
            .flat_map(|step| &step.files)
            .filter(|edit| edit.splices.is_some())
        {
            let path = edit.moved_from.as_ref().unwrap_or(&edit.path);
            match &edit.outline {
                Some(outline) => drop(outlines.insert(path, outline)),
                None => drop(outlines.remove(path)),
            }
        }
        outlines
    }

    /// Returns, for each path that `rename_file` gave a file of the snapshot, the path it had there.
    pub fn moves(&self) -> BTreeMap<RepoPath, RepoPath> {
        let mut origins: BTreeMap<RepoPath, RepoPath> = BTreeMap::new();
        for edit in self.steps.iter().flat_map(|step| &step.files) {
            if let Some(from) = &edit.moved_from {
                let origin = origins.remove(from).unwrap_or_else(|| from.clone());
                origins.insert(edit.path.clone(), origin);
            }
        }
        if origins.is_empty() {
            return origins;
        }
        let changes = self.changes();
        let change_of = |path: &RepoPath| {
            changes
                .binary_search_by(|change| change.path.cmp(path))
                .ok()
                .and_then(|at| changes.get(at))
        };
        let gone = |change: &Change| change.before.is_some() && change.after.is_none();
        let came = |change: &Change| change.before.is_none();
        origins.retain(|path, origin| {
            change_of(path).is_some_and(came) && change_of(origin).is_some_and(gone)
        });
        origins
    }
}

impl Step {
    pub(super) fn changes(&self) -> Vec<Change> {
        let change = |edit: &FileEdit| Change {
            path: edit.path.clone(),
            before: edit.before.clone(),
            after: edit.after.clone(),
        };
        self.files.iter().map(change).collect()
    }
}
