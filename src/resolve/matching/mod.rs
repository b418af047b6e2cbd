//! Finds literal text: the levels of text matching, from `exact` to `similar`.
//!
//! Levels are tried in order and the first at which anything matches decides, however many places that are: a stricter
//! level that finds two places is never asked again more loosely. Past `exact` a place is made of whole lines or ends
//! at token borders.
//!
//! | level | what it overlooks | where |
//! |---|---|---|
//! | `exact` | nothing | `exact` |
//! | `trailing` | blanks at line ends, line endings, a missing last one | `folded` |
//! | `unicode` | typographic quotes, dashes and spaces; how accents are put together | `folded`, `typography` |
//! | `indentation` | a shift of all lines alike; one unit of indentation for another | `indentation`, `shift` |
//! | `whitespace` | which white space stands between two tokens, line breaks too | `folded` |
//! | `similar` | a few words: a block by its lines (`alike`, `index`, `align`), a line by its characters (`single`) | |
//!
//! What was given is never unescaped and never trimmed; only what is compared is. Deliberately not here: what becomes
//! of the bytes that stand there (plan).

pub mod alike;
pub mod page;
pub mod shift;

mod align;
mod definitions;
mod difference;
mod distance;
mod exact;
mod folded;
mod indentation;
mod index;
mod single;
#[cfg(test)]
mod tests;
mod typography;
mod words;

pub use exact::{MOST_PLACES, Which, repeated};
pub use folded::{line_key, word_key};
pub use page::Page;
pub use shift::Shift;
pub use words::Words;

use super::Allowance;
use crate::manifest::MatchLevel;
use crate::syntax::Language;
use crate::text::indent::Unit;
use crate::text::{Span, is_blank, leading_blank};

/// Where a text stands, and the level that found it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
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

/// Finds the places of a text at the strictest level that has one.
pub fn find(
    page: &Page<'_>,
    question: &Question<'_>,
    allowance: &Allowance,
) -> Result<Option<Found>, InsideWord> {
    Ok(certain(page, question)?.or_else(|| similar(page, question, allowance)))
}

/// Finds the places at the levels that leave no doubt about what is meant: all but `similar`.
pub fn certain(page: &Page<'_>, question: &Question<'_>) -> Result<Option<Found>, InsideWord> {
    let mut exact = exact::places(
        page.bytes(),
        question.range,
        question.text,
        Which::Overlapping,
    );
    exact.retain(|place| begins_rightly(page, question.text, *place));
    let whole: Vec<Span> = match question.inside_words {
        true => exact.clone(),
        false => exact
            .iter()
            .copied()
            .filter(|place| !question.words.are_cut(page.bytes(), *place))
            .collect(),
    };
    match exact.first() {
        Some(first) if whole.is_empty() => Err(InsideWord(*first)),
        Some(_) => Ok(Some(Found {
            level: MatchLevel::Exact,
            places: whole,
            similarity: 1.0,
        })),
        None => Ok(past_exact(page, question)),
    }
}

/// Says whether a text may begin at a place where its bytes are: with an indentation only where a line begins, and with a line break
/// not in the middle of one.
fn begins_rightly(page: &Page<'_>, text: &[u8], place: Span) -> bool {
    let before = &page.bytes()[page.line_start(place.start)..place.start];
    match text.first() {
        Some(b'\n') => !before.ends_with(b"\r"),
        Some(b' ' | b'\t') => before.is_empty() || is_blank(text) || !is_blank(before),
        _ => true,
    }
}

/// Finds the places that overlook no more than white space, typography and indentation.
fn past_exact(page: &Page<'_>, question: &Question<'_>) -> Option<Found> {
    let levels: [(MatchLevel, &dyn Fn() -> Vec<Span>); 4] = [
        (MatchLevel::Trailing, &|| {
            folded::without_trailing_blanks(page, question)
        }),
        (MatchLevel::Unicode, &|| {
            folded::without_typography(page, question)
        }),
        (MatchLevel::Indentation, &|| {
            indentation::places(page, question)
        }),
        (MatchLevel::Whitespace, &|| {
            folded::without_white_space(page, question)
        }),
    ];
    // White space alone is nowhere in particular.
    let loosest = if is_blank(question.text) {
        MatchLevel::Exact
    } else {
        question.loosest
    };
    let mut allowed = levels
        .into_iter()
        .take_while(|(level, _)| *level <= loosest)
        .peekable();
    let found = |(level, places): (MatchLevel, &dyn Fn() -> Vec<Span>)| {
        let places = places();
        (!places.is_empty()).then_some(Found {
            level,
            places,
            similarity: 1.0,
        })
    };
    if allowed.peek().is_none() || !folded::may_stand(page, question.text) {
        return None;
    }
    allowed.find_map(found)
}

/// Finds what is similar, if that may be asked for.
pub fn similar(page: &Page<'_>, question: &Question<'_>, allowance: &Allowance) -> Option<Found> {
    let allowed = question.loosest >= MatchLevel::Similar && !is_blank(question.text);
    if allowed {
        alike::find(page, question, allowance)
    } else {
        None
    }
}

/// Says whether `content` says something that `text` does not, and enough of it to be recognised: two lines of
/// substance, or one that is a version of the text's one line.
pub fn says_more(content: &[u8], text: &[u8]) -> bool {
    let written = |bytes: &'_ [u8]| -> Vec<Vec<u8>> {
        let lines = bytes
            .split(|&byte| byte == b'\n')
            .filter(|line| align::has_substance(line));
        lines.map(|line| line_key(line).into_owned()).collect()
    };
    let (new, old) = (written(content), written(text));
    let adds = new.iter().any(|line| !old.contains(line));
    match (new.as_slice(), old.as_slice()) {
        ([], _) => false,
        ([new], [old]) => {
            let furthest = new.len().max(old.len()) / 2;
            adds && single::says_enough(new) && distance::within(new, old, furthest).is_some()
        }
        ([_], _) => false,
        _ => adds,
    }
}

/// Says whether a place at this much indentation can be what the text means: the least that a line of the text has, and
/// of the place. Where indentation is syntax, a text that brings indentation of its own says how deep it stands, give or
/// take one step; one that begins in the first column had it taken off.
fn depth_agrees(question: &Question<'_>, quoted: &[u8], stands: &[u8]) -> bool {
    let offside = question
        .language
        .is_some_and(|language| language.habits.offside);
    if !offside || question.narrowed || quoted.is_empty() {
        return true;
    }
    let tabs = |indent: &[u8]| indent.iter().filter(|&&byte| byte == b'\t').count();
    // Tabs for spaces: as deep, if the spaces can be so many tabs.
    let (mixed, written) = (
        tabs(quoted).max(tabs(stands)),
        quoted.len().max(stands.len()),
    );
    if tabs(quoted).min(tabs(stands)) == 0
        && mixed > 0
        && written % mixed == 0
        && (2..=8).contains(&(written / mixed))
    {
        return true;
    }
    let width = match question.unit {
        Some(Unit::Spaces(width)) => width.max(1),
        Some(Unit::Tab) | None => 4,
    };
    let steps = |indent: &[u8]| tabs(indent) + (indent.len() - tabs(indent)).div_ceil(width);
    steps(quoted).abs_diff(steps(stands)) <= 1
}

/// Returns the least indentation of `lines` that are not blank.
fn least_indentation<'l>(lines: impl Iterator<Item = &'l [u8]>) -> &'l [u8] {
    let indents = lines.filter(|line| !is_blank(line)).map(leading_blank);
    indents
        .min_by_key(|indent| indent.len())
        .unwrap_or_default()
}
