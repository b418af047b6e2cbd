//! The words of `__all__`: one goes from the list of the old module, and comes into that of the new one.

use crate::text::splice::Splice;
use crate::text::{LineEnding, Span, leading_blank};

/// Returns what takes the word at `place` out of its list, of `count` words; `None` where it is not written as one of a list.
pub(super) fn without(bytes: &[u8], place: Span, count: usize) -> Option<Splice> {
    let item = literal(bytes, place)?;
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let before = bytes.get(..item.start)?;
    let after = bytes.get(item.end..)?;
    let gap_before = before.iter().rev().take_while(|it| is_blank(it)).count();
    let gap_after = after.iter().take_while(|it| is_blank(it)).count();
    let opener = *before.get(before.len().checked_sub(gap_before + 1)?)?;
    let closer = *after.get(gap_after)?;
    let is_list = matches!(opener, b'[' | b'(' | b',') && matches!(closer, b']' | b')' | b',');
    if !is_list || opener == b'(' && is_call(&before[..before.len() - gap_before - 1]) {
        return None;
    }
    let is_inline = |byte: &u8| matches!(byte, b' ' | b'\t');
    if closer == b',' {
        let end = item.end + gap_after + 1;
        let rest = bytes.get(end..)?;
        let blanks = rest.iter().take_while(|it| is_inline(it)).count();
        let line_end = rest.get(blanks..)?;
        let break_length = match line_end {
            [b'\r', b'\n', ..] => 2,
            [b'\n' | b'\r', ..] => 1,
            _ => 0,
        };
        let indent = before.iter().rev().take_while(|it| is_inline(it)).count();
        let begins_line = matches!(before[..before.len() - indent].last(), Some(b'\n' | b'\r'));
        return match (break_length, begins_line) {
            // A line of its own.
            (1.., true) => Some(Splice::new(
                Span::new(item.start - indent, end + blanks + break_length),
                "",
            )),
            // The last of its line.
            (1.., false) => Some(Splice::new(Span::new(item.start - gap_before, end), "")),
            (0, _) => Some(Splice::new(Span::new(item.start, end + blanks), "")),
        };
    }
    if opener != b',' {
        return Some(Splice::new(item, ""));
    }
    let comma = item.start - gap_before - 1;
    // A tuple of one keeps its comma.
    let start = match (closer, count) {
        (b')', 2) => comma + 1,
        _ => comma,
    };
    Some(Splice::new(Span::new(start, item.end), ""))
}

/// Returns what puts `word` into the list that the words at `places` are of, in its order if it has one.
pub(super) fn with(bytes: &[u8], places: &[Span], word: &str) -> Option<Splice> {
    let words: Vec<String> = places
        .iter()
        .map(|place| String::from_utf8_lossy(place.of(bytes)).into_owned())
        .collect();
    let by_letters = |word: &str| (word.to_lowercase(), word.to_owned());
    let by_bytes = |word: &str| (String::new(), word.to_owned());
    let is_sorted = |key: &dyn Fn(&str) -> (String, String)| words.is_sorted_by_key(|it| key(it));
    let at = match () {
        () if is_sorted(&by_bytes) => {
            words.partition_point(|other| by_bytes(other) <= by_bytes(word))
        }
        () if is_sorted(&by_letters) => {
            words.partition_point(|other| by_letters(other) <= by_letters(word))
        }
        () => words.len(),
    };
    let (place, is_before) = match places.get(at) {
        Some(next) => (*next, true),
        None => (*places.last()?, false),
    };
    let item = literal(bytes, place)?;
    let quote = char::from(*bytes.get(item.start)?);
    let words = format!("{quote}{word}{quote}");
    let line_start = bytes[..item.start]
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(0, |at| at + 1);
    let indent = &bytes[line_start..item.start];
    let begins_line = leading_blank(indent).len() == indent.len();
    let indent = String::from_utf8_lossy(indent);
    let line_break = String::from_utf8_lossy(LineEnding::at(bytes, 0).as_bytes()).into_owned();
    let text = match (is_before, begins_line) {
        (true, true) => format!("{words},{line_break}{indent}"),
        (true, false) => format!("{words}, "),
        (false, true) => format!(",{line_break}{indent}{words}"),
        (false, false) => format!(", {words}"),
    };
    let at = if is_before { item.start } else { item.end };
    Some(Splice::new(Span::at(at), text))
}

/// Returns the literal around a word.
fn literal(bytes: &[u8], place: Span) -> Option<Span> {
    let quote = *bytes.get(place.start.checked_sub(1)?)?;
    let is_quoted = matches!(quote, b'"' | b'\'') && bytes.get(place.end) == Some(&quote);
    let is_short = bytes.get(place.end + 1) != Some(&quote);
    (is_quoted && is_short).then(|| Span::new(place.start - 1, place.end + 1))
}

/// Says whether a bracket behind `before` is that of a call.
fn is_call(before: &[u8]) -> bool {
    let last = before.trim_ascii_end().last();
    last.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b')' | b']'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::splice::Splices;

    fn place_of(text: &str, word: &str) -> Span {
        let start = text.find(word).unwrap();
        Span::new(start, start + word.len())
    }

    fn spliced(text: &str, splice: Option<Splice>) -> Option<String> {
        let splices = Splices::new(vec![splice?]).unwrap();
        Some(String::from_utf8(splices.apply(text.as_bytes())).unwrap())
    }

    #[test]
    fn a_word_goes_from_its_list() {
        #[track_caller]
        fn check(text: &str, count: usize, expected: Option<&str>) {
            let found = without(text.as_bytes(), place_of(text, "here"), count);
            assert_eq!(spliced(text, found).as_deref(), expected, "{text}");
        }
        check(
            "__all__ = ['a', 'here', 'b']",
            3,
            Some("__all__ = ['a', 'b']"),
        );
        check("__all__ = ['here', 'b']", 2, Some("__all__ = ['b']"));
        check("__all__ = ['a', 'here']", 2, Some("__all__ = ['a']"));
        check("__all__ = ['here']", 1, Some("__all__ = []"));
        check("__all__ = ('a', 'here')", 2, Some("__all__ = ('a',)"));
        check("__all__ = 'a', 'here'", 2, None);
        check("__all__.append('here')", 1, None);
        check(
            "__all__ = [\n    \"a\",\n    \"here\",\n    \"b\",\n]\n",
            3,
            Some("__all__ = [\n    \"a\",\n    \"b\",\n]\n"),
        );
        check(
            "__all__ = [\n    \"a\",\n    \"here\"\n]\n",
            2,
            Some("__all__ = [\n    \"a\"\n]\n"),
        );
        check(
            "__all__ = ['a', 'here',\n           'b']",
            3,
            Some("__all__ = ['a',\n           'b']"),
        );
    }

    #[test]
    fn a_word_comes_into_a_list() {
        #[track_caller]
        fn check(text: &str, words: &[&str], expected: &str) {
            let places: Vec<Span> = words.iter().map(|word| place_of(text, word)).collect();
            let found = with(text.as_bytes(), &places, "mid");
            assert_eq!(spliced(text, found).as_deref(), Some(expected), "{text}");
        }
        check("['abc', 'xyz']", &["abc", "xyz"], "['abc', 'mid', 'xyz']");
        check("['xyz', 'abc']", &["xyz", "abc"], "['xyz', 'abc', 'mid']");
        check("('abc',)", &["abc"], "('abc', 'mid',)");
        check(
            "[\n    \"abc\",\n    \"xyz\",\n]\n",
            &["abc", "xyz"],
            "[\n    \"abc\",\n    \"mid\",\n    \"xyz\",\n]\n",
        );
        check(
            "[\n    \"abc\",\n]\n",
            &["abc"],
            "[\n    \"abc\",\n    \"mid\",\n]\n",
        );
        check(
            "[\"Abc\", \"nab\"]",
            &["Abc", "nab"],
            "[\"Abc\", \"mid\", \"nab\"]",
        );
    }
}
