//! `Page`: a file made ready to be searched loosely. Each form is made on first use and kept: thousands of operations
//! on one file fold it once.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;

use super::folded::{self, Folded, line_key};
use crate::text::{Span, is_blank, trim_ending};

/// A file and its folded forms.
pub struct FoldedFile<'b> {
    bytes: &'b [u8],
    trailing: OnceCell<Folded>,
    unicode: OnceCell<Folded>,
    white_space: OnceCell<Folded>,
    rows: OnceCell<Vec<FoldedLine>>,
    ascii: OnceCell<bool>,
    keys: OnceCell<HashSet<u64>>,
}

/// A line: its bytes without the ending, and what tells it from others when white space and typography do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldedLine {
    /// The line without its LF or CRLF.
    pub span: Span,
    /// 0 for a blank line.
    pub key: u64,
}

impl<'b> FoldedFile<'b> {
    /// Returns the page of `bytes`.
    pub fn of(bytes: &'b [u8]) -> FoldedFile<'b> {
        FoldedFile {
            bytes,
            trailing: OnceCell::new(),
            unicode: OnceCell::new(),
            white_space: OnceCell::new(),
            rows: OnceCell::new(),
            ascii: OnceCell::new(),
            keys: OnceCell::new(),
        }
    }

    /// Returns the file's bytes.
    pub fn bytes(&self) -> &'b [u8] {
        self.bytes
    }

    /// Says whether typography cannot matter.
    pub(super) fn is_ascii(&self) -> bool {
        *self.ascii.get_or_init(|| self.bytes.is_ascii())
    }

    /// Says whether some line has this key.
    pub(super) fn has(&self, key: u64) -> bool {
        self.keys
            .get_or_init(|| self.rows().iter().map(|row| row.key).collect())
            .contains(&key)
    }

    pub(super) fn trailing(&self) -> &Folded {
        self.trailing.get_or_init(|| folded::trailing(self.bytes))
    }

    pub(super) fn unicode(&self) -> &Folded {
        self.unicode.get_or_init(|| folded::unicode(self.bytes))
    }

    pub(super) fn white_space(&self) -> &Folded {
        self.white_space
            .get_or_init(|| folded::white_space(self.bytes))
    }

    /// Returns the lines.
    pub fn rows(&self) -> &[FoldedLine] {
        self.rows.get_or_init(|| rows(self.bytes))
    }

    /// Returns the lines that lie wholly inside `range`, and the number of the first, from 0.
    pub fn rows_within(&self, range: Span) -> (usize, &[FoldedLine]) {
        let rows = self.rows();
        let first = rows.partition_point(|row| row.span.start < range.start);
        let end = rows.partition_point(|row| row.span.end <= range.end);
        (first, rows.get(first..end).unwrap_or_default())
    }

    /// Returns where the line that holds `offset` begins.
    pub fn line_start(&self, offset: usize) -> usize {
        self.bytes[..offset]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1)
    }

    /// Returns the bytes from the first to the last of these lines, the last one's ending with them when `ended`.
    pub fn span_of(&self, first: FoldedLine, last: FoldedLine, ended: bool) -> Span {
        let rest = &self.bytes[last.span.end..];
        let ending = rest.len()
            - [&b"\r\n"[..], b"\n"]
                .iter()
                .find_map(|end| rest.strip_prefix(*end))
                .unwrap_or(rest)
                .len();
        Span::new(
            first.span.start,
            last.span.end + if ended { ending } else { 0 },
        )
    }
}

/// Returns the lines of `bytes`.
pub fn rows(bytes: &[u8]) -> Vec<FoldedLine> {
    let mut at = if bytes.starts_with(crate::text::BOM) {
        crate::text::BOM.len()
    } else {
        0
    };
    let mut rows = Vec::new();
    for line in bytes[at..].split_inclusive(|&byte| byte == b'\n') {
        let span = Span::new(at, at + trim_ending(line).len());
        rows.push(FoldedLine {
            span,
            key: key_of(span.of(bytes)),
        });
        at += line.len();
    }
    rows
}

fn key_of(line: &[u8]) -> u64 {
    if is_blank(line) {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    hasher.write(&line_key(line));
    hasher.finish().max(1)
}
