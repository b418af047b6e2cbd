//! Template tags in a page: `{{ value }}`, `{% statement %}`, `{# comment #}` are not HTML, so they are masked, byte for
//! byte, and every offset stays true.
//!
//! A tag that is never closed is no tag: `{{` is ordinary text then. Known limit: a tag ends at the first `}}`, `%}` or
//! `#}`, inside a string of the template's language too.

use memchr::memmem;

use crate::text::Span;

/// What stands in the place of each byte of a template tag. No text file holds it.
pub const MASK: u8 = 0;

/// The three tags: how they open and close, and whether they stand for a value.
const TAGS: [(&[u8; 2], &[u8; 2], bool); 3] = [(b"{{", b"}}", true), (b"{%", b"%}", false), (b"{#", b"#}", false)];

/// A template tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// From `{` to `}`.
    pub span: Span,
    /// Written out as a value, not a statement or a comment.
    pub is_value: bool,
}

/// Returns the template tags of `source` in file order.
pub fn tags(source: &[u8]) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut at = 0;
    // A closer that is missing once is missing from there on: nobody looks twice.
    let mut hopeless = [false; TAGS.len()];
    while let Some(open) = source.get(at..).and_then(|rest| memchr::memchr(b'{', rest)).map(|found| at + found) {
        let next = source.get(open..open + 2);
        let sort = TAGS.iter().position(|(opener, ..)| next == Some(opener.as_slice()));
        at = open + 1;
        let Some(sort) = sort.filter(|&sort| !hopeless[sort]) else { continue };
        let (_, closer, is_value) = TAGS[sort];
        match source.get(open + 2..).and_then(|rest| memmem::find(rest, closer)) {
            Some(length) => {
                at = open + 2 + length + closer.len();
                tags.push(Tag { span: Span::new(open, at), is_value });
            }
            None => hopeless[sort] = true,
        }
    }
    tags
}

/// Returns `source` with each tag's bytes as `MASK`; line endings inside stay.
pub fn masked(source: &[u8], tags: &[Tag]) -> Vec<u8> {
    filled(source, tags, |_| MASK)
}

/// Returns `source` with each tag's bytes as `filler` says; line endings inside stay.
pub fn filled(source: &[u8], tags: &[Tag], filler: impl Fn(Tag) -> u8) -> Vec<u8> {
    let mut bytes = source.to_vec();
    for tag in tags {
        let inside = bytes.get_mut(tag.span.start..tag.span.end).unwrap_or_default();
        inside.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = filler(*tag));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let tags = tags(source.as_bytes());
        let seen = filled(source.as_bytes(), &tags, |tag| if tag.is_value { b'v' } else { b'.' });
        assert_eq!(String::from_utf8(seen).unwrap(), expected);
    }

    #[test]
    fn tags_are_masked_byte_for_byte() {
        check("a {{ b }} c", "a vvvvvvv c");
        check("{% if x %}<p>{% endif %}", "..........<p>...........");
        check("{# one\ntwo #}x", "......\n......x");
        check("{{ a }}{{ b }}", "vvvvvvvvvvvvvv");
        check("{{ {% }} %}", "vvvvvvvv %}");
        check("{{ never", "{{ never");
        check("{{ never {% ever %}", "{{ never ..........");
        check("a{b}c{ {d} }", "a{b}c{ {d} }");
        check("{", "{");
        check("{{}}", "vvvv");
    }
}
