//! Statements of Python that an edit gives back in the first column: they stay in the function or class that they were in. The missing
//! indentation of a quotation that has one is a slip, where the content differs in more than that.
//!
//! Example: with `def m(self): return 2` in the place of `    def m(self): return 1`, the last method of a class would be none.
//!
//! Deliberately not here: the same lines at another depth, another statement or definition than what was quoted, and content that still has some
//! indentation.

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::resolve::{Document, is_code};
use crate::syntax::{SegmentKind, Symbol};
use crate::text::{Span, leading_blank};

/// Returns the first statement that would be outside of the definition that it was in.
pub(super) fn outdented(guard: &Guard, old: &Document, new: &Document) -> Option<ChangedStatement> {
    let mut strokes = guard.sides.strokes().filter(|(was, now)| {
        guard.offside
            && !was.is_named
            && begins_line(was.span, &old.bytes)
            && begins_line(now.span, &new.bytes)
    });
    strokes.find_map(|(was, now)| {
        let first = first_code(was.span, &old.bytes)?;
        let given = first_code(now.span, &new.bytes)?;
        let is_slip = column(first, &old.bytes) > 0
            && column(given, &new.bytes) == 0
            && words(first, &old.bytes) == words(given, &new.bytes)
            && has_indentation_throughout(was.span.of(&old.bytes))
            && !is_only_moved(was.span.of(&old.bytes), now.span.of(&new.bytes));
        let leaves = || {
            is_within(&old.outline().symbols, first) && !is_within(&new.outline().symbols, given)
        };
        let end = old.lines().content(&old.bytes, old.lines().line(first)).end;
        (is_slip && leaves())
            .then(|| ChangedStatement::Outdented(Span::new(first, end.max(first)), given))
    })
}

fn begins_line(span: Span, bytes: &[u8]) -> bool {
    span.start == 0 || bytes.get(span.start - 1) == Some(&b'\n')
}

/// Returns where the text of the first line begins that is neither blank nor a comment.
fn first_code(span: Span, bytes: &[u8]) -> Option<usize> {
    let mut start = span.start;
    for line in span.of(bytes).split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii_start();
        if !text.is_empty() && !text.starts_with(b"#") {
            return Some(start + line.len() - text.len());
        }
        start += line.len();
    }
    None
}

fn column(offset: usize, bytes: &[u8]) -> usize {
    offset - memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |at| at + 1)
}

/// Returns what a line begins with: its first word, of a definition with the name.
fn words(offset: usize, bytes: &[u8]) -> Vec<&[u8]> {
    let mut rest = bytes.get(offset..).unwrap_or_default();
    let mut found = Vec::new();
    loop {
        let is_word =
            |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
        let sign = usize::from(rest.first() == Some(&b'@'));
        let length = sign + rest[sign..].iter().take_while(is_word).count();
        let (word, behind) = rest.split_at(length);
        found.push(word);
        if !matches!(word, b"def" | b"class" | b"async") {
            return found;
        }
        rest = behind.trim_ascii_start();
    }
}

/// Says whether no line begins in the first column.
fn has_indentation_throughout(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n')
        .all(|line| line.trim_ascii().is_empty() || !leading_blank(line).is_empty())
}

/// Says whether both are the same lines, whatever their indentation.
fn is_only_moved(one: &[u8], other: &[u8]) -> bool {
    let lines = |text: &'_ [u8]| -> Vec<Vec<u8>> {
        text.split(|&byte| byte == b'\n')
            .map(|line| line.trim_ascii().to_vec())
            .filter(|line| !line.is_empty())
            .collect()
    };
    lines(one) == lines(other)
}

/// Says whether a function or class holds the statement that begins at `offset`.
fn is_within(symbols: &[Symbol], offset: usize) -> bool {
    symbols.iter().any(|symbol| {
        let is_around = is_code(symbol.kind)
            && symbol.kind != SegmentKind::Variable
            && symbol.definition.start < offset
            && offset < symbol.definition.end;
        // The decorators of a definition are none of its statements.
        is_around && symbol.signature.end <= offset
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_with_words() {
        assert_eq!(words(0, b"async def a(b):"), [&b"async"[..], b"def", b"a"]);
        assert_eq!(words(0, b"@app.get('/')"), [b"@app"]);
        assert_eq!(words(0, b"b(2)"), [b"b"]);
        assert_eq!(words(0, b"(a, b)"), [b""]);
    }

    #[test]
    fn the_first_line_that_is_code() {
        let text = b"a\n\n  # b\n  c\n";
        assert_eq!(first_code(Span::new(2, text.len()), text), Some(11));
        assert_eq!(first_code(Span::new(2, 9), text), None);
        assert_eq!(column(11, text), 2);
    }
}
