//! Holes: no edit leaves a comma too many in an array that may have elements of nothing, which moves all that come after it.
//!
//! Example: of `["lint",, "build"]` JavaScript makes three elements, and the second is `undefined`.
//!
//! An array that the content has from its first bracket to its last has the holes that its author gave it, and so has one that had as
//! many before.

use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::{Hole, Language};
use crate::text::Span;
use crate::text::splice::Splices;

/// Returns a refusal for the first hole that `splices` leave in an array, where `old` has fewer of them.
pub(super) fn left(
    edit: &FileEdit,
    splices: &Splices,
    language: &Language,
    (old, new): (&Document, &Document),
) -> Option<Diagnostic> {
    let written: Vec<Span> = splices
        .with_new_spans()
        .map(|(_, written)| written)
        .collect();
    if !written
        .iter()
        .any(|written| may_leave_one(*written, &new.bytes))
    {
        return None;
    }
    let holes = language.grammar.holes(&new.bytes);
    if holes.is_empty() {
        return None;
    }
    let before = language.grammar.holes(&old.bytes);
    if holes.len() <= before.len() {
        return None;
    }
    let moves = splices.moves();
    let known: Vec<usize> = before.iter().map(|hole| moves.after(hole.comma)).collect();
    let is_meant = |hole: &Hole| written.iter().any(|written| written.contains(hole.list));
    let hole = holes
        .into_iter()
        .find(|hole| known.binary_search(&hole.comma).is_err() && !is_meant(hole))?;
    let lines = new.lines();
    let (line, column) = (lines.line(hole.comma), lines.column(hole.comma));
    let text = String::from_utf8_lossy(lines.content(&new.bytes, line).of(&new.bytes)).into_owned();
    let path = &edit.path;
    let message =
        format!("{path}:{line}:{column}: a comma too many would leave a hole in an array");
    let diagnostic = Diagnostic::new(Code::SyntaxError, message)
        .showing(Excerpt { path: path.clone(), line, column, text })
        .note("a comma parts two elements: leave out the one of the content, or quote the one that is there, too");
    Some(match edit.operation_at(hole.comma) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    })
}

/// Says whether a comma in `written`, or right beside it, may have nothing but blanks or comments between it and the comma or bracket before
/// it.
fn may_leave_one(written: Span, new: &[u8]) -> bool {
    let before = new
        .get(..written.start)
        .unwrap_or_default()
        .trim_ascii_end();
    let rest = new.get(written.end..).unwrap_or_default();
    let end = written.end + rest.len() - rest.trim_ascii_start().len() + 1;
    let text = new
        .get(before.len().saturating_sub(1)..end.min(new.len()))
        .unwrap_or_default();
    let has_remark = || {
        memchr::memmem::find(text, b"//").is_some() || memchr::memmem::find(text, b"*/").is_some()
    };
    let mut last = b' ';
    for &byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        if byte == b',' && matches!(last, b',' | b'[') {
            return true;
        }
        last = byte;
    }
    memchr::memchr(b',', text).is_some() && has_remark()
}
