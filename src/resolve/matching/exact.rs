//! `exact`: the bytes as given, wherever they stand; and, for search and replace, the same with the file's line endings.

use memchr::memmem;

use super::TextMatches;
use crate::manifest::MatchLevel;
use crate::text::{LineEnding, Span};

/// Which places of a text are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The first `MOST_PLACES`, of which some may overlap (`aa` stands twice in `aaa`): the text has to stand once.
    Overlapping,
    /// All that do not overlap one ahead of them, and at most one more than so many: what search and replace works on.
    Disjoint(usize),
}

/// Most places that are listed of what has to stand once; past them it is ambiguous beyond help.
pub const MOST_PLACES: usize = 10_000;

/// Returns the places of `needle` inside `range` of `bytes`.
pub(super) fn places(bytes: &[u8], range: Span, needle: &[u8], which: Which) -> Vec<Span> {
    let (step, most) = match which {
        Which::Overlapping => (1, MOST_PLACES),
        Which::Disjoint(most) => (needle.len(), most.saturating_add(1)),
    };
    let mut places = Vec::new();
    let finder = memmem::Finder::new(needle);
    let mut from = range.start;
    while let Some(at) = bytes
        .get(from..range.end)
        .and_then(|rest| finder.find(rest))
    {
        if needle.is_empty() || places.len() == most {
            break;
        }
        places.push(Span::new(from + at, from + at + needle.len()));
        from += at + step;
    }
    places
}

/// Finds every place of a text for search and replace, at most one more than `most`. Many places are meant, so nothing
/// is overlooked but that the file's lines end otherwise than the text's.
pub fn repeated(
    bytes: &[u8],
    range: Span,
    text: &[u8],
    loosest: MatchLevel,
    most: usize,
) -> Option<TextMatches> {
    let at = |level, needle: &[u8]| {
        let mut places = places(bytes, range, needle, Which::Disjoint(most));
        // The end of a longer line break is none of its own.
        places
            .retain(|place| !(needle.starts_with(b"\n") && bytes[..place.start].ends_with(b"\r")));
        (!places.is_empty()).then_some(TextMatches {
            level,
            places,
            similarity: 1.0,
        })
    };
    at(MatchLevel::Exact, text).or_else(|| {
        let crlf = LineEnding::at(bytes, range.start) == LineEnding::CrLf && text.contains(&b'\n');
        if crlf && loosest >= MatchLevel::Trailing {
            at(MatchLevel::Trailing, &LineEnding::CrLf.write(text))
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_text_is_found_wherever_it_stands() {
        let check = |bytes: &str, text: &str, which: Which, expected: &[(usize, usize)]| {
            let range = Span::new(0, bytes.len());
            let found = places(bytes.as_bytes(), range, text.as_bytes(), which);
            let found: Vec<(usize, usize)> =
                found.iter().map(|span| (span.start, span.end)).collect();
            assert_eq!(found, expected, "{text:?} in {bytes:?}");
        };
        check("abcabc", "bc", Which::Overlapping, &[(1, 3), (4, 6)]);
        check("aaa", "aa", Which::Overlapping, &[(0, 2), (1, 3)]);
        check("aaaaa", "aa", Which::Disjoint(9), &[(0, 2), (2, 4)]);
        check("aaaaaaaa", "aa", Which::Disjoint(1), &[(0, 2), (2, 4)]);
        check("abc", "x", Which::Overlapping, &[]);
        check("abc", "", Which::Disjoint(9), &[]);
        check("a\r\nb", "a\nb", Which::Overlapping, &[]);
    }

    #[test]
    fn line_endings_are_overlooked_one_level_further() {
        let bytes = b"a\r\nb\r\nc";
        let found = repeated(bytes, Span::new(0, 7), b"a\nb", MatchLevel::Similar, 9).unwrap();
        assert_eq!(
            (found.level, found.places),
            (MatchLevel::Trailing, vec![Span::new(0, 4)])
        );
        assert_eq!(
            repeated(bytes, Span::new(0, 7), b"a\nb", MatchLevel::Exact, 9),
            None
        );
    }

    #[test]
    fn search_and_replace_finds_more_places_than_are_listed() {
        let bytes = "a\n".repeat(MOST_PLACES * 2);
        let range = Span::new(0, bytes.len());
        assert_eq!(
            places(bytes.as_bytes(), range, b"a", Which::Overlapping).len(),
            MOST_PLACES
        );
        let every = repeated(bytes.as_bytes(), range, b"a", MatchLevel::Exact, usize::MAX).unwrap();
        assert_eq!(every.places.len(), MOST_PLACES * 2);
    }
}
