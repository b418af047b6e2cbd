//! Markdown: what content opens of `<details>`, `<div>` and their like it closes, and it closes nothing else. One that it leaves open would hold
//! all that follows; one that it closes too early would set free what was in it.
//!
//! Two operations may write the two halves, and what was out of order before may stay so.

use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::syntax::markdown::halves::{Half, unpaired, unpaired_in_page};
use crate::text::Lines;

/// Returns a refusal for the first tag that the edit writes without its other half.
pub(super) fn check(edit: &FileEdit, before: &[u8], after: &[u8]) -> Option<Diagnostic> {
    let splices = edit.splices.as_ref()?;
    // Halves of what was written, by where they are in the page.
    let written = splices.with_new_spans().flat_map(|(_, span)| {
        let halves = unpaired(span.of(after)).into_iter();
        halves.map(move |half| half.shifted(span.start))
    });
    let written: Vec<Half> = written.collect();
    if written.is_empty() {
        return None;
    }
    let (old, new) = (unpaired_in_page(before), unpaired_in_page(after));
    let count = |halves: &[Half], half: &Half| halves.iter().filter(|it| *it == half).count();
    let is_more = |half: &&Half| count(&new, half) > count(&old, half);
    let half = new
        .iter()
        .filter(is_more)
        .find_map(|alone| written.iter().find(|half| *half == alone))?;
    Some(refusal(edit, half, after))
}

fn refusal(edit: &FileEdit, half: &Half, after: &[u8]) -> Diagnostic {
    let (path, lines) = (&edit.path, Lines::of(after));
    let line = lines.line(half.at);
    let what = if half.closes {
        "closes nothing, or too early"
    } else {
        "is never closed: it would hold all that follows"
    };
    let text = String::from_utf8_lossy(lines.content(after, line).of(after)).into_owned();
    let diagnostic = Diagnostic::new(
        Code::StructureLost,
        format!("{path}:{line}: `{}` {what}", half.text),
    )
    .showing(Excerpt {
        path: path.clone(),
        line,
        column: lines.column(half.at),
        text,
    })
    .note("content closes what it opens, and nothing else");
    match edit
        .operation_at(half.at)
        .or_else(|| edit.claims.first().map(|&(_, operation)| operation))
    {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}
