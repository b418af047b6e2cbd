//! Finding: one level after the other, the first with a hit decides.

use super::exact::{self, Which};
use super::folded::line_key;
use super::page::FoldedFile;
use super::question::{InsideWord, Question, TextMatches};
use super::{align, alike, distance, indentation, loosened, single};
use crate::manifest::MatchLevel;
use crate::resolve::Budget;
use crate::text::{Span, is_blank};

/// Finds the places of a text at the strictest level that has one.
pub fn find(
    page: &FoldedFile<'_>,
    question: &Question<'_>,
    allowance: &Budget,
) -> Result<Option<TextMatches>, InsideWord> {
    Ok(certain(page, question)?.or_else(|| similar(page, question, allowance)))
}

/// Finds the places at the levels that leave no doubt about what is meant: all but `similar`.
pub fn certain(
    page: &FoldedFile<'_>,
    question: &Question<'_>,
) -> Result<Option<TextMatches>, InsideWord> {
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
        Some(_) => Ok(Some(TextMatches {
            level: MatchLevel::Exact,
            places: whole,
            similarity: 1.0,
        })),
        None => Ok(past_exact(page, question)),
    }
}

/// Says whether a text may begin at a place where its bytes are: with an indentation only where a line begins, and with a line break
/// not in the middle of one.
fn begins_rightly(page: &FoldedFile<'_>, text: &[u8], place: Span) -> bool {
    let before = &page.bytes()[page.line_start(place.start)..place.start];
    match text.first() {
        Some(b'\n') => !before.ends_with(b"\r"),
        Some(b' ' | b'\t') => before.is_empty() || is_blank(text) || !is_blank(before),
        _ => true,
    }
}

/// Finds the places that overlook no more than white space, typography and indentation.
fn past_exact(page: &FoldedFile<'_>, question: &Question<'_>) -> Option<TextMatches> {
    let levels: [(MatchLevel, &dyn Fn() -> Vec<Span>); 4] = [
        (MatchLevel::Trailing, &|| {
            loosened::without_trailing_blanks(page, question)
        }),
        (MatchLevel::Unicode, &|| {
            loosened::without_typography(page, question)
        }),
        (MatchLevel::Indentation, &|| {
            indentation::places(page, question)
        }),
        (MatchLevel::Whitespace, &|| {
            loosened::without_white_space(page, question)
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
        (!places.is_empty()).then_some(TextMatches {
            level,
            places,
            similarity: 1.0,
        })
    };
    if allowed.peek().is_none() || !loosened::may_stand(page, question.text) {
        return None;
    }
    allowed.find_map(found)
}

/// Finds what is similar, if that may be asked for.
pub fn similar(
    page: &FoldedFile<'_>,
    question: &Question<'_>,
    allowance: &Budget,
) -> Option<TextMatches> {
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
