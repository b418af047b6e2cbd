//! Lexical rules that fields share: what is blank, what a control character is, how a number is written, what a name may be.

/// Returns the number that `text` writes in the one way we write it: decimal digits, no sign, no leading zero, from 1.
pub(super) fn ordinal(text: &str) -> Option<usize> {
    let canonical = !text.starts_with('0')
        && !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit());
    canonical.then(|| text.parse().ok()).flatten()
}

/// Says whether nobody could see anything of `text`: white space, or a byte-order mark that strayed into it.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|character| character.is_whitespace() || character == '\u{feff}')
}

/// Longest name or heading that is looked for, in bytes: more is not a name but an attack on whoever compares it.
pub(super) const MAX_NAME: usize = 4096;

pub(super) fn check_name(text: &str) -> Result<(), String> {
    if is_blank(text) {
        return Err("is blank".to_owned());
    }
    if text.len() > MAX_NAME {
        return Err(format!("is longer than {MAX_NAME} bytes"));
    }
    match control_character(text) {
        Some(odd) => Err(format!("holds the control character U+{:04X}", odd as u32)),
        None => Ok(()),
    }
}

/// Returns the first control character of `text`; a tab or a line break is one.
pub(super) fn control_character(text: &str) -> Option<char> {
    text.chars().find(|character| character.is_control())
}
