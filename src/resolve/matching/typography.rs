//! What a typesetter writes and what a keyboard writes: quotes, dashes, spaces, and accents put together or apart.
//!
//! Home of `unicode-normalization`. Guillemets stay apart from quotes: in many languages they are not the same.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// What becomes of a character when typography is overlooked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    /// It is plain.
    Itself,
    /// Something else stands for it.
    As(&'static str),
}

/// Returns the plain form of a character.
pub(super) fn plain(character: char) -> Plain {
    match character {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '\u{2035}' | '\u{2bc}' => {
            Plain::As("'")
        }
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' | '\u{2036}' => {
            Plain::As("\"")
        }
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
            Plain::As("-")
        }
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Plain::As(" ")
        }
        '\u{2026}' => Plain::As("..."),
        _ => Plain::Itself,
    }
}

/// Says whether a character joins the one ahead of it: an accent, or the later part of a Hangul syllable.
pub(super) fn joins(character: char) -> bool {
    !character.is_ascii()
        && (canonical_combining_class(character) != 0
            || matches!(character, '\u{1160}'..='\u{11ff}'))
}

/// Returns a character and what joins it as one, where Unicode has one.
pub(super) fn composed(cluster: &str) -> String {
    cluster.nfc().collect()
}

/// Returns the character that `bytes` begin with, if they are UTF-8 there.
pub(super) fn first_character(bytes: &[u8]) -> Option<char> {
    let head = &bytes[..bytes.len().min(4)];
    head.utf8_chunks()
        .next()
        .and_then(|chunk| chunk.valid().chars().next())
}
