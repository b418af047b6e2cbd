//! `SourceText`: a file's bytes as the text that the parsers read, with every offset true.
//!
//! Invariant: the text is as long as the bytes, and differs from them only where they are not UTF-8: there each
//! byte is an underscore, which fits a string, a comment and an identifier alike. So a Latin-1 file keeps its
//! segments where they are. Names are read from the bytes again.

use std::borrow::Cow;
use std::ops::Range;

use ruff_text_size::{Ranged, TextRange, TextSize};

use crate::text::{BOM, Span};

/// A file as text, offset for offset.
pub(super) struct SourceText<'a> {
    bytes: &'a [u8],
    text: Cow<'a, str>,
}

impl<'a> SourceText<'a> {
    /// Returns the text of `bytes`.
    pub(super) fn of(bytes: &'a [u8]) -> SourceText<'a> {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(underscored(bytes)),
        };
        SourceText { bytes, text }
    }

    /// Returns the text.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the bytes it was made of.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns a part of it; `None` of a file that is not UTF-8, whose names have to be read from all its bytes.
    pub(super) fn part(&self, part: Range<usize>) -> Option<SourceText<'_>> {
        let Cow::Borrowed(text) = self.text else {
            return None;
        };
        Some(SourceText {
            bytes: self.bytes.get(part.clone())?,
            text: Cow::Borrowed(text.get(part)?),
        })
    }

    /// Returns `name`, or, where the file is not UTF-8, what is at `span` instead.
    pub(super) fn name(&self, name: &str, span: Span) -> String {
        match self.text {
            Cow::Borrowed(_) => name.to_owned(),
            Cow::Owned(_) => {
                String::from_utf8_lossy(self.bytes.get(span.start..span.end).unwrap_or_default())
                    .into_owned()
            }
        }
    }
}

fn underscored(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('_', chunk.invalid().len()));
    }
    text
}

/// Returns the parser's range as ours.
pub(super) fn span(ranged: &impl Ranged) -> Span {
    Span {
        start: offset(ranged.start()),
        end: offset(ranged.end()),
    }
}

/// Returns `start..end`; nothing at `start` where a broken tree has its ends the wrong way round.
pub(super) fn between(start: usize, end: usize) -> Span {
    Span {
        start,
        end: end.max(start),
    }
}

/// Returns the parser's offset as ours.
pub(super) fn offset(size: TextSize) -> usize {
    size.to_usize()
}

/// Returns our range as the parser's, which counts in 32 bits; longer texts were refused before they were parsed.
pub(super) fn range(span: Span) -> TextRange {
    let size = |offset| TextSize::try_from(offset).unwrap_or(TextSize::new(u32::MAX));
    TextRange::new(size(span.start), size(span.end))
}

/// Returns the offset of the first byte of the line that holds `at`, where LF, CRLF and a lone CR end lines, as for Python.
pub(super) fn line_start(bytes: &[u8], at: usize) -> usize {
    let before = bytes.get(..at).unwrap_or(bytes);
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
    // A byte-order mark is no part of the first line.
    if start == 0 && bytes.starts_with(BOM) {
        BOM.len()
    } else {
        start
    }
}

/// Returns the offset after the last byte of the line that holds `at`, its ending excluded.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    let after = bytes.get(at..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', after).map_or(bytes.len(), |length| at + length)
}

/// Returns the offset of the line after the one that ends at `end`, or `None` at the end of the file.
pub(super) fn next_line(bytes: &[u8], end: usize) -> Option<usize> {
    match bytes.get(end..)? {
        [] => None,
        [b'\r', b'\n', ..] => Some(end + 2),
        _ => Some(end + 1),
    }
}

/// Returns the column at which the line that begins at `start` has its first other byte than white space, as Python
/// counts it (a tab goes to the next multiple of 8, a form feed starts over), and that byte's offset.
pub(super) fn indentation(bytes: &[u8], start: usize) -> (usize, usize) {
    let mut column = 0;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' => column += 1,
            b'\t' => column = (column / 8 + 1) * 8,
            0x0c => column = 0,
            _ => break,
        }
        at += 1;
    }
    (column, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_as_long_as_the_bytes() {
        let check = |bytes: &[u8], text: &str| assert_eq!(SourceText::of(bytes).as_str(), text);
        check(b"x = 'caf\xe9'\n", "x = 'caf_'\n");
        check(b"\xff\xfe", "__");
        check(b"\xe2\x82", "__");
        check("é\u{feff}".as_bytes(), "é\u{feff}");
    }

    #[test]
    fn lines_end_as_for_python() {
        let bytes = b"a\rbc\r\n\x0c  d\n";
        assert_eq!((line_start(bytes, 3), line_end(bytes, 2)), (2, 4));
        assert_eq!(next_line(bytes, 1), Some(2));
        assert_eq!(next_line(bytes, 4), Some(6));
        assert_eq!(next_line(b"a", 1), None);
        assert_eq!(indentation(bytes, 6), (2, 9));
        assert_eq!(indentation(b"  \tx", 0), (8, 3));
        assert_eq!(line_start(b"\xef\xbb\xbfab", 4), 3);
    }
}
