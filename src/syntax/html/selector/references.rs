//! Character references (`&eacute;`, `&#233;`) and what they stand for.
//!
//! `references.txt` is the table of <https://html.spec.whatwg.org/multipage/named-characters.html>: a name, with a `;` where
//! it needs one, and its characters in hexadecimal.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a reference is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReferenceContext {
    Attribute,
    Text,
}

/// What a name stands for.
struct NamedCharacter {
    characters: String,
    /// It counts without its `;` too.
    stands_alone: bool,
}

static NAMES: LazyLock<HashMap<&str, NamedCharacter>> = LazyLock::new(|| {
    let named = |line: &'static str| {
        let (name, characters) = line.split_once(' ')?;
        let characters = characters
            .split(' ')
            .filter_map(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        let bare = name.trim_end_matches(';');
        Some((
            bare,
            NamedCharacter {
                characters: characters.collect(),
                stands_alone: bare == name,
            },
        ))
    };
    include_str!("references.txt")
        .lines()
        .filter_map(named)
        .collect()
});

/// What the numbers from 128 to 159 stand for, which are those of Windows wherever it has a character there.
const WINDOWS: &str = "\u{20ac}\u{81}\u{201a}\u{192}\u{201e}\u{2026}\u{2020}\u{2021}\u{2c6}\u{2030}\u{160}\u{2039}\u{152}\
    \u{8d}\u{17d}\u{8f}\u{90}\u{2018}\u{2019}\u{201c}\u{201d}\u{2022}\u{2013}\u{2014}\u{2dc}\u{2122}\u{161}\u{203a}\
    \u{153}\u{9d}\u{17e}\u{178}";

/// Returns the value of an attribute with its references resolved; `None` when there are none.
pub(crate) fn resolved(value: &str) -> Option<String> {
    replaced(value, ReferenceContext::Attribute)
}

/// Returns text with its references resolved; `None` when there are none.
pub(crate) fn resolved_text(text: &str) -> Option<String> {
    replaced(text, ReferenceContext::Text)
}

fn replaced(source: &str, holder: ReferenceContext) -> Option<String> {
    let mut text = String::new();
    let mut rest = source;
    while let Some((before, reference)) = rest.split_once('&') {
        text.push_str(before);
        match number(reference).or_else(|| name(reference, holder)) {
            Some((characters, after)) => {
                text.push_str(&characters);
                rest = after;
            }
            None => {
                text.push('&');
                rest = reference;
            }
        }
    }
    text.push_str(rest);
    (text != source).then_some(text)
}

/// Reads a number after a `&`; returns its character, and what follows.
fn number(reference: &str) -> Option<(String, &str)> {
    let digits = reference.strip_prefix('#')?;
    let (digits, radix) = digits
        .strip_prefix(['x', 'X'])
        .map_or((digits, 10), |digits| (digits, 16));
    let end = digits
        .find(|digit: char| !digit.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, after) = digits.split_at(end);
    if digits.is_empty() {
        return None;
    }
    // A number too large for us is too large for a character.
    let number = u32::from_str_radix(digits, radix).unwrap_or(u32::MAX);
    let windows = number
        .checked_sub(128)
        .and_then(|at| WINDOWS.chars().nth(usize::try_from(at).ok()?));
    let character = windows.or(char::from_u32(number).filter(|&character| character != '\0'));
    let after = after.strip_prefix(';').unwrap_or(after);
    Some((
        character.unwrap_or(char::REPLACEMENT_CHARACTER).to_string(),
        after,
    ))
}

/// Reads a name after a `&`; returns its characters, and what follows. In an attribute a name without its `;` is none when
/// a letter, a digit or a `=` follows, so that `?a=1&copy=2` stays an address.
fn name(reference: &str, holder: ReferenceContext) -> Option<(String, &str)> {
    let end = reference
        .find(|character: char| !character.is_ascii_alphanumeric())
        .unwrap_or(reference.len());
    let (run, after) = reference.split_at(end);
    let known = NAMES.get(run);
    if let (Some(known), Some(after)) = (known, after.strip_prefix(';')) {
        return Some((known.characters.clone(), after));
    }
    let alone = |name: &str| {
        NAMES
            .get(name)
            .filter(|named| named.stands_alone)
            .map(|named| named.characters.clone())
    };
    match holder {
        ReferenceContext::Attribute if after.starts_with('=') => None,
        ReferenceContext::Attribute => Some((alone(run)?, after)),
        // No name that stands alone is longer.
        ReferenceContext::Text => (1..=run.len().min(6))
            .rev()
            .find_map(|end| Some((alone(&run[..end])?, &reference[end..]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved() {
        let check = |source: &str, in_value: &str, in_text: &str| {
            assert_eq!(
                resolved(source).as_deref().unwrap_or(source),
                in_value,
                "{source}"
            );
            assert_eq!(
                resolved_text(source).as_deref().unwrap_or(source),
                in_text,
                "{source}"
            );
        };
        check("caf&eacute; &lt;&amp;&gt;", "café <&>", "café <&>");
        check("&#97;&#x61;&#X61;&#97", "aaaa", "aaaa");
        check(
            "&#128;&#0;&#xD800;&#99999999999;&#129;",
            "€\u{fffd}\u{fffd}\u{fffd}\u{81}",
            "€\u{fffd}\u{fffd}\u{fffd}\u{81}",
        );
        check("?a=1&copy=2&reg", "?a=1&copy=2®", "?a=1©=2®");
        check("&notit; &notin; &not it", "&notit; ∉ ¬ it", "¬it; ∉ ¬ it");
        check(
            "&NotEqualTilde;&acE;",
            "\u{2242}\u{338}\u{223e}\u{333}",
            "\u{2242}\u{338}\u{223e}\u{333}",
        );
        check(
            "&;&#;&#x;&nix;& &",
            "&;&#;&#x;&nix;& &",
            "&;&#;&#x;&nix;& &",
        );
        check("&Tab;&abreve", "\t&abreve", "\t&abreve");
    }

    #[test]
    fn the_table_is_whole() {
        let alone = NAMES.values().filter(|named| named.stands_alone).count();
        assert_eq!((NAMES.len(), alone), (2125, 106));
        assert!(
            NAMES
                .iter()
                .all(|(name, named)| !named.stands_alone || name.len() <= 6)
        );
    }
}
