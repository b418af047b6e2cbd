//! A file's Markdown as the parser needs it, for it to read what CommonMark says.
//!
//! Invariant: the text is as long as the bytes it stands for, and what is not changed is where it was.

use std::borrow::Cow;

use super::lines::is_blank;
use crate::text::Span;

/// Returns `source` as text of the same length that CommonMark reads alike, mended where the parser reads it otherwise.
pub(super) fn legible(source: &[u8]) -> Cow<'_, str> {
    let text = match str::from_utf8(source) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(without_foreign_bytes(source)),
    };
    let edits = same_length_edits(text.as_bytes());
    if edits.is_empty() {
        return text;
    }
    let mut bytes = text.into_owned().into_bytes();
    for (at, new) in edits {
        bytes[at..at + new.len()].copy_from_slice(&new);
    }
    Cow::Owned(String::from_utf8(bytes).expect("ASCII took the place of ASCII"))
}

/// Stands for a byte that is neither a blank nor punctuation: SUBSTITUTE.
const OPAQUE: u8 = 0x1a;

/// Returns `source` with each byte that is not UTF-8 replaced by an opaque one.
fn without_foreign_bytes(source: &[u8]) -> String {
    let mut text = String::with_capacity(source.len());
    for chunk in source.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::from(OPAQUE)));
    }
    text
}

/// Returns where ASCII bytes must become others for the parser to read the text as CommonMark does:
///
/// - a lone CR ends a line everywhere, the parser sees it only in some places;
/// - form feeds and vertical tabs are no blanks;
/// - a block that `<script`, `<pre`, `<style` or `<textarea` begins is ended by the closing tag of *any* of them, the
///   parser waits for its own: so they all become `<pre`, padded;
/// - what is nested absurdly deep is text, for the parser takes time for each line times the depth it is open.
fn same_length_edits(text: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let lone = |at: &usize| text.get(at + 1) != Some(&b'\n');
    let mut edits: Vec<_> = memchr::memchr_iter(b'\r', text)
        .filter(lone)
        .map(|at| (at, b"\n".to_vec()))
        .collect();
    for line in long_lines(text) {
        edits.extend(deep_marker(line.of(text)).map(|deep| (line.start + deep, vec![OPAQUE])));
    }
    edits.extend(memchr::memchr2_iter(0x0b, 0x0c, text).map(|at| (at, vec![OPAQUE])));
    edits.extend(
        memchr::memchr_iter(b'<', text).filter_map(|at| Some((at, raw_text_tag(&text[at..])?))),
    );
    edits
}

/// Returns what takes the place of the tag of a raw-text element that `text` begins with.
fn raw_text_tag(text: &[u8]) -> Option<Vec<u8>> {
    let named = |prefix: &str, name: &str| {
        let (start, rest) = text.split_at_checked(prefix.len() + name.len())?;
        let same = start.starts_with(prefix.as_bytes())
            && start[prefix.len()..].eq_ignore_ascii_case(name.as_bytes());
        same.then_some(rest.first().copied().unwrap_or(b'\n'))
    };
    for name in ["script", "style", "textarea"] {
        if let Some(b' ' | b'\t' | b'>' | b'\n' | b'\r') = named("<", name) {
            return Some(format!("{:1$}", "<pre", 1 + name.len()).into_bytes());
        }
        if let Some(b'>') = named("</", name) {
            return Some(format!("{:1$}", "</pre>", 3 + name.len()).into_bytes());
        }
    }
    None
}

/// How many quotes and list items one line may open.
const DEEPEST: usize = 64;

/// Returns the lines of more than `DEEPEST` bytes, which alone can open more. Where a line ending is within so many, all
/// lines up to the last one there are shorter: most lines are never looked at one by one.
fn long_lines(text: &[u8]) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let window = text.get(at..=at + DEEPEST)?;
            if let Some(ending) = memchr::memrchr2(b'\n', b'\r', window) {
                at += ending + 1;
                continue;
            }
            let start = at;
            let rest = &text[start + window.len()..];
            let end = memchr::memchr2(b'\n', b'\r', rest)
                .map_or(text.len(), |length| start + window.len() + length);
            at = end + 1;
            return Some(Span::new(start, end));
        }
    })
}

/// Returns where in `line` the first marker is that goes too deep, unless a rule of many dashes does.
fn deep_marker(line: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _ in 0..DEEPEST {
        at += blanks(&line[at..]);
        at += marker_len(&line[at..])?;
    }
    at += blanks(&line[at..]);
    let rest = &line[at..];
    let rule = rest.iter().all(|&byte| byte == rest[0] || is_blank(byte));
    (marker_len(rest).is_some() && !(rule && rest[0] != b'>')).then_some(at)
}

/// Returns the length of the marker of a quote or list item that `line` begins with.
fn marker_len(line: &[u8]) -> Option<usize> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match (digits, line.get(digits)?) {
        (0, b'>') => Some(1),
        (0, b'-' | b'+' | b'*') | (1..=9, b'.' | b')') => line
            .get(digits + 1)
            .is_some_and(|&byte| is_blank(byte))
            .then_some(digits + 1),
        _ => None,
    }
}

fn blanks(line: &[u8]) -> usize {
    line.iter().take_while(|&&byte| is_blank(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: impl AsRef<[u8]>, expected: &str) {
        let source = source.as_ref();
        assert_eq!(legible(source), expected);
        assert_eq!(legible(source).len(), source.len());
    }

    #[test]
    fn only_what_the_parser_misreads_changes() {
        check("# a\r\n\tb\n", "# a\r\n\tb\n");
        check("a\rb\r\r\nc\r", "a\nb\n\r\nc\n");
        check("a\u{b}\u{c}", "a\u{1a}\u{1a}");
        check(b"\xffa\xf0\x9f", "\u{1a}a\u{1a}\u{1a}");
        check(
            "<script>\n</SCRIPT>\n<textarea",
            "<pre   >\n</pre>   \n<pre     ",
        );
        check("<style\t</style>", "<pre  \t</pre>  ");
        check("<scripts> </style > <pre>", "<scripts> </style > <pre>");
    }

    #[test]
    fn long_lines_are_all_found() {
        let check = |lengths: &[usize]| {
            for ending in ["\n", "\r", "\r\n"] {
                let text = lengths
                    .iter()
                    .map(|&length| "x".repeat(length) + ending)
                    .collect::<String>();
                for text in [&*text, text.trim_end()] {
                    let long = |line: &&str| line.len() > DEEPEST;
                    let expected: Vec<_> = text
                        .split(['\n', '\r'])
                        .filter(long)
                        .map(str::len)
                        .collect();
                    let found: Vec<_> = long_lines(text.as_bytes()).map(Span::len).collect();
                    assert_eq!(found, expected, "{lengths:?} {ending:?}");
                }
            }
        };
        check(&[]);
        check(&[64]);
        check(&[65]);
        check(&[66, 64, 65, 0, 1, 200, 63, 64]);
        check(&[1, 2, 3, 60, 61, 70]);
        check(&[10, 100]);
        check(&[100, 10, 10, 10, 10, 10, 10, 10, 65]);
    }

    #[test]
    fn absurd_nesting_becomes_text() {
        let deep = |marker: &str, count: usize| marker.repeat(count);
        check(deep(">", 64), &deep(">", 64));
        check(deep(">", 66), &(deep(">", 64) + "\u{1a}>"));
        check(deep("1. ", 65) + "a", &(deep("1. ", 64) + "\u{1a}. a"));
        check(deep("- ", 200), &deep("- ", 200));
        check(deep("- ", 65) + "a", &(deep("- ", 64) + "\u{1a} a"));
    }
}
