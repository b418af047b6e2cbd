//! Edits of one file made into one of a step; and what imports make of a file, as another.

use super::moved::Moving;
use crate::diagnostic::{Code, Diagnostic};
use crate::diff::hunks;
use crate::plan::edit::{Edit, EditKind};
use crate::plan::overlap;
use crate::plan::step::{FileEdit, WrittenContent};
use crate::resolve::Document;
use crate::snapshot::{File, FileMode, Snapshot};
use crate::text::Span;
use crate::text::splice::{Splice, Splices};

/// Returns what `edits` make of a file; `written` is what they put there that was in another place.
pub(super) fn composed(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    document: &Document,
    edits: Vec<EditKind>,
    written: Option<&str>,
) -> Result<FileEdit, Diagnostic> {
    let edits: Vec<Edit> = edits
        .into_iter()
        .map(|what| Edit {
            operation: moving.index,
            what,
        })
        .collect();
    let splices = overlap::compose(document, &edits, moving.operations).map_err(first_of)?;
    let path = document.path.clone();
    let before = snapshot.file(&path).cloned();
    let after = File {
        mode: before.as_ref().map_or(FileMode::Regular, |file| file.mode),
        bytes: splices.apply(&document.bytes).into(),
    };
    let claims: Vec<Span> = edits.iter().map(|edit| edit.what.claim()).collect();
    let mut named = claims.clone();
    named.sort_unstable();
    Ok(FileEdit {
        splices: Some(splices),
        claims: claims.iter().map(|claim| (*claim, moving.index)).collect(),
        named,
        written: written
            .map(|text| moved_text(moving, text))
            .into_iter()
            .collect(),
        outline: document.known_outline(),
        ..FileEdit::whole(path, before, Some(after))
    })
}

/// Returns text that was in another place: nothing of it is new.
pub(super) fn moved_text(moving: &Moving<'_>, text: &str) -> WrittenContent {
    WrittenContent {
        operation: moving.index,
        content: text.to_owned(),
        replaced: text.as_bytes().to_vec(),
    }
}

/// Returns the first of some refusals.
fn first_of(refusals: Vec<Diagnostic>) -> Diagnostic {
    let first = refusals.into_iter().next();
    first.unwrap_or_else(|| Diagnostic::new(Code::Overlap, "its places are inside of each other"))
}

/// Returns the edit of what `before` is to what it is with other imports; `None` where it has the same.
pub(super) fn reimported(
    moving: &Moving<'_>,
    before: &File,
    edit: Reimported<'_>,
) -> Option<FileEdit> {
    let hunks = hunks(&before.bytes, edit.bytes);
    let splices = hunks
        .iter()
        .map(|hunk| Splice::new(hunk.old, hunk.new.of(edit.bytes)));
    let splices = Splices::new(splices.collect()).ok()?;
    let spans: Vec<Span> = hunks.iter().map(|hunk| hunk.old).collect();
    if spans.is_empty() {
        return None;
    }
    let after = File {
        mode: before.mode,
        bytes: edit.bytes.to_vec().into(),
    };
    Some(FileEdit {
        splices: Some(splices),
        claims: spans.iter().map(|span| (*span, moving.index)).collect(),
        named: spans,
        ..FileEdit::whole(edit.path.clone(), Some(before.clone()), Some(after))
    })
}

/// A file with other imports.
pub(super) struct Reimported<'f> {
    pub(super) path: &'f crate::path::RepoPath,
    pub(super) bytes: &'f [u8],
}
