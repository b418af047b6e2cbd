//! `Folded`: a file with what a level overlooks taken out, and the way back to the bytes that really stand there.
//!
//! Levels that overlook something inside lines are a search for the folded text in the folded file. Invariant: pieces
//! are in order, and each either has as many bytes as it stands for, or is taken as a whole: no match begins or ends
//! inside of one that is not.

use std::borrow::Cow;

use super::typography::{Plain, composed, first_character, joins, plain};
use crate::text::Span;

/// Folded bytes and where they come from.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) bytes: Vec<u8>,
    pieces: Vec<FoldedRun>,
}

/// A run of folded bytes, up to the next piece, and the bytes that it stands for.
#[derive(Clone, Copy, Debug)]
struct FoldedRun {
    folded: usize,
    original: Span,
}

impl Folded {
    /// Returns the folded bytes.
    pub(super) fn plain(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds bytes as they are.
    fn copy(&mut self, bytes: &[u8], original: usize) {
        if bytes.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(last)
                if last.original.end == original
                    && last.original.len() == self.bytes.len() - last.folded =>
            {
                last.original.end = original + bytes.len();
            }
            _ => self.pieces.push(FoldedRun {
                folded: self.bytes.len(),
                original: Span::new(original, original + bytes.len()),
            }),
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds bytes that stand for others, as a whole.
    fn lump(&mut self, bytes: &[u8], original: Span) {
        if bytes.len() == original.len() {
            return self.copy(bytes, original.start);
        }
        if !bytes.is_empty() {
            self.pieces.push(FoldedRun {
                folded: self.bytes.len(),
                original,
            });
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// Takes the blanks at the end off again.
    fn trim_blanks(&mut self) {
        while matches!(self.bytes.last(), Some(b' ' | b'\t' | b'\r')) {
            self.bytes.pop();
            let end = self.bytes.len();
            match self.pieces.last_mut() {
                Some(last) if last.folded == end => drop(self.pieces.pop()),
                Some(last) if last.original.len() == end + 1 - last.folded => {
                    last.original.end -= 1
                }
                _ => {}
            }
        }
    }

    fn piece(&self, at: usize) -> Option<(FoldedRun, usize)> {
        let number = self
            .pieces
            .partition_point(|piece| piece.folded <= at)
            .checked_sub(1)?;
        let end = self
            .pieces
            .get(number + 1)
            .map_or(self.bytes.len(), |next| next.folded);
        Some((self.pieces[number], end))
    }

    /// Returns the bytes that the folded `span`, not empty, stands for; `None` if it begins or ends inside of a piece
    /// that is taken as a whole.
    pub(super) fn original(&self, span: Span) -> Option<Span> {
        let (first, first_end) = self.piece(span.start)?;
        let (last, last_end) = self.piece(span.end - 1)?;
        let copied = |piece: FoldedRun, end: usize| end - piece.folded == piece.original.len();
        let start = if copied(first, first_end) {
            first.original.start + span.start - first.folded
        } else {
            (span.start == first.folded).then_some(first.original.start)?
        };
        let end = if copied(last, last_end) {
            last.original.start + span.end - last.folded
        } else {
            (span.end == last_end).then_some(last.original.end)?
        };
        Some(Span::new(start, end.max(start)))
    }

    /// Returns the folded range that stands for `range`, or a little more.
    pub(super) fn around(&self, range: Span) -> Span {
        let first = self
            .pieces
            .partition_point(|piece| piece.original.end < range.start);
        let next = self
            .pieces
            .partition_point(|piece| piece.original.start <= range.end);
        let start_of = |number: usize| {
            self.pieces
                .get(number)
                .map_or(self.bytes.len(), |piece| piece.folded)
        };
        Span::new(start_of(first), start_of(next).max(start_of(first)))
    }
}

/// Folds away blanks at line ends and how lines end. A last line without an ending gets one that stands for nothing.
pub(super) fn trailing(bytes: &[u8]) -> Folded {
    let mut folded = Folded::default();
    let mut at = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let ended = line.ends_with(b"\n");
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let end = content
            .iter()
            .rposition(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))
            .map_or(0, |last| last + 1);
        folded.copy(&content[..end], at);
        at += line.len();
        if ended {
            folded.copy(b"\n", at - 1);
        } else {
            folded.lump(b"\n", Span::at(at));
        }
    }
    folded
}

/// Folds away what `trailing` does, and typography.
pub(super) fn unicode(bytes: &[u8]) -> Folded {
    if bytes.is_ascii() {
        return trailing(bytes);
    }
    let mut folded = Folded::default();
    each_plain(bytes, |text, original| {
        if text == b"\n" {
            folded.trim_blanks();
        }
        folded.lump(text, original);
    });
    folded.trim_blanks();
    if !bytes.ends_with(b"\n") {
        folded.lump(b"\n", Span::at(bytes.len()));
    }
    folded
}

/// Folds every run of white space, line breaks too, into one space; and typography.
pub(super) fn white_space(bytes: &[u8]) -> Folded {
    let mut folded = Folded::default();
    let mut blank: Option<Span> = None;
    let mut add = |text: &[u8], original: Span| {
        let is_white = text
            .iter()
            .all(|byte| byte.is_ascii_whitespace() || *byte == 0x0b);
        if is_white {
            blank = Some(blank.map_or(original, |blank| blank.cover(original)));
            return;
        }
        if let Some(blank) = blank.take() {
            folded.lump(b" ", blank);
        }
        folded.lump(text, original);
    };
    each_plain(bytes, &mut add);
    folded
}

/// Calls `add` with runs of plain text in order: stretches of ASCII, white space apart, and single characters in their
/// plain form. Bytes that are not UTF-8 are what they are.
fn each_plain(bytes: &[u8], mut add: impl FnMut(&[u8], Span)) {
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let white = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
        let run = match rest[0] {
            b'\n' => 1,
            byte if white(&byte) => rest
                .iter()
                .take_while(|byte| white(byte) && **byte != b'\n')
                .count(),
            byte if byte.is_ascii() => rest
                .iter()
                .take_while(|byte| byte.is_ascii() && !white(byte))
                .count(),
            _ => 0,
        };
        // What joins the last character of a run belongs to that.
        let next = rest
            .get(run..)
            .filter(|after| run > 0 && !after.is_empty() && !after[0].is_ascii());
        let joined = next.and_then(first_character).is_some_and(joins);
        let plain_run = if joined { run - 1 } else { run };
        if plain_run > 0 {
            add(&rest[..plain_run], Span::new(at, at + plain_run));
            at += plain_run;
            continue;
        }
        let cluster = cluster(rest);
        let span = Span::new(at, at + cluster.len());
        match std::str::from_utf8(cluster) {
            Ok(text) => match text.chars().next().map(plain) {
                Some(Plain::As(instead)) if text.chars().count() == 1 => {
                    add(instead.as_bytes(), span);
                }
                _ => add(composed(text).as_bytes(), span),
            },
            Err(_) => add(cluster, span),
        }
        at = span.end;
    }
}

/// Returns the first character of `bytes` with all that joins it; a single byte where they are not UTF-8.
fn cluster(bytes: &[u8]) -> &[u8] {
    const LONGEST: usize = 32;
    let Some(first) = first_character(bytes) else {
        return &bytes[..bytes.len().min(1)];
    };
    let mut end = first.len_utf8();
    while let Some(next) = bytes
        .get(end..)
        .filter(|_| end < LONGEST)
        .and_then(first_character)
        .filter(|&next| joins(next))
    {
        end += next.len_utf8();
    }
    &bytes[..end]
}

/// Returns what is compared of a line when white space and typography are overlooked.
pub fn line_key(line: &[u8]) -> Cow<'_, [u8]> {
    let line = line.trim_ascii();
    let runs = || {
        line.windows(2).any(|pair| {
            pair[1].is_ascii_whitespace() && (pair[0].is_ascii_whitespace() || pair[1] != b' ')
        })
    };
    if line.is_ascii() && !line.contains(&0x0b) && !runs() {
        return Cow::Borrowed(line);
    }
    let folded = white_space(line).bytes;
    Cow::Owned(folded.trim_ascii().to_vec())
}

/// Returns what is compared of a word when white space and typography are overlooked.
pub fn word_key(word: &[u8]) -> Cow<'_, [u8]> {
    if word.iter().all(u8::is_ascii_whitespace) {
        Cow::Borrowed(b" ")
    } else if word.is_ascii() {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(white_space(word).bytes)
    }
}
