//! What a formatter made of a file, taken apart: only the ranges that it was given may differ.
//!
//! The bytes between the ranges have to stand in the formatted file in their order, the first at its beginning and the last
//! at its end. Taking each gap at the first place where it stands finds a way to see it so whenever there is one.

use std::collections::BTreeMap;

use crate::path::RepoPath;
use crate::plan::{Candidate, FileEdit};
use crate::text::splice::{Splice, Splices};
use crate::text::{Lines, Span};

/// Returns, for each path of the candidate, the whole lines that the batch changed; sorted, apart, never empty.
pub(super) fn changed_lines(candidate: &Candidate) -> BTreeMap<RepoPath, Vec<Span>> {
    let mut ranges: BTreeMap<RepoPath, Vec<Span>> = BTreeMap::new();
    let mut texts: BTreeMap<RepoPath, &[u8]> = BTreeMap::new();
    for step in candidate.steps() {
        let mut next = ranges.clone();
        for edit in &step.files {
            next.remove(&edit.path);
            let Some(after) = &edit.after else { continue };
            let known = ranges
                .get(edit.moved_from.as_ref().unwrap_or(&edit.path))
                .cloned()
                .unwrap_or_default();
            next.insert(
                edit.path.clone(),
                carry_ranges(edit, &known, after.bytes.len()),
            );
            texts.insert(edit.path.clone(), &after.bytes);
        }
        ranges = next;
    }
    let whole = |(path, spans): (RepoPath, Vec<Span>)| {
        let bytes = texts.get(&path).copied().unwrap_or_default();
        let spans = whole_lines(bytes, spans);
        (!spans.is_empty()).then_some((path, spans))
    };
    ranges.into_iter().filter_map(whole).collect()
}

/// Returns what `known` ranges and the edit's own come to in the new file.
fn carry_ranges(edit: &FileEdit, known: &[Span], length: usize) -> Vec<Span> {
    let Some(splices) = &edit.splices else {
        // Moved as it is, or new altogether.
        return if edit.moved_from.is_some() {
            known.to_vec()
        } else {
            vec![Span::new(0, length)]
        };
    };
    let moved = known.iter().map(|span| {
        Span::new(
            position_after(splices, span.start),
            position_after(splices, span.end),
        )
    });
    moved
        .chain(splices.with_new_spans().map(|(_, span)| span))
        .collect()
}

/// Returns where the old `offset` stands in the new file; inside a splice, at its end.
fn position_after(splices: &Splices, offset: usize) -> usize {
    let mut shift = 0isize;
    for (splice, new) in splices.with_new_spans() {
        if splice.span.start >= offset {
            break;
        }
        if offset < splice.span.end {
            return new.end;
        }
        shift = new.end as isize - splice.span.end as isize;
    }
    (offset as isize + shift).max(0) as usize
}

/// Widens `spans` to whole lines of `bytes`, and makes one of those that touch; empty ones hold nothing to format.
fn whole_lines(bytes: &[u8], spans: Vec<Span>) -> Vec<Span> {
    let lines = Lines::of(bytes);
    let mut wide: Vec<Span> = spans
        .into_iter()
        .filter(|span| !span.is_empty() && span.end <= bytes.len())
        .map(|span| {
            lines
                .whole(lines.line(span.start))
                .cover(lines.whole(lines.line(span.end - 1)))
        })
        .collect();
    wide.sort();
    let mut apart: Vec<Span> = Vec::new();
    for span in wide {
        match apart.last_mut() {
            Some(last) if span.start <= last.end => *last = last.cover(span),
            _ => apart.push(span),
        }
    }
    apart
}

/// Returns what becomes of each of `ranges`, or `None` when something else changed as well.
pub(super) fn fit_to_ranges(
    candidate: &[u8],
    ranges: &[Span],
    formatted: &[u8],
) -> Option<Splices> {
    let (first, last) = (ranges.first()?, ranges.last()?);
    let tail = candidate.get(last.end..)?;
    let end = formatted.len().checked_sub(tail.len())?;
    if formatted.get(end..)? != tail
        || formatted.get(..first.start)? != candidate.get(..first.start)?
        || end < first.start
    {
        return None;
    }
    let mut splices = Vec::new();
    let mut at = first.start;
    for (range, next) in ranges.iter().zip(ranges.iter().skip(1)) {
        let gap = candidate.get(range.end..next.start)?;
        let found = at + memchr::memmem::find(formatted.get(at..end)?, gap)?;
        splices.push(Splice::new(*range, formatted.get(at..found)?));
        at = found + gap.len();
    }
    splices.push(Splice::new(*last, formatted.get(at..end)?));
    Splices::new(splices).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        candidate: &str,
        ranges: &[(usize, usize)],
        formatted: &str,
        expected: Option<&[&str]>,
    ) {
        let ranges: Vec<Span> = ranges
            .iter()
            .map(|&(start, end)| Span::new(start, end))
            .collect();
        let splices = fit_to_ranges(candidate.as_bytes(), &ranges, formatted.as_bytes());
        if let Some(splices) = &splices {
            assert_eq!(splices.apply(candidate.as_bytes()), formatted.as_bytes());
        }
        let found: Option<Vec<String>> = splices.map(|splices| {
            splices
                .iter()
                .map(|s| String::from_utf8_lossy(&s.bytes).into_owned())
                .collect()
        });
        assert_eq!(
            found,
            expected.map(|words| words.iter().map(ToString::to_string).collect()),
            "{candidate:?} {formatted:?}"
        );
    }

    #[test]
    fn only_the_ranges_may_differ() {
        check("a\nb\nc\n", &[(2, 4)], "a\nB\nB\nc\n", Some(&["B\nB\n"]));
        check("a\nb\nc\n", &[(2, 4)], "a\nc\n", Some(&[""]));
        check("a\nb\nc\n", &[(2, 4)], "A\nb\nc\n", None);
        check("a\nb\nc\n", &[(2, 4)], "a\nb\nC\n", None);
        check("a\nb\nc\n", &[(2, 4)], "", None);
        check("a\nb\nc\n", &[(0, 6)], "", Some(&[""]));
        // The bytes around the range may not be the same ones.
        check("a\nb\na\n", &[(2, 4)], "a\n", None);
        check(
            "a\nb\nc\nd\ne\n",
            &[(2, 4), (6, 8)],
            "a\nBB\nc\nDD\ne\n",
            Some(&["BB\n", "DD\n"]),
        );
        check(
            "a\nb\nc\nd\ne\n",
            &[(2, 4), (6, 8)],
            "a\nBB\nX\nDD\ne\n",
            None,
        );
        check(
            "a\nb\nc\nd\ne\n",
            &[(2, 4), (6, 8)],
            "a\nc\ne\n",
            Some(&["", ""]),
        );
    }

    #[test]
    fn ranges_are_whole_lines_apart_from_each_other() {
        let check = |bytes: &str, spans: &[(usize, usize)], expected: &[(usize, usize)]| {
            let spans = spans
                .iter()
                .map(|&(start, end)| Span::new(start, end))
                .collect();
            let expected: Vec<Span> = expected
                .iter()
                .map(|&(start, end)| Span::new(start, end))
                .collect();
            assert_eq!(whole_lines(bytes.as_bytes(), spans), expected);
        };
        check("aaa\nbbb\nccc\n", &[(5, 6)], &[(4, 8)]);
        check("aaa\nbbb\nccc\n", &[(5, 6), (9, 10)], &[(4, 12)]);
        check("aaa\nbbb\nccc\n", &[(9, 10), (1, 2)], &[(0, 4), (8, 12)]);
        check("aaa\nbbb", &[(5, 7)], &[(4, 7)]);
        check("aaa\nbbb\n", &[(4, 4)], &[]);
        check("aaa\nbbb\n", &[(1, 4)], &[(0, 4)]);
    }

    #[test]
    fn offsets_follow_the_splices() {
        let splices = Splices::new(vec![
            Splice::new(Span::new(2, 4), "xxxxx"),
            Splice::new(Span::at(6), "y"),
        ])
        .unwrap();
        for (old, new) in [(0, 0), (2, 2), (3, 7), (4, 7), (5, 8), (6, 9), (7, 11)] {
            assert_eq!(position_after(&splices, old), new, "{old}");
        }
    }
}
