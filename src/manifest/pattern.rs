//! `Pattern`: a regular expression within bounds, with its flags, and the groups that a replacement may name.
//!
//! The engine is linear in what it reads; the size limit bounds what compiling costs. Home of regex.

use std::fmt;

use regex::bytes::{Regex, RegexBuilder};

/// Memory that a compiled pattern may take, in bytes.
pub const MAX_PATTERN: usize = 256 << 10;

/// Longest pattern in bytes: parsing one takes many times its length in memory, ahead of the limit on the result.
pub const MAX_PATTERN_TEXT: usize = 64 << 10;

/// A regular expression with the text it was made from and its flags.
///
/// Invariant: the regex's own text is `text` behind its flags, written inline (`(?im)`), when it was made by `compile`.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As written.
    pub text: String,
    /// Compiled over bytes, with its flags and a size limit.
    pub regex: Regex,
    /// The text that it matches in either case, if it was made of one.
    pub of_text: Option<String>,
}

/// How a pattern reads case, lines and `.`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Letters match in either case.
    pub ignore_case: bool,
    /// `^` and `$` match at every line.
    pub multiline: bool,
    /// `.` matches a line break too.
    pub dotall: bool,
}

impl Pattern {
    /// Compiles `text` with `flags` within the size limit, or says what is wrong with it.
    pub fn compile(text: &str, flags: Flags) -> Result<Pattern, String> {
        if text.is_empty() {
            return Err("is empty, and would match everywhere".to_owned());
        }
        if text.len() > MAX_PATTERN_TEXT {
            return Err(format!("is longer than {MAX_PATTERN_TEXT} bytes"));
        }
        // What is wrong with the text is told without our own flags in front of it.
        let regex = Pattern::build(&format!("{flags}{text}"))
            .map_err(|with_flags| Pattern::build(text).err().unwrap_or(with_flags))?;
        Ok(Pattern {
            text: text.to_owned(),
            regex,
            of_text: None,
        })
    }

    /// Returns the pattern that matches `text` literally in either case.
    pub fn literally_ignoring_case(text: &str) -> Result<Pattern, String> {
        let pattern = Pattern::compile(
            &regex::escape(text),
            Flags {
                ignore_case: true,
                ..Flags::default()
            },
        )?;
        Ok(Pattern {
            of_text: Some(text.to_owned()),
            ..pattern
        })
    }

    fn build(text: &str) -> Result<Regex, String> {
        // A carriage return belongs to the end of its line: `.` does not match it, and `$` matches before it.
        RegexBuilder::new(text)
            .crlf(true)
            .size_limit(MAX_PATTERN)
            .build()
            .map_err(|error| match error {
                regex::Error::CompiledTooBig(limit) => {
                    format!("needs more than {limit} bytes when compiled")
                }
                error => format!(
                    "is not a regular expression: {}",
                    last_line(&error.to_string())
                ),
            })
    }

    /// Returns the flags it was compiled with.
    pub fn flags(&self) -> Flags {
        let inline = self
            .regex
            .as_str()
            .strip_suffix(self.text.as_str())
            .unwrap_or_default();
        Flags {
            ignore_case: inline.contains('i'),
            multiline: inline.contains('m'),
            dotall: inline.contains('s'),
        }
    }

    /// Returns the first group that `replacement` names and the pattern does not have, as it is written there.
    pub fn unknown_group<'a>(&self, replacement: &'a str) -> Option<&'a str> {
        group_references(replacement).find(|group| !self.has_group(group))
    }

    fn has_group(&self, group: &str) -> bool {
        match group.parse::<usize>() {
            Ok(number) => number < self.regex.captures_len(),
            Err(_) => self
                .regex
                .capture_names()
                .flatten()
                .any(|name| name == group),
        }
    }

    /// Returns the groups that a replacement can name, for a suggestion.
    pub fn groups(&self) -> Vec<String> {
        let name = |(at, name): (usize, Option<&str>)| match name {
            Some(name) => format!("${{{name}}}"),
            None => format!("${{{at}}}"),
        };
        self.regex.capture_names().enumerate().map(name).collect()
    }
}

/// Iterates over the groups that `replacement` names, read as the regex crate expands them: `$name`, `${name}`, with
/// the longest run of letters, digits and `_`; `$$` is a dollar sign.
fn group_references(replacement: &str) -> impl Iterator<Item = &str> {
    let mut rest = replacement;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find('$')? + 1..];
            if let Some(behind) = rest.strip_prefix('$') {
                rest = behind;
                continue;
            }
            if let Some((group, behind)) = rest
                .strip_prefix('{')
                .and_then(|inner| inner.split_once('}'))
            {
                rest = behind;
                return Some(group);
            }
            let letters = |character: char| character.is_ascii_alphanumeric() || character == '_';
            let (group, behind) = rest.split_at(
                rest.find(|character| !letters(character))
                    .unwrap_or(rest.len()),
            );
            rest = behind;
            if !group.is_empty() {
                return Some(group);
            }
        }
    })
}

/// Regex errors draw a picture over several lines; the sentence is the last.
fn last_line(text: &str) -> &str {
    let line = text
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or(text);
    line.trim().trim_start_matches("error: ")
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = [
            (self.ignore_case, 'i'),
            (self.multiline, 'm'),
            (self.dotall, 's'),
        ];
        let letters: String = flags
            .into_iter()
            .filter(|(set, _)| *set)
            .map(|(_, letter)| letter)
            .collect();
        if letters.is_empty() {
            Ok(())
        } else {
            write!(f, "(?{letters})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_compile_within_bounds_and_keep_their_flags() {
        let all = Flags {
            ignore_case: true,
            multiline: true,
            dotall: true,
        };
        let pattern = Pattern::compile("a|b.c$", all).unwrap();
        assert_eq!((pattern.text.as_str(), pattern.flags()), ("a|b.c$", all));
        assert!(pattern.regex.is_match(b"xB\nC\nd"));
        assert_eq!(
            Pattern::compile("a", Flags::default()).unwrap().flags(),
            Flags::default()
        );
        assert!(
            Pattern::literally_ignoring_case("a.B")
                .unwrap()
                .regex
                .is_match(b"A.b")
        );
        assert!(
            !Pattern::literally_ignoring_case("a.B")
                .unwrap()
                .regex
                .is_match(b"Axb")
        );
        for text in [
            "",
            "(",
            "[a",
            "a{1000}{1000}{1000}",
            "(?P<n>a)(?P<n>b)",
            r"(a)\1",
            r"(?=a)",
        ] {
            assert!(
                Pattern::compile(text, Flags::default()).is_err(),
                "{text:?}"
            );
        }
        assert!(Pattern::compile(&"a".repeat(MAX_PATTERN_TEXT + 1), all).is_err());
        assert!(
            Pattern::compile("*a", all)
                .unwrap_err()
                .ends_with("repetition operator missing expression")
        );
        assert!(Pattern::compile(&"(".repeat(300), Flags::default()).is_err());
        let why = Pattern::compile("(", Flags::default()).unwrap_err();
        assert_eq!(why, "is not a regular expression: unclosed group");
    }

    #[test]
    fn replacements_name_groups_that_exist() {
        let pattern = Pattern::compile("(?P<word>a)(b)", Flags::default()).unwrap();
        let check = |replacement: &str, unknown: Option<&str>| {
            assert_eq!(
                pattern.unknown_group(replacement),
                unknown,
                "{replacement:?}"
            );
        };
        check("$0 $1 ${2} $word ${word}x", None);
        check("cost: 5$ or $, $$9 and ${open", None);
        check("$9", Some("9"));
        check("$1a", Some("1a"));
        check("$$$3", Some("3"));
        check("${}", Some(""));
        check("${word }", Some("word "));
        check("$42a", Some("42a"));
        check("${42}a", Some("42"));
        check("${42", None);
        check("$1_$2", Some("1_"));
        assert_eq!(pattern.groups(), ["${0}", "${word}", "${2}"]);
    }
}
