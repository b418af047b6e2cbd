//! Names: one that an edit of Python newly uses, or leaves without its definition, is told or refused; what it newly uses as it cannot be
//! used is told.
//!
//! A file is held to what it was before the whole batch: what was undefined then is nobody's doing. Several steps are one edit, so that an
//! import which a later step brings counts. Example: `helprr(data)`, where there is a `helper`.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::edited_file::before;
use super::misused;
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::manifest::Operation;
use crate::parallel;
use crate::path::RepoPath;
use crate::plan::{FileEdit, OpenName, Step};
use crate::references::{
    Analysis, Misuse, Sources, UndefinedName, built_in_names, is_python, is_python_file,
    may_leave_undefined, names_in_reach, undefined_names,
};
use crate::snapshot::File;
use crate::syntax::python::{ModuleNames, OccurrenceKind, module_names};
use crate::text::Lines;

/// So many names are told of one file, each with so many that are like it.
const MOST_TOLD: usize = 20;
const MOST_LIKE_IT: usize = 3;

/// What was found, by what becomes of it.
#[derive(Debug, Default)]
pub(super) struct NamesFound {
    /// Of operations that ask for it to be refused.
    pub(super) failures: Vec<Diagnostic>,
    /// Of the others.
    pub(super) notices: Vec<Diagnostic>,
}

/// Returns the names that `steps` leave undefined in a file and that were not so before, and what of the files in `beside` is misused and was
/// not before.
pub(super) fn check(
    steps: &[Step],
    open_names: &BTreeMap<RepoPath, Vec<OpenName>>,
    operations: &[Operation],
    beside: Option<&Arc<Sources>>,
) -> NamesFound {
    let mut found = NamesFound::default();
    let files: Vec<EditedFile<'_>> = edited_files(steps).into_values().collect();
    let earlier = OnceLock::new();
    let told = parallel::map((0..files.len()).collect(), |at: usize| {
        let file = &files[at];
        let misused = beside.map(|beside| {
            file.misused(beside, || {
                Arc::clone(earlier.get_or_init(|| sources_before(&files, beside)))
            })
        });
        (
            file.undefined(open_names, beside),
            misused.unwrap_or_default(),
        )
    });
    for (undefined, misused) in told {
        found.notices.extend(misused);
        for diagnostic in undefined {
            let rules = diagnostic
                .operation
                .and_then(|index| operations.get(index))
                .map(|operation| operation.rules)
                .unwrap_or_default();
            if rules.refuses_undefined() {
                let note = "`names: warn` lets it pass";
                found.failures.push(diagnostic.note(note));
            } else {
                found.notices.push(diagnostic);
            }
        }
    }
    found
}

/// One file of Python, and all that the steps make of it, one after the other.
struct EditedFile<'s> {
    before: Option<&'s File>,
    edits: Vec<&'s FileEdit>,
}

/// Returns the files of `after` as they were before the batch, by the paths that they have after it.
fn sources_before(files: &[EditedFile<'_>], after: &Sources) -> Arc<Sources> {
    let mut sources = after.clone();
    for file in files {
        if let (Some(last), Some(before)) = (file.edits.last(), file.before) {
            sources.add(last.path.clone(), before.bytes.clone());
        }
    }
    Arc::new(sources)
}

/// Says whether an edit is of a file of Python, as it is after it.
fn is_python_edit(edit: &FileEdit) -> bool {
    match &edit.after {
        Some(after) => is_python_file(&edit.path, &after.bytes),
        None => is_python(&edit.path),
    }
}

/// Returns every file of Python that is there after all steps, by its path then.
fn edited_files(steps: &[Step]) -> BTreeMap<&RepoPath, EditedFile<'_>> {
    let mut files: BTreeMap<&RepoPath, EditedFile<'_>> = BTreeMap::new();
    for step in steps {
        let origin = |edit: &'_ FileEdit| edit.moved_from.clone();
        let mut moved: BTreeMap<RepoPath, EditedFile<'_>> = BTreeMap::new();
        for from in step.files.iter().filter_map(origin) {
            if let Some(file) = files.remove(&from) {
                moved.insert(from, file);
            }
        }
        for edit in step.files.iter().filter(|edit| is_python_edit(edit)) {
            if edit.after.is_none() {
                // What is made anew where it was is held to it all the same.
                continue;
            }
            let known = match &edit.moved_from {
                Some(from) => moved.remove(from),
                None => files.remove(&edit.path),
            };
            let mut file = known.unwrap_or_else(|| EditedFile {
                before: before(step, edit),
                edits: Vec::new(),
            });
            file.edits.push(edit);
            files.insert(&edit.path, file);
        }
    }
    files
}

impl EditedFile<'_> {
    /// Says of each name that is undefined now and was not before where it is read.
    fn undefined(
        &self,
        open_names: &BTreeMap<RepoPath, Vec<OpenName>>,
        beside: Option<&Arc<Sources>>,
    ) -> Vec<Diagnostic> {
        let Some((last, after)) = self
            .edits
            .last()
            .and_then(|last| Some((last, last.after.as_ref()?)))
        else {
            return Vec::new();
        };
        if self.before.is_some_and(|it| it.bytes == after.bytes) {
            return Vec::new();
        }
        let known = beside.and_then(|beside| beside.names_at(&last.path));
        let needs_look = |before: &File| may_leave_undefined(&before.bytes, &after.bytes);
        if known.is_none() && self.before.is_some_and(|before| !needs_look(before)) {
            return Vec::new();
        }
        let read = known.is_none().then(|| module_names(&after.bytes));
        let Some(names) = known.or(read.as_ref()) else {
            return Vec::new();
        };
        let now = undefined_names(names, &after.bytes).unwrap_or_default();
        if now.is_empty() {
            return Vec::new();
        }
        let old = self
            .before
            .map(|file| (module_names(&file.bytes), &file.bytes));
        let was = match &old {
            None => Vec::new(),
            Some((names, bytes)) => match undefined_names(names, bytes) {
                Some(was) => was,
                None => return Vec::new(),
            },
        };
        let was: HashSet<&str> = was.iter().map(|it| it.name).collect();
        let lines = Lines::of(&after.bytes);
        now.iter()
            .filter(|it| !was.contains(it.name))
            .take(MOST_TOLD)
            .map(|it| {
                let was_used = old.as_ref().is_some_and(|(old, _)| reads(old, it.name));
                let complaint = self.complaint(it, was_used, (names, last, after, &lines));
                let open = open_names.get(&last.path).into_iter().flatten();
                match open.into_iter().find(|open| open.name == it.name) {
                    Some(open) => with_imports(complaint, open),
                    None => complaint,
                }
            })
            .collect()
    }

    /// Says of each thing that is misused now and was not before where that is.
    fn misused(
        &self,
        beside: &Arc<Sources>,
        earlier: impl FnOnce() -> Arc<Sources>,
    ) -> Vec<Diagnostic> {
        let Some((last, after)) = self
            .edits
            .last()
            .and_then(|last| Some((last, last.after.as_ref()?)))
        else {
            return Vec::new();
        };
        let mut now = Analysis::over(Arc::clone(beside)).misuses(&last.path);
        if now.is_empty() {
            return Vec::new();
        }
        if let Some(before) = self.before {
            let earlier = earlier();
            let was = Analysis::over(Arc::clone(&earlier)).misuses(&last.path);
            let names = earlier.names_at(&last.path);
            let was_there = |misuse: &Misuse| {
                names.is_some_and(|names| misused::had_attribute(names, &misuse.word))
            };
            if before.bytes == after.bytes {
                return Vec::new();
            }
            now.retain(|misuse| {
                let is_new = !was.iter().any(|known| known.is_like(misuse));
                is_new && misused::is_worth_telling(misuse, was_there(misuse))
            });
        } else {
            now.retain(|misuse| misused::is_worth_telling(misuse, false));
        }
        let lines = Lines::of(&after.bytes);
        now.iter()
            .take(MOST_TOLD)
            .map(|misuse| {
                let complaint = misused::complaint(misuse, &last.path, (&after.bytes, &lines));
                match operation_at(last, misuse.place.start) {
                    Some(operation) => complaint.of_operation(operation),
                    None => complaint,
                }
            })
            .collect()
    }

    fn complaint(
        &self,
        undefined: &UndefinedName<'_>,
        was_used: bool,
        (names, last, after, lines): (&ModuleNames, &FileEdit, &File, &Lines),
    ) -> Diagnostic {
        let name = shown(undefined.name);
        let first = undefined.places[0];
        let line = lines.line(first.start);
        let more = match undefined.places.len() {
            1 => String::new(),
            count => format!(" and in {} more places", count - 1),
        };
        let path = &last.path;
        let message = if was_used {
            format!(
                "`{name}` is used at line {line} of {path}{more}, and nothing defines it there any more"
            )
        } else {
            format!("`{name}`, at line {line} of {path}{more}, is defined nowhere")
        };
        let like_it = if was_used {
            Vec::new()
        } else {
            like_it(names, undefined)
        };
        let excerpt = misused::excerpt(path, first, (&after.bytes, lines));
        let diagnostic = Diagnostic::new(Code::UndefinedName, message)
            .suggest(like_it.into_iter().map(str::to_owned))
            .showing(excerpt);
        match self.operation_of(undefined) {
            Some(operation) => diagnostic.of_operation(operation),
            None => diagnostic,
        }
    }

    /// Returns the operation that a name comes from: of the first step after which it is undefined, the one that wrote there, or the
    /// nearest.
    fn operation_of(&self, undefined: &UndefinedName<'_>) -> Option<usize> {
        let (last, earlier) = self.edits.split_last()?;
        let at_step = |edit: &FileEdit| {
            let bytes = &edit.after.as_ref()?.bytes;
            let names = module_names(bytes);
            let found = undefined_names(&names, bytes)?;
            let place = found.iter().find(|it| it.name == undefined.name)?.places[0];
            operation_at(edit, place.start)
        };
        earlier
            .iter()
            .find_map(|edit| at_step(edit))
            .or_else(|| operation_at(last, undefined.places[0].start))
    }
}

/// Adds the imports that would bring a name.
fn with_imports(complaint: Diagnostic, open: &OpenName) -> Diagnostic {
    let imports: Vec<String> = open
        .imports
        .iter()
        .map(|statement| format!("`{}`", shown(statement)))
        .collect();
    let what = match imports.len() {
        1 => "an import that would bring it",
        _ => "imports that would bring it",
    };
    complaint
        .note(format!("{what}: {}; {}", imports.join(", "), open.why))
        .note("`op: import` adds one of them")
}

/// Returns the names in reach that are nearest to one: those of the module before those of Python.
fn like_it<'n>(names: &'n ModuleNames, undefined: &UndefinedName<'_>) -> Vec<&'n str> {
    let own = names_in_reach(names, undefined.scope);
    let found = nearest(undefined.name, own, MOST_LIKE_IT);
    if found.is_empty() {
        nearest(undefined.name, built_in_names(), MOST_LIKE_IT)
    } else {
        found
    }
}

fn operation_at(edit: &FileEdit, offset: usize) -> Option<usize> {
    edit.operation_at(offset)
        .or_else(|| edit.claims.first().map(|&(_, operation)| operation))
}

fn reads(names: &ModuleNames, name: &str) -> bool {
    names
        .occurrences
        .iter()
        .any(|it| it.name == name && matches!(it.kind, OccurrenceKind::Load { .. }))
}
