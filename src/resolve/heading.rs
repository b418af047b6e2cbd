//! Headings as they are written, compared and addressed.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::syntax::Symbol;

/// Returns the words of a title as loose comparison sees them.
pub(super) fn words(title: &str) -> impl Iterator<Item = &str> {
    without_closing(title)
        .split(is_gap)
        .filter(|word| !word.is_empty())
}

/// Returns a title without the `#`s that close it: those that stand alone or behind a gap.
fn without_closing(title: &str) -> &str {
    let open = title.trim_end_matches(is_gap).trim_end_matches('#');
    if open.is_empty() || open.ends_with(is_gap) {
        open
    } else {
        title
    }
}

fn is_gap(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}

/// What two headings have in common when one address without `[n]` would mean both: the level and the title's words. Of what is
/// no section: 0 and the qualified name.
pub(super) type HeadingKey<'a> = (u8, Cow<'a, str>);

/// Returns the key of a section: the title itself where that is plain.
pub(super) fn key(section: &Symbol) -> HeadingKey<'_> {
    key_of(section.level, &section.name)
}

fn key_of(level: u8, title: &str) -> HeadingKey<'_> {
    if is_plain(title) {
        return (level, Cow::Borrowed(title));
    }
    let mut key = String::with_capacity(title.len());
    for (at, word) in words(title).enumerate() {
        if at > 0 {
            key.push(' ');
        }
        key.push_str(word);
    }
    (level, Cow::Owned(key))
}

/// Says whether a title is the same to the letter and loosely, and nothing in it has to be written otherwise in an address: words
/// of ASCII with one space between two of them, no `#` at the end.
pub(super) fn is_plain(title: &str) -> bool {
    let mut after_gap = true;
    for byte in title.bytes() {
        match byte {
            b' ' if after_gap => return false,
            b' ' => after_gap = true,
            b'!'..=b'~' => after_gap = false,
            _ => return false,
        }
    }
    !after_gap && !title.ends_with('#')
}

/// Returns the address of a section, the `index`-th of `twins` with its key, in a file that has the keys `taken`.
pub(super) fn address<V>(
    section: &Symbol,
    index: usize,
    twins: usize,
    taken: &HashMap<HeadingKey<'_>, V>,
) -> String {
    let level = section.level;
    let title = match section.name.contains(char::is_control) {
        true => Cow::Owned(section.name.replace(char::is_control, " ")),
        false => Cow::Borrowed(&*section.name),
    };
    if twins < 2 && words(&title).next().is_some() {
        // Whoever reads the address takes one closing sequence off, so a title that ends in one needs another.
        let closing = if without_closing(&title) == title {
            ""
        } else {
            " #"
        };
        return heading(level, &title) + closing;
    }
    // A title may stand in the file that reads like this one with its number; zeros in front make it another.
    let numbered = |zeros: usize| format!("{title}[{:0>1$}{index}]", "", zeros);
    let free = (0..taken.len())
        .map(numbered)
        .find(|title| !taken.contains_key(&key_of(level, title)));
    heading(level, &free.unwrap_or_else(|| numbered(taken.len())))
}

/// Returns a heading as it is written.
pub(super) fn heading(level: u8, title: &str) -> String {
    let mut heading = String::with_capacity(usize::from(level) + title.len() + 8);
    heading.extend(std::iter::repeat_n('#', usize::from(level)));
    heading.push(' ');
    heading.push_str(title);
    heading
}
