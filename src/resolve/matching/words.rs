//! `Words`: where a word of a file ends, so that a text which was quoted as a whole is not taken from inside of something longer.
//!
//! A word is made of letters, digits and `_`, and of what else names of the file's language have (`user$`). A number is one word with
//! its fraction, its exponent and the further parts of a version: `LIMIT = 1` is not in `LIMIT = 1.5`. Where many places are meant at
//! once, words that the language's names join are one, too: `card` is not in `card-title`.
//!
//! Known limit: a number that ends in its point (`1.`) is not told from the end of a sentence, so it ends ahead of it.

use super::typography::first_character;
use crate::syntax::{Language, NameCharacters};
use crate::text::Span;

/// Digits of a number that are looked at; longer ones are numbers in any case.
const MOST_DIGITS: usize = 64;

/// Signs between two words (`block--modified`) that are looked at.
const MOST_JOINTS: usize = 4;

/// What is a word in some file.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    names: NameCharacters,
    joins: bool,
}

impl Words {
    /// Returns the words of a file in `language`.
    pub fn of(language: Option<&Language>) -> Words {
        Words {
            names: language.map_or(NameCharacters::PLAIN, |language| language.habits.names),
            joins: false,
        }
    }

    /// Returns them with those as one that the language's names join.
    pub fn joined(self) -> Words {
        Words {
            joins: true,
            ..self
        }
    }

    /// Says whether a place begins or ends inside a word.
    pub fn are_cut(&self, bytes: &[u8], place: Span) -> bool {
        !self.at_border(bytes, place.start) || !self.at_border(bytes, place.end)
    }

    /// Says whether no word is cut in two at `at`. Scripts that put no blanks between words are cut anywhere.
    pub fn at_border(&self, bytes: &[u8], at: usize) -> bool {
        let (before, after) = (
            bytes.get(..at).unwrap_or_default(),
            bytes.get(at..).unwrap_or_default(),
        );
        let is_cut = self.ends_in_word(before, after) && self.begins_word(after);
        !(is_cut || cuts_number(bytes, at) || self.joins && self.cuts_joined(before, after))
    }

    fn begins_word(&self, rest: &[u8]) -> bool {
        first_character(rest)
            .is_some_and(|it| is_letter(it) || self.is_of_names(it, &rest[it.len_utf8()..]))
    }

    fn ends_in_word(&self, before: &[u8], after: &[u8]) -> bool {
        last_character(before).is_some_and(|it| is_letter(it) || self.is_of_names(it, after))
    }

    /// Says whether a character is a part of a name, though it is no letter, with `rest` after it.
    fn is_of_names(&self, character: char, rest: &[u8]) -> bool {
        let means_other =
            |next: char| next.is_ascii_digit() || self.names.none_before.contains(next);
        self.names.characters.contains(character) && !first_character(rest).is_some_and(means_other)
    }

    /// Says whether what is on both sides is a name of several words, and not a date.
    fn cuts_joined(&self, before: &[u8], after: &[u8]) -> bool {
        let is_joint = |byte: &&u8| self.names.joints.as_bytes().contains(*byte);
        let left = before
            .iter()
            .rev()
            .take(MOST_JOINTS)
            .take_while(is_joint)
            .count();
        let right = after.iter().take(MOST_JOINTS).take_while(is_joint).count();
        let (one, other) = (
            last_character(&before[..before.len() - left]),
            first_character(&after[right..]),
        );
        let (Some(one), Some(other)) = (one, other) else {
            return false;
        };
        left + right > 0
            && is_letter(one)
            && is_letter(other)
            && !(one.is_ascii_digit() && other.is_ascii_digit())
    }
}

/// Says whether a number goes on from one side of `at` to the other with its point or the sign of its exponent.
fn cuts_number(bytes: &[u8], at: usize) -> bool {
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let cuts_at = |sign: usize| match bytes.get(sign) {
        Some(b'.') => is_digit(Some(sign + 1)) && is_number(bytes, sign),
        Some(b'+' | b'-') if is_digit(Some(sign + 1)) => {
            let letter = sign
                .checked_sub(1)
                .filter(|&at| matches!(bytes.get(at), Some(b'e' | b'E')));
            letter.is_some_and(|letter| is_number(bytes, letter))
        }
        _ => false,
    };
    cuts_at(at) || at.checked_sub(1).is_some_and(cuts_at)
}

/// Says whether what ends at `end` is a number and not the end of a name (`pair1.0`) or a field (`pair.0.1`).
fn is_number(bytes: &[u8], end: usize) -> bool {
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (mut start, mut points) = (end, 0);
    while let Some(last) = start
        .checked_sub(1)
        .filter(|&last| end - last <= MOST_DIGITS)
    {
        let goes_on = match bytes.get(last) {
            Some(b'.' | b'_') => {
                start < end && is_digit(start) && last.checked_sub(1).is_some_and(is_digit)
            }
            _ => is_digit(last),
        };
        if !goes_on {
            break;
        }
        points += usize::from(bytes.get(last) == Some(&b'.'));
        start = last;
    }
    let before = bytes.get(..start).unwrap_or_default();
    let is_version = |before: &[u8]| {
        let is_alone = !last_character(before).is_some_and(|it| is_letter(it) || it == '.');
        let rest = bytes.get(end + 1..).unwrap_or_default();
        let more = rest
            .iter()
            .take(MOST_DIGITS)
            .take_while(|byte| byte.is_ascii_digit() || **byte == b'.');
        // A variable `v1` has a field `v1.0`.
        is_alone
            && (points > 0
                || more
                    .clone()
                    .zip(more.skip(1))
                    .any(|(one, next)| *one == b'.' && *next != b'.'))
    };
    start < end
        && match before.split_last() {
            Some((b'.', before)) => before.ends_with(b"."),
            Some((b'v' | b'V', before)) => is_version(before),
            Some((last, _)) => !(last.is_ascii_alphanumeric() || *last == b'_'),
            None => true,
        }
}

/// Says whether a character is a part of words in any language, and a word is not any row of such.
fn is_letter(character: char) -> bool {
    (character.is_alphanumeric() || character == '_') && !is_written_without_blanks(character)
}

/// Says whether a character is of Thai, Lao, Burmese, Khmer, Chinese or Japanese.
fn is_written_without_blanks(character: char) -> bool {
    matches!(
        character,
        '\u{0e00}'..='\u{0eff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{2e80}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

fn last_character(bytes: &[u8]) -> Option<char> {
    let start = (1..=4.min(bytes.len()))
        .map(|back| bytes.len() - back)
        .find(|&start| bytes[start] & 0xc0 != 0x80);
    start.and_then(|start| first_character(&bytes[start..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::syntax::language_of;

    /// Says of each `|` and `!` of `marked` that it is a border of words, or none.
    #[track_caller]
    fn check(path: &str, joins: bool, marked: &str) {
        let words = Words::of(language_of(&RepoPath::parse(path).unwrap()));
        let words = if joins { words.joined() } else { words };
        let text: String = marked
            .chars()
            .filter(|letter| !matches!(letter, '|' | '!'))
            .collect();
        let mut at = 0;
        let mut shown = String::new();
        for letter in marked.chars() {
            if matches!(letter, '|' | '!') {
                shown.push(if words.at_border(text.as_bytes(), at) {
                    '|'
                } else {
                    '!'
                });
            } else {
                shown.push(letter);
                at += letter.len_utf8();
            }
        }
        assert_eq!(shown, marked, "{path}");
    }

    #[test]
    fn a_number_is_one_word() {
        for marked in [
            "x = |1!.!5|",
            "x = |1!0!.!5|;",
            "|1!.!2!.!3|",
            "(|1|)",
            "see |1!.!5|.| Then",
            "range |1|.|.|2|",
            "|1|.|.|2!.!5|",
            "|1|.|max(2)",
            "|1|.",
            "|1!e!-!5| |2!.!5!e!+!10|",
            "|1| - 5, e|-|5, 0x1e|-|5, table|-|5",
            "pair|.|0|.|1, |pair1|.|0, f()|.|0|.|1",
            "v!1!.!2!.!3| |v1|.|0",
            "1_000!.!5| x_0|.|5",
            "127!.!0!.!0!.!1",
            "de|-1|.|a",
            "版本|1!.!2",
        ] {
            check("a.rs", false, marked);
        }
    }

    #[test]
    fn names_have_what_their_language_gives_them() {
        check(
            "a.js",
            false,
            "const user!$| = $!user|; |$|(|user|), a$!b, $!$!c",
        );
        check("a.tsx", false, "x.user!$|.pipe(user!$|)");
        check(
            "a.js",
            false,
            "`${|user|}` $|${|price|} $|5 /^|foo|$|/ 'a|$|'",
        );
        check("a.py", false, "user|$");
        check("a.js", false, "a|-|b");
    }

    #[test]
    fn words_are_joined_where_many_places_are_meant() {
        check("a.html", false, "card|-|title");
        check(
            "a.html",
            true,
            "class=\"|card!-!title| btn!-!2| card!-!-!big|\" <--|a|--> --|card|: 1 2024|-|01",
        );
        check("a.yaml", true, "|my!-!key|: |- a");
        check("a.md", true, "|well|-|known|");
        check("a.py", true, "a|-|b");
    }
}
