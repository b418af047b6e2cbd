//! Scalars of YAML go on in deeper lines: an item that is put a little too deep below another is a part of what that says.
//!
//! Example: `- main⏎  - release` is one item, `main - release`; of `[a,⏎b⏎c]` the last is `b c`.
//!
//! A scalar of several lines may get more of them, and one that an edit takes, or whose line it goes on with, may be anything.
//!
//! Likewise a key or an item that is given back deeper, below a text after `|` or `>` that nobody quoted, is no part of that, and what was
//! below it is none either.

use std::collections::{HashMap, HashSet};

use super::changed::ChangedStatement;
use crate::resolve::Document;
use crate::syntax::keys::{KeyEntry, Tree, ValueForm};
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
    if let Some(drowned) = drowned(splices, (before, &old.bytes), (after, &new.bytes)) {
        return vec![ChangedStatement::Continued(drowned)];
    }
    if let Some(folded) = unsigned(splices, (before, &old.bytes), (after, &new.bytes)) {
        return vec![ChangedStatement::Continued(folded)];
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

/// Returns the first line that began an entry, and would be in a text after `|` or `>` that no splice reaches into.
fn drowned(
    splices: &Splices,
    (before, old): (&Tree, &[u8]),
    (after, new): (&Tree, &[u8]),
) -> Option<Span> {
    let moves = splices.moves();
    let is_taken = |at: usize| {
        splices
            .iter()
            .any(|splice| splice.span.start <= at && at < splice.span.end)
    };
    let texts = |tree: &Tree| -> Vec<Span> {
        let texts = tree
            .entries
            .iter()
            .filter(|entry| entry.form == ValueForm::Text);
        texts.map(|entry| entry.value).collect()
    };
    let known: HashSet<usize> = texts(before)
        .into_iter()
        .filter(|value| !is_taken(value.start))
        .map(|value| moves.after(value.start))
        .collect();
    let left = texts(after)
        .into_iter()
        .filter(|value| known.contains(&value.start));
    let left: Vec<Span> = left.collect();
    if left.is_empty() {
        return None;
    }
    let is_in_one = |at: usize| left.iter().any(|value| value.start < at && at < value.end);
    let begun = before.entries.iter().filter(|entry| {
        entry.parent.is_some() && entry.key.is_some() && !is_taken(entry.span.start)
    });
    let beside = begun
        .map(|entry| moves.after(entry.span.start))
        .find(|start| is_in_one(*start))
        .map(|start| words_at(start, new));
    beside.or_else(|| {
        splices.with_new_spans().find_map(|(splice, written)| {
            let quoted = first_words(splice.span, old);
            let given = first_words(written, new);
            let begins_entry = before
                .entries
                .iter()
                .any(|entry| entry.parent.is_some() && entry.span.start == quoted.start);
            let is_again = begins_entry && beginning(quoted.of(old)) == beginning(given.of(new));
            (is_again && is_in_one(given.start)).then_some(given)
        })
    })
}

/// Returns the first line that is left of a text after `|` whose sign an edit takes, where it would be a part of a plain scalar: that has no
/// lines.
fn unsigned(
    splices: &Splices,
    (before, old): (&Tree, &[u8]),
    (after, new): (&Tree, &[u8]),
) -> Option<Span> {
    let is_text = |entry: &&KeyEntry| {
        entry.form == ValueForm::Text && old.get(entry.value.start) == Some(&b'|')
    };
    let texts: Vec<Span> = before
        .entries
        .iter()
        .filter(is_text)
        .map(|entry| entry.value)
        .collect();
    splices.with_new_spans().find_map(|(splice, written)| {
        let taken = splice.span;
        let is_cut = |value: &&Span| {
            taken.start <= value.start && value.start < taken.end && taken.end < value.end
        };
        let value = texts.iter().find(is_cut)?;
        let rest = first_words(Span::new(taken.end, value.end), old);
        let start = written.end + (rest.start - taken.end);
        let has_lines = |scalar: &Span| {
            let is_in_it = scalar.start <= start && start < scalar.end;
            is_in_it && scalar.of(new).contains(&b'\n')
        };
        let is_folded = !rest.is_empty() && plain(after, new).any(|scalar| has_lines(&scalar));
        is_folded.then(|| words_at(start, new))
    })
}

/// Returns the words of the first line of `span` that is not blank.
fn first_words(span: Span, bytes: &[u8]) -> Span {
    let text = span.of(bytes);
    words_at(span.end - text.trim_ascii_start().len(), bytes)
}

/// Returns the words from `start` to the end of its line.
fn words_at(start: usize, bytes: &[u8]) -> Span {
    let rest = bytes.get(start..).unwrap_or_default();
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    Span::new(start, start + rest[..end].trim_ascii_end().len())
}

/// Returns what the line of an entry begins with: its key, or the sign of an item.
fn beginning(line: &[u8]) -> &[u8] {
    match line {
        [b'-', b' ', ..] => &line[..1],
        _ => line
            .get(..memchr::memchr(b':', line).unwrap_or(line.len()))
            .unwrap_or_default(),
    }
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
