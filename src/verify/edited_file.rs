//! The file before and after one edit of a plan, as the checks read it.

use crate::diagnostic::{Diagnostic, Excerpt};
use crate::path::RepoPath;
use crate::plan::{FileEdit, Step};
use crate::resolve::Document;
use crate::snapshot::{File, HashKind};
use crate::syntax::Language;
use crate::text::Lines;

/// Returns `complaint` about what an edit makes of the configuration, as the failure of the operation that did it.
pub(super) fn about(edit: &FileEdit, complaint: Diagnostic) -> Diagnostic {
    let operation = edit
        .operation_at(0)
        .or_else(|| edit.claims.first().map(|&(_, operation)| operation));
    Diagnostic {
        operation,
        ..complaint
    }
}

/// Returns the language that both files are in; `None` where they are in none or in two, or one is too large to be read.
pub(super) fn common_language(old: &Document, new: &Document) -> Option<&'static Language> {
    let language = new.language?;
    let is_same = old.language.is_some_and(|it| std::ptr::eq(it, language));
    (is_same && !old.too_large() && !new.too_large()).then_some(language)
}

/// Returns a file as a document.
pub(super) fn document(path: &RepoPath, file: &File) -> Document {
    Document::new(path.clone(), file.bytes.clone(), HashKind::Sha1)
}

/// Returns the file that an edit began with as a document, whose segments may be known.
pub(super) fn old_document(edit: &FileEdit, before: &File) -> Document {
    document(edit.moved_from.as_ref().unwrap_or(&edit.path), before).outlined(edit.outline.clone())
}

/// Returns the file that an edit began with: of a moved file, the one at its old path.
pub(crate) fn before<'a>(step: &'a Step, edit: &'a FileEdit) -> Option<&'a File> {
    let old = edit
        .moved_from
        .as_ref()
        .and_then(|old| step.files.iter().find(|other| other.path == *old));
    old.unwrap_or(edit).before.as_ref()
}

/// Returns `diagnostic` with the line of `bytes` that `offset` is on, as one of the operation that wrote what is at `now` of the new
/// file.
pub(super) fn showing(
    edit: &FileEdit,
    diagnostic: Diagnostic,
    (bytes, offset): (&[u8], usize),
    now: usize,
) -> Diagnostic {
    let lines = Lines::of(bytes);
    let (line, column) = (lines.line(offset), lines.column(offset));
    let text = String::from_utf8_lossy(lines.content(bytes, line).of(bytes)).into_owned();
    of_operation_at(
        edit,
        now,
        diagnostic.showing(Excerpt {
            path: edit.path.clone(),
            line,
            column,
            text,
        }),
    )
}

fn of_operation_at(edit: &FileEdit, offset: usize, diagnostic: Diagnostic) -> Diagnostic {
    match edit
        .operation_at(offset)
        .or_else(|| edit.claims.first().map(|&(_, operation)| operation))
    {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}
