//! The second step of a move: imports come and go, in files as the first step left them.

use std::cell::LazyCell;
use std::ops::Deref;

use super::file_edits::{Reimported, reimported};
use super::moved::Moving;
use crate::diagnostic::{Code, Diagnostic};
use crate::path::RepoPath;
use crate::plan::import::{
    ImportWish, exchanged_inside, imported, imported_for_types, taken_out_inside, without_unused,
    without_unused_for_types,
};
use crate::plan::outcome::{MendedImport, OperationOutcome};
use crate::plan::step::Step;
use crate::references::{Analysis, MovedDefinition, RelocatedFile, RelocatedImport};
use crate::snapshot::Snapshot;
use crate::syntax::python::{ImportPlace, ImportStatement, import_table};
use crate::text::Lines;
use crate::text::splice::Splice;

/// Returns what changes of statements that stay where they are: in branches and definitions, and where the file is in no order that would
/// have them elsewhere.
pub(super) fn inside(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    path: &RepoPath,
    changes: &RelocatedFile,
    analysis: &dyn Deref<Target = Analysis>,
) -> Result<Vec<Splice>, Diagnostic> {
    let Some(file) = snapshot.file(path) else {
        return Ok(Vec::new());
    };
    let bytes = &file.bytes;
    let mut splices = Vec::new();
    for moved in &changes.moved {
        if !stays_in_place(path, bytes, moved, analysis) {
            continue;
        }
        let statement = &moved.statement;
        let found = match (&moved.new, &moved.origin) {
            (Some(_), Some((place, origin))) if statement.names.len() == 1 => {
                Some(vec![Splice::new(*place, origin.as_bytes())])
            }
            (Some(new), _) => {
                let mark = mark_of(bytes, statement).unwrap_or_default();
                exchanged_inside(bytes, statement, moved.at, &format!("{new}{mark}"))
            }
            (None, _) => {
                let table = import_table(bytes);
                taken_out_inside(bytes, &table, statement, moved.at)
            }
        };
        let words = statement.words();
        splices.extend(found.ok_or_else(|| {
            let line = Lines::of(bytes).line(statement.span.start);
            let message = format!("`{words}` at line {line} of {path} cannot be parted");
            moving.refuse(Code::Unsupported, message)
        })?);
    }
    Ok(splices)
}

/// Says whether a statement is changed where it is.
fn stays_in_place(
    path: &RepoPath,
    bytes: &[u8],
    moved: &RelocatedImport,
    analysis: &dyn Deref<Target = Analysis>,
) -> bool {
    let statement = &moved.statement;
    let is_marked = statement.names.len() > 1 && mark_of(bytes, statement).is_some();
    if statement.within != ImportPlace::Module || is_marked && moved.new.is_some() {
        return true;
    }
    if moved.new.is_some() && is_asked_for_inside(path, moved, analysis) {
        return true;
    }
    if statement.names.len() != 1 || moved.origin.is_none() || moved.new.is_none() {
        return false;
    }
    let lines = Lines::of(bytes);
    let first = lines.start(lines.line(statement.span.start));
    let last = lines.line(statement.span.end.saturating_sub(1));
    let whole = crate::text::Span::new(first, lines.content(bytes, last).end);
    if whole.of(bytes).contains(&b'#') {
        return true;
    }
    let Some((old, new)) = both(moved) else {
        return true;
    };
    let has_list = |it: &ImportStatement| {
        it.from == new.from && it.within == ImportPlace::Module && !it.is_star()
    };
    if import_table(bytes).imports.iter().any(has_list) {
        return false;
    }
    // What has a place by an order goes there, and would come back from there.
    let there = exchanged(path, bytes, &old, &new, analysis);
    let back = there.and_then(|there| exchanged(path, &there, &new, &old, analysis));
    back.is_none_or(|back| back != bytes)
}

/// Says whether a module of the package whose `__init__.py` is at `path` imports the name from there: while the package is imported it sees
/// only what the statements above gave.
fn is_asked_for_inside(
    path: &RepoPath,
    moved: &RelocatedImport,
    analysis: &dyn Deref<Target = Analysis>,
) -> bool {
    let Some(folder) = path.as_str().strip_suffix("__init__.py") else {
        return false;
    };
    let name = moved.statement.names.get(moved.at);
    let importers = name.map(|name| analysis.importers(path, name.bound()));
    importers
        .iter()
        .flatten()
        .any(|(importer, _)| importer.as_str().starts_with(folder))
}

/// Returns the comment on the first line of a statement that has linters leave its names alone, with the blanks ahead of it.
fn mark_of(bytes: &[u8], statement: &ImportStatement) -> Option<String> {
    let lines = Lines::of(bytes);
    let line = lines.content(bytes, lines.line(statement.span.start));
    let text = String::from_utf8_lossy(line.of(bytes)).into_owned();
    let comment = text.get(text.find('#')?..)?;
    let is_mark = comment.to_ascii_lowercase().contains("noqa");
    is_mark.then(|| format!("  {}", comment.trim_end()))
}

/// Returns the statement of the one name as it is and as it is then.
fn both(moved: &RelocatedImport) -> Option<(ImportStatement, ImportStatement)> {
    let old = moved.statement.one_by_one().nth(moved.at)?;
    let new = ImportStatement::parse(moved.new.as_ref()?).ok()?;
    Some((old, new))
}

fn exchanged(
    path: &RepoPath,
    bytes: &[u8],
    old: &ImportStatement,
    new: &ImportStatement,
    analysis: &dyn Deref<Target = Analysis>,
) -> Option<Vec<u8>> {
    let gone = imported(path, bytes, &lacking(old), analysis).ok()?;
    let come = imported(path, &gone.bytes, &ImportWish::Has(new), analysis).ok()?;
    Some(come.bytes)
}

fn lacking(statement: &ImportStatement) -> ImportWish<'_> {
    ImportWish::Lacks {
        statement,
        allows_use: true,
    }
}

/// Returns the step, on what `first` left of `snapshot`, which is known by `before`.
pub(super) fn step(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    first: &Step,
    relocation: &MovedDefinition,
    before: &dyn Deref<Target = Analysis>,
    outcome: &mut OperationOutcome,
) -> Result<Option<Step>, Diagnostic> {
    let current = snapshot.clone().with(&first.changes());
    let analysis = LazyCell::new(|| Analysis::of(&current.project));
    let model = snapshot.file(moving.path).map(|file| &file.bytes[..]);
    let mut files = Vec::new();
    let nothing = RelocatedFile::default();
    let is_named = relocation.files.contains_key(moving.path);
    let own = (!is_named).then_some((moving.path, &nothing));
    for (path, changes) in relocation.files.iter().chain(own) {
        let Some(file) = current.file(path) else {
            continue;
        };
        let was = snapshot.file(path).map(|file| &file.bytes[..]);
        let mut told: Vec<(String, bool)> = Vec::new();
        let mut bytes = file.bytes.to_vec();
        for moved in &changes.moved {
            let is_done = was.is_some_and(|was| stays_in_place(path, was, moved, before));
            let Some(old) = moved
                .statement
                .one_by_one()
                .nth(moved.at)
                .filter(|_| !is_done)
            else {
                continue;
            };
            bytes = imported(path, &bytes, &lacking(&old), &analysis)?.bytes;
            if let Some((_, new)) = both(moved) {
                bytes = imported(path, &bytes, &ImportWish::Has(&new), &analysis)?.bytes;
            }
        }
        for words in &changes.imports {
            let Ok(statement) = ImportStatement::parse(words) else {
                continue;
            };
            let with = imported(path, &bytes, &ImportWish::Has(&statement), &analysis)?;
            if with.count > 0 {
                told.push((words.clone(), true));
            }
            bytes = with.bytes;
        }
        for words in &changes.imports_for_types {
            let Ok(statement) = ImportStatement::parse(words) else {
                continue;
            };
            let model = model.unwrap_or_default();
            let with = imported_for_types(path, &bytes, &statement, model, &analysis)?;
            if with != bytes {
                told.push((words.clone(), true));
            }
            bytes = with;
        }
        let loses_uses = path == moving.path || !changes.words.is_empty();
        if let Some(was) = was.filter(|_| loses_uses) {
            let (without, removed) = without_unused_for_types(was, &bytes);
            told.extend(removed.into_iter().map(|words| (words, false)));
            let (without, removed) = without_unused(path, was, &without, &analysis);
            told.extend(removed.into_iter().map(|words| (words, false)));
            bytes = without;
        }
        outcome
            .imports
            .extend(told.into_iter().map(|(statement, is_added)| MendedImport {
                path: path.clone(),
                statement,
                is_added,
            }));
        let edit = Reimported {
            path,
            bytes: &bytes,
        };
        files.extend(reimported(moving, file, edit));
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok((!files.is_empty()).then_some(Step { files }))
}
