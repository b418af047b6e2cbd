//! Escapes: what JSON admits inside of strings as it is and YAML does not.

/// Says whether YAML wants the character as an escape, or the versions of YAML disagree about it.
pub(super) fn is_escaped(character: char) -> bool {
    matches!(
        character,
        '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

/// Escapes what JSON admits inside strings as it is and YAML does not; outside of strings there is none of it.
pub(crate) fn escape(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if is_escaped(character) {
            escaped.push_str(&format!("\\u{:04x}", character as u32));
        } else {
            escaped.push(character);
        }
    }
    escaped
}
