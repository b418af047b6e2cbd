//! The levels between `exact` and `similar`: blanks at line ends, typography and white space are overlooked.

use super::exact::{self, Which};
use super::folded::{Folded, trailing, unicode, white_space};
use super::layout::{depth_agrees, least_indentation};
use super::{FoldedFile, Question};
use crate::text::diff::words;
use crate::text::{Span, leading_blank};

/// Finds the places where blanks at line ends and line endings do not count.
pub(super) fn without_trailing_blanks(page: &FoldedFile<'_>, question: &Question<'_>) -> Vec<Span> {
    let needle = needle(trailing(question.text), question);
    let (folded, bytes) = (page.trailing(), page.bytes());
    // Where nothing was folded away, nothing new is to be found.
    let added = usize::from(!bytes.ends_with(b"\n") && !needle.ends_with(b"\n"));
    if needle == question.text && folded.bytes.len() == bytes.len() + added {
        return Vec::new();
    }
    hits(folded, bytes, question, &needle)
}

/// Finds the places where typography does not count, either.
pub(super) fn without_typography(page: &FoldedFile<'_>, question: &Question<'_>) -> Vec<Span> {
    if question.text.is_ascii() && page.is_ascii() {
        return Vec::new();
    }
    hits(
        page.unicode(),
        page.bytes(),
        question,
        &needle(unicode(question.text), question),
    )
}

/// Returns what is looked for: a text that does not end its line is not given an ending.
fn needle(folded: Folded, question: &Question<'_>) -> Vec<u8> {
    let mut needle = folded.bytes;
    if !question.text.ends_with(b"\n") {
        needle.pop();
    }
    needle
}

fn hits(folded: &Folded, bytes: &[u8], question: &Question<'_>, needle: &[u8]) -> Vec<Span> {
    let range = question.range;
    let hits = exact::places(
        &folded.bytes,
        folded.around(range),
        needle,
        Which::Overlapping,
    );
    let original = hits
        .into_iter()
        .filter_map(|hit| folded.original(hit))
        .map(|place| with_whole_break(bytes, place));
    let inside = original.filter(|place| range.contains(*place));
    inside
        .filter(|place| !question.words.are_cut(bytes, *place))
        .collect()
}

/// Returns the place with all of the line break that it begins with.
fn with_whole_break(bytes: &[u8], place: Span) -> Span {
    let is_half = place.start > 0 && bytes.get(place.start - 1..=place.start) == Some(b"\r\n");
    if is_half {
        Span::new(place.start - 1, place.end)
    } else {
        place
    }
}

/// Finds the places of the question's text where any white space is like any other. A text that begins with an
/// indentation has to begin a line, one that ends its line has to end one; both belong to the place then.
pub(super) fn without_white_space(page: &FoldedFile<'_>, question: &Question<'_>) -> Vec<Span> {
    let (bytes, text) = (page.bytes(), question.text);
    let needle = white_space(text).bytes;
    let needle = needle.trim_ascii();
    let first = text
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(0);
    let quoted = text[..first]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let quoted = &text[quoted..first];
    let last = text
        .iter()
        .rposition(|byte| !byte.is_ascii_whitespace())
        .map_or(0, |last| last + 1);
    let ends_line = text[last..].contains(&b'\n');
    let least = least_indentation(text.split(|&byte| byte == b'\n'));
    let takes_line = !quoted.is_empty() || text[first..].contains(&b'\n');
    // One blank ahead may stand between two words of a line; anything more is where a line begins.
    let begins_line =
        first > 1 || !quoted.is_empty() && (quoted != b" " || text[first..].contains(&b'\n'));
    let apart = first > 0;
    let widened = |place: Span| {
        let line = page.line_start(place.start);
        let before = &bytes[line..place.start];
        let opens = leading_blank(before).len() == before.len();
        let written = &bytes[line.max(question.range.start)..place.end];
        let stands = least_indentation(written.split(|&byte| byte == b'\n'));
        if opens && !depth_agrees(question, least, stands) {
            return None;
        }
        let after_blank = before.last().is_none_or(u8::is_ascii_whitespace);
        if begins_line && !opens || apart && !after_blank {
            return None;
        }
        let start = if opens && takes_line && line >= question.range.start {
            line
        } else {
            place.start
        };
        if !ends_line {
            return Some(Span::new(start, place.end));
        }
        let rest = &bytes[place.end..question.range.end];
        let blanks = rest
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
            .count();
        match rest.get(blanks) {
            Some(b'\n') => Some(Span::new(start, place.end + blanks + 1)),
            None => Some(Span::new(start, place.end + blanks)),
            Some(_) => None,
        }
    };
    hits(page.white_space(), bytes, question, needle)
        .into_iter()
        .filter_map(widened)
        .collect()
}

/// Says whether the longest words of a text all stand in the file: no level that overlooks what stands between words
/// finds a text of which one does not.
pub(super) fn may_stand(page: &FoldedFile<'_>, text: &[u8]) -> bool {
    const MOST: usize = 8;
    const LEAST: usize = 4;
    let word = |word: &&[u8]| {
        word.len() >= LEAST
            && word
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let mut words: Vec<&[u8]> = words(text).into_iter().filter(word).collect();
    words.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
    words.dedup();
    // An accent may join the last letter, and make another one of it.
    let joined = |word: &[u8]| word[..word.len() - 1].to_vec();
    words
        .into_iter()
        .take(MOST)
        .all(|word| memchr::memmem::find(page.bytes(), &joined(word)).is_some())
}
