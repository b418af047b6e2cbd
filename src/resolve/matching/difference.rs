//! `Difference`: what a quoted line says that the line in the file does not, and whether that is a slip of the pen or
//! another line.
//!
//! Siblings differ as little as what callers misremember, but otherwise: in place of `min` stands `max`, and the file knows
//! both. A name that is misremembered is known to nobody.

use super::align::is_comment;
use super::{Page, distance};
use crate::text::diff::{Run, equal_runs, words};

/// Words of plain code that are in every file, and say nothing.
const PLAIN: &[&[u8]] = &[
    b"None", b"True", b"False", b"true", b"false", b"null", b"self", b"this", b"return", b"not", b"and", b"let",
    b"mut", b"new", b"const",
];

/// How a quoted line differs from one in the file.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference<'t> {
    /// Words that the file's line has not at all.
    lacking: Vec<&'t [u8]>,
    /// Those of them that another word stands in the place of.
    exchanged: Vec<&'t [u8]>,
    /// Words of the file's line that the text has not.
    instead: Vec<&'t [u8]>,
    /// Both have the same signs in the same order, but for what ends them.
    same_signs: bool,
    /// But for one sign or letter they are the same: `utf8` and `utf-8`.
    one_sign_more: bool,
    comment: bool,
}

impl<'t> Difference<'t> {
    /// Returns what differs between a quoted line and one of the file. Comments behind code do not count.
    pub fn between(quoted: &'t [u8], stands: &'t [u8]) -> Difference<'t> {
        let comment = is_comment(quoted);
        let code = |line: &'t [u8]| if comment { line } else { ahead_of_comment(line) };
        let (text, line) = (code(quoted), code(stands));
        let (text_words, line_words) = (names(text), names(line));
        let (mut exchanged, mut at, mut to) = (Vec::new(), 0, 0);
        let end = Run { old: text_words.len()..text_words.len(), new: line_words.len()..line_words.len() };
        for run in equal_runs(&text_words, &line_words).into_iter().chain([end]) {
            if run.new.start > to {
                exchanged.extend(text_words[at..run.old.start].iter().filter(|word| !line_words.contains(word)));
            }
            (at, to) = (run.old.end, run.new.end);
        }
        Difference {
            lacking: text_words.iter().filter(|word| !line_words.contains(word)).copied().collect(),
            exchanged,
            instead: line_words.iter().filter(|word| !text_words.contains(word)).copied().collect(),
            same_signs: signs(text) == signs(line),
            one_sign_more: distance::within(&squeezed(text), &squeezed(line), 1).is_some(),
            comment,
        }
    }

    /// Says whether the lines differ in nothing but how some words are spelt.
    pub fn is_spelling(&self) -> bool {
        let near = |word: &&[u8]| {
            const MOST: usize = 3;
            if word.iter().all(u8::is_ascii_digit) {
                return false;
            }
            let most = (word.len() / 3).clamp(1, MOST);
            let close = |other: &&[u8]| {
                distance::within(word, other, most).is_some() || letters(word) == letters(other) || holds(word, other)
            };
            self.instead.iter().any(close)
        };
        let number = |word: &&[u8]| word.iter().all(u8::is_ascii_digit);
        let spelt = self.same_signs && self.lacking.len() == self.instead.len() && self.lacking.iter().all(near);
        spelt || self.one_sign_more && !self.lacking.iter().any(number)
    }

    /// Says whether the words of code are the same and an operator is another.
    pub fn is_of_signs(&self) -> bool {
        !self.same_signs && !self.comment && self.lacking.is_empty() && self.instead.is_empty()
    }

    /// Says whether a name has another number: `draft6` is no slip of the pen for `draft7`.
    pub fn is_of_numbers(&self) -> bool {
        let digits = |word: &[u8]| word.iter().copied().filter(u8::is_ascii_digit).collect::<Vec<u8>>();
        let rest = |word: &[u8]| word.iter().copied().filter(|byte| !byte.is_ascii_digit()).collect::<Vec<u8>>();
        let renumbered = |word: &[u8], other: &[u8]| {
            let both = !digits(word).is_empty() && !digits(other).is_empty();
            both && rest(word) == rest(other) && digits(word) != digits(other)
        };
        self.lacking.iter().any(|word| self.instead.iter().any(|other| renumbered(word, other)))
    }

    /// Says whether the file knows what the text says instead. In a comment only names count: its words are everywhere.
    pub fn is_known(&self, page: &Page<'_>, markdown: bool) -> bool {
        let counts = |word: &&&[u8]| markdown || !self.comment || is_name(word);
        let more = |word: &&&[u8]| word.len() >= 3 && !PLAIN.contains(word);
        self.exchanged.iter().filter(counts).any(|word| knows(page, word))
            || self.lacking.iter().filter(counts).filter(more).any(|word| knows(page, word))
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn names(line: &[u8]) -> Vec<&[u8]> {
    words(line).into_iter().filter(|word| word.iter().copied().any(is_letter)).collect()
}

/// Says whether one word is the other with something ahead or behind, and most of it.
fn holds(one: &[u8], other: &[u8]) -> bool {
    const LEAST: usize = 4;
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.len() >= LEAST && 2 * short.len() >= long.len() && (long.starts_with(short) || long.ends_with(short))
}

/// Returns the letters of a word in order: two that were swapped make no other word.
fn letters(word: &[u8]) -> Vec<u8> {
    let mut letters = word.to_vec();
    letters.sort_unstable();
    letters
}

fn squeezed(line: &[u8]) -> Vec<u8> {
    line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

fn signs(line: &[u8]) -> Vec<u8> {
    let line = line.trim_ascii_end();
    let line = line.strip_suffix(b";").or(line.strip_suffix(b",")).unwrap_or(line);
    let signs = line.iter().copied().filter(|&byte| !is_letter(byte) && !byte.is_ascii_whitespace());
    // Which quotation marks a language takes is a matter of taste.
    signs.map(|byte| if matches!(byte, b'\'' | b'`') { b'"' } else { byte }).collect()
}

/// Returns the line up to a comment behind it, by the look of it.
fn ahead_of_comment(line: &[u8]) -> &[u8] {
    let mark = line.windows(3).position(|three| three == b" # " || three == b" //");
    mark.map_or(line, |at| &line[..at])
}

/// Says whether a word names something: most words of plain language are not written so.
fn is_name(word: &[u8]) -> bool {
    word.iter().any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// Says whether a word stands in the file, in more than a comment.
fn knows(page: &Page<'_>, word: &[u8]) -> bool {
    let letter = |at: Option<usize>| at.and_then(|at| page.bytes().get(at)).copied().is_some_and(is_letter);
    let whole = |at: &usize| !letter(at.checked_sub(1)) && !letter(Some(at + word.len()));
    let code = |at: usize| {
        let line = &page.bytes()[page.line_start(at)..at];
        !is_comment(line) && ahead_of_comment(line).len() == line.len()
    };
    memchr::memmem::find_iter(page.bytes(), word).filter(whole).any(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_told_from_another_line() {
        let check = |quoted: &str, stands: &str, spelling: bool, known: bool| {
            let difference = Difference::between(quoted.as_bytes(), stands.as_bytes());
            let page = Page::of(b"pop(data)\nvariant = 1\nempty list\n");
            let found = (difference.is_spelling(), difference.is_known(&page, false));
            assert_eq!(found, (spelling, known), "{quoted} | {stands}");
        };
        check("total = recieve(a, b)", "total = receive(a, b)", true, false);
        check("total = receive(a, b);", "total = receive(a, b)", true, false);
        check("retrun total + fidn(a)", "return total + find(a)", true, false);
        check("for field in variant.fields", "for field in data.fields", false, true);
        check("for field in variante.fields", "for field in data.fields", false, false);
        check("self[..].insert(v)", "(**self).insert(v)", false, false);
        check("x = call('first', 'second')", "x = call(\"first\", \"second\")", true, false);
        check("open(path, 'utf8')", "open(path, 'utf-8')", true, false);
        check("del numbers[first - 1]", "del numbers[first]", false, false);
        check("_: impl Fn(&'_ str),", "mut hook: impl Fn(&'_ str),", false, false);
        check("size = 12 + first", "size = 13 + first", false, false);
        check("x = pop(y).first", "x = y.first", false, true);
        check("x = y  # empty list", "x = y  # a comment", true, false);
        check("# the empty one", "# one that is full", false, false);
        assert!(Difference::between(b"set |= &other", b"set -= &other").is_of_signs());
        assert!(!Difference::between(b"set -= &other;", b"set -= &other").is_of_signs());
        assert!(Difference::between(b"checker = draft7_checker", b"checker = draft6_checker").is_of_numbers());
        assert!(!Difference::between(b"encoding = utf", b"encoding = utf8").is_of_numbers());
    }
}
