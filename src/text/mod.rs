//! Words about bytes: `Span`, `Lines`, line endings. Everything here is arithmetic on byte slices.
//!
//! Invariant: a `Span` is half-open (`start..end`) and `start <= end`. Lines are counted by LF alone, as git
//! counts them; a lone CR, U+2028 or a form feed is content.
//!
//! ```
//! use segedit::text::{Lines, Span};
//! let lines = Lines::of(b"one\ntwo\n");
//! assert_eq!(lines.count(), 2);
//! assert_eq!(lines.content(b"one\ntwo\n", 2), Span::new(4, 7));
//! ```

pub mod ascii;
pub mod carry;
pub mod diff;
pub mod digest;
pub mod encoding;
pub mod indent;
pub mod merge;
pub mod splice;

use std::borrow::Cow;

pub use digest::Digest;

/// A byte range of one file, half-open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the range `start..end`; a reversed one is our own bug.
    pub fn new(start: usize, end: usize) -> Span {
        assert!(
            start <= end,
            "a span never ends before it starts: {start}..{end}"
        );
        Span { start, end }
    }

    /// Returns the empty range at `offset`.
    pub fn at(offset: usize) -> Span {
        Span {
            start: offset,
            end: offset,
        }
    }

    /// Returns the length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Says whether no byte is covered.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Says whether `other` lies wholly inside.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Says whether the two share a byte, or one is an insertion strictly inside the other. Touching is not overlap.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns the bytes that the range covers.
    pub fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start..self.end]
    }

    /// Returns the range moved `offset` bytes towards the end.
    pub fn shifted(self, offset: usize) -> Span {
        Span {
            start: self.start + offset,
            end: self.end + offset,
        }
    }

    /// Returns the smallest range that covers both.
    pub fn cover(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Span {
        Span::new(range.start, range.end)
    }
}

/// Where the lines of one file begin: offset ↔ line and column.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
    len: usize,
}

impl Lines {
    /// Finds the lines of `bytes`. A final line without an ending counts; nothing after a final LF does.
    pub fn of(bytes: &[u8]) -> Lines {
        let mut starts = Vec::with_capacity(1 + bytes.len() / 32);
        starts.push(0);
        each_line_feed(bytes, |at| starts.push(at + 1));
        if starts.last() == Some(&bytes.len()) {
            starts.pop();
        }
        Lines {
            starts,
            len: bytes.len(),
        }
    }

    /// Returns the number of lines; 0 for an empty file.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the 1-based line that holds `offset`; an offset at the end of the file belongs to its last line.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).max(1)
    }

    /// Returns the 1-based numbers of the lines of which nothing but blanks is outside of `span`.
    pub fn filled_by(&self, span: Span, bytes: &[u8]) -> std::ops::Range<usize> {
        if span.is_empty() {
            return 0..0;
        }
        let (mut first, mut last) = (self.line(span.start), self.line(span.end - 1));
        if !is_blank(Span::new(self.start(first), span.start).of(bytes)) {
            first += 1;
        }
        let end = self.content(bytes, last).end.max(span.end);
        if !is_blank(Span::new(span.end, end).of(bytes)) {
            last -= 1;
        }
        first..last.max(first.saturating_sub(1)) + 1
    }

    /// Returns the 1-based column of `offset`, in bytes from the start of its line.
    pub fn column(&self, offset: usize) -> usize {
        offset - self.starts.get(self.line(offset) - 1).copied().unwrap_or(0) + 1
    }

    /// Returns the offset of the first byte of the 1-based `line`; the file's length past the last line.
    pub fn start(&self, line: usize) -> usize {
        self.starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(self.len)
    }

    /// Returns the 1-based `line` with its ending.
    pub fn whole(&self, line: usize) -> Span {
        Span::new(self.start(line), self.start(line + 1))
    }

    /// Returns the 1-based `line` without its LF or CRLF.
    pub fn content(&self, bytes: &[u8], line: usize) -> Span {
        let whole = self.whole(line);
        Span::new(
            whole.start,
            whole.start + trim_ending(whole.of(bytes)).len(),
        )
    }
}

/// Returns how many lines `bytes` have, as `Lines` counts them.
pub fn line_count(bytes: &[u8]) -> usize {
    let is_open = bytes.last().is_some_and(|&byte| byte != b'\n');
    memchr::memchr_iter(b'\n', bytes).count() + usize::from(is_open)
}

/// Calls `visit` with the offset of each LF: eight bytes at a time, which for lines as short as most are costs less than to
/// set out anew behind each.
fn each_line_feed(bytes: &[u8], mut visit: impl FnMut(usize)) {
    const LOW: u64 = u64::MAX / 255 * 0x7f;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let others = u64::from_le_bytes(*word) ^ (u64::MAX / 255 * u64::from(b'\n'));
        // The high bit of each byte that is no LF: of those whose own is set, and of those that the sum carries into.
        let mut found = !(((others & LOW) + LOW) | others | LOW);
        while found != 0 {
            visit(8 * at + found.trailing_zeros() as usize / 8);
            found &= found - 1;
        }
    }
    let behind = bytes.len() - rest.len();
    rest.iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .for_each(|(at, _)| visit(behind + at));
}

/// How lines end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// `\r` alone, in a file that has no `\n` at all
    Cr,
}

impl LineEnding {
    /// Returns the bytes of the ending.
    pub fn as_bytes(self) -> &'static [u8] {
        match self {
            LineEnding::Lf => b"\n",
            LineEnding::CrLf => b"\r\n",
            LineEnding::Cr => b"\r",
        }
    }

    /// Returns the ending of the line at `offset`, else of the nearest line before it, else the first of the
    /// file, else LF: in a file of mixed endings new lines take the ending of their neighbour.
    pub fn at(bytes: &[u8], offset: usize) -> LineEnding {
        let here = bytes[offset..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map(|at| offset + at);
        let before = || bytes[..offset].iter().rposition(|&byte| byte == b'\n');
        match here.or_else(before) {
            Some(at) if at > 0 && bytes[at - 1] == b'\r' => LineEnding::CrLf,
            Some(_) => LineEnding::Lf,
            None if bytes.contains(&b'\r') => LineEnding::Cr,
            None => LineEnding::Lf,
        }
    }

    /// Returns `content` with every LF or CRLF written as this ending.
    pub fn write(self, content: &[u8]) -> Cow<'_, [u8]> {
        if self == LineEnding::Lf && !content.contains(&b'\r') {
            return Cow::Borrowed(content);
        }
        let mut written = Vec::with_capacity(content.len() + content.len() / 16);
        for line in content.split_inclusive(|&byte| byte == b'\n') {
            written.extend_from_slice(trim_ending(line));
            if line.ends_with(b"\n") {
                written.extend_from_slice(self.as_bytes());
            }
        }
        Cow::Owned(written)
    }
}

/// Returns `line` without its final LF or CRLF.
pub fn trim_ending(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the spaces and tabs that `line` begins with.
pub fn leading_blank(line: &[u8]) -> &[u8] {
    let end = line
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t'))
        .unwrap_or(line.len());
    &line[..end]
}

/// Says whether what begins its line at `below` is in the column of what is on another line at `beside`, after something else, however
/// wide a tab is.
pub fn is_in_column(bytes: &[u8], below: usize, beside: usize) -> bool {
    let before = |at: usize| {
        let before = bytes.get(..at).unwrap_or_default();
        &before[memchr::memrchr(b'\n', before).map_or(0, |line| line + 1)..]
    };
    let line = before(beside);
    let indentation = leading_blank(line);
    let text = &line[indentation.len()..];
    let Some(blanks) = before(below).strip_prefix(indentation) else {
        return false;
    };
    // Of a letter of several bytes the first one counts.
    let letters = text.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    !text.is_empty()
        && !text.contains(&b'\t')
        && blanks.len() == letters
        && blanks.iter().all(|byte| *byte == b' ')
}

/// Returns where a comment ends that begins at `begin`, after something else on its line, with `mark`, and goes on, in the same column, on
/// the lines below: at the line feed of the last of them, or at `end`, where its own line ends, if there are none.
pub fn end_in_column(bytes: &[u8], begin: usize, end: usize, mark: &[u8]) -> usize {
    let mut last = end;
    while let Some(feed) = bytes
        .get(last..)
        .and_then(|rest| memchr::memchr(b'\n', rest))
    {
        let line = last + feed + 1;
        let rest = bytes.get(line..).unwrap_or_default();
        let first = line + leading_blank(rest).len();
        let is_one = bytes[first..].starts_with(mark) && is_in_column(bytes, first, begin);
        if !is_one {
            break;
        }
        last = memchr::memchr(b'\n', &bytes[first..]).map_or(bytes.len(), |feed| first + feed);
    }
    last
}

/// Says whether `line` holds nothing but spaces, tabs and its ending.
pub fn is_blank(line: &[u8]) -> bool {
    line.iter()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c))
}

/// The UTF-8 byte-order mark.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Says whether the file is binary to us: it holds a NUL byte.
pub fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_filled_when_only_blanks_are_outside() {
        let text = b"ab\n  cd  \nef\n";
        let lines = Lines::of(text);
        let check = |start, end, expected| {
            assert_eq!(lines.filled_by(Span::new(start, end), text), expected)
        };
        check(0, 3, 1..2);
        check(0, 2, 1..2);
        check(1, 13, 2..4);
        check(5, 7, 2..3);
        check(5, 6, 2..2);
        check(0, 11, 1..3);
        check(4, 4, 0..0);
    }

    #[test]
    fn lines_count_by_lf_alone() {
        let check = |bytes: &[u8], count: usize| {
            assert_eq!(
                (Lines::of(bytes).count(), line_count(bytes)),
                (count, count),
                "{bytes:?}"
            );
        };
        check(b"", 0);
        check(b"a", 1);
        check(b"a\n", 1);
        check(b"a\nb", 2);
        check(b"a\rb\n", 1);
        check(b"\n\n", 2);
    }

    #[test]
    fn every_line_feed_is_found_and_nothing_else() {
        for length in 0..40 {
            for other in [0, 1, 9, 11, 0x0a ^ 0x80, 0x7f, 0x80, 0x8b, 0xff] {
                for shift in 0..4 {
                    let bytes: Vec<u8> = (0..length)
                        .map(|at| if at % 4 == shift { b'\n' } else { other })
                        .collect();
                    let mut found = Vec::new();
                    each_line_feed(&bytes, |at| found.push(at));
                    assert_eq!(
                        found,
                        memchr::memchr_iter(b'\n', &bytes).collect::<Vec<_>>(),
                        "{bytes:?}"
                    );
                }
            }
            let all = vec![b'\n'; length];
            assert_eq!(Lines::of(&all).count(), length);
        }
    }

    #[test]
    fn offsets_become_lines_and_columns() {
        let bytes = b"one\r\ntwo\n";
        let lines = Lines::of(bytes);
        assert_eq!((lines.line(0), lines.column(0)), (1, 1));
        assert_eq!((lines.line(6), lines.column(6)), (2, 2));
        assert_eq!(lines.line(9), 2);
        assert_eq!(lines.content(bytes, 1), Span::new(0, 3));
        assert_eq!(lines.whole(2), Span::new(5, 9));
    }

    #[test]
    fn endings_follow_the_neighbour() {
        assert_eq!(LineEnding::at(b"a\r\nb\n", 0), LineEnding::CrLf);
        assert_eq!(LineEnding::at(b"a\r\nb\n", 3), LineEnding::Lf);
        assert_eq!(LineEnding::at(b"a\r\nb", 4), LineEnding::CrLf);
        assert_eq!(LineEnding::at(b"a", 1), LineEnding::Lf);
        assert_eq!(LineEnding::at(b"a\rb", 1), LineEnding::Cr);
        assert_eq!(&*LineEnding::CrLf.write(b"x\ny\r\nz"), b"x\r\ny\r\nz");
    }
}
