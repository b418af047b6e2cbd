//! A definition of Python goes to another module, or to another place of its own.

use std::collections::BTreeMap;
use std::ops::Deref;

use super::file_edits::{composed, moved_text};
use super::imports;
use super::moved::Moving;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Position, Selector};
use crate::path::RepoPath;
use crate::plan::edit::{EditKind, Insertion};
use crate::plan::gaps::Gaps;
use crate::plan::outcome::{OperationOutcome, OperationStatus};
use crate::plan::remove::remove_target;
use crate::plan::step::{FileEdit, Step};
use crate::plan::{content, whole};
use crate::references::{self, Analysis, MoveRequest, MovedDefinition, RenameRefused};
use crate::resolve::{Document, Reading, Target};
use crate::snapshot::{File, FileMode, Project, Snapshot};
use crate::syntax::python::import_table;
use crate::text::splice::{Splice, Splices};
use crate::text::{LineEnding, Span, encoding};

/// Returns the steps that move a definition.
pub(super) fn steps(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    outcome: &mut OperationOutcome,
) -> Result<Vec<Step>, RenameRefused> {
    let Selector::Symbol(symbol) = moving.selector else {
        return Ok(Vec::new());
    };
    let document = moving.document(snapshot, moving.path)?;
    let reading = Reading::of(&document);
    let target = moving.found(&reading)?;
    outcome.segment = moving.told(&reading);
    let to = moving.to_path();
    let destination = destination(moving, snapshot, to)?;
    let analysis = Analysis::of(&project_with(snapshot, to));
    if destination.is_none()
        && let Some(why) = analysis.why_not_at(to)
    {
        let message = format!("{to} is no name for a new module: {why}");
        return Err(moving.refuse(Code::NameClash, message).into());
    }
    let span = document.widened(target.span);
    let request = MoveRequest {
        path: moving.path,
        symbol,
        span,
        to,
        terms: moving.terms,
        reexports: moving.reexports,
    };
    let relocation = references::relocated(&analysis, &request)?;
    let text = text_of(&document, span, &relocation)?;
    let places = places(moving, snapshot, &relocation, &&analysis)?;
    let ends = FirstStep {
        moving,
        snapshot,
        reading: &reading,
        target: &target,
        relocation: &relocation,
        places,
        text: &text,
    };
    let first = match &destination {
        None => ends.into_new_file()?,
        Some(destination) => ends.into_file(destination)?,
    };
    outcome.status = match first.files.is_empty() {
        true => OperationStatus::Noop,
        false => OperationStatus::Applied,
    };
    let changed = relocation.references.places.iter();
    outcome.count = changed.filter(|place| place.is_changed).count();
    outcome.references = Some(Box::new(relocation.references.clone()));
    if moving.path == to {
        return Ok(vec![first]);
    }
    let second = imports::step(moving, snapshot, &first, &relocation, &&analysis, outcome)?;
    let steps: Vec<Step> = [Some(first), second].into_iter().flatten().collect();
    refuse_circle(moving, snapshot, &steps, &analysis)?;
    Ok(steps)
}

/// Returns the file that a definition goes to; `None` where there is none yet.
fn destination(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    to: &RepoPath,
) -> Result<Option<Document>, Diagnostic> {
    if snapshot.file(to).is_some() {
        return moving.document(snapshot, to).map(Some);
    }
    if moving.to.beside.is_some() {
        return moving.document(snapshot, to).map(Some);
    }
    whole::check_vacant(snapshot, to, moving.operation, "to")?;
    if let Err(why) = to.check_portable() {
        let message = format!("to `{}` {why}", crate::diagnostic::shown(to.as_str()));
        return Err(moving.refuse(Code::PathRefused, message));
    }
    Ok(None)
}

/// Returns the project with the file that the definition goes to.
fn project_with(snapshot: &Snapshot, to: &RepoPath) -> Project {
    let mut project = Project::clone(&snapshot.project);
    let empty = || Vec::new().into();
    project.files.entry(to.clone()).or_insert_with(empty);
    project
}

/// Returns the definition as it is written in its new module, with the line endings that a manifest has.
fn text_of(
    document: &Document,
    span: Span,
    relocation: &MovedDefinition,
) -> Result<String, Diagnostic> {
    let inside = relocation.inside.iter().map(|(place, words)| {
        let place = Span::new(place.start - span.start, place.end - span.start);
        Splice::new(place, words.as_bytes())
    });
    let splices = Splices::new(inside.collect()).map_err(|_| {
        let message = "places of the definition that would change are inside of each other";
        Diagnostic::new(Code::Unsupported, message)
    })?;
    let bytes = splices.apply(span.of(&document.bytes));
    let is_other = !bytes.is_ascii() && encoding::other_than_utf8(&document.bytes).is_some();
    let text = String::from_utf8(LineEnding::Lf.write(&bytes).into_owned());
    text.ok().filter(|_| !is_other).ok_or_else(|| {
        let message = format!(
            "the definition has characters that are not ASCII, and {} is not in UTF-8",
            document.path
        );
        Diagnostic::new(Code::Unsupported, message)
    })
}

/// The first step: the definition goes and comes, and names are written anew.
struct FirstStep<'s, 'm, 'r, 'd> {
    moving: &'s Moving<'m>,
    snapshot: &'s Snapshot,
    reading: &'s Reading<'d>,
    /// The definition.
    target: &'s Target<'r, 'd>,
    relocation: &'s MovedDefinition,
    /// By file, what changes outside of it.
    places: BTreeMap<RepoPath, Vec<EditKind>>,
    /// What comes.
    text: &'s str,
}

impl FirstStep<'_, '_, '_, '_> {
    /// Takes the definition to a file that is made for it.
    fn into_new_file(mut self) -> Result<Step, Diagnostic> {
        let left = self.left(Vec::new(), None)?;
        let ending = LineEnding::at(&self.reading.document.bytes, 0);
        let text = format!("{}\n", self.text);
        let file = File {
            mode: FileMode::Regular,
            bytes: ending.write(text.as_bytes()).into_owned().into(),
        };
        let come = FileEdit {
            written: vec![moved_text(self.moving, self.text)],
            ..FileEdit::whole(self.moving.to_path().clone(), None, Some(file))
        };
        self.with_others(vec![left, come])
    }

    /// Takes it to a file that is there.
    fn into_file(mut self, destination: &Document) -> Result<Step, Diagnostic> {
        let there = Reading::of(destination);
        let put = put_definition(self.moving, &there, self.relocation, self.text)?;
        if destination.path == *self.moving.path {
            let beside = self.moving.beside(&there)?;
            let stays = beside.is_some_and(|beside| beside.span == self.target.span);
            let files = match stays {
                true => Vec::new(),
                false => vec![self.left(put, Some(self.text))?],
            };
            return Ok(Step { files });
        }
        let left = self.left(Vec::new(), None)?;
        let mut edits = put;
        edits.extend(self.places.remove(&destination.path).unwrap_or_default());
        let (moving, snapshot) = (self.moving, self.snapshot);
        let come = composed(moving, snapshot, destination, edits, Some(self.text))?;
        self.with_others(vec![left, come])
    }

    /// Returns the file that it leaves.
    fn left(
        &mut self,
        mut edits: Vec<EditKind>,
        written: Option<&str>,
    ) -> Result<FileEdit, Diagnostic> {
        let verb = &self.moving.operation.verb;
        edits.extend(remove_target(self.reading, self.target, None, verb)?.edits);
        edits.extend(self.places.remove(self.moving.path).unwrap_or_default());
        let document = self.reading.document;
        composed(self.moving, self.snapshot, document, edits, written)
    }

    /// Returns the step with the other files.
    fn with_others(self, mut files: Vec<FileEdit>) -> Result<Step, Diagnostic> {
        for (path, edits) in self.places {
            let document = self.moving.document(self.snapshot, &path)?;
            files.push(composed(
                self.moving,
                self.snapshot,
                &document,
                edits,
                None,
            )?);
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Step { files })
    }
}

/// Returns what changes in each file beside the definition, where names and statements stand.
fn places(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    relocation: &MovedDefinition,
    analysis: &dyn Deref<Target = Analysis>,
) -> Result<BTreeMap<RepoPath, Vec<EditKind>>, Diagnostic> {
    let mut places = BTreeMap::new();
    for (path, changes) in &relocation.files {
        let words = changes.words.iter();
        let words = words.map(|(place, words)| EditKind::replace(*place, words.as_bytes()));
        let statements = imports::inside(moving, snapshot, path, changes, analysis)?;
        let edits: Vec<EditKind> = words
            .chain(statements.into_iter().map(EditKind::Replace))
            .collect();
        if !edits.is_empty() {
            places.insert(path.clone(), edits);
        }
    }
    Ok(places)
}

/// Returns the edits that put a definition where it goes: where it says, else behind all others, but before what reads it while the module is
/// imported.
fn put_definition(
    moving: &Moving<'_>,
    there: &Reading<'_>,
    relocation: &MovedDefinition,
    text: &str,
) -> Result<Vec<EditKind>, Diagnostic> {
    let beside = moving.beside(there)?;
    if let Some(named) = beside.as_ref().and_then(Target::named) {
        let is_inside = matches!(moving.to.position, Some(Position::First | Position::Last));
        if named.parent.is_some() || is_inside {
            let message = "a definition of a module is moved to the top level of one: beside a function, class or variable there".to_owned();
            return Err(moving.refuse(Code::Unsupported, message));
        }
    }
    let until = relocation.until;
    let ahead = relocation.ahead.filter(|ahead| relocation.from <= *ahead);
    let limits = until.into_iter().chain(script_guard(there)).chain(ahead);
    let limit = limits.min();
    let is_free = moving.to.beside.is_none() && moving.to.position.is_none();
    let edits = match limit.filter(|_| is_free) {
        Some(limit) => vec![put_before(there, limit, text)],
        None => moving.put(there, beside.as_ref(), text)?,
    };
    let at = edits.iter().find_map(|edit| match edit {
        EditKind::Insert(insertion) => Some(insertion.at),
        EditKind::Replace(_) | EditKind::DeleteLines(_) => None,
    });
    let at = at.unwrap_or(there.document.bytes.len());
    let path = &there.document.path;
    if at < relocation.from {
        let line = there.document.lines().line(relocation.from);
        let message = format!(
            "the definition would stand before what it reads while {path} is imported, at line {line}"
        );
        return Err(moving.refuse(Code::Unsupported, message));
    }
    if let Some(until) = until.filter(|until| *until < at) {
        let line = there.document.lines().line(until);
        let message = format!(
            "the definition would stand behind what reads it while {path} is imported, at line {line}"
        );
        return Err(moving.refuse(Code::Unsupported, message));
    }
    Ok(edits)
}

/// Returns where the last statement of a script begins, which runs it.
fn script_guard(there: &Reading<'_>) -> Option<usize> {
    let bytes = &there.document.bytes;
    let table = import_table(bytes);
    let last = table.statements.last()?;
    last.is_of_script(bytes).then_some(last.span.start)
}

/// Returns the edit that puts a definition before the statement of the module that begins at `limit`.
fn put_before(there: &Reading<'_>, limit: usize, text: &str) -> EditKind {
    let document = there.document;
    let mut named = there.named().iter();
    let holds = |it: &Span| it.start <= limit && limit < it.end;
    let around = named.find(|it| it.parent.is_none() && holds(&it.symbol.whole()));
    let start = around.map_or(limit, |it| it.symbol.whole().start);
    let start = document.line_start(document.lines().line(start));
    let block = content::trim_to_block(text);
    let ending = LineEnding::at(&document.bytes, 0);
    let gaps = Gaps::around(document, Span::at(start));
    let blank = |count: usize| content::line_endings(document, start, count);
    const APART: usize = 2;
    let head = match gaps.previous {
        Some(_) => blank(APART.saturating_sub(gaps.above)),
        None => Vec::new(),
    };
    let insertion = Insertion {
        at: start,
        head,
        content: ending.write(&block).into_owned(),
        after: blank(1 + APART),
        ..Insertion::default()
    };
    EditKind::Insert(insertion)
}

/// Refuses modules that would import each other in a circle that was none before.
fn refuse_circle(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    steps: &[Step],
    before: &Analysis,
) -> Result<(), Diagnostic> {
    let mut last = snapshot.clone();
    let mut changed = Vec::new();
    for step in steps {
        last = last.with(&step.changes());
        changed.extend(step.files.iter().map(|edit| edit.path.clone()));
    }
    changed.sort();
    changed.dedup();
    let after = Analysis::of(&last.project);
    let Some(circle) = after.new_circle(before, &changed) else {
        return Ok(());
    };
    let message = "modules would import each other in a circle".to_owned();
    let refusal = moving.refuse(Code::ImportCycle, message);
    let steps = circle.windows(2).filter_map(|pair| match pair {
        [one, other] => Some(format!("{one} imports {other}")),
        _ => None,
    });
    Err(steps
        .fold(refusal, |refusal, step| refusal.note(step))
        .note("move what both need to a module that imports neither of them"))
}
