//! `Question`: what is looked for and how loosely; `TextMatches`: where it is.

use super::words::Words;
use crate::manifest::MatchLevel;
use crate::syntax::Language;
use crate::text::Span;
use crate::text::indent::Unit;

/// Where a text stands, and the level that found it.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMatches {
    /// The first level at which anything matched.
    pub level: MatchLevel,
    /// The places in file order.
    pub places: Vec<Span>,
    /// How alike text and place are: 1.0 for all levels but `similar`.
    pub similarity: f64,
}

/// What is looked for, and where.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// The text as given.
    pub text: &'q [u8],
    /// Where in the file it has to stand.
    pub range: Span,
    /// Whether `within` named that range.
    pub narrowed: bool,
    /// Whether it may begin or end inside a word.
    pub inside_words: bool,
    /// What is a word there.
    pub words: Words,
    /// Whether all that stands there is to go: nothing is merged then that would keep what was not quoted.
    pub removes: bool,
    /// The loosest level allowed.
    pub loosest: MatchLevel,
    /// The file's language.
    pub language: Option<&'static Language>,
    /// The file's step of indentation.
    pub unit: Option<Unit>,
}

/// The first place of a text that is there to the letter, but only where it begins or ends inside a word. What is merely like it is
/// not looked for then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsideWord(pub Span);
