//! `indentation`: the same lines, all moved alike, or with one unit of indentation written for another.

use memchr::memmem;

use super::exact::MOST_PLACES;
use super::folded::unicode;
use super::layout::depth_agrees;
use super::page::{FoldedLine, rows};
use super::shift::IndentShift;
use super::{FoldedFile, Question};
use crate::text::{Span, leading_blank};

/// Finds the places of whole lines.
pub(super) fn places(page: &FoldedFile<'_>, question: &Question<'_>) -> Vec<Span> {
    let quoted = rows(question.text);
    if quoted.is_empty() || !quoted.iter().all(|row| page.has(row.key)) {
        return Vec::new();
    }
    let (_, stands) = page.rows_within(question.range);
    let ended = question.text.ends_with(b"\n");
    let runs = runs(stands, &quoted);
    let fits = runs.into_iter().filter_map(|at| {
        let run = &stands[at..at + quoted.len()];
        shifted(question, &quoted, page.bytes(), run)
            .then(|| page.span_of(run[0], run[run.len() - 1], ended))
    });
    fits.collect()
}

/// Returns where the keys of `quoted` come one after the other.
fn runs(stands: &[FoldedLine], quoted: &[FoldedLine]) -> Vec<usize> {
    const KEY: usize = size_of::<u64>();
    let keys = |rows: &[FoldedLine]| {
        rows.iter()
            .flat_map(|row| row.key.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let (haystack, needle) = (keys(stands), keys(quoted));
    let finder = memmem::Finder::new(&needle);
    let (mut runs, mut from) = (Vec::new(), 0);
    while let Some(at) = haystack
        .get(from..)
        .and_then(|rest| finder.find(rest))
        .filter(|_| runs.len() < MOST_PLACES)
    {
        if (from + at) % KEY == 0 {
            runs.push((from + at) / KEY);
        }
        from += at + 1;
    }
    runs
}

/// Says whether the lines differ in nothing but a shift.
fn shifted(
    question: &Question<'_>,
    quoted: &[FoldedLine],
    bytes: &[u8],
    stands: &[FoldedLine],
) -> bool {
    let written = |row: &FoldedLine| row.key != 0;
    let lines = || quoted.iter().zip(stands).filter(|(row, _)| written(row));
    let (text, file) = (
        |row: &FoldedLine| row.span.of(question.text),
        |row: &FoldedLine| row.span.of(bytes),
    );
    let same = |one: &[u8], other: &[u8]| {
        let (one, other) = (one.trim_ascii(), other.trim_ascii());
        one == other
            || (!one.is_ascii() || !other.is_ascii())
                && unicode(one).plain() == unicode(other).plain()
    };
    if !lines().all(|(row, stand)| same(text(row), file(stand))) {
        return false;
    }
    let indents: Vec<(&[u8], &[u8])> = lines()
        .map(|(row, stand)| (leading_blank(text(row)), leading_blank(file(stand))))
        .collect();
    let least = |lines: &mut dyn Iterator<Item = &'_ [u8]>| {
        lines.min_by_key(|indent| indent.len()).map(<[u8]>::to_vec)
    };
    let quoted = least(&mut indents.iter().map(|pair| pair.0)).unwrap_or_default();
    let stands = least(&mut indents.iter().map(|pair| pair.1)).unwrap_or_default();
    let deep = depth_agrees(question, &quoted, &stands);
    deep && IndentShift::uniform(&indents).is_some()
}
