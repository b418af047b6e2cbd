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
    let written: Vec<Span> = splices.with_new_spans().map(|(_, written)| written).collect();
    if !written.iter().any(|written| is_at_comma(*written, &new.bytes)) {
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
    let known: Vec<usize> = before.iter().map(|hole| moves.behind(hole.comma)).collect();
    let is_meant = |hole: &Hole| written.iter().any(|written| written.contains(hole.list));
    let hole = holes.into_iter().find(|hole| known.binary_search(&hole.comma).is_err() && !is_meant(hole))?;
    let lines = new.lines();
    let (line, column) = (lines.line(hole.comma), lines.column(hole.comma));
    let text = String::from_utf8_lossy(lines.content(&new.bytes, line).of(&new.bytes)).into_owned();
    let path = &edit.path;
    let message = format!("{path}:{line}:{column}: a comma too many would leave a hole in an array");
    let diagnostic = Diagnostic::new(Code::SyntaxError, message)
        .showing(Excerpt { path: path.clone(), line, column, text })
        .note("a comma parts two elements: leave out the one of the content, or quote the one that is there, too");
    Some(match edit.operation_at(hole.comma) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    })
}

/// Says whether a comma is in `written`, or the next thing on one of its sides.
fn is_at_comma(written: Span, new: &[u8]) -> bool {
    let before = new.get(..written.start).unwrap_or_default().trim_ascii_end();
    let after = new.get(written.end..).unwrap_or_default().trim_ascii_start();
    before.ends_with(b",") || after.starts_with(b",") || memchr::memchr(b',', written.of(new)).is_some()
}
