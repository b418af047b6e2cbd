//! Texts and patterns × Reading → the places where they stand, or why there is none, or more than one.

use super::allowance::{Exceeded, MAX_MATCHES};
use super::matching::{self, Question};
use super::patterns::{self, Replaced};
use super::{Reading, Target, refusal, scope};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{MatchLevel, Operation, Scoped, Selector, Verb};
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
}

/// What became of a text that content is to take the place of.
#[derive(Clone, Debug)]
pub enum Quoted<'r, 'd> {
    /// It stands here.
    Stands(Target<'r, 'd>, Match),
    /// It stands nowhere, and the content here: what was asked for is done.
    Done(Target<'r, 'd>, Match),
}

/// Finds the one place of a `text` that `content` is to take the place of. What is done already is not looked for among
/// what is merely similar.
pub fn quoted<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    text: &str,
    content: &str,
    operation: &Operation,
) -> Result<Quoted<'r, 'd>, Diagnostic> {
    let range = scope(reading, scoped, operation)?;
    let question = Question { removes: content.is_empty(), ..question(reading, scoped, text, range) };
    let target = |span| Target::unnamed(reading, span, "text");
    let (page, allowance) = (&reading.page, &reading.allowance);
    let mut found = matching::certain(page, &question);
    if found.is_none() {
        if let Some((span, matched)) = standing(reading, &question, content) {
            return Ok(Quoted::Done(target(span), matched));
        }
        found = matching::similar(page, &question, allowance);
    }
    let found = found.ok_or_else(|| refusal::text_not_found(reading, &question, operation))?;
    let matched = Match { level: found.level, similarity: found.similarity };
    match found.places.as_slice() {
        &[span] => Ok(Quoted::Stands(target(span), matched)),
        _ => {
            let places = Places { spans: found.places, matched: Some(matched) };
            Err(refusal::several_places(reading, scoped, &places, operation))
        }
    }
}

/// Finds where `content` stands already, for a text that stands nowhere. Only content that says something which the
/// text does not, enough of it to be no chance, and that stands once, on whole lines.
fn standing(reading: &Reading<'_>, question: &Question<'_>, content: &str) -> Option<(Span, Match)> {
    if !matching::says_more(content.as_bytes(), question.text) {
        return None;
    }
    let loosest = question.loosest.min(MatchLevel::Indentation);
    let found = matching::certain(&reading.page, &Question { text: content.as_bytes(), loosest, ..*question })?;
    let &[span] = found.places.as_slice() else { return None };
    // Somewhere else may be more like the text: then that was meant, and is not done.
    let near = matching::alike::nearest(&reading.page, question, &reading.allowance);
    let here = near.is_none_or(|near| near.span.overlaps(span)) && reading.document.has_lines_to_itself(span);
    here.then_some((span, Match { level: found.level, similarity: found.similarity }))
}

/// Returns what is looked for, where and how loosely.
fn question<'q>(reading: &Reading<'_>, scoped: &Scoped, text: &'q str, range: Span) -> Question<'q> {
    Question {
        text: text.as_bytes(),
        range,
        narrowed: scoped.within.is_some(),
        removes: false,
        loosest: scoped.loosest,
        language: reading.document.language,
        unit: reading.document.unit(),
    }
}

/// Finds the places of a `text` or `pattern` selector; none is a refusal.
pub(super) fn places(reading: &Reading<'_>, scoped: &Scoped, operation: &Operation) -> Result<Places, Diagnostic> {
    let range = scope(reading, scoped, operation)?;
    let bytes = &reading.document.bytes;
    match &scoped.selector {
        Selector::Text(text) => {
            let removes = matches!(operation.verb, Verb::Delete { .. });
            let question = Question { removes, ..question(reading, scoped, text, range) };
            match matching::find(&reading.page, &question, &reading.allowance) {
                Some(found) => {
                    let matched = Match { level: found.level, similarity: found.similarity };
                    Ok(Places { spans: found.places, matched: Some(matched) })
                }
                None => Err(refusal::text_not_found(reading, &question, operation)),
            }
        }
        Selector::Pattern(pattern) => {
            let spans = patterns::find(pattern, bytes, range, &reading.allowance)
                .map_err(|failed| refusal::not_searched(reading, failed).at(operation.place("pattern")))?;
            if spans.is_empty() {
                return Err(refusal::pattern_not_found(reading, &pattern.text, operation));
            }
            Ok(Places { spans, matched: None })
        }
        Selector::Symbol(_)
        | Selector::Section(_)
        | Selector::Block(_)
        | Selector::Element(_)
        | Selector::Key(_)
        | Selector::Lines(_) => Err(searches_nothing()),
    }
}

/// Finds the matches of a `text` or `pattern` selector, with `replacement` for the first `most` of them; none is a
/// refusal.
pub fn matches(
    reading: &Reading<'_>,
    scoped: &Scoped,
    replacement: &str,
    most: usize,
    operation: &Operation,
) -> Result<Matches, Diagnostic> {
    let range = scope(reading, scoped, operation)?;
    let (bytes, allowance) = (&reading.document.bytes, &reading.allowance);
    match &scoped.selector {
        Selector::Text(text) => {
            let found = matching::repeated(bytes, range, text.as_bytes(), scoped.loosest, MAX_MATCHES)
                .ok_or_else(|| refusal::text_not_found(reading, &question(reading, scoped, text, range), operation))?;
            let (count, places) = (found.places.len(), found.places.into_iter().take(most));
            let size = count.min(most).saturating_mul(replacement.len());
            let spent = if count > MAX_MATCHES {
                Err(Exceeded::Matches)
            } else {
                allowance.spend_replacing(places.len(), size)
            };
            spent
                .map_err(|exceeded| refusal::exceeded(&reading.document.path, exceeded).at(operation.place("text")))?;
            let replaced = places.map(|span| Replaced { span, bytes: replacement.as_bytes().to_vec() }).collect();
            Ok(Matches { count, replaced, level: Some(found.level) })
        }
        Selector::Pattern(pattern) => {
            let (count, replaced) = patterns::replace(pattern, bytes, range, replacement, most, allowance)
                .map_err(|failed| refusal::not_searched(reading, failed).at(operation.place("pattern")))?;
            if count == 0 {
                return Err(refusal::pattern_not_found(reading, &pattern.text, operation));
            }
            Ok(Matches { count, replaced, level: None })
        }
        Selector::Symbol(_)
        | Selector::Section(_)
        | Selector::Block(_)
        | Selector::Element(_)
        | Selector::Key(_)
        | Selector::Lines(_) => Err(searches_nothing()),
    }
}

fn searches_nothing() -> Diagnostic {
    Diagnostic::new(Code::Malformed, "only `text` and `pattern` search a file")
}
