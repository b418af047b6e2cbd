//! Differences inside lines: which words of a changed line changed, and how alike two texts are. Home of `similar`.
//!
//! Words are runs of letters, digits and `_`; every byte past ASCII counts as a letter, so no character is ever cut in
//! two. White space runs are words of their own, any other byte stands alone. Deliberately not here: which lines
//! changed; that is `crate::diff`.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::{Span, trim_ending};

/// A line that went and the one that came in its place, with what is new in each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLine {
    /// Which of the removed lines.
    pub removed: usize,
    /// Which of the added lines.
    pub added: usize,
    /// What is to be emphasised in the removed line, in order.
    pub gone: Vec<Span>,
    /// What is to be emphasised in the added line, in order.
    pub come: Vec<Span>,
}

/// Pairs the lines of one hunk that are versions of each other, in order, and says what changed inside. Lines that
/// share too little stand alone: emphasis on nearly all of a line emphasises nothing.
pub fn emphasis(removed: &[&[u8]], added: &[&[u8]]) -> Vec<ChangedLine> {
    partners(removed, added)
        .into_iter()
        .filter_map(|(from, to)| {
            let (gone, come) = inside(removed[from], added[to])?;
            Some(ChangedLine {
                removed: from,
                added: to,
                gone,
                come,
            })
        })
        .collect()
}

/// Lines that two texts share, in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where they are in the old text.
    pub old: Range<usize>,
    /// Where they are in the new text.
    pub new: Range<usize>,
}

/// Returns the runs of lines that both texts share, in order.
pub fn equal_runs(old: &[&[u8]], new: &[&[u8]]) -> Vec<Run> {
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    let equal = ops.iter().filter(|op| op.tag() == DiffTag::Equal);
    equal
        .map(|op| Run {
            old: op.old_range(),
            new: op.new_range(),
        })
        .collect()
}

/// Returns how alike two texts are, from 0 (nothing shared) to 1 (equal): twice what is shared over what there is, by
/// characters, or by words once texts are long.
pub fn similarity(one: &[u8], other: &[u8]) -> f64 {
    const LONG: usize = 2000;
    if one == other {
        return 1.0;
    }
    if one.len().max(other.len()) > LONG {
        return ratio(&words(one), &words(other), |word| word.len());
    }
    match (std::str::from_utf8(one), std::str::from_utf8(other)) {
        (Ok(one), Ok(other)) => {
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            ratio(&characters(one), &characters(other), |_| 1)
        }
        _ => ratio(one, other, |_| 1),
    }
}

fn ratio<T: Eq + std::hash::Hash + Ord>(
    one: &[T],
    other: &[T],
    weight: impl Fn(&T) -> usize,
) -> f64 {
    let all: usize = one.iter().chain(other).map(&weight).sum();
    let equal = |op: &similar::DiffOp| match op.tag() {
        DiffTag::Equal => one[op.old_range()].iter().map(&weight).sum(),
        DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => 0,
    };
    let shared: usize = capture_diff_slices(Algorithm::Myers, one, other)
        .iter()
        .map(equal)
        .sum();
    if all == 0 {
        1.0
    } else {
        2.0 * shared as f64 / all as f64
    }
}

/// Least similarity of two lines that are versions of each other.
const ALIKE: f64 = 0.5;

/// Most pairs of lines that are tried; a hunk with more is paired in order.
const MOST_TRIED: usize = 400;

/// Longest line that is looked into.
const LONGEST: usize = 4000;

/// Returns which removed line became which added one: of all ways that keep the order the one that shares most.
fn partners(removed: &[&[u8]], added: &[&[u8]]) -> Vec<(usize, usize)> {
    if removed.len() == added.len() || removed.len() * added.len() > MOST_TRIED {
        return (0..removed.len().min(added.len()))
            .map(|at| (at, at))
            .collect();
    }
    let width = added.len() + 1;
    let gain = |from: usize, to: usize| {
        let alike = likeness(removed[from], added[to]);
        if alike < ALIKE { 0.0 } else { alike }
    };
    // best[from * width + to]: what the lines from there on can share at most.
    let mut best = vec![0.0f64; (removed.len() + 1) * width];
    let mut gains = vec![0.0f64; removed.len() * width];
    for from in (0..removed.len()).rev() {
        for to in (0..added.len()).rev() {
            let here = gain(from, to);
            gains[from * width + to] = here;
            let paired = here + best[(from + 1) * width + to + 1];
            best[from * width + to] = paired
                .max(best[(from + 1) * width + to])
                .max(best[from * width + to + 1]);
        }
    }
    let (mut from, mut to, mut pairs) = (0, 0, Vec::new());
    while from < removed.len() && to < added.len() {
        let here = best[from * width + to];
        if here == best[(from + 1) * width + to] {
            from += 1;
        } else if here == best[from * width + to + 1] {
            to += 1;
        } else {
            pairs.push((from, to));
            (from, to) = (from + 1, to + 1);
        }
    }
    pairs
}

fn likeness(one: &[u8], other: &[u8]) -> f64 {
    if one.len().max(other.len()) > LONGEST {
        return 0.0;
    }
    ratio(
        &words(trim_ending(one)),
        &words(trim_ending(other)),
        |word| word.len(),
    )
}

/// Returns what changed inside a line and in its new version, or `None` if they share too little or nothing changed.
fn inside(removed: &[u8], added: &[u8]) -> Option<(Vec<Span>, Vec<Span>)> {
    if likeness(removed, added) < ALIKE {
        return None;
    }
    let (old, new) = (words(trim_ending(removed)), words(trim_ending(added)));
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        match op.tag() {
            DiffTag::Equal => {}
            DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => {
                push(&mut gone, removed, bytes_of(&old, op.old_range()));
                push(&mut come, added, bytes_of(&new, op.new_range()));
            }
        }
    }
    (!gone.is_empty() || !come.is_empty()).then_some((gone, come))
}

fn bytes_of(words: &[&[u8]], range: Range<usize>) -> Span {
    let start: usize = words[..range.start].iter().map(|word| word.len()).sum();
    Span::new(
        start,
        start + words[range].iter().map(|word| word.len()).sum::<usize>(),
    )
}

/// Adds a span, joined to the last if only blanks lie between: one emphasis for `two words`, not two.
fn push(spans: &mut Vec<Span>, line: &[u8], span: Span) {
    if span.is_empty() {
        return;
    }
    match spans.last_mut() {
        Some(last)
            if line[last.end..span.start]
                .iter()
                .all(u8::is_ascii_whitespace) =>
        {
            last.end = span.end
        }
        _ => spans.push(span),
    }
}

/// Returns the words of `text`, in order; put together they are the text again.
pub fn words(text: &[u8]) -> Vec<&[u8]> {
    #[derive(PartialEq)]
    enum WordKind {
        Letter,
        Blank,
        Other,
    }
    let sort = |byte: &u8| match byte {
        b' ' | b'\t' => WordKind::Blank,
        b'_' | 0x80.. => WordKind::Letter,
        _ if byte.is_ascii_alphanumeric() => WordKind::Letter,
        _ => WordKind::Other,
    };
    text.chunk_by(|before, after| sort(before) == sort(after) && sort(before) != WordKind::Other)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Marks what is emphasised with brackets.
    fn marked(line: &str, spans: &[Span]) -> String {
        let mut marked = line.to_owned();
        for span in spans.iter().rev() {
            marked.insert(span.end, ']');
            marked.insert(span.start, '[');
        }
        marked
    }

    #[track_caller]
    fn check(removed: &[&'static str], added: &[&'static str], expected: &[(&str, &str)]) {
        let bytes = |lines: &'_ [&'static str]| {
            lines.iter().map(|line| line.as_bytes()).collect::<Vec<_>>()
        };
        let pairs = emphasis(&bytes(removed), &bytes(added));
        let shown: Vec<(String, String)> = pairs
            .iter()
            .map(|pair| {
                (
                    marked(removed[pair.removed], &pair.gone),
                    marked(added[pair.added], &pair.come),
                )
            })
            .collect();
        let shown: Vec<(&str, &str)> = shown
            .iter()
            .map(|(gone, come)| (gone.as_str(), come.as_str()))
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn changed_words_are_emphasised() {
        check(
            &["x = compute(a, b)"],
            &["x = compute(a, c)"],
            &[("x = compute(a, [b])", "x = compute(a, [c])")],
        );
        check(
            &["return total"],
            &["return total + 1"],
            &[("return total", "return total[ + 1]")],
        );
        check(
            &["the old two words stay"],
            &["the new pair stay"],
            &[("the [old two words] stay", "the [new pair] stay")],
        );
        check(
            &["größe = width"],
            &["größer = width"],
            &[("[größe] = width", "[größer] = width")],
        );
        check(
            &["a = 1\n"],
            &["a = 2\r\n"],
            &[("a = [1]\n", "a = [2]\r\n")],
        );
    }

    #[test]
    fn lines_with_little_in_common_stand_alone() {
        check(&["import os"], &["x = compute(a, b)"], &[]);
        check(&["same"], &["same"], &[]);
        check(&[], &["x"], &[]);
    }

    #[test]
    fn partners_keep_their_order() {
        check(
            &["value = read(path)"],
            &["check(path)", "value = read(path, mode)", "log(path)"],
            &[("value = read(path)", "value = read(path[, mode])")],
        );
        check(
            &["one = first(a)", "two = second(a)", "other"],
            &["one = first(b)", "two = second(b)"],
            &[
                ("one = first([a])", "one = first([b])"),
                ("two = second([a])", "two = second([b])"),
            ],
        );
    }

    #[test]
    fn similarity_is_twice_what_is_shared() {
        let check = |one: &str, other: &str, expected: f64| {
            let found = similarity(one.as_bytes(), other.as_bytes());
            assert!(
                (found - expected).abs() < 1e-9,
                "{one:?} {other:?}: {found}, not {expected}"
            );
        };
        check("", "", 1.0);
        check("abcd", "abcd", 1.0);
        check("abcd", "bcde", 0.75);
        check("abcd", "", 0.0);
        check("äb", "äc", 0.5);
        assert!((similarity(b"\xffab", b"\xffac") - 2.0 / 3.0).abs() < 1e-9);
        let long = "word ".repeat(500);
        assert!(similarity(long.as_bytes(), long.replacen("word", "work", 1).as_bytes()) > 0.99);
    }

    proptest! {
        #[test]
        fn what_is_not_emphasised_is_the_same(
            removed in prop::collection::vec("[ab_ .é]{0,12}", 0..6),
            added in prop::collection::vec("[ab_ .é]{0,12}", 0..6),
        ) {
            let old: Vec<&[u8]> = removed.iter().map(String::as_bytes).collect();
            let new: Vec<&[u8]> = added.iter().map(String::as_bytes).collect();
            let rest = |line: &str, spans: &[Span]| -> String {
                let kept = |(at, _): &(usize, char)| !spans.iter().any(|span| span.start <= *at && *at < span.end);
                let character = |(_, character): (usize, char)| character;
                line.char_indices().filter(kept).map(character).filter(|character| *character != ' ').collect()
            };
            let mut before = None;
            for pair in emphasis(&old, &new) {
                prop_assert_eq!(rest(&removed[pair.removed], &pair.gone), rest(&added[pair.added], &pair.come));
                prop_assert!(before.is_none_or(|(from, to)| from < pair.removed && to < pair.added));
                before = Some((pair.removed, pair.added));
            }
        }
    }
}
