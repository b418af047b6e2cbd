//! Values of attributes as selectors see them.

use std::borrow::Cow;

use super::super::mask;

/// Returns the value of a `class` with the words of template tags taken out: what one writes is a part of a name that
/// is not known, what one says is no class.
pub(crate) fn class_words(value: &str) -> Cow<'_, str> {
    let tags = mask::tags(value.as_bytes());
    if tags.is_empty() {
        return Cow::Borrowed(value);
    }
    let filled = mask::filled(value.as_bytes(), &tags, |tag| {
        if tag.is_value { mask::MASK } else { b' ' }
    });
    Cow::Owned(String::from_utf8_lossy(&filled).into_owned())
}
