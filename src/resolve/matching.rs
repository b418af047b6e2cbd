//! Finds literal text and patterns: the levels of text matching.
//!
//! Levels are tried in order and the first at which anything matches decides. Here are `exact` and, of `trailing`,
//! the line endings: text written with LF finds the same lines in a CRLF file. The looser levels belong here too.

use memchr::memmem;

use crate::manifest::MatchLevel;
use crate::text::{LineEnding, Span};

/// Where a text stands, and the level that found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The first level at which anything matched.
    pub level: MatchLevel,
    /// Every place, in file order; places may overlap, so that `aa` stands twice in `aaa`.
    pub places: Vec<Span>,
}

/// Most places that a search lists; past it the text is ambiguous beyond help.
const MOST_PLACES: usize = 10_000;

/// Finds every place of `text` inside `range` of `bytes`, at the strictest level that has one.
pub fn find(bytes: &[u8], range: Span, text: &[u8], loosest: MatchLevel) -> Option<Found> {
    let at = |level, needle: &[u8]| {
        let places = places_of(bytes, range, needle);
        (!places.is_empty()).then_some(Found { level, places })
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

fn places_of(bytes: &[u8], range: Span, needle: &[u8]) -> Vec<Span> {
    let mut places = Vec::new();
    let finder = memmem::Finder::new(needle);
    let mut from = range.start;
    while let Some(at) = bytes.get(from..range.end).and_then(|rest| finder.find(rest)) {
        if needle.is_empty() || places.len() == MOST_PLACES {
            break;
        }
        places.push(Span::new(from + at, from + at + needle.len()));
        from += at + 1;
    }
    places
}

/// Returns the places that do not overlap an earlier one: what a search and replace works on.
pub fn disjoint(places: &[Span]) -> Vec<Span> {
    let mut kept: Vec<Span> = Vec::new();
    for &place in places {
        if kept.last().is_none_or(|last| last.end <= place.start) {
            kept.push(place);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_text_is_found_wherever_it_stands() {
        let check = |bytes: &str, text: &str, expected: &[(usize, usize)]| {
            let range = Span::new(0, bytes.len());
            let found = find(bytes.as_bytes(), range, text.as_bytes(), MatchLevel::Exact);
            let places: Vec<(usize, usize)> =
                found.map(|found| found.places.iter().map(|span| (span.start, span.end)).collect()).unwrap_or_default();
            assert_eq!(places, expected, "{text:?} in {bytes:?}");
        };
        check("abcabc", "bc", &[(1, 3), (4, 6)]);
        check("aaa", "aa", &[(0, 2), (1, 3)]);
        check("abc", "x", &[]);
        check("abc", "", &[]);
        check("a\r\nb", "a\nb", &[]);
    }

    #[test]
    fn line_endings_are_overlooked_one_level_further() {
        let bytes = b"a\r\nb\r\nc";
        let found = find(bytes, Span::new(0, 7), b"a\nb", MatchLevel::Similar).unwrap();
        assert_eq!(found, Found { level: MatchLevel::Trailing, places: vec![Span::new(0, 4)] });
    }
}
