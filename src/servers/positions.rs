//! Lines and columns of the protocol: both from 0, columns in UTF-16 units; a line ends with LF, CR LF or CR.

use serde_json::{Value, json};

use crate::text::Span;

/// A text whose places are known by line and column.
#[derive(Clone, Debug)]
pub(super) struct ShownText {
    text: String,
    /// Where each line begins.
    starts: Vec<usize>,
}

impl ShownText {
    /// Returns that of a file; `None` where it is no UTF-8, which cannot be shown.
    pub(super) fn of(bytes: &[u8]) -> Option<ShownText> {
        let text = String::from_utf8(bytes.to_vec()).ok()?;
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if ends {
                starts.push(at + 1);
            }
        }
        Some(ShownText { text, starts })
    }

    /// Returns all of it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the position of an offset that is no part of a character.
    pub(super) fn position(&self, offset: usize) -> Value {
        let line = self.starts.partition_point(|start| *start <= offset);
        let line = line.saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = self.text.get(start..offset).unwrap_or_default();
        json!({"line": line, "character": before.encode_utf16().count()})
    }

    /// Returns the offset of a position; `None` where there is no such place.
    pub(super) fn offset(&self, position: &Value) -> Option<usize> {
        let number = |field: &str| usize::try_from(position.get(field)?.as_u64()?).ok();
        let (line, column) = (number("line")?, number("character")?);
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied();
        let line = self.text.get(start..end.unwrap_or(self.text.len()))?;
        let line = line.trim_end_matches(['\n', '\r']);
        let (mut at, mut units) = (0, 0);
        for character in line.chars() {
            if units == column {
                break;
            }
            at += character.len_utf8();
            units += character.len_utf16();
        }
        (units == column).then_some(start + at)
    }

    /// Returns the bytes of a range; `None` where there is no such.
    pub(super) fn span(&self, range: &Value) -> Option<Span> {
        let (start, end) = (
            self.offset(range.get("start")?)?,
            self.offset(range.get("end")?)?,
        );
        (start <= end).then(|| Span::new(start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: (usize, usize), end: (usize, usize)) -> Value {
        let position = |(line, character)| json!({"line": line, "character": character});
        json!({"start": position(start), "end": position(end)})
    }

    #[test]
    fn columns_are_counted_in_utf_16() {
        let shown = ShownText::of("a😀b\r\nßc\rd\n".as_bytes()).unwrap();
        let check = |start, end, expected: Option<&str>| {
            let span = shown.span(&range(start, end));
            let found = span.map(|span| &shown.text()[span.start..span.end]);
            assert_eq!(found, expected, "{start:?} {end:?}");
            if let Some(span) = span {
                assert_eq!(shown.position(span.start), range(start, end)["start"]);
            }
        };
        check((0, 0), (0, 1), Some("a"));
        check((0, 3), (0, 4), Some("b"));
        check((0, 1), (0, 3), Some("😀"));
        check((1, 1), (1, 2), Some("c"));
        check((2, 0), (2, 1), Some("d"));
        check((0, 0), (1, 0), Some("a😀b\r\n"));
        check((3, 0), (3, 0), Some(""));
        // In the middle of a character, behind the end of a line, on no line, backwards.
        check((0, 2), (0, 3), None);
        check((0, 0), (0, 5), None);
        check((4, 0), (4, 0), None);
        check((1, 1), (1, 0), None);
        assert!(ShownText::of(b"\xff").is_none());
        assert!(shown.span(&json!({"start": 1, "end": null})).is_none());
    }
}
