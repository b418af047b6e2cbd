//! Where the words of a heading stand.

use crate::text::Span;

/// Returns the range of the words of a heading that covers `heading`: without its markers, the line below it, and the blanks around.
pub fn span(source: &[u8], heading: Span) -> Span {
    let text = heading.of(source);
    let blanks = text.iter().take_while(|byte| **byte == b' ').count();
    let marks = text[blanks..]
        .iter()
        .take_while(|byte| **byte == b'#')
        .count();
    let (from, words) = if marks > 0 {
        let rest = text[blanks + marks..].trim_ascii_end();
        let ahead = without_closing(rest);
        (blanks + marks, ahead)
    } else {
        let line = text.trim_ascii_end();
        let end = memchr::memrchr(b'\n', line).unwrap_or(0);
        (0, &line[..end])
    };
    let inner = words.trim_ascii();
    let start = heading.start + from + (words.len() - words.trim_ascii_start().len());
    Span::new(start, start + inner.len())
}

/// Returns the id that some sites read at the end of a heading: `{#usage}`.
pub fn id(title: &str) -> Option<&str> {
    let at = title.rfind('{')?;
    let id = title.get(at..)?;
    let is_id = id.ends_with('}') && (id.starts_with("{#") || id.starts_with("{:"));
    is_id.then_some(id)
}

/// Returns `rest` without the `#` that close a heading: a blank is before them.
fn without_closing(rest: &[u8]) -> &[u8] {
    let closing = rest.iter().rev().take_while(|byte| **byte == b'#').count();
    let ahead = &rest[..rest.len() - closing];
    match ahead.last() {
        None | Some(b' ' | b'\t') => ahead,
        Some(_) => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_markers() {
        #[track_caller]
        fn check(heading: &str, expected: &str) {
            let found = span(heading.as_bytes(), Span::new(0, heading.len()));
            assert_eq!(&heading[found.start..found.end], expected, "{heading:?}");
        }
        check("# Usage", "Usage");
        check("  ##  C# and F#  ", "C# and F#");
        check("## Usage ##", "Usage");
        check("## Usage # #  ", "Usage #");
        check("##", "");
        check("Usage\n=====", "Usage");
        check("  How to\nuse it\r\n---  ", "How to\nuse it");
        check("# Usage {#use}", "Usage {#use}");
    }

    #[test]
    fn an_id_ends_a_heading() {
        assert_eq!(id("Usage {#use}"), Some("{#use}"));
        assert_eq!(id("Usage {: #use .big }"), Some("{: #use .big }"));
        assert_eq!(id("Usage of {name}"), None);
        assert_eq!(id("{#use} first"), None);
    }
}
