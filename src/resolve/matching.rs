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
    /// The places in file order.
    pub places: Vec<Span>,
}

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

/// Finds the places of `text` inside `range` of `bytes`, at the strictest level that has one.
pub fn find(bytes: &[u8], range: Span, text: &[u8], loosest: MatchLevel, which: Which) -> Option<Found> {
    let at = |level, needle: &[u8]| {
        let places = places_of(bytes, range, needle, which);
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

fn places_of(bytes: &[u8], range: Span, needle: &[u8], which: Which) -> Vec<Span> {
    let (step, most) = match which {
        Which::Overlapping => (1, MOST_PLACES),
        Which::Disjoint(most) => (needle.len(), most.saturating_add(1)),
    };
    let mut places = Vec::new();
    let finder = memmem::Finder::new(needle);
    let mut from = range.start;
    while let Some(at) = bytes.get(from..range.end).and_then(|rest| finder.find(rest)) {
        if needle.is_empty() || places.len() == most {
            break;
        }
        places.push(Span::new(from + at, from + at + needle.len()));
        from += at + step;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_text_is_found_wherever_it_stands() {
        let check = |bytes: &str, text: &str, which: Which, expected: &[(usize, usize)]| {
            let range = Span::new(0, bytes.len());
            let found = find(bytes.as_bytes(), range, text.as_bytes(), MatchLevel::Exact, which);
            let places: Vec<(usize, usize)> =
                found.map(|found| found.places.iter().map(|span| (span.start, span.end)).collect()).unwrap_or_default();
            assert_eq!(places, expected, "{text:?} in {bytes:?}");
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
        let found = find(bytes, Span::new(0, 7), b"a\nb", MatchLevel::Similar, Which::Overlapping).unwrap();
        assert_eq!(found, Found { level: MatchLevel::Trailing, places: vec![Span::new(0, 4)] });
    }

    #[test]
    fn search_and_replace_finds_more_places_than_are_listed() {
        let bytes = "a\n".repeat(MOST_PLACES * 2);
        let find = |which| find(bytes.as_bytes(), Span::new(0, bytes.len()), b"a", MatchLevel::Exact, which);
        assert_eq!(find(Which::Overlapping).unwrap().places.len(), MOST_PLACES);
        assert_eq!(find(Which::Disjoint(usize::MAX)).unwrap().places.len(), MOST_PLACES * 2);
    }
}
