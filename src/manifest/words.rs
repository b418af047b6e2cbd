//! How each value of the model is written: one list of words for every enum, parsing and writing are inverses.
//!
//! Deliberately not here: addresses (selector), what stands around a value (yaml).

use std::fmt;

use super::lexical::ordinal;
use super::short_text::ShortText;
use super::{
    AttributeName, Author, CheckMode, Destination, Expect, ImportsRule, Indent, ItemName,
    MatchLevel, NamesRule, Part, Position, ResolveOrder,
};
use crate::syntax::ItemKind;

/// A value that is written as one word of a fixed list.
pub trait FixedWord: Copy + PartialEq + 'static {
    /// Every value with its word, in the order of the manual.
    const WORDS: &'static [(&'static str, Self)];

    /// Returns the value that `word` stands for.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|&(_, value)| value)
    }

    /// Returns the word that stands for the value.
    fn word(self) -> &'static str {
        Self::WORDS
            .iter()
            .find(|&&(_, value)| value == self)
            .map_or("", |&(name, _)| name)
    }

    /// Returns every word.
    fn words() -> Vec<&'static str> {
        Self::WORDS.iter().map(|&(name, _)| name).collect()
    }
}

impl FixedWord for Destination {
    const WORDS: &'static [(&'static str, Destination)] = &[
        ("commit", Destination::Commit),
        ("index", Destination::Index),
        ("cached", Destination::Cached),
        ("worktree", Destination::Worktree),
        ("stash", Destination::Stash),
    ];
}

impl FixedWord for CheckMode {
    const WORDS: &'static [(&'static str, CheckMode)] = &[
        ("strict", CheckMode::Strict),
        ("interactive", CheckMode::Interactive),
        ("verify_only", CheckMode::VerifyOnly),
    ];
}

impl FixedWord for ResolveOrder {
    const WORDS: &'static [(&'static str, ResolveOrder)] = &[
        ("snapshot", ResolveOrder::Snapshot),
        ("sequential", ResolveOrder::Sequential),
    ];
}

impl FixedWord for NamesRule {
    const WORDS: &'static [(&'static str, NamesRule)] =
        &[("warn", NamesRule::Warn), ("strict", NamesRule::Strict)];
}

impl FixedWord for ImportsRule {
    const WORDS: &'static [(&'static str, ImportsRule)] =
        &[("keep", ImportsRule::Keep), ("fix", ImportsRule::Fix)];
}

impl FixedWord for Position {
    const WORDS: &'static [(&'static str, Position)] = &[
        ("before", Position::Before),
        ("after", Position::After),
        ("first", Position::First),
        ("last", Position::Last),
    ];
}

impl FixedWord for MatchLevel {
    const WORDS: &'static [(&'static str, MatchLevel)] = &[
        ("exact", MatchLevel::Exact),
        ("trailing", MatchLevel::Trailing),
        ("unicode", MatchLevel::Unicode),
        ("indentation", MatchLevel::Indentation),
        ("whitespace", MatchLevel::Whitespace),
        ("similar", MatchLevel::Similar),
    ];
}

/// Parts that are written as one word, with the selectors that have them.
pub const PLAIN_PARTS: [(&str, Part); 8] = [
    ("whole", Part::Whole),
    ("definition", Part::Definition),
    ("body", Part::Body),
    ("signature", Part::Signature),
    ("docstring", Part::Docstring),
    ("own", Part::Own),
    ("heading", Part::Heading),
    ("inner", Part::Inner),
];

/// Parts that are counted: `code[1]`.
pub const COUNTED_PARTS: [&str; 3] = ["code", "table", "list"];

/// Words to offer when a part is misspelt.
pub const PART_WORDS: [&str; 16] = [
    "whole",
    "definition",
    "body",
    "signature",
    "docstring",
    "parameter[name]",
    "base[name]",
    "decorator[name]",
    "argument[name]",
    "own",
    "heading",
    "code[1]",
    "table[1]",
    "list[1]",
    "inner",
    "attribute:class",
];

/// What stands ahead of an attribute's name.
pub const ATTRIBUTE_PART: &str = "attribute:";

impl Part {
    /// Returns the part that `text` names: a word, `code[n]`, `table[n]`, `list[n]` with n from 1, `attribute:NAME`, or
    /// `parameter[NAME]` and its like.
    pub fn parse(text: &str) -> Option<Part> {
        if let Some(&(_, part)) = PLAIN_PARTS.iter().find(|(word, _)| *word == text) {
            return Some(part);
        }
        if let Some(kind) = ItemKind::parse(text) {
            return Some(Part::Item(kind, None));
        }
        if let Some(name) = text.strip_prefix(ATTRIBUTE_PART) {
            return AttributeName::parse(name).map(Part::Attribute);
        }
        let (word, index) = text.strip_suffix(']')?.split_once('[')?;
        if let Some(kind) = ItemKind::parse(word) {
            return ItemName::parse(index).map(|name| Part::Item(kind, Some(name)));
        }
        let index = ordinal(index)?;
        match word {
            "code" => Some(Part::Code(index)),
            "table" => Some(Part::Table(index)),
            "list" => Some(Part::List(index)),
            _ => None,
        }
    }
}

impl AttributeName {
    /// Returns the attribute that `text` names, in lower case, when HTML can write it.
    pub fn parse(text: &str) -> Option<AttributeName> {
        let odd = |character: char| {
            character.is_whitespace() || character.is_control() || "\"'<>/=".contains(character)
        };
        let name = ShortText::of(&text.to_ascii_lowercase()).filter(|_| !text.contains(odd))?;
        Some(AttributeName(name))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl ItemName {
    /// Returns the item that `text` names or numbers.
    pub fn parse(text: &str) -> Option<ItemName> {
        let is_odd = text != text.trim() || text.contains(char::is_control);
        ShortText::of(text).filter(|_| !is_odd).map(ItemName)
    }

    /// Returns what is written between the brackets.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the number that it is, from 1, if it is one.
    pub fn number(&self) -> Option<usize> {
        ordinal(self.as_str())
    }
}

impl fmt::Display for ItemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for ItemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for AttributeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for AttributeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Whole => f.write_str("whole"),
            Part::Definition => f.write_str("definition"),
            Part::Body => f.write_str("body"),
            Part::Signature => f.write_str("signature"),
            Part::Docstring => f.write_str("docstring"),
            Part::Own => f.write_str("own"),
            Part::Heading => f.write_str("heading"),
            Part::Code(index) => write!(f, "code[{index}]"),
            Part::Table(index) => write!(f, "table[{index}]"),
            Part::List(index) => write!(f, "list[{index}]"),
            Part::Inner => f.write_str("inner"),
            Part::Attribute(name) => write!(f, "{ATTRIBUTE_PART}{name}"),
            Part::Item(kind, None) => f.write_str(kind.as_str()),
            Part::Item(kind, Some(name)) => write!(f, "{}[{name}]", kind.as_str()),
        }
    }
}

/// The deepest indentation that may be asked for.
pub const MAX_INDENT: usize = 200;

impl Indent {
    /// Returns the indentation that `text` names: `auto`, `keep`, or a number of spaces.
    pub fn parse(text: &str) -> Option<Indent> {
        match text {
            "auto" => Some(Indent::Auto),
            "keep" => Some(Indent::Keep),
            "0" => Some(Indent::Spaces(0)),
            _ => ordinal(text)
                .filter(|&spaces| spaces <= MAX_INDENT)
                .map(Indent::Spaces),
        }
    }
}

impl fmt::Display for Indent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Indent::Auto => f.write_str("auto"),
            Indent::Keep => f.write_str("keep"),
            Indent::Spaces(spaces) => write!(f, "{spaces}"),
        }
    }
}

impl Expect {
    /// Returns the hash that `text` gives, in lower case, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Expect, String> {
        if let Some(odd) = text
            .chars()
            .find(|character| !character.is_ascii_hexdigit())
        {
            return Err(format!("is not hexadecimal: it holds {odd:?}"));
        }
        match text.len() {
            8..=64 => Ok(Expect(text.to_ascii_lowercase())),
            0..8 => Err("is too short to be told from others: give at least 8 digits".to_owned()),
            _ => Err("is longer than any hash".to_owned()),
        }
    }
}

impl Author {
    /// Returns the author that `text` names as `Name <mail>`, or says what is wrong with it.
    ///
    /// Control characters are refused because a line break would write a header of the commit.
    pub fn parse(text: &str) -> Result<Author, String> {
        let refuse = |why: &str| Err(why.to_owned());
        if text.contains(['\n', '\r']) {
            return refuse("holds a line break");
        }
        if text.chars().any(char::is_control) {
            return refuse("holds a control character");
        }
        let Some((name, email)) = text
            .trim()
            .strip_suffix('>')
            .and_then(|text| text.split_once('<'))
        else {
            return refuse("is not of the form `Name <mail>`");
        };
        let (name, email) = (name.trim(), email.trim());
        if name.contains(['<', '>']) || email.contains(['<', '>']) {
            return refuse("holds angle brackets inside the name or the mail address");
        }
        // git takes these characters off both ends of a name and refuses one that is nothing else.
        if name
            .chars()
            .all(|character| ".,:;\"\\' ".contains(character))
        {
            return refuse("has no name ahead of the mail address");
        }
        if email.is_empty() || email.contains(char::is_whitespace) {
            return refuse("has no mail address between `<` and `>`");
        }
        if text.len() > 1000 {
            return refuse("is longer than 1000 bytes");
        }
        Ok(Author {
            name: name.to_owned(),
            email: email.to_owned(),
        })
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} <{}>", self.name, self.email)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_words<T: FixedWord + std::fmt::Debug>() {
        for &(word, value) in T::WORDS {
            assert_eq!(T::from_word(word), Some(value));
            assert_eq!(value.word(), word);
        }
        assert_eq!(T::from_word("nothing"), None);
    }

    #[test]
    fn words_and_values_are_inverses() {
        check_words::<Destination>();
        check_words::<CheckMode>();
        check_words::<ResolveOrder>();
        check_words::<Position>();
        check_words::<MatchLevel>();
        assert!(
            MatchLevel::WORDS
                .iter()
                .all(|(word, level)| level.as_str() == *word)
        );
    }

    #[test]
    fn parts_parse_back_from_what_they_write() {
        for word in PART_WORDS {
            assert_eq!(
                Part::parse(word).map(|part| part.to_string()).as_deref(),
                Some(word)
            );
        }
        for text in [
            "",
            "code",
            "code[0]",
            "code[01]",
            "code[-1]",
            "code[99999999999999999999]",
            "Body",
            "body[1]",
            "attribute",
            "attribute:",
            "attribute:a b",
            "attribute:a=b",
            "Inner",
        ] {
            assert_eq!(Part::parse(text), None, "{text:?}");
        }
        assert_eq!(
            Part::parse("attribute:Data-X")
                .map(|part| part.to_string())
                .as_deref(),
            Some("attribute:data-x")
        );
        assert_eq!(Part::parse(&format!("attribute:{}", "x".repeat(81))), None);
    }

    #[test]
    fn indents_are_two_words_or_a_number() {
        let check = |text: &str, expected: Option<Indent>| {
            assert_eq!(Indent::parse(text), expected, "{text:?}")
        };
        check("auto", Some(Indent::Auto));
        check("0", Some(Indent::Spaces(0)));
        check("8", Some(Indent::Spaces(8)));
        check("200", Some(Indent::Spaces(200)));
        check("201", None);
        check("-1", None);
        check("08", None);
        check("tab", None);
    }

    #[test]
    fn authors_have_a_name_and_an_address_on_one_line() {
        let check = |text: &str, expected: Result<&str, &str>| {
            let found = Author::parse(text).map(|author| author.to_string());
            match expected {
                Ok(author) => assert_eq!(found.as_deref(), Ok(author), "{text:?}"),
                Err(part) => assert!(
                    found.as_ref().is_err_and(|why| why.contains(part)),
                    "{text:?}: {found:?}"
                ),
            }
        };
        check("A B <a@b>", Ok("A B <a@b>"));
        check("  A <a@b> ", Ok("A <a@b>"));
        check("Jürgen <j@x>", Ok("Jürgen <j@x>"));
        check("A <a@x>\nparent deadbeef", Err("line break"));
        check("A\u{1b} <a@x>", Err("control"));
        check("A a@x", Err("form"));
        check("A <a@x> junk", Err("form"));
        check("<a@x>", Err("no name"));
        check("... <a@x>", Err("no name"));
        check("A <>", Err("no mail"));
        check("A <a@x> <b@x>", Err("angle"));
        check("A > B <b@x>", Err("angle"));
        check("", Err("form"));
    }

    #[test]
    fn hashes_are_hexadecimal_and_long_enough() {
        assert_eq!(Expect::parse("DEADBEEF"), Ok(Expect("deadbeef".to_owned())));
        for text in ["", "deadbee", "deadbeeg", "deadbeef ", &"a".repeat(65)] {
            assert!(Expect::parse(text).is_err(), "{text:?}");
        }
    }
}
