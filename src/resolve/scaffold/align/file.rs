//! The lines of a scaffolded file.

use crate::text::{BOM, Lines, Span, is_blank, leading_blank};

/// The lines of a file that are not blank.
pub(super) struct FilledLines<'b> {
    /// Without the white space at their ends.
    pub texts: Vec<&'b [u8]>,
    /// The 1-based number of each.
    numbers: Vec<usize>,
    /// How many blanks each begins with.
    pub depths: Vec<usize>,
}

impl<'b> FilledLines<'b> {
    /// Returns the lines of `bytes`.
    pub(super) fn of(bytes: &'b [u8], lines: &Lines) -> FilledLines<'b> {
        let mut file = FilledLines {
            texts: Vec::new(),
            numbers: Vec::new(),
            depths: Vec::new(),
        };
        for number in 1..=lines.count() {
            let text = lines.content(bytes, number).of(bytes);
            let text = if number == 1 {
                text.strip_prefix(BOM).unwrap_or(text)
            } else {
                text
            };
            if !is_blank(text) {
                file.texts.push(text.trim_ascii());
                file.numbers.push(number);
                file.depths.push(leading_blank(text).len());
            }
        }
        file
    }

    /// Returns the bytes of the lines from `start` up to, not including, `end`.
    pub(super) fn extent(&self, start: usize, end: usize, lines: &Lines, bytes: &[u8]) -> Span {
        let number = |at: usize| self.numbers.get(at).copied();
        match (number(start), end.checked_sub(1).and_then(number)) {
            (Some(first), Some(last)) if start < end => {
                Span::new(lines.start(first), lines.content(bytes, last).end)
            }
            _ => Span::at(
                start
                    .checked_sub(1)
                    .and_then(number)
                    .map_or(0, |ahead| lines.whole(ahead).end),
            ),
        }
    }
}
