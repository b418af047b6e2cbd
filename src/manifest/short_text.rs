//! `ShortText`: a name that is held in place, so that what has one is as cheap to hand on as a number.

/// A text of 1 to 80 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ShortText {
    bytes: [u8; ShortText::LONGEST],
    length: u8,
}

impl ShortText {
    /// The longest text in bytes.
    pub(super) const LONGEST: usize = 80;

    /// Returns `text` held in place; `None` where it is empty or too long.
    pub(super) fn of(text: &str) -> Option<ShortText> {
        let mut bytes = [0; ShortText::LONGEST];
        bytes
            .get_mut(..text.len())
            .filter(|_| !text.is_empty())?
            .copy_from_slice(text.as_bytes());
        Some(ShortText {
            bytes,
            length: u8::try_from(text.len()).ok()?,
        })
    }

    /// Returns the text.
    pub(super) fn as_str(&self) -> &str {
        self.bytes
            .get(..usize::from(self.length))
            .and_then(|text| std::str::from_utf8(text).ok())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_neither_empty_nor_long() {
        assert_eq!(ShortText::of("größe").unwrap().as_str(), "größe");
        assert!(ShortText::of("").is_none());
        assert!(ShortText::of(&"x".repeat(80)).is_some());
        assert!(ShortText::of(&"x".repeat(81)).is_none());
    }
}
