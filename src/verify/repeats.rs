//! Repeats: lines that begin or end with the very line beside them. Who numbers lines and is one off leaves that line twice.

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, Selector};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::text::{Lines, Span};

/// Where lines repeat the one beside them.
#[derive(Clone, Debug)]
pub struct Repeat {
    operation: usize,
    refusal: Diagnostic,
}

/// Returns each place of `new` where what an operation wrote begins or ends with the line beside it, where what it took did not.
pub fn repeats(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Repeat> {
    let Some(splices) = edit.splices.as_ref().filter(|splices| !splices.is_empty()) else { return Vec::new() };
    let (before, after) = ((old.lines(), &old.bytes[..]), (new.lines(), &new.bytes[..]));
    let mut found = Vec::new();
    for (splice, written) in splices.with_new_spans() {
        let filled = after.0.filled_by(written, after.1);
        if filled.is_empty() {
            continue;
        }
        let taken = before.0.filled_by(splice.span, before.1);
        let edges = [
            (filled.start, filled.start.checked_sub(1), taken.start),
            (filled.end - 1, Some(filled.end), taken.end.saturating_sub(1)),
        ];
        for (edge, beside, was) in edges {
            let Some(line) = beside.and_then(|beside| line(after, beside)).filter(|line| has_word(line)) else {
                continue;
            };
            if self::line(after, edge) != Some(line) || (!taken.is_empty() && self::line(before, was) == Some(line)) {
                continue;
            }
            found.extend(
                edit.claimant(splice.span)
                    .map(|operation| Repeat { operation, refusal: refusal(edit, line, edge).of_operation(operation) }),
            );
        }
    }
    found
}

impl Repeat {
    /// Returns the refusal, where the operation numbers lines and does not allow that they repeat.
    pub fn refusal(&self, operations: &[Operation]) -> Option<Diagnostic> {
        let operation = operations.get(self.operation).filter(|operation| !operation.allow_repeat)?;
        let is_by_lines = operation.scoped().is_some_and(|scoped| matches!(scoped.selector, Selector::Lines(_)));
        is_by_lines.then(|| self.refusal.clone())
    }
}

/// Returns the 1-based line of a file, without its ending.
fn line<'b>((lines, bytes): (&Lines, &'b [u8]), number: usize) -> Option<&'b [u8]> {
    let is_there = (1..=lines.count()).contains(&number);
    is_there.then(|| Span::of(lines.content(bytes, number), bytes))
}

fn has_word(line: &[u8]) -> bool {
    line.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

fn refusal(edit: &FileEdit, line: &[u8], number: usize) -> Diagnostic {
    let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
    let message = format!("{} would have `{}` twice, at line {number} and beside it", edit.path, shown(&text));
    Diagnostic::new(Code::RepeatsNeighbour, message)
        .note("leave the line out of the content or take it into the range; if both are meant: `allow_repeat: true` (`--allow-repeat`)")
}
