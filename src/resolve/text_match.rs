//! `Match`: where a text or a pattern was found, and how.

use super::patterns::Replaced;
use crate::manifest::MatchLevel;
use crate::text::Span;

/// Places of a text or a pattern that has to stand in one.
#[derive(Clone, Debug)]
pub struct Places {
    /// The places in file order.
    pub spans: Vec<Span>,
    /// How a text was found; `None` for a pattern.
    pub matched: Option<Match>,
}

/// How a text was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The level that decided.
    pub level: MatchLevel,
    /// 1.0 for all but `similar`.
    pub similarity: f64,
}

/// Matches of a text or a pattern, and what takes their place.
#[derive(Clone, Debug)]
pub struct Matches {
    /// How many there are.
    pub count: usize,
    /// The first of them, as many as were asked for: in file order, disjoint.
    pub replaced: Vec<Replaced>,
    /// The level that found them; `None` for a pattern.
    pub level: Option<MatchLevel>,
    /// Those of a text that begin or end inside a word, where nothing was said about such.
    pub inside_words: Vec<Span>,
}
