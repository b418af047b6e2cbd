//! Java properties as `java.util.Properties` loads them: `key = value`, `key: value`, `key value`, each on lines of which all but the last
//! end with a backslash.
//!
//! Known limit: a line that ends with a carriage return alone ends there for Java, and here with the next line break.

use super::entry::PairEntry;
use crate::text::{Lines, Span, is_blank};

/// Returns the entry that begins on the line `first`, which is neither blank nor a comment, with its text at `start`; and its last line.
pub(super) fn entry_at(
    source: &[u8],
    lines: &Lines,
    first: usize,
    start: usize,
) -> (PairEntry, usize) {
    let (bytes, last) = joined(source, lines, first, start);
    // A blank line goes on with nothing.
    let is_empty = last > first && is_blank(lines.content(source, last).of(source));
    let end = lines.content(source, last - usize::from(is_empty)).end;
    let byte = |at: usize| bytes.get(at).map(|&at| source[at]);
    let offset = |at: usize| bytes.get(at).copied().unwrap_or(end);

    let mut key_end = 0;
    let mut is_escaped = false;
    while let Some(found) = byte(key_end) {
        if !is_escaped && (is_space(found) || matches!(found, b'=' | b':')) {
            break;
        }
        is_escaped = found == b'\\' && !is_escaped;
        key_end += 1;
    }
    let mut value = key_end;
    let past_spaces = |at: &mut usize| {
        while byte(*at).is_some_and(is_space) {
            *at += 1;
        }
    };
    past_spaces(&mut value);
    if matches!(byte(value), Some(b'=' | b':')) {
        value += 1;
        past_spaces(&mut value);
    }

    let written: Vec<u8> = (0..key_end).filter_map(byte).collect();
    let own_end = key_end.checked_sub(1).map_or(start, |at| offset(at) + 1);
    let has_value = value < bytes.len();
    // Blanks behind a sign are of no value, and those behind a value are a part of it.
    let whole_end = match (has_value || last > first, value > key_end) {
        (true, _) => end,
        (false, true) => {
            let before = (key_end..value)
                .rev()
                .find(|&at| !byte(at).is_some_and(is_space));
            before.map_or(own_end, |at| offset(at) + 1)
        }
        (false, false) => own_end,
    };
    let entry = PairEntry {
        whole: Span::new(start, whole_end),
        key: Span::new(start, own_end),
        name: unescaped(&written).filter(|name| !name.is_empty()),
        value: has_value.then(|| Span::new(offset(value), end)),
        comment: None,
        fault: bad_escape(source, &bytes).map(|at| (at, "`\\u` needs four hexadecimal digits")),
    };
    (entry, last)
}

/// Returns where the bytes are that are read as one line, without what joins the lines, and the last of these.
fn joined(source: &[u8], lines: &Lines, first: usize, start: usize) -> (Vec<usize>, usize) {
    let mut bytes = Vec::new();
    let mut number = first;
    let mut from = start;
    loop {
        let end = lines.content(source, number).end;
        let text = Span::new(from, end).of(source);
        let slashes = text.iter().rev().take_while(|&&byte| byte == b'\\').count();
        let goes_on = slashes % 2 == 1;
        bytes.extend(from..end - usize::from(goes_on));
        if !goes_on || number == lines.count() {
            return (bytes, number);
        }
        number += 1;
        let line = lines.content(source, number);
        let blanks = line.of(source).iter().take_while(|&&byte| is_space(byte));
        from = line.start + blanks.count();
    }
}

/// Says whether Java skips a byte before a key and around a sign.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0c)
}

/// Returns what a key stands for.
fn unescaped(written: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(written).ok()?;
    let mut units: Vec<u16> = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            units.extend(letter.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        match letters.next()? {
            'u' => {
                let digits: String = letters.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).ok()?);
            }
            't' => units.push(u16::from(b'\t')),
            'n' => units.push(u16::from(b'\n')),
            'r' => units.push(u16::from(b'\r')),
            'f' => units.push(0x0c),
            other => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
        }
    }
    String::from_utf16(&units).ok()
}

/// Returns the first `\u` that Java gives the whole file up for.
fn bad_escape(source: &[u8], bytes: &[usize]) -> Option<usize> {
    let mut at = 0;
    while let Some(&offset) = bytes.get(at) {
        if source[offset] != b'\\' {
            at += 1;
            continue;
        }
        let is_digit = |at: &usize| source[*at].is_ascii_hexdigit();
        let is_unicode = bytes.get(at + 1).is_some_and(|&next| source[next] == b'u');
        let digits = bytes.get(at + 2..).unwrap_or_default();
        if is_unicode && digits.iter().take(4).filter(|at| is_digit(at)).count() < 4 {
            return Some(offset);
        }
        at += 2;
    }
    None
}
