//! Three-way merge: what two sides made of one text, brought together, or the places where they clash.
//!
//! A line that both sides left alone separates changes; changes that touch are one. Where only one side changed
//! something, or both the same, that is taken. As `git merge-file` does it, but that nothing is ever written with
//! markers. `parts` does the same with pieces of any size, and with a base that is not quite what `ours` came from.

use std::borrow::Cow;
use std::ops::Range;

use super::Span;
use super::diff::{Run, equal_runs};

/// Brings together what `ours` and `theirs` made of `base`, or returns the places of `ours` where they clash.
pub fn three_way(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Vec<u8>, Vec<Span>> {
    let [base, ours, theirs] = [base, ours, theirs].map(|text| {
        text.split_inclusive(|&byte| byte == b'\n')
            .collect::<Vec<_>>()
    });
    let (mut merged, mut clashes) = (Vec::new(), Vec::new());
    for part in parts([&base, &ours, &theirs], &|line| Cow::Borrowed(line)) {
        match part {
            MergePart::Settled(bytes) => merged.extend(bytes),
            MergePart::Clash([_, changed, _]) => clashes.push(bytes_of(&ours, changed)),
        }
    }
    if clashes.is_empty() {
        Ok(merged)
    } else {
        Err(clashes)
    }
}

/// A stretch of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergePart {
    /// What comes there.
    Settled(Vec<u8>),
    /// Both sides changed these pieces of base, ours and theirs, and not alike.
    Clash([Range<usize>; 3]),
}

/// Merges pieces of `[base, ours, theirs]`. Pieces of base and ours with one `key` are the same, and ours is kept.
pub fn parts<'t>(
    [base, ours, theirs]: [&[&'t [u8]]; 3],
    key: &dyn Fn(&'t [u8]) -> Cow<'t, [u8]>,
) -> Vec<MergePart> {
    let keys = |side: &[&'t [u8]]| side.iter().map(|piece| key(piece)).collect::<Vec<_>>();
    let (base_keys, our_keys) = (keys(base), keys(ours));
    let left = equal_runs(&borrowed(&base_keys), &borrowed(&our_keys));
    let right = equal_runs(base, theirs);
    let mut parts = Vec::new();
    let mut done = SharedRun {
        base: 0,
        ours: 0,
        theirs: 0,
        lines: 0,
    };
    let ends = SharedRun {
        base: base.len(),
        ours: ours.len(),
        theirs: theirs.len(),
        lines: 0,
    };
    for run in shared(&left, &right, ends) {
        let changed = [
            done.base..run.base,
            done.ours..run.ours,
            done.theirs..run.theirs,
        ];
        parts.push(
            match settle(
                &base[changed[0].clone()],
                &ours[changed[1].clone()],
                &theirs[changed[2].clone()],
            ) {
                Some(taken) => MergePart::Settled(taken.concat()),
                None => MergePart::Clash(changed),
            },
        );
        parts.push(MergePart::Settled(
            ours[run.ours..run.ours + run.lines].concat(),
        ));
        done = SharedRun {
            base: run.base + run.lines,
            ours: run.ours + run.lines,
            theirs: run.theirs + run.lines,
            lines: 0,
        };
    }
    parts
}

fn borrowed<'k>(keys: &'k [Cow<'_, [u8]>]) -> Vec<&'k [u8]> {
    keys.iter().map(|key| &**key).collect()
}

/// Lines that all three share, in one run.
#[derive(Clone, Copy, Debug)]
struct SharedRun {
    base: usize,
    ours: usize,
    theirs: usize,
    lines: usize,
}

/// Returns the runs that all three share, and an empty one at the end.
fn shared(left: &[Run], right: &[Run], end: SharedRun) -> Vec<SharedRun> {
    let mut runs = Vec::new();
    let mut rest = right.iter().peekable();
    for mine in left {
        while let Some(other) = rest.peek() {
            let start = mine.old.start.max(other.old.start);
            let end = mine.old.end.min(other.old.end);
            if start < end {
                runs.push(SharedRun {
                    base: start,
                    ours: mine.new.start + start - mine.old.start,
                    theirs: other.new.start + start - other.old.start,
                    lines: end - start,
                });
            }
            if other.old.end > mine.old.end {
                break;
            }
            rest.next();
        }
    }
    runs.push(end);
    runs
}

/// Returns what comes in the place of lines that somebody changed, or `None` if both did, and not alike.
fn settle<'t>(
    base: &[&'t [u8]],
    ours: &'t [&'t [u8]],
    theirs: &'t [&'t [u8]],
) -> Option<&'t [&'t [u8]]> {
    if ours == base || ours == theirs {
        return Some(theirs);
    }
    (theirs == base).then_some(ours)
}

fn bytes_of(lines: &[&[u8]], range: Range<usize>) -> Span {
    let start: usize = lines[..range.start].iter().map(|line| line.len()).sum();
    Span::new(
        start,
        start + lines[range].iter().map(|line| line.len()).sum::<usize>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Letters stand for lines.
    fn text(letters: &str) -> Vec<u8> {
        letters
            .chars()
            .flat_map(|letter| format!("{letter}\n").into_bytes())
            .collect()
    }

    #[track_caller]
    fn check(base: &str, ours: &str, theirs: &str, expected: Result<&str, &[(usize, usize)]>) {
        let found = three_way(&text(base), &text(ours), &text(theirs));
        let expected = expected.map(text).map_err(|lines| {
            lines
                .iter()
                .map(|&(from, to)| Span::new(from * 2, to * 2))
                .collect()
        });
        assert_eq!(found, expected, "{base} {ours} {theirs}");
    }

    #[test]
    fn changes_of_different_places_come_together() {
        check("abcde", "Abcde", "abcdE", Ok("AbcdE"));
        check("abcde", "abcde", "ace", Ok("ace"));
        check("abcde", "xabcde", "abcdey", Ok("xabcdey"));
        check("abc", "aXc", "aXc", Ok("aXc"));
        check("", "", "ab", Ok("ab"));
        check("abc", "abxc", "bc", Ok("bxc"));
    }

    #[test]
    fn changes_of_one_place_clash() {
        check("abc", "aXc", "aYc", Err(&[(1, 2)]));
        check("abcd", "aXcd", "abYd", Err(&[(1, 3)]));
        check("abc", "ac", "aYc", Err(&[(1, 1)]));
        check("abcdefg", "AbcdeFg", "1bcde2g", Err(&[(0, 1), (5, 6)]));
        check("", "a", "b", Err(&[(0, 1)]));
    }

    #[test]
    fn a_missing_line_ending_is_part_of_its_line() {
        assert_eq!(
            three_way(b"a\nb\nc", b"A\nb\nc", b"a\nb\nc\n"),
            Ok(b"A\nb\nc\n".to_vec())
        );
        assert_eq!(
            three_way(b"a\nb", b"a\nb\n", b"a\nB"),
            Err(vec![Span::new(2, 4)])
        );
    }

    proptest! {
        #[test]
        fn one_side_alone_wins_and_sides_may_be_exchanged(base in "[a-d]{0,12}", one in "[a-d]{0,12}", other in "[a-d]{0,12}") {
            let (base, one, other) = (text(&base), text(&one), text(&other));
            prop_assert_eq!(three_way(&base, &one, &base), Ok(one.clone()));
            prop_assert_eq!(three_way(&base, &base, &one), Ok(one.clone()));
            prop_assert_eq!(three_way(&base, &one, &one), Ok(one.clone()));
            prop_assert_eq!(three_way(&base, &one, &other).ok(), three_way(&base, &other, &one).ok());
        }
    }
}
