//! Markdown: what content opens of `<details>`, `<div>` and their like it closes, and it closes nothing else. One that it leaves open would hold
//! all that follows; one that it closes too early would set free what was in it. Nor does an edit take one half of a pair away, of
//! whatever tag or `:::`, and leave the other.
//!
//! Two operations may write the two halves, and what was out of order before may stay so.

use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::syntax::markdown::halves::{Half, unpaired, unpaired_in_page};
use crate::text::{Lines, Span};

/// Returns a refusal for the first tag that the edit writes without its other half, or that it leaves without.
pub(super) fn check(edit: &FileEdit, before: &[u8], after: &[u8]) -> Option<Diagnostic> {
    let splices = edit.splices.as_ref()?;
    // Halves of what was written, by where they are in the page.
    let written = splices.with_new_spans().flat_map(|(_, span)| {
        let halves = unpaired(span.of(after)).into_iter();
        halves.map(move |half| half.shifted(span.start))
    });
    let written: Vec<Half> = written.filter(Half::holds).collect();
    // What goes with a place that is named is a removal, which may be allowed.
    let is_named = |span: Span| edit.named.iter().any(|named| named.overlaps(span));
    let quoted = splices.iter().filter(|splice| !is_named(splice.span));
    let taken = quoted.flat_map(|splice| unpaired(splice.span.of(before)));
    let taken: Vec<Half> = taken.collect();
    if written.is_empty() && taken.is_empty() {
        return None;
    }
    let (old, new) = (unpaired_in_page(before), unpaired_in_page(after));
    let count = |halves: &[Half], half: &Half| halves.iter().filter(|it| *it == half).count();
    let mut alone = new
        .iter()
        .filter(|half| count(&new, half) > count(&old, half));
    alone.find_map(|alone| {
        let found = written.iter().find(|half| *half == alone);
        match found {
            Some(half) => Some(refusal(
                edit,
                half,
                after,
                "content closes what it opens, and nothing else".to_owned(),
            )),
            None => {
                let other = taken.iter().find(|half| half.is_other_of(alone))?;
                let note = format!(
                    "the edit takes `{}` away: give it again, or take both",
                    other.text
                );
                Some(refusal(edit, alone, after, note))
            }
        }
    })
}

fn refusal(edit: &FileEdit, half: &Half, after: &[u8], note: String) -> Diagnostic {
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
    .note(note);
    match edit
        .operation_at(half.at)
        .or_else(|| edit.claims.first().map(|&(_, operation)| operation))
    {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}
