//! Scalars of YAML go on in deeper lines: an item that is put a little too deep below another is a part of what that says.
//!
//! Example: `- main⏎  - release` is one item, `main - release`.
//!
//! Known limits: lines that are no items may continue a scalar, as their author may want.

use std::collections::HashSet;

use super::Changed;
use crate::resolve::Document;
use crate::syntax::keys::{Form, Tree};
use crate::text::Span;
use crate::text::splice::Splices;

/// Returns the lines of `new` that look like items and are parts of the scalar above, where `old` has no such scalar; else those beside
/// `splices` that a scalar of the content takes in.
pub(super) fn continued(splices: &Splices, old: &Document, new: &Document) -> Vec<Changed> {
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else { return Vec::new() };
    if let Some(taken) = taken_in(splices, (before, &old.bytes), (after, &new.bytes)) {
        return vec![Changed::Continued(taken)];
    }
    let found = swallowed(after, &new.bytes);
    if found.is_empty() {
        return Vec::new();
    }
    let known: HashSet<&[u8]> = swallowed(before, &old.bytes).iter().map(|item| item.of(&old.bytes)).collect();
    found.into_iter().filter(|item| !known.contains(item.of(&new.bytes))).map(Changed::Continued).collect()
}

/// Returns the first words after some content that a plain scalar which begins in it goes on with, unless they were a part of the scalar
/// whose beginning the content takes the place of.
fn taken_in(splices: &Splices, (before, old): (&Tree, &[u8]), (after, new): (&Tree, &[u8])) -> Option<Span> {
    let plain = |tree: &'_ Tree, bytes: &[u8]| -> Vec<Span> {
        let scalars = tree.entries.iter().filter(|entry| matches!(entry.form, Form::Plain));
        let values = scalars.map(|entry| entry.value);
        values.filter(|value| !matches!(bytes.get(value.start), Some(b'"' | b'\''))).collect()
    };
    let values = plain(after, new);
    for (splice, written) in splices.with_new_spans().filter(|(_, written)| !written.is_empty()) {
        let goes_on =
            |value: &&Span| value.start >= written.start && value.start < written.end && value.end > written.end;
        let Some(value) = values.iter().find(goes_on) else { continue };
        let more = Span::new(written.end, value.end);
        let ahead = more.len() - more.of(new).trim_ascii_start().len();
        let on_its_line = || !Span::new(written.end, written.end + ahead).of(new).contains(&b'\n');
        if ahead == more.len() || on_its_line() && !written.of(new).ends_with(b"\n") {
            continue;
        }
        let place = splice.span.end + ahead;
        let was_its = |value: &Span| value.contains(Span::at(place)) && splice.span.contains(Span::at(value.start));
        if !plain(before, old).iter().any(was_its) {
            return Some(Span::new(written.end + ahead, value.end));
        }
    }
    None
}

/// Returns the first line that looks like an item in each plain scalar, without the blanks around it.
fn swallowed(tree: &Tree, bytes: &[u8]) -> Vec<Span> {
    let scalars = tree.entries.iter().filter(|entry| matches!(entry.form, Form::Plain));
    let values = scalars.map(|entry| entry.value).filter(|value| !matches!(bytes.get(value.start), Some(b'"' | b'\'')));
    values.filter_map(|value| first_item(value, bytes)).collect()
}

fn first_item(value: Span, bytes: &[u8]) -> Option<Span> {
    let mut start = value.start;
    for line in value.of(bytes).split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii();
        if start > value.start && (text.starts_with(b"- ") || text == b"-") {
            let start = start + line.len() - line.trim_ascii_start().len();
            return Some(Span::new(start, start + text.len()));
        }
        start += line.len();
    }
    None
}
