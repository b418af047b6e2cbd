//! Files of environment variables: `KEY=value`, `export KEY=value`, and values in quotes over several lines.
//!
//! Their readers differ. What is an error to each of them is one here; what is a value to one is left as it is: blanks around the sign,
//! `KEY: value`, backticks, text behind a closing quote.

use super::entry::PairEntry;
use crate::text::{Lines, Span};

/// Returns the entry that begins on the line `first`, which is neither blank nor a comment, with its text at `start`; and its last line.
pub(super) fn entry_at(
    source: &[u8],
    lines: &Lines,
    first: usize,
    start: usize,
) -> (PairEntry, usize) {
    let line_end = lines.content(source, first).end;
    let text = Span::new(start, line_end).of(source);
    let words = match text.strip_prefix(b"export") {
        Some(rest) if rest.first().is_some_and(|byte| is_blank_byte(*byte)) => {
            text.len() - rest.trim_ascii_start().len()
        }
        _ => 0,
    };
    let rest = &text[words..];
    let key_length = (0..rest.len())
        .find(|&at| match rest[at] {
            b'=' | b'#' => true,
            b':' => rest.get(at + 1).is_none_or(|next| is_blank_byte(*next)),
            byte => byte.is_ascii_whitespace(),
        })
        .unwrap_or(rest.len());
    let key = Span::new(start, start + words + key_length);
    let written = &rest[..key_length];
    // What is left of a broken value, rather than a name.
    let has_mark = written
        .iter()
        .any(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\'));
    let mut entry = PairEntry {
        whole: key,
        key,
        name: std::str::from_utf8(written)
            .ok()
            .filter(|_| !has_mark)
            .map(str::to_owned),
        value: None,
        comment: None,
        fault: None,
    };
    let not_a_pair = Some((start, "a line here is `KEY=value`"));
    if written.is_empty() {
        entry.name = None;
        entry.fault = not_a_pair;
        entry.whole.end = start + text.trim_ascii_end().len();
        entry.key = entry.whole;
        return (entry, first);
    }

    let after = past_blanks(source, key.end, line_end);
    let sign = match source.get(after) {
        Some(b'=') if after < line_end => Some(after),
        Some(b':') if after == key.end && after < line_end => Some(after),
        _ => None,
    };
    let Some(sign) = sign else {
        // Of a variable that is set elsewhere, its name alone.
        if has_mark || after < line_end && source[after] != b'#' {
            entry.name = None;
            entry.fault = not_a_pair;
            entry.whole.end = start + text.trim_ascii_end().len();
        } else {
            entry.comment = comment(source, after, line_end);
        }
        return (entry, first);
    };
    entry.whole.end = sign + 1;
    let value_start = past_blanks(source, sign + 1, line_end);
    let quote = source[value_start..line_end].first().copied();
    if let Some(quote @ (b'"' | b'\'' | b'`')) = quote {
        match quoted(source, value_start, line_end, quote) {
            QuotedValue::Whole(end) => {
                let last = lines.line(end - 1);
                let last_end = lines.content(source, last).end;
                entry.whole.end = end;
                entry.value = Some(Span::new(value_start, end));
                entry.comment = comment(source, past_blanks(source, end, last_end), last_end);
                return (entry, last);
            }
            QuotedValue::Open if quote != b'`' => {
                entry.fault = Some((value_start, "a quotation mark is left open"));
            }
            QuotedValue::Open | QuotedValue::Part => {}
        }
    }
    let (value, remark) = plain(source, value_start, sign, line_end);
    if !value.is_empty() {
        entry.whole.end = value.end;
        entry.value = Some(value);
    }
    entry.comment = remark;
    (entry, first)
}

/// What a value in quotes comes to.
enum QuotedValue {
    /// It ends here, and nothing but a comment is behind it.
    Whole(usize),
    /// More of the value is behind it on its line.
    Part,
    /// It does not end.
    Open,
}

/// Reads the value whose quotation mark is at `start`. No mark of that sort is between there and where it looks, so that all values of a
/// file together take one look at it.
fn quoted(source: &[u8], start: usize, line_end: usize, quote: u8) -> QuotedValue {
    let close = |is_escape: bool| {
        let mut at = start + 1;
        while let Some(&byte) = source.get(at) {
            match byte {
                b'\\' if is_escape => at += 1,
                _ if byte == quote => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
        None
    };
    let is_last = |end: usize| {
        let rest = source.get(end..).unwrap_or_default();
        let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        let rest = rest.trim_ascii();
        rest.is_empty() || rest.starts_with(b"#")
    };
    let end = close(true);
    if let Some(end) = end.filter(|&end| is_last(end)) {
        return QuotedValue::Whole(end);
    }
    // A backslash before the mark may be the end of a path.
    if let Some(end) = close(false).filter(|&end| end <= line_end && is_last(end)) {
        return QuotedValue::Whole(end);
    }
    match end {
        Some(end) if end <= line_end => QuotedValue::Part,
        _ => QuotedValue::Open,
    }
}

/// Returns a value without quotes, and the comment behind it.
fn plain(source: &[u8], start: usize, sign: usize, end: usize) -> (Span, Option<Span>) {
    let is_remark =
        |at: &usize| source[*at] == b'#' && *at > sign + 1 && source[*at - 1].is_ascii_whitespace();
    let remark = (start..end).find(is_remark);
    let text = Span::new(start, remark.unwrap_or(end)).of(source);
    let value = Span::new(start, start + text.trim_ascii_end().len());
    (value, remark.and_then(|at| comment(source, at, end)))
}

/// Returns the comment that begins at `at`, if one does.
fn comment(source: &[u8], at: usize, end: usize) -> Option<Span> {
    let text = source.get(at..end)?;
    let length = text.trim_ascii_end().len();
    text.starts_with(b"#").then(|| Span::new(at, at + length))
}

fn is_blank_byte(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn past_blanks(source: &[u8], from: usize, end: usize) -> usize {
    let text = source.get(from..end).unwrap_or_default();
    from + text.iter().take_while(|&&byte| is_blank_byte(byte)).count()
}
