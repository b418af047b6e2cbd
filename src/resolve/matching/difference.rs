//! `Difference`: what a quoted line says that the line in the file does not, and whether that is a slip of the pen or
//! another line.
//!
//! Siblings differ as little as what callers misremember, but otherwise: in place of `min` stands `max`, and the file knows
//! both. A name that is misremembered is known to nobody.

use super::align::is_comment;
use super::{FoldedFile, distance};
use crate::text::diff::{Run, equal_runs, words};

/// Words of plain code that are in every file, and say nothing.
const PLAIN: &[&[u8]] = &[
    b"None", b"True", b"False", b"true", b"false", b"null", b"self", b"this", b"return", b"not",
    b"and", b"let", b"mut", b"new", b"const",
];

/// How a quoted line differs from one in the file. Words are laid side by side: what is equal in both, between that what
/// is nearly so, and what is left over.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LineDifference<'t> {
    /// Words of the text that are spelt a little otherwise in the file, with how.
    slips: Vec<(&'t [u8], &'t [u8])>,
    /// Words of the text that others stand in the place of.
    exchanged: Vec<&'t [u8]>,
    /// Words of the text in the place of which nothing stands.
    added: Vec<&'t [u8]>,
    /// Words of the file, but for slips, that the text has not there.
    instead: Vec<&'t [u8]>,
    signs: Signs,
    /// One has a sign or a letter more, and they are the same else: `utf8` and `utf-8`.
    one_sign_more: bool,
    comment: bool,
}

/// How the signs of two lines differ: all that are no words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signs {
    /// They are the same in the same order, but for what ends them.
    Same,
    /// One line goes on where the other ends.
    Cut,
    /// Others.
    Other,
}

impl<'t> LineDifference<'t> {
    /// Returns what differs between a quoted line and one of the file. Comments behind code do not count.
    pub(super) fn between(quoted: &'t [u8], stands: &'t [u8]) -> LineDifference<'t> {
        let comment = is_comment(quoted);
        let code = |line: &'t [u8]| {
            if comment {
                line
            } else {
                ahead_of_comment(line)
            }
        };
        let (text, line) = (code(quoted), code(stands));
        let (text_words, line_words) = (names(text), names(line));
        let (text_signs, line_signs) = (signs(text), signs(line));
        let signs = match () {
            () if text_signs == line_signs => Signs::Same,
            () if text_signs.starts_with(&line_signs) || line_signs.starts_with(&text_signs) => {
                Signs::Cut
            }
            () => Signs::Other,
        };
        let (text_squeezed, line_squeezed) = (squeezed(text), squeezed(line));
        let one_sign_more = text_squeezed.len().abs_diff(line_squeezed.len()) == 1
            && distance::within(&text_squeezed, &line_squeezed, 1).is_some();
        let (slips, exchanged, added, instead) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut difference = LineDifference {
            slips,
            exchanged,
            added,
            instead,
            signs,
            one_sign_more,
            comment,
        };
        let (mut at, mut to) = (0, 0);
        let end = Run {
            old: text_words.len()..text_words.len(),
            new: line_words.len()..line_words.len(),
        };
        for run in equal_runs(&text_words, &line_words)
            .into_iter()
            .chain([end])
        {
            difference.add(
                &text_words[at..run.old.start],
                &line_words[to..run.new.start],
            );
            (at, to) = (run.old.end, run.new.end);
        }
        difference
    }

    /// Adds what stands between two words that are the same in both.
    fn add(&mut self, text: &[&'t [u8]], line: &[&'t [u8]]) {
        let (mut left, mut instead, mut to): (Vec<&[u8]>, Vec<&[u8]>, usize) =
            (Vec::new(), Vec::new(), 0);
        for word in text {
            match line[to..].iter().position(|other| is_slip(word, other)) {
                Some(further) => {
                    instead.extend(&line[to..to + further]);
                    self.slips.push((*word, line[to + further]));
                    to += further + 1;
                }
                None => left.push(*word),
            }
        }
        instead.extend(&line[to..]);
        if instead.is_empty() {
            self.added.extend(left)
        } else {
            self.exchanged.extend(left)
        }
        self.instead.extend(instead);
    }

    /// Says whether the lines differ in nothing but how some words are spelt.
    pub(super) fn is_spelling(&self) -> bool {
        let all = self.added.is_empty() && self.exchanged.is_empty() && self.instead.is_empty();
        let number = |word: &&[u8]| word.iter().all(u8::is_ascii_digit);
        let slipped = self.slips.iter().map(|(word, _)| word);
        let numbers = slipped
            .chain(&self.added)
            .chain(&self.exchanged)
            .any(number);
        all && self.signs == Signs::Same || self.one_sign_more && !numbers
    }

    /// Says whether some word is another, however like it.
    pub(super) fn is_of_names(&self) -> bool {
        !(self.slips.is_empty()
            && self.exchanged.is_empty()
            && self.added.is_empty()
            && self.instead.is_empty())
    }

    /// Says whether code does something else with the same words: an operator is another one, or a call stands between.
    pub(super) fn is_of_signs(&self) -> bool {
        self.signs == Signs::Other
            && !self.comment
            && self.slips.is_empty()
            && self.exchanged.is_empty()
    }

    /// Says whether a number is another, or that of a name: `draft6` is no slip of the pen for `draft7`.
    pub(super) fn is_of_numbers(&self) -> bool {
        let digits = |word: &[u8]| {
            word.iter()
                .copied()
                .filter(u8::is_ascii_digit)
                .collect::<Vec<u8>>()
        };
        let rest = |word: &[u8]| {
            word.iter()
                .copied()
                .filter(|byte| !byte.is_ascii_digit())
                .collect::<Vec<u8>>()
        };
        let number = |word: &&[u8]| word.iter().all(u8::is_ascii_digit);
        let exchanged = self.exchanged.iter().any(number) && self.instead.iter().any(number);
        exchanged
            || self.slips.iter().any(|(word, other)| {
                let both = !digits(word).is_empty() && !digits(other).is_empty();
                both && rest(word) == rest(other) && digits(word) != digits(other)
            })
    }

    /// Says whether the file knows what the text says instead. In a comment only names count: its words are everywhere.
    pub(super) fn is_known(&self, page: &FoldedFile<'_>, markdown: bool) -> bool {
        let counts = |word: &&&[u8]| markdown || !self.comment || is_name(word);
        let more = |word: &&&[u8]| word.len() >= 3 && !PLAIN.contains(word);
        self.exchanged
            .iter()
            .filter(counts)
            .any(|word| knows(page, word))
            || self
                .added
                .iter()
                .filter(counts)
                .filter(more)
                .any(|word| knows(page, word))
    }

    /// Says whether the file knows a word that is misspelt by the look of it: `key` where `keys` stands.
    pub(super) fn is_known_slip(&self, page: &FoldedFile<'_>, markdown: bool) -> bool {
        let counts =
            |word: &&[u8]| (markdown || !self.comment || is_name(word)) && !PLAIN.contains(word);
        self.slips
            .iter()
            .map(|(word, _)| *word)
            .filter(|word| counts(word))
            .any(|word| knows(page, word))
    }
}

/// Says whether one word may be the other, misspelt: part by part, as `read_config` and `readConfig` are made of the same
/// two, or with parts more ahead. A number is no slip, nor is a name that goes on where the other one ends.
fn is_slip(word: &[u8], other: &[u8]) -> bool {
    const GOES_ON: usize = 3;
    let goes_on = word.len().abs_diff(other.len()) >= GOES_ON
        && (word.starts_with(other) || other.starts_with(word));
    if goes_on || word.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let (ours, theirs) = (name_parts(word), name_parts(other));
    let slipped =
        |one: &[u8], other: &[u8]| is_misspelt(one, other) || is_one_letter_off(one, other);
    let alike = if ours.len() == theirs.len() {
        ours.iter()
            .zip(&theirs)
            .all(|(one, other)| one == other || slipped(one, other))
    } else {
        is_misspelt(&ours.concat(), &theirs.concat())
    };
    alike || holds(word, other)
}

/// Says whether one word is the other with a letter too many, too few or out of its place for every four letters of it.
/// A letter exchanged for another counts for two: that is how siblings differ, `get` and `set`, `encode` and `decode`.
fn is_misspelt(word: &[u8], other: &[u8]) -> bool {
    const MOST: usize = 3;
    distance::slips(word, other) <= (word.len() / 4).clamp(1, MOST)
        || letters(word) == letters(other)
}

/// Says whether one long part of a name has one letter exchanged: few siblings differ by that alone.
fn is_one_letter_off(one: &[u8], other: &[u8]) -> bool {
    const LEAST: usize = 6;
    one.len() >= LEAST
        && one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .filter(|(one, other)| one != other)
            .count()
            == 1
}

/// Returns the parts that a name is put together of, in small letters.
fn name_parts(name: &[u8]) -> Vec<Vec<u8>> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let mut before = b'_';
    for &byte in name {
        let begins = before == b'_' || byte.is_ascii_uppercase() && !before.is_ascii_uppercase();
        if byte != b'_' {
            match parts.last_mut().filter(|_| !begins) {
                Some(part) => part.push(byte.to_ascii_lowercase()),
                None => parts.push(vec![byte.to_ascii_lowercase()]),
            }
        }
        before = byte;
    }
    parts
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn names(line: &[u8]) -> Vec<&[u8]> {
    words(line)
        .into_iter()
        .filter(|word| word.iter().copied().any(is_letter))
        .collect()
}

/// Says whether one word is the other with something ahead, and most of it.
fn holds(one: &[u8], other: &[u8]) -> bool {
    const LEAST: usize = 4;
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short.len() >= LEAST && 2 * short.len() >= long.len() && long.ends_with(short)
}

/// Returns the letters of a word in order: two that were swapped make no other word.
fn letters(word: &[u8]) -> Vec<u8> {
    let mut letters = word.to_vec();
    letters.sort_unstable();
    letters
}

fn squeezed(line: &[u8]) -> Vec<u8> {
    line.iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect()
}

fn signs(line: &[u8]) -> Vec<u8> {
    let line = line.trim_ascii_end();
    let line = line
        .strip_suffix(b";")
        .or(line.strip_suffix(b","))
        .unwrap_or(line);
    let signs = line
        .iter()
        .copied()
        .filter(|&byte| !is_letter(byte) && !byte.is_ascii_whitespace());
    // Which quotation marks a language takes is a matter of taste.
    signs
        .map(|byte| {
            if matches!(byte, b'\'' | b'`') {
                b'"'
            } else {
                byte
            }
        })
        .collect()
}

/// Returns the line up to a comment behind it, by the look of it.
fn ahead_of_comment(line: &[u8]) -> &[u8] {
    let mark = line
        .windows(3)
        .position(|three| three == b" # " || three == b" //");
    mark.map_or(line, |at| &line[..at])
}

/// Says whether a word names something: most words of plain language are not written so.
fn is_name(word: &[u8]) -> bool {
    word.iter()
        .any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// Says whether a word stands in the file, in more than a comment.
fn knows(page: &FoldedFile<'_>, word: &[u8]) -> bool {
    let letter = |at: Option<usize>| {
        at.and_then(|at| page.bytes().get(at))
            .copied()
            .is_some_and(is_letter)
    };
    let whole = |at: &usize| !letter(at.checked_sub(1)) && !letter(Some(at + word.len()));
    let code = |at: usize| {
        let line = &page.bytes()[page.line_start(at)..at];
        !is_comment(line) && ahead_of_comment(line).len() == line.len()
    };
    memchr::memmem::find_iter(page.bytes(), word)
        .filter(whole)
        .any(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_told_from_another_line() {
        let check = |quoted: &str, stands: &str, spelling: bool, known: bool| {
            let difference = LineDifference::between(quoted.as_bytes(), stands.as_bytes());
            let page = FoldedFile::of(b"pop(data)\nvariant = 1\nempty list\n");
            let found = (difference.is_spelling(), difference.is_known(&page, false));
            assert_eq!(found, (spelling, known), "{quoted} | {stands}");
        };
        check(
            "total = recieve(a, b)",
            "total = receive(a, b)",
            true,
            false,
        );
        check(
            "total = receive(a, b);",
            "total = receive(a, b)",
            true,
            false,
        );
        check(
            "retrun total + fidn(a)",
            "return total + find(a)",
            true,
            false,
        );
        check(
            "for field in variant.fields",
            "for field in data.fields",
            false,
            true,
        );
        check(
            "for field in variante.fields",
            "for field in data.fields",
            false,
            false,
        );
        check("self[..].insert(v)", "(**self).insert(v)", false, false);
        check(
            "x = call('first', 'second')",
            "x = call(\"first\", \"second\")",
            true,
            false,
        );
        check("open(path, 'utf8')", "open(path, 'utf-8')", true, false);
        check("del numbers[first - 1]", "del numbers[first]", false, false);
        check(
            "_: impl Fn(&'_ str),",
            "mut hook: impl Fn(&'_ str),",
            false,
            false,
        );
        check("size = 12 + first", "size = 13 + first", false, false);
        check("open(name, 'rb')", "open(name, 'wb')", false, false);
        check(
            "first.locked() and first.lokced",
            "first.locked() and first.locked",
            true,
            false,
        );
        check(
            "use(first) or first._locked",
            "use(first) or first.locked()",
            false,
            false,
        );
        check("read.path(first)", "read.path_of(first)", false, false);
        check("min_timeout on;", "max_timeout on;", false, false);
        check(
            "totel = recbive(a, b)",
            "totel = receive(a, b)",
            true,
            false,
        );
        check("get_value(first)", "set_value(first)", false, false);
        check("f(h, acc)", "f(acc, h)", false, false);
        check("toUpperCase(first)", "toLowerCase(first)", false, false);
        check("import { encode }", "import { decode }", false, false);
        check("x = readConfig(path)", "x = read_config(path)", true, false);
        check("pull/1115 of many", "pull/1116 of many", false, false);
        check("x = pop(y).first", "x = y.first", false, true);
        check("x = y  # empty list", "x = y  # a comment", true, false);
        check("# the empty one", "# one that is full", false, false);
        assert!(LineDifference::between(b"set |= &other", b"set -= &other").is_of_signs());
        assert!(
            LineDifference::between(b"for a in self {", b"for a in self.iter_mut() {")
                .is_of_signs()
        );
        assert!(!LineDifference::between(b"for a in", b"for a in self {").is_of_signs());
        assert!(!LineDifference::between(b"set -= &other;", b"set -= &other").is_of_signs());
        assert!(
            LineDifference::between(b"checker = draft7_checker", b"checker = draft6_checker")
                .is_of_numbers()
        );
        assert!(!LineDifference::between(b"encoding = utf", b"encoding = utf8").is_of_numbers());
    }
}
