//! Words that messages about removals share.

/// Returns a name as an item of a list in brackets, quoted where YAML needs it.
pub(super) fn as_word(name: &str) -> String {
    let is_plain =
        |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | '$');
    let is_word = name.chars().all(is_plain)
        && name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    if is_word {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "''"))
    }
}
