//! Where a word is written, whatever it means there.

use memchr::memmem::Finder;

use crate::text::Span;

/// Returns every place of `word` in `bytes` that is no part of a longer one.
pub(crate) fn places_of(word: &str, bytes: &[u8]) -> Vec<Span> {
    let finder = Finder::new(word);
    let ends_word = |byte: Option<&u8>| !byte.is_some_and(|byte| is_letter(*byte));
    let whole = |start: &usize| {
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        ends_word(before) && ends_word(bytes.get(start + word.len()))
    };
    finder
        .find_iter(bytes)
        .filter(whole)
        .map(|start| Span::new(start, start + word.len()))
        .collect()
}

/// Says whether a byte may be a part of a name; every one of a letter that is not ASCII may.
pub(super) fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Says whether a file of Python seems to have `from … import *`, however that is written.
pub(super) fn may_have_star(bytes: &[u8]) -> bool {
    let word = b"import";
    memchr::memmem::find_iter(bytes, word).any(|at| {
        let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || matches!(byte, b'\\' | b'(');
        let mut rest = bytes[at + word.len()..].iter();
        rest.find(|byte| !is_blank(byte)) == Some(&b'*')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        let check = |text: &str, starts: &[usize]| {
            let found = places_of("load", text.as_bytes());
            let found: Vec<usize> = found.iter().map(|span| span.start).collect();
            assert_eq!(found, starts, "{text:?}");
        };
        check("load", &[0]);
        check("a.load(load)", &[2, 7]);
        check("reload load_all load2 loadé", &[]);
        check("'load'-load", &[1, 7]);
    }

    #[test]
    fn stars_are_seen_however_they_are_written() {
        for star in [
            "import *",
            "import*",
            "import  *",
            "import \\\n  *",
            "import (*)",
        ] {
            assert!(
                may_have_star(format!("from a {star}\n").as_bytes()),
                "{star}"
            );
        }
        assert!(!may_have_star(b"import a\nfrom b import c\nprint(*a)\n"));
    }
}
