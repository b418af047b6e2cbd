//! Runs a pattern over a range of a file, within the batch's allowance.
//!
//! A search costs time in proportion to pattern and file, but there is one for every match, and each may read to the end
//! of the file: `.*[^A-Z]|[A-Z]` needs minutes for a megabyte of capitals. Between two matches the clock can be asked; one
//! search alone cannot be stopped. So a thread of its own searches, and nobody waits for it any longer than allowed.
//!
//! What remains: a thread that was given up works on until its search ends or the process does. A program that embeds
//! this one may so have a processor busy for a while; the command ends at once.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use regex::bytes::Captures;

use super::allowance::{Budget, Exceeded};
use super::matching::MOST_PLACES;
use crate::manifest::Pattern;
use crate::snapshot::Blob;
use crate::text::{LineEnding, Span};

/// A match, and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Where it stands in the file.
    pub span: Span,
    /// The replacement with its group references filled in.
    pub bytes: Vec<u8>,
    /// One of its groups holds another match, which stays as it is: `f\((.*)\)` on `f(f(x))`.
    pub holds_another: bool,
}

/// Why a search gave nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// It cost more than the batch may spend.
    Exceeded(Exceeded),
    /// The machine gave it no thread, or the thread died.
    Thread,
}

/// Returns the places of `pattern` in `range`, up to `MOST_PLACES` of them.
pub fn find(
    pattern: &Pattern,
    bytes: &Blob,
    range: Span,
    allowance: &Budget,
) -> Result<Vec<Span>, Failed> {
    let pattern = pattern.clone();
    run(bytes, allowance, move |bytes, until| {
        let mut places = Vec::new();
        let searched = Searched::of(range.of(bytes), &pattern);
        let text = &*searched.text;
        let mut origin = searched.origin();
        let found = pattern
            .regex
            .find_iter(text)
            .filter(|found| !is_within_letter(text, found.range()));
        for found in found.take(MOST_PLACES) {
            places.push(origin.of(found.range()).shifted(range.start));
            until.check()?;
        }
        Ok(places)
    })
}

/// Returns how many matches `pattern` has in `range`, and the first `most` of them with `replacement` in their place.
pub fn replace(
    pattern: &Pattern,
    bytes: &Blob,
    range: Span,
    replacement: &str,
    most: usize,
    allowance: &Budget,
) -> Result<(usize, Vec<Replaced>), Failed> {
    let search = PatternSearch {
        pattern: pattern.clone(),
        replacement: replacement.to_owned(),
        range,
        most,
    };
    let (matches, size) = allowance.replacing();
    let (count, replaced) = run(bytes, allowance, move |bytes, until| {
        search.run(bytes, until, matches, size)
    })?;
    let size = replaced.iter().map(|replaced| replaced.bytes.len()).sum();
    allowance
        .spend_replacing(replaced.len(), size)
        .map_err(Failed::Exceeded)?;
    Ok((count, replaced))
}

struct PatternSearch {
    pattern: Pattern,
    replacement: String,
    range: Span,
    most: usize,
}

impl PatternSearch {
    /// Counts the matches and fills in the first of them, no more than so many `matches` and bytes.
    fn run(
        &self,
        bytes: &[u8],
        until: &Deadline,
        matches: usize,
        mut size: usize,
    ) -> Result<(usize, Vec<Replaced>), Exceeded> {
        let mut count = 0;
        let mut replaced = Vec::new();
        // The groups are those of the match itself, with the range's ends where it found them: searched for in the
        // whole file, `\A` or `$` would mean another place, or none.
        let searched = Searched::of(self.range.of(bytes), &self.pattern);
        let text = &*searched.text;
        let mut origin = searched.origin();
        for groups in self.pattern.regex.captures_iter(text) {
            until.check()?;
            if groups
                .get(0)
                .is_some_and(|whole| is_within_letter(text, whole.range()))
            {
                continue;
            }
            count += 1;
            let Some(whole) = groups.get(0).filter(|_| count <= self.most) else {
                continue;
            };
            if count > matches {
                return Err(Exceeded::Matches);
            }
            let new = self.expanded(&groups, size)?;
            size -= new.len();
            let span = origin.of(whole.range()).shifted(self.range.start);
            replaced.push(Replaced {
                span,
                bytes: new,
                holds_another: self.holds_another(text, &groups),
            });
        }
        Ok((count, replaced))
    }

    /// Says whether a part of a match that goes over to the replacement matches as well. Of a pattern that begins with a class of
    /// letters (`(\w)(\w+)`) it nearly always does, and nobody means that.
    fn holds_another(&self, text: &[u8], groups: &Captures<'_>) -> bool {
        let is_another = |group: &regex::bytes::Match<'_>| {
            let inside = text.get(..group.end()).unwrap_or_default();
            let found = self.pattern.regex.find_at(inside, group.start());
            found.is_some_and(|found| !found.is_empty())
        };
        begins_with_a_word(&self.pattern.text)
            && self.replacement.contains('$')
            && groups
                .iter()
                .skip(1)
                .flatten()
                .any(|group| is_another(&group))
    }

    /// Fills the match's groups into the replacement, as long as it comes to no more than `most` bytes: ten words that
    /// name a group a hundred thousand times are a large file.
    fn expanded(&self, groups: &Captures<'_>, most: usize) -> Result<Vec<u8>, Exceeded> {
        let mut new = Vec::new();
        for piece in pieces(&self.replacement) {
            groups.expand(piece.as_bytes(), &mut new);
            if new.len() > most {
                return Err(Exceeded::Replaced);
            }
        }
        Ok(new)
    }
}

/// What a pattern searches: where every line ends in `\r\n`, that is one line break to a pattern that does not ask for `\r`.
struct Searched<'b> {
    text: Cow<'b, [u8]>,
}

impl<'b> Searched<'b> {
    fn of(bytes: &'b [u8], pattern: &Pattern) -> Searched<'b> {
        let asks_for_it = ["\r", "\\r", "\\x", "\\u", "\\U"]
            .iter()
            .any(|word| pattern.text.contains(word));
        let breaks = || memchr::memchr_iter(b'\n', bytes);
        let is_crlf = !asks_for_it
            && breaks().next().is_some()
            && breaks().all(|at| bytes[..at].ends_with(b"\r"))
            && !bytes.ends_with(b"\r");
        let text = if is_crlf {
            LineEnding::Lf.write(bytes)
        } else {
            Cow::Borrowed(bytes)
        };
        Searched { text }
    }

    /// Returns what tells where a match is in the bytes, for matches in file order.
    fn origin(&self) -> ReturnsLeftOut<'_> {
        let folded = match &self.text {
            Cow::Owned(text) => Some(text.as_slice()),
            Cow::Borrowed(_) => None,
        };
        ReturnsLeftOut {
            folded,
            at: 0,
            breaks: 0,
        }
    }
}

/// How many carriage returns were left out before a place; it goes on from one match to the next.
struct ReturnsLeftOut<'s> {
    folded: Option<&'s [u8]>,
    at: usize,
    breaks: usize,
}

impl ReturnsLeftOut<'_> {
    fn of(&mut self, found: Range<usize>) -> Span {
        Span::new(self.offset(found.start), self.offset(found.end))
    }

    fn offset(&mut self, at: usize) -> usize {
        let passed = self
            .folded
            .and_then(|text| text.get(self.at..at))
            .unwrap_or_default();
        self.breaks += memchr::memchr_iter(b'\n', passed).count();
        self.at = at;
        at + self.breaks
    }
}

/// Says whether nothing was matched between the bytes of one letter, or between `\r` and `\n`: over bytes, the engine finds
/// nothing there, too.
fn is_within_letter(text: &[u8], found: Range<usize>) -> bool {
    let next = text.get(found.start).copied();
    let previous = found
        .start
        .checked_sub(1)
        .and_then(|at| text.get(at))
        .copied();
    let within = next.is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000)
        || (previous, next) == (Some(b'\r'), Some(b'\n'));
    found.is_empty() && within
}

/// Says whether a pattern begins with a letter, a digit or a sign that stands for itself and is there in every match.
fn begins_with_a_word(pattern: &str) -> bool {
    let start = pattern.trim_start_matches("\\b").trim_start_matches('^');
    let mut characters = start.chars();
    let is_literal = match characters.next() {
        Some('\\') => characters
            .next()
            .is_some_and(|escaped| !escaped.is_alphanumeric()),
        Some(first) => first.is_alphanumeric() || first == '_',
        None => false,
    };
    is_literal && !matches!(characters.next(), Some('*' | '?' | '{')) && !pattern.contains('|')
}

/// Cuts a replacement ahead of every `$` that may begin the name of a group; `$$` stays in one piece.
fn pieces(replacement: &str) -> impl Iterator<Item = &str> {
    let mut rest = replacement;
    std::iter::from_fn(move || {
        let begun = if rest.starts_with("$$") {
            2
        } else {
            rest.chars().next()?.len_utf8()
        };
        let end = rest[begun..].find('$').map_or(rest.len(), |at| begun + at);
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

/// When a search has to be done.
struct Deadline(Instant);

impl Deadline {
    fn check(&self) -> Result<(), Exceeded> {
        if Instant::now() < self.0 {
            Ok(())
        } else {
            Err(Exceeded::Matching)
        }
    }
}

/// Runs `search` in a thread of its own for as long as the allowance lasts.
fn run<T: Send + 'static>(
    bytes: &Blob,
    allowance: &Budget,
    search: impl FnOnce(&[u8], &Deadline) -> Result<T, Exceeded> + Send + 'static,
) -> Result<T, Failed> {
    let (patience, begun) = (allowance.matching(), Instant::now());
    if patience.is_zero() {
        return Err(Failed::Exceeded(Exceeded::Matching));
    }
    let (answer, answered) = mpsc::sync_channel(1);
    let (bytes, deadline) = (bytes.clone(), Deadline(begun + patience));
    // Whoever asked may have gone; then nobody wants the answer.
    let task = move || drop(answer.send(search(&bytes, &deadline)));
    thread::Builder::new()
        .name("pattern".to_owned())
        .spawn(task)
        .map_err(|_| Failed::Thread)?;
    let found = answered.recv_timeout(patience);
    allowance.spend_matching(begun.elapsed());
    match found {
        Ok(found) => found.map_err(Failed::Exceeded),
        Err(RecvTimeoutError::Timeout) => Err(Failed::Exceeded(Exceeded::Matching)),
        Err(RecvTimeoutError::Disconnected) => Err(Failed::Thread),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::allowance::{MAX_MATCHES, MAX_MATCHING, MAX_REPLACED};
    use super::*;
    use crate::manifest::Flags;

    fn pattern(text: &str) -> Pattern {
        Pattern::compile(text, Flags::default()).unwrap()
    }

    fn replaced(
        text: &str,
        file: &str,
        replacement: &str,
        allowance: &Budget,
    ) -> Result<(usize, String), Failed> {
        let bytes: Blob = file.as_bytes().into();
        let range = Span::new(0, bytes.len());
        let (count, replaced) = replace(
            &pattern(text),
            &bytes,
            range,
            replacement,
            usize::MAX,
            allowance,
        )?;
        let words: Vec<String> = replaced
            .iter()
            .map(|replaced| String::from_utf8_lossy(&replaced.bytes).into_owned())
            .collect();
        Ok((count, words.join(" ")))
    }

    #[test]
    fn groups_are_those_of_the_match() {
        let allowance = Budget::default();
        assert_eq!(
            replaced("(a)(b)?", "abxa", "<$2$1>", &allowance),
            Ok((2, "<ba> <a>".to_owned()))
        );
        let bytes: Blob = b"xx def f def g"[..].into();
        let found = replace(
            &pattern(r"\A(def) (\w)"),
            &bytes,
            Span::new(3, 14),
            "$2",
            9,
            &allowance,
        )
        .unwrap();
        assert_eq!(
            found,
            (
                1,
                vec![Replaced {
                    span: Span::new(3, 8),
                    bytes: b"f".to_vec(),
                    holds_another: false
                }]
            )
        );
        let (count, first) =
            replace(&pattern("d"), &bytes, Span::new(0, 14), "", 1, &allowance).unwrap();
        assert_eq!((count, first.len()), (2, 1));
    }

    #[test]
    fn a_match_within_a_group_is_told() {
        let told = |text: &str, file: &str, replacement: &str| {
            let blob: Blob = file.as_bytes().to_vec().into();
            let range = Span::new(0, file.len());
            let found = replace(
                &pattern(text),
                &blob,
                range,
                replacement,
                9,
                &Budget::default(),
            )
            .unwrap();
            found
                .1
                .iter()
                .map(|replaced| replaced.holds_another)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            told(r"f\((.*)\)", "f(f(x))\nf(1)\n", "g($1)"),
            [true, false]
        );
        assert_eq!(told(r"\bf\(([^()]*)\)", "f(f(x))", "g($1)"), [false]);
        // What does not stay, and what is in every word.
        assert_eq!(told(r"f\((.*)\)", "f(f(x))", "g()"), [false]);
        assert_eq!(told(r"(\w)(\w+)", "word", "$2$1"), [false]);
    }

    #[test]
    fn a_line_break_of_two_bytes_is_one() {
        let check = |text: &str, file: &str, expected: &[(usize, usize)]| {
            let bytes: Blob = file.as_bytes().into();
            let places = find(
                &pattern(text),
                &bytes,
                Span::new(0, file.len()),
                &Budget::default(),
            )
            .unwrap();
            let places: Vec<(usize, usize)> =
                places.iter().map(|span| (span.start, span.end)).collect();
            assert_eq!(places, expected, "{text:?} in {file:?}");
        };
        check("a\\nb", "a\r\nb\r\n", &[(0, 4)]);
        check("(?m)b$", "a\r\nb\r\nc", &[(3, 4)]);
        check("\\n", "a\r\nb\r\nc", &[(1, 3), (4, 6)]);
        check("[^b]+", "a\r\nb\r\nc", &[(0, 3), (4, 7)]);
        check("a\\r\\nb", "a\r\nb\r\n", &[(0, 4)]);
        // Where lines end in two ways, each is what it is.
        check("a\\nb", "a\r\nb\n", &[]);
        check("b\\n", "a\r\nb\n", &[(3, 5)]);
    }

    #[test]
    fn replacements_are_filled_in_piece_by_piece_as_at_once() {
        let regex = regex::Regex::new("(?P<a>x)(y)").unwrap();
        for replacement in [
            "",
            "$",
            "$$",
            "$$1",
            "$$$1",
            "$1$2",
            "a${a}b$$",
            "${a",
            "é$1é",
            "$0 $$$$ $2-$a",
            "${2}$",
            "$$$",
            "$ 1",
        ] {
            let groups = regex.captures("xy").unwrap();
            let (mut whole, mut cut) = (String::new(), String::new());
            groups.expand(replacement, &mut whole);
            pieces(replacement).for_each(|piece| groups.expand(piece, &mut cut));
            assert_eq!(whole, cut, "{replacement:?}");
            assert_eq!(pieces(replacement).collect::<String>(), replacement);
        }
    }

    #[test]
    fn patterns_without_end_are_given_up() {
        for (text, file) in [
            (".*[^A-Z]|[A-Z]", "A".repeat(1 << 20)),
            ("((((a{9}){9}){9}){2}){2}", "a".repeat(1 << 20)),
        ] {
            let allowance = Budget::default();
            let begun = Instant::now();
            let bytes: Blob = file.as_bytes().into();
            let found = replace(
                &pattern(text),
                &bytes,
                Span::new(0, bytes.len()),
                "x",
                usize::MAX,
                &allowance,
            );
            let took = begun.elapsed();
            let gave_up = found.is_err();
            assert!(
                gave_up && took < MAX_MATCHING + Duration::from_secs(3),
                "{text}: {took:?}"
            );
        }
        let spent = Budget::default();
        spent.spend_matching(MAX_MATCHING);
        assert_eq!(
            replaced("a", "a", "b", &spent),
            Err(Failed::Exceeded(Exceeded::Matching))
        );
    }

    #[test]
    fn replacements_are_counted_while_they_are_made() {
        let allowance = Budget::without_clock();
        let long = "x".repeat(MAX_REPLACED / 1000);
        assert_eq!(
            replaced("a", &"a".repeat(1001), &long, &allowance),
            Err(Failed::Exceeded(Exceeded::Replaced))
        );
        let many = "a".repeat(MAX_MATCHES + 1);
        assert_eq!(
            replaced("a", &many, "", &allowance),
            Err(Failed::Exceeded(Exceeded::Matches))
        );
        assert!(replaced("a", &"a".repeat(600), &long, &allowance).is_ok());
        let rest = replaced("a", &"a".repeat(600), &long, &allowance);
        assert_eq!(rest, Err(Failed::Exceeded(Exceeded::Replaced)));
        let groups = replaced(
            "(?s)(.*)",
            &long,
            &"$1".repeat(100_000),
            &Budget::without_clock(),
        );
        assert_eq!(groups, Err(Failed::Exceeded(Exceeded::Replaced)));
    }
}
