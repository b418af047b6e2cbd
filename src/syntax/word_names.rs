//! Names of what is called by a text: keys, sections, targets, stages. With dots they are words of an address, and what is no word is
//! written in quotes.

/// Returns what a name is, and what is before its last dot; one with a dot at either end is a word of its own.
pub(crate) fn dotted_name(text: &str) -> Option<(Option<String>, String)> {
    let is_path = !text.is_empty()
        && text
            .split('.')
            .all(|word| !word.is_empty() && word.chars().all(is_of_name));
    match text.rsplit_once('.').filter(|_| is_path) {
        Some((before, name)) => Some((Some(before.to_owned()), name.to_owned())),
        None => Some((None, quoted_name(text)?)),
    }
}

/// Says whether a letter is one of a word, with hyphens.
pub(crate) fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-')
}

/// Returns a name as an address writes it: in quotes, if it holds more than words; `None` for one that no address could hold.
pub(crate) fn quoted_name(name: &str) -> Option<String> {
    let is_unwritable = |c: char| c.is_control() || matches!(c, '"' | '\\');
    if name.is_empty() || name.contains(is_unwritable) {
        return None;
    }
    let is_plain = name.chars().all(is_of_name);
    Some(if is_plain {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    })
}
