//! A list in code: what adds an item to it, and takes one out, in lines and commas as the list has them.

use crate::text::splice::Splice;
use crate::text::{Lines, Span, leading_blank};

/// Items that commas part.
pub(super) struct Listing<'a> {
    /// All of the file.
    pub(super) bytes: &'a [u8],
    /// Its lines.
    pub(super) lines: &'a Lines,
    /// Each item, in file order, without its comma.
    pub(super) items: Vec<Span>,
    /// Whether brackets are around them, so that lines may break anywhere.
    pub(super) in_brackets: bool,
    /// Where the list ends, its closing bracket included.
    pub(super) end: usize,
}

impl Listing<'_> {
    /// Says whether each item begins a line.
    pub(super) fn has_a_line_each(&self) -> bool {
        self.items
            .iter()
            .all(|item| self.ahead_of(*item).iter().all(u8::is_ascii_whitespace))
    }

    /// Returns the indentation of the line that an item begins on.
    pub(super) fn indentation(&self, item: Span) -> &[u8] {
        let line = self.lines.line(item.start);
        leading_blank(self.lines.content(self.bytes, line).of(self.bytes))
    }

    /// Returns what puts `words` before the item at `at`, on its line; after the last where there is none.
    pub(super) fn add_inline(&self, at: usize, words: &str) -> Splice {
        match (self.items.get(at), self.items.last()) {
            (Some(next), _) => Splice::new(Span::at(next.start), format!("{words}, ")),
            (None, last) => Splice::new(
                Span::at(last.map_or(self.end, |last| last.end)),
                format!(", {words}"),
            ),
        }
    }

    /// Returns what puts `words` before the item at `at`, on a line of its own; after the last where there is none.
    pub(super) fn add_line(&self, at: usize, words: &str, line_break: &str) -> Splice {
        let (Some(&first), Some(&last)) = (self.items.first(), self.items.last()) else {
            return self.add_inline(at, words);
        };
        let indentation = |item: Span| String::from_utf8_lossy(self.indentation(item)).into_owned();
        if at == 0 {
            let start = self.lines.start(self.lines.line(first.start));
            let indent = indentation(first);
            return Splice::new(Span::at(start), format!("{indent}{words},{line_break}"));
        }
        let before = self.items.get(at - 1).copied().unwrap_or(last);
        let indent = indentation(before);
        let line = self.lines.line(before.end - 1);
        let line_end = self.lines.content(self.bytes, line).end;
        let rest = Span::new(before.end, line_end).of(self.bytes);
        let has_comma = leading_comma(rest);
        let is_last = at == self.items.len();
        match (has_comma, is_last) {
            // The bracket closes on the line of the last item.
            (comma, true) if self.end <= line_end => {
                let (at, comma) = match comma {
                    Some(comma) => (before.end + comma, ""),
                    None => (before.end, ","),
                };
                let end = if comma.is_empty() { "," } else { "" };
                Splice::new(
                    Span::at(at),
                    format!("{comma}{line_break}{indent}{words}{end}"),
                )
            }
            (Some(_), _) => {
                Splice::new(Span::at(line_end), format!("{line_break}{indent}{words},"))
            }
            // The last item has no comma: it gets one, and what comes after it has none.
            (None, _) => Splice::new(
                Span::new(before.end, line_end),
                [
                    b",",
                    rest,
                    format!("{line_break}{indent}{words}").as_bytes(),
                ]
                .concat(),
            ),
        }
    }

    /// Returns what takes the item at `at` out of a list that has others; `None` where a comment is in the way.
    pub(super) fn taken_out(&self, at: usize) -> Option<Vec<Splice>> {
        let item = *self.items.get(at)?;
        let line = self.lines.line(item.start);
        let start = self.lines.start(line);
        let end = self
            .lines
            .content(self.bytes, self.lines.line(item.end - 1))
            .end;
        let ahead = self.ahead_of(item);
        let rest = Span::new(item.end, end).of(self.bytes);
        let after = leading_comma(rest).map_or(rest, |comma| &rest[comma..]);
        let after = after.trim_ascii();
        let is_alone = self.in_brackets
            && ahead.iter().all(u8::is_ascii_whitespace)
            && (after.is_empty() || after.starts_with(b"#") || after.starts_with(b"//"));
        let next = self.items.get(at + 1).copied();
        let previous = at.checked_sub(1).and_then(|at| self.items.get(at)).copied();
        if is_alone {
            let whole = Span::new(start, self.lines.whole(self.lines.line(item.end - 1)).end);
            let mut splices = vec![Splice::new(whole, "")];
            let has_comma = leading_comma(rest).is_some();
            if let (None, false, Some(previous)) = (next, has_comma, previous) {
                // The list ended without a comma, and goes on doing so.
                let until = Span::new(previous.end, start);
                if let Some(comma) = leading_comma(until.of(self.bytes)) {
                    let end = previous.end + comma;
                    splices.insert(0, Splice::new(Span::new(previous.end, end), ""));
                }
            }
            return Some(splices);
        }
        let span = match (next, previous) {
            (Some(next), _) => self.up_to_the_next(item, previous, next)?,
            (None, Some(previous)) => {
                let between = Span::new(previous.end, item.start);
                if self.has_comment(between) {
                    return None;
                }
                Span::new(previous.end, item.end)
            }
            (None, None) => return None,
        };
        Some(vec![Splice::new(span, "")])
    }

    /// Returns what goes with an item that shares its line, so that what begins a line goes on doing so.
    fn up_to_the_next(&self, item: Span, previous: Option<Span>, next: Span) -> Option<Span> {
        let between = Span::new(item.end, next.start);
        // A comment between them stays.
        if self.has_comment(between) {
            let comma = leading_comma(between.of(self.bytes))?;
            return Some(Span::new(item.start, item.end + comma));
        }
        let ends_its_line = between.of(self.bytes).contains(&b'\n')
            && !self.ahead_of(item).iter().all(u8::is_ascii_whitespace);
        match previous {
            // The last of its line: what is before it keeps its comma.
            Some(previous)
                if ends_its_line
                    && self.lines.line(previous.end - 1) == self.lines.line(item.start) =>
            {
                let before = Span::new(previous.end, item.start).of(self.bytes);
                let kept = leading_comma(before)?;
                let gone = leading_comma(between.of(self.bytes))?;
                Some(Span::new(previous.end + kept, item.end + gone))
            }
            _ => Some(Span::new(item.start, next.start)),
        }
    }

    /// Returns what is ahead of an item on its line.
    fn ahead_of(&self, item: Span) -> &[u8] {
        let start = self.lines.start(self.lines.line(item.start));
        Span::new(start, item.start).of(self.bytes)
    }

    /// Says whether a comment may begin in what is between two items.
    fn has_comment(&self, between: Span) -> bool {
        let text = between.of(self.bytes);
        text.iter().any(|byte| matches!(byte, b'#' | b'/'))
    }
}

/// Returns how many bytes of `rest` there are up to its first comma and with it, if nothing else comes before it.
pub(super) fn leading_comma(rest: &[u8]) -> Option<usize> {
    let at = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    (rest[at] == b',').then_some(at + 1)
}
