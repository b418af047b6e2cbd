//! Tuples of one element: without the comma after it, what is in parentheses is the element itself.
//!
//! Example: of `APPS = (⏎    "shop",⏎)` the line `"shop",` becomes `"cart"`, and whoever goes over `APPS` gets letters.

use std::collections::HashSet;

use super::edited_file::common_language;
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::text::Span;
use crate::text::splice::Splices;

/// Returns a warning for each tuple of one element that an edit takes the comma of.
pub(super) fn check(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Diagnostic> {
    let Some(splices) = edit.splices.as_ref() else {
        return Vec::new();
    };
    let Some(language) = common_language(old, new) else {
        return Vec::new();
    };
    // To read both files takes longer than all else.
    let may_take_comma = splices
        .with_new_spans()
        .any(|(splice, written)| takes_comma(splice.span, &old.bytes, written, &new.bytes));
    if old.too_large() || new.too_large() || !may_take_comma {
        return Vec::new();
    }
    let before = language.grammar.elements(&old.bytes, None);
    let lone = before
        .iter()
        .filter_map(|element| lone_in(*element, &old.bytes))
        .filter(|around| splices.iter().any(|it| it.span.overlaps(*around)));
    let lone: Vec<Span> = lone.collect();
    if lone.is_empty() {
        return Vec::new();
    }
    let after: HashSet<usize> = language
        .grammar
        .elements(&new.bytes, None)
        .iter()
        .map(|element| element.start)
        .collect();
    let warnings = lone.into_iter().filter_map(|around| {
        let opened = place_after(around.start, splices, (&old.bytes, &new.bytes))?;
        let first = first_code(opened + 1, &new.bytes)?;
        let is_value = new.bytes[opened] == b'(' && new.bytes[first] != b')';
        if !is_value || after.contains(&first) {
            return None;
        }
        let line = new.lines().line(opened);
        let message = format!(
            "what is in parentheses at line {line} of {} is a tuple no more: the comma after its one element is gone",
            edit.path
        );
        let warning = Diagnostic::new(Code::InventoryChanged, message)
            .note("let the element end with `,` if a tuple is meant");
        Some(match edit.claimant(around) {
            Some(operation) => warning.of_operation(operation),
            None => warning,
        })
    });
    warnings.collect()
}

/// Says whether a comma that may end a tuple is taken, and the like is not given back.
fn takes_comma(taken: Span, old: &[u8], given: Span, new: &[u8]) -> bool {
    let ends_in_comma = |span: Span, bytes: &[u8]| {
        let commas = memchr::memchr_iter(b',', span.of(bytes));
        let mut ends = commas.map(|at| first_code(span.start + at + 1, bytes));
        ends.any(|next| next.is_some_and(|next| bytes[next] == b')'))
    };
    ends_in_comma(taken, old) && !ends_in_comma(given, new)
}

/// Returns where the parentheses are around an element that is alone in them, with a comma after it.
fn lone_in(element: Span, bytes: &[u8]) -> Option<Span> {
    let comma = first_code(element.end, bytes).filter(|at| bytes[*at] == b',')?;
    let close = first_code(comma + 1, bytes).filter(|at| bytes[*at] == b')')?;
    let before = bytes.get(..element.start)?.trim_ascii_end();
    let open = before.len().checked_sub(1)?;
    (before[open] == b'(').then(|| Span::new(open, close + 1))
}

/// Returns where the first byte is from `at` on that is neither blank nor of a comment.
fn first_code(mut at: usize, bytes: &[u8]) -> Option<usize> {
    loop {
        let rest = bytes.get(at..)?;
        at += rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        if bytes[at] != b'#' {
            return Some(at);
        }
        at += memchr::memchr(b'\n', &bytes[at..])?;
    }
}

/// Returns where a byte of the old file is in the new one: beside the splices, or in what one gives as it took it.
fn place_after(at: usize, splices: &Splices, (old, new): (&[u8], &[u8])) -> Option<usize> {
    let around = splices
        .with_new_spans()
        .find(|(splice, _)| splice.span.start <= at && at < splice.span.end);
    let Some((splice, written)) = around else {
        return Some(splices.moves().after(at));
    };
    let length = at + 1 - splice.span.start;
    let is_same = splice.span.of(old).get(..length) == written.of(new).get(..length);
    is_same.then(|| written.start + length - 1)
}
