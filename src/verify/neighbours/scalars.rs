//! Scalars of YAML go on in deeper lines: an item that is put a little too deep below another is a part of what that says.
//!
//! Example: `- main⏎  - release` is one item, `main - release`; of `[a,⏎b⏎c]` the last is `b c`.
//!
//! A scalar of several lines may get more of them, and one that an edit takes, or whose line it goes on with, may be anything.

use std::collections::{HashMap, HashSet};

use super::changed::ChangedStatement;
use crate::resolve::Document;
use crate::syntax::keys::{Tree, ValueForm};
use crate::text::Span;
use crate::text::splice::Splices;

/// Returns the lines of `new` that look like items and are parts of the scalar above, where `old` has no such scalar; else those beside
/// `splices` that a scalar of the content takes in.
pub(super) fn continued(
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Vec<ChangedStatement> {
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else {
        return Vec::new();
    };
    if let Some(taken) = taken_in(splices, (before, &old.bytes), (after, &new.bytes)) {
        return vec![ChangedStatement::Continued(taken)];
    }
    if let Some(more) = lengthened(splices, (before, &old.bytes), (after, &new.bytes)) {
        return vec![ChangedStatement::Continued(more)];
    }
    let found = swallowed(after, &new.bytes);
    if found.is_empty() {
        return Vec::new();
    }
    let known: HashSet<&[u8]> = swallowed(before, &old.bytes)
        .iter()
        .map(|item| item.of(&old.bytes))
        .collect();
    found
        .into_iter()
        .filter(|item| !known.contains(item.of(&new.bytes)))
        .map(ChangedStatement::Continued)
        .collect()
}

/// Returns what a plain scalar that no splice reaches into would go on with.
fn lengthened(
    splices: &Splices,
    (before, old): (&Tree, &[u8]),
    (after, new): (&Tree, &[u8]),
) -> Option<Span> {
    let moves = splices.moves();
    let now: HashMap<usize, usize> = plain(after, new)
        .map(|value| (value.start, value.end))
        .collect();
    plain(before, old).find_map(|value| {
        let (start, end) = (moves.after(value.start), moves.before(value.end));
        let longer = now.get(&start).copied().filter(|longer| *longer > end)?;
        let mut near = splices
            .with_new_spans()
            .filter(|(splice, _)| splice.span.overlaps(value) || splice.span.start >= value.end);
        let (next, given) = near.next()?;
        let more = given.of(new);
        let is_line_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
        // Who writes right behind it, on its line, goes on with it.
        let is_on_its_line = next.span.start == value.end
            && !more.first().is_some_and(is_line_break)
            && !more.is_empty();
        let has_lines = value.of(old).contains(&b'\n');
        let is_meant =
            next.span.overlaps(value) || is_on_its_line || has_lines && next.span.is_empty();
        let added = Span::new(end, longer).of(new);
        let ahead = added.len() - added.trim_ascii_start().len();
        (!is_meant).then(|| Span::new(end + ahead, longer))
    })
}

/// Returns the plain scalars that stand for a value.
fn plain<'t>(tree: &'t Tree, bytes: &'t [u8]) -> impl Iterator<Item = Span> + 't {
    let scalars = tree
        .entries
        .iter()
        .filter(|entry| matches!(entry.form, ValueForm::Plain));
    let values = scalars.map(|entry| entry.value);
    values
        .filter(|value| !value.is_empty() && !matches!(bytes.get(value.start), Some(b'"' | b'\'')))
}

/// Returns the first words after some content that a plain scalar which begins in it goes on with, unless they were a part of the scalar
/// whose beginning the content takes the place of.
fn taken_in(
    splices: &Splices,
    (before, old): (&Tree, &[u8]),
    (after, new): (&Tree, &[u8]),
) -> Option<Span> {
    let values: Vec<Span> = plain(after, new).collect();
    for (splice, written) in splices
        .with_new_spans()
        .filter(|(_, written)| !written.is_empty())
    {
        let goes_on = |value: &&Span| {
            value.start >= written.start && value.start < written.end && value.end > written.end
        };
        let Some(value) = values.iter().find(goes_on) else {
            continue;
        };
        let more = Span::new(written.end, value.end);
        let ahead = more.len() - more.of(new).trim_ascii_start().len();
        let on_its_line = || {
            !Span::new(written.end, written.end + ahead)
                .of(new)
                .contains(&b'\n')
        };
        if ahead == more.len() || on_its_line() && !written.of(new).ends_with(b"\n") {
            continue;
        }
        let place = splice.span.end + ahead;
        let was_its = |value: &Span| {
            value.contains(Span::at(place)) && splice.span.contains(Span::at(value.start))
        };
        if !plain(before, old).any(|value| was_its(&value)) {
            return Some(Span::new(written.end + ahead, value.end));
        }
    }
    None
}

/// Returns the first line that looks like an item in each plain scalar, without the blanks around it.
fn swallowed(tree: &Tree, bytes: &[u8]) -> Vec<Span> {
    plain(tree, bytes)
        .filter_map(|value| first_item(value, bytes))
        .collect()
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
