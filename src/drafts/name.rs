//! `DraftName`: what a draft is called, by the call that begins it.

use std::fmt;

use crate::diagnostic::{Code, Diagnostic, shown};

/// Longest name, in bytes.
const LONGEST: usize = 60;

/// The name of a draft. Invariant: fit to be a part of a file's name and the last part of a ref's, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DraftName(String);

impl DraftName {
    /// Returns the name that `text` is, or says what a name looks like, with one that is near.
    pub fn parse(text: &str) -> Result<DraftName, Diagnostic> {
        if is_name(text) {
            return Ok(DraftName(text.to_owned()));
        }
        let rule = format!(
            "a name is up to {LONGEST} letters, digits, `-`, `_` and single dots between them, and begins with a letter or digit"
        );
        let refusal = Diagnostic::new(
            Code::Malformed,
            format!("`{}` cannot be the name of a draft", shown(text)),
        );
        Err(refusal.note(rule).suggest(like(text)))
    }

    /// Returns it as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the full name of its ref.
    pub fn reference(&self) -> String {
        format!("{}{}", super::DRAFTS, self.0)
    }
}

impl fmt::Display for DraftName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    text.len() <= LONGEST
        && text.bytes().all(is_plain)
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && !text.contains("..")
        && !text.ends_with('.')
        && !text.to_ascii_lowercase().ends_with(".lock")
}

/// Returns the name that is nearest to `text`, if there is one.
fn like(text: &str) -> Option<String> {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words: Vec<&str> = text
        .split(|character| !is_plain(character))
        .filter(|word| !word.is_empty())
        .collect();
    let joined: String = words.join("-").chars().take(LONGEST).collect();
    let near = joined.trim_matches(['-', '_']).to_owned();
    is_name(&near).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_fit_for_files_and_refs() {
        for good in [
            "orders",
            "a",
            "ORD-17",
            "fix_2.1",
            "x".repeat(LONGEST).as_str(),
        ] {
            assert_eq!(DraftName::parse(good).unwrap().as_str(), good);
            assert!(
                crate::git::is_ref_name(&DraftName::parse(good).unwrap().reference()),
                "{good}"
            );
        }
        let check = |bad: &str, near: &[&str]| {
            let refusal = DraftName::parse(bad).unwrap_err();
            assert_eq!(
                (refusal.code, refusal.suggestions),
                (Code::Malformed, near.map_owned()),
                "{bad}"
            );
        };
        check("", &[]);
        check("../x", &["x"]);
        check("/etc/passwd", &["etc-passwd"]);
        check("a/b", &["a-b"]);
        check(".hidden", &["hidden"]);
        check("-x", &["x"]);
        check("a..b", &["a-b"]);
        check("a.", &["a"]);
        check("x.lock", &["x-lock"]);
        check("x.LOCK", &["x-LOCK"]);
        check("two words", &["two-words"]);
        check("a\nb", &["a-b"]);
        check("a@{1}", &["a-1"]);
        check("\u{e4}", &[]);
        check("\0", &[]);
        check("..", &[]);
    }

    trait MapOwned {
        fn map_owned(&self) -> Vec<String>;
    }

    impl MapOwned for &[&str] {
        fn map_owned(&self) -> Vec<String> {
            self.iter().map(|&word| word.to_owned()).collect()
        }
    }
}
