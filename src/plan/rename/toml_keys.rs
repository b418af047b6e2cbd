//! Where a key of TOML is written: in headers, `[a.b]`, and in dotted keys, `a.b = 1`, each of which names all that it goes through.

use crate::syntax::keys::{KeySegment, Tree};
use crate::text::{Lines, Span};

/// Returns where the key of the entry `at` is written, in file order.
pub(super) fn spans(bytes: &[u8], tree: &Tree, at: usize) -> Vec<Span> {
    let way = names(tree, at);
    let mut found = Vec::new();
    let mut take = |start: usize, text: &[u8], above: &[&str]| {
        let words = words(text);
        let Some(place) = way.len().checked_sub(above.len() + 1) else {
            return;
        };
        let is_on_way = way.iter().zip(above).all(|(one, other)| one == other)
            && words.len() > place
            && words
                .iter()
                .zip(way.iter().skip(above.len()))
                .all(|((_, name), step)| name == step);
        if let Some((span, _)) = words.get(place).filter(|_| is_on_way) {
            found.push(span.shifted(start));
        }
    };
    let lines = Lines::of(bytes);
    let values = values_over_lines(bytes, tree);
    for number in 1..=lines.count() {
        let line = lines.content(bytes, number);
        let text = line.of(bytes);
        let start = line.start + text.len() - text.trim_ascii_start().len();
        let header = bytes.get(start..line.end).unwrap_or_default();
        if header.starts_with(b"[") && !is_in_one(start, &values) && is_in_items(tree, at, start) {
            let brackets = header.iter().take_while(|byte| **byte == b'[').count();
            take(start + brackets, &header[brackets..], &[]);
        }
    }
    for (number, entry) in tree.entries.iter().enumerate() {
        let Some(key) = entry.key.filter(|key| !is_in_header(bytes, &lines, *key)) else {
            continue;
        };
        if !tree.upwards(number).any(|above| above == at) {
            continue;
        }
        let before = statement(bytes, key.start);
        let text = bytes.get(before..key.end).unwrap_or_default();
        let own = names(tree, number);
        let above = own.len().saturating_sub(words(text).len());
        take(before, text, &own[..above]);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the names of the keys on the way to an entry, itself last; items have none.
fn names(tree: &Tree, at: usize) -> Vec<&str> {
    let steps = tree.path(at).into_iter().filter_map(|step| match step {
        KeySegment::Key(name) => Some(name.as_str()),
        KeySegment::Item(_) => None,
    });
    steps.collect()
}

/// Returns the values that go over several lines, in file order, those inside of others left out: no line of them is a header.
fn values_over_lines(bytes: &[u8], tree: &Tree) -> Vec<Span> {
    let entries = tree.entries.iter().filter(|entry| entry.regions.is_empty());
    let values = entries.map(|entry| entry.value);
    let mut values: Vec<Span> = values
        .filter(|value| value.of(bytes).contains(&b'\n'))
        .collect();
    values.sort_unstable_by_key(|value| (value.start, std::cmp::Reverse(value.end)));
    values.dedup_by(|inner, outer| outer.contains(*inner));
    values
}

/// Says whether `offset` is in one of `spans`, which are in order and apart.
fn is_in_one(offset: usize, spans: &[Span]) -> bool {
    let at = spans.partition_point(|span| span.end <= offset);
    spans.get(at).is_some_and(|span| span.start <= offset)
}

/// Says whether a header at `offset` is among the lines of every item that the entry `at` is in: each item has its own.
fn is_in_items(tree: &Tree, at: usize, offset: usize) -> bool {
    let above = tree.upwards(at).skip(1).filter_map(|at| tree.get(at));
    let mut items = above.filter(|entry| matches!(entry.step, KeySegment::Item(_)));
    items.all(|item| {
        let mut regions = item.regions.iter().chain([&item.span]);
        regions.any(|region| region.start <= offset && offset < region.end)
    })
}

/// Says whether a key is of a header: nothing but brackets and names is before it on its line.
fn is_in_header(bytes: &[u8], lines: &Lines, key: Span) -> bool {
    let start = lines.start(lines.line(key.start));
    let before = bytes.get(start..key.start).unwrap_or_default();
    before.trim_ascii_start().starts_with(b"[")
}

/// Returns where the dotted key begins whose last word begins at `last`.
fn statement(bytes: &[u8], last: usize) -> usize {
    let mut start = last;
    loop {
        let before = bytes.get(..start).unwrap_or_default().trim_ascii_end();
        let Some(before) = before.strip_suffix(b".") else {
            return start;
        };
        let before = before.trim_ascii_end();
        start = match before.last() {
            Some(quote @ (b'"' | b'\'')) => {
                let inside = &before[..before.len() - 1];
                inside.iter().rposition(|byte| byte == quote).unwrap_or(0)
            }
            _ => before
                .iter()
                .rposition(|byte| !is_bare(*byte))
                .map_or(0, |at| at + 1),
        };
    }
}

/// Returns the words of a dotted key at the beginning of `text`, each with what it says.
fn words(text: &[u8]) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_ascii_start().len();
        let rest = text.get(at..).unwrap_or_default();
        let length = match rest.first() {
            Some(quote @ (b'"' | b'\'')) => match closing(&rest[1..], *quote) {
                Some(end) => end + 2,
                None => return found,
            },
            _ => rest.iter().take_while(|byte| is_bare(**byte)).count(),
        };
        if length == 0 {
            return found;
        }
        let word = String::from_utf8_lossy(&rest[..length]).into_owned();
        let said = match word.as_bytes() {
            [b'\'', inner @ .., b'\''] => String::from_utf8_lossy(inner).into_owned(),
            [b'"', ..] => serde_json::from_str(&word).unwrap_or(word),
            _ => word,
        };
        found.push((Span::new(at, at + length), said));
        at += length;
        let rest = text.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_ascii_start().len();
        if text.get(at) != Some(&b'.') {
            return found;
        }
        at += 1;
    }
}

fn closing(text: &[u8], quote: u8) -> Option<usize> {
    let mut is_escaped = false;
    text.iter().position(|&byte| {
        let closes = byte == quote && !is_escaped;
        is_escaped = quote == b'"' && byte == b'\\' && !is_escaped;
        closes
    })
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_dotted_key() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> = words(text.as_bytes()).into_iter().map(|it| it.1).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("a.b = 1", &["a", "b"]);
        check("a . \"b.c\" . 'd'] # e.f", &["a", "b.c", "d"]);
        check("\"a\\\"b\".c", &["a\"b", "c"]);
        check("\"a", &[]);
        check("= 1", &[]);
    }
}
