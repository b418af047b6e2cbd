//! How content ends that takes a text's place: whether its last line break is meant, or only how it was written down.
//!
//! A block scalar of YAML ends in a line break whether there is to be one or not, and so does a file that an editor wrote. Words
//! in quotes end as they are meant to.

use std::borrow::Cow;

use super::lexical::is_blank;

/// Returns content that ends a line if `text` does, and only then: what was quoted decides whether lines or part of one
/// are replaced, whatever way the two were written down.
pub fn ended_like<'c>(text: &str, content: &'c str) -> Cow<'c, str> {
    let without = || {
        content
            .strip_suffix('\n')
            .map(|head| head.strip_suffix('\r').unwrap_or(head))
    };
    match (text.ends_with('\n'), content.ends_with('\n')) {
        (true, false) if !content.is_empty() && !is_blank(text) => {
            Cow::Owned(format!("{content}\n"))
        }
        (false, true) => Cow::Borrowed(without().unwrap_or(content)),
        _ => Cow::Borrowed(content),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_ends_as_the_text_does() {
        let check = |text: &str, content: &str, expected: &str| {
            assert_eq!(ended_like(text, content), expected)
        };
        check("- two\n", "- zwei", "- zwei\n");
        check("price", "cost\n", "cost");
        check("price", "cost\r\n", "cost");
        check("a\n", "b\n", "b\n");
        check("a\n", "", "");
        check("\n", " ", " ");
        check("a", "b\n\n", "b\n");
    }
}
