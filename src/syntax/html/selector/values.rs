//! Values of attributes as selectors see them.

use std::borrow::Cow;

use super::super::mask;

/// Returns the value of a `class` with the words of template tags taken out: what one writes is a part of a name that
/// nobody knows, what one says is no class.
pub fn class_words(value: &str) -> Cow<'_, str> {
    let tags = mask::tags(value.as_bytes());
    if tags.is_empty() {
        return Cow::Borrowed(value);
    }
    let filled = mask::filled(value.as_bytes(), &tags, |tag| if tag.is_value { mask::MASK } else { b' ' });
    Cow::Owned(String::from_utf8_lossy(&filled).into_owned())
}

/// Returns `value` with its character references resolved: numbers and the five that every page uses; `None` when there
/// are none.
pub fn resolved(value: &str) -> Option<String> {
    const NAMED: [(&str, char); 6] =
        [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("nbsp", '\u{a0}')];
    let mut text = String::new();
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        let (ahead, reference) = rest.split_at(at);
        text.push_str(ahead);
        let end = reference.find(';').filter(|&end| end <= 10);
        let name = end.and_then(|end| reference.get(1..end)).unwrap_or_default();
        let number = name.strip_prefix('#').and_then(|digits| match digits.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        });
        let named = NAMED.iter().find(|(known, _)| *known == name).map(|&(_, character)| character);
        match (number.and_then(char::from_u32).or(named), end) {
            (Some(character), Some(end)) => {
                text.push(character);
                rest = &reference[end + 1..];
            }
            _ => {
                text.push('&');
                rest = &reference[1..];
            }
        }
    }
    text.push_str(rest);
    (text != value).then_some(text)
}
