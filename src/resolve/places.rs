//! Texts and patterns × Reading → the places where they stand, or why there is none, or more than one.

use super::allowance::{Exceeded, MAX_MATCHES};
use super::matching::{self, InsideWord, Question, Words};
use super::patterns::{self, Replaced};
use super::scope::scope;
use super::text_match::{Match, Matches, Places};
use super::{Found, Purpose, Reading, Target, choice, refusal};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Choice, MatchLevel, Scoped, Selector};
use crate::text::{Span, is_blank};

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
) -> Result<Quoted<'r, 'd>, Diagnostic> {
    let range = searched(reading, scoped, text)?;
    let question = Question {
        removes: content.is_empty(),
        ..question(reading, scoped, text, range)
    };
    let target = |span| Target::unnamed(reading, span, Found::Text);
    let (page, allowance) = (&reading.page, &reading.allowance);
    let inside = |place| refusal::inside_word(reading, place);
    let mut found = matching::certain(page, &question).map_err(inside)?;
    if found.is_none() {
        if let Some((span, matched)) = standing(reading, &question, content) {
            return Ok(Quoted::Done(target(span), matched));
        }
        found = matching::similar(page, &question, allowance);
    }
    let found = found.ok_or_else(|| refusal::text_not_found(reading, &question))?;
    let matched = Match {
        level: found.level,
        similarity: found.similarity,
    };
    let places = Places {
        spans: found.places,
        matched: Some(matched),
    };
    Ok(Quoted::Stands(
        target(chosen(reading, scoped, places)?),
        matched,
    ))
}

/// Finds the one place of a `text` or `pattern` selector.
pub(super) fn place(
    reading: &Reading<'_>,
    scoped: &Scoped,
    purpose: Purpose,
) -> Result<(Span, Option<Match>), Diagnostic> {
    let places = places(reading, scoped, purpose)?;
    let matched = places.matched;
    Ok((chosen(reading, scoped, places)?, matched))
}

/// Chooses one of the places.
fn chosen(reading: &Reading<'_>, scoped: &Scoped, places: Places) -> Result<Span, Diagnostic> {
    let Places { spans, matched } = places;
    // Who counts them counts those that can all be replaced.
    let spans = if scoped.choice == Choice::Only {
        spans
    } else {
        choice::apart(spans)
    };
    choice::of(spans, scoped.choice).map_err(|not_one| {
        not_one.refused(reading, scoped, |spans| {
            refusal::several_places(reading, scoped, &Places { spans, matched })
        })
    })
}

/// Finds where `content` stands already, for a text that stands nowhere. Only content that says something which the
/// text does not, enough of it to be no chance, and that stands once, on whole lines.
fn standing(
    reading: &Reading<'_>,
    question: &Question<'_>,
    content: &str,
) -> Option<(Span, Match)> {
    if !matching::says_more(content.as_bytes(), question.text) {
        return None;
    }
    let loosest = question.loosest.min(MatchLevel::Indentation);
    let question_of_content = Question {
        text: content.as_bytes(),
        loosest,
        inside_words: true,
        ..*question
    };
    let found = matching::certain(&reading.page, &question_of_content).ok()??;
    let &[span] = found.places.as_slice() else {
        return None;
    };
    // Somewhere else may be more like the text: then that was meant, and is not done.
    let near = matching::alike::nearest(&reading.page, question, &reading.allowance);
    let here = near.is_none_or(|near| near.span.overlaps(span))
        && reading.document.has_lines_to_itself(span);
    here.then_some((
        span,
        Match {
            level: found.level,
            similarity: found.similarity,
        },
    ))
}

/// Returns what is looked for, where and how loosely.
fn question<'q>(
    reading: &Reading<'_>,
    scoped: &Scoped,
    text: &'q str,
    range: Span,
) -> Question<'q> {
    let words = Words::of(reading.document.language);
    // Who quotes one place has seen it. Of many some may be parts of other names.
    let is_strict = scoped.choice == Choice::Every || scoped.inside_words == Some(false);
    Question {
        text: text.as_bytes(),
        range,
        narrowed: scoped.within.is_some(),
        inside_words: scoped.inside_words.unwrap_or(false),
        words: if is_strict { words.joined() } else { words },
        removes: false,
        loosest: scoped.loosest,
        language: reading.document.language,
        unit: reading.document.unit(),
    }
}

/// Returns where a text is looked for: what `within` names, with as many of the blank lines below as the text ends in.
fn searched(reading: &Reading<'_>, scoped: &Scoped, text: &str) -> Result<Span, Diagnostic> {
    let range = scope(reading, scoped)?;
    let mut end = range.end;
    let breaks = text
        .bytes()
        .rev()
        .take_while(|byte| byte.is_ascii_whitespace())
        .filter(|byte| *byte == b'\n')
        .count();
    for _ in 0..breaks {
        let rest = reading.document.bytes.get(end..).unwrap_or_default();
        match memchr::memchr(b'\n', rest).filter(|&at| is_blank(&rest[..at])) {
            Some(at) => end += at + 1,
            None => break,
        }
    }
    Ok(Span::new(range.start, end))
}

/// Finds the places of a `text` or `pattern` selector; none is a refusal.
pub(super) fn places(
    reading: &Reading<'_>,
    scoped: &Scoped,
    purpose: Purpose,
) -> Result<Places, Diagnostic> {
    let bytes = &reading.document.bytes;
    match &scoped.selector {
        Selector::Text(text) => {
            let range = searched(reading, scoped, text)?;
            let removes = purpose == Purpose::Remove;
            let question = Question {
                removes,
                ..question(reading, scoped, text, range)
            };
            let inside = |place| refusal::inside_word(reading, place);
            match matching::find(&reading.page, &question, &reading.allowance).map_err(inside)? {
                Some(found) => {
                    let matched = Match {
                        level: found.level,
                        similarity: found.similarity,
                    };
                    Ok(Places {
                        spans: found.places,
                        matched: Some(matched),
                    })
                }
                None => Err(refusal::text_not_found(reading, &question)),
            }
        }
        Selector::Pattern(pattern) => {
            let range = scope(reading, scoped)?;
            let spans = patterns::find(pattern, bytes, range, &reading.allowance)
                .map_err(|failed| refusal::not_searched(reading, failed).in_field("pattern"))?;
            if spans.is_empty() {
                return Err(refusal::pattern_not_found(reading, &pattern.text));
            }
            Ok(Places {
                spans,
                matched: None,
            })
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
) -> Result<Matches, Diagnostic> {
    let range = scope(reading, scoped)?;
    let (bytes, allowance) = (&reading.document.bytes, &reading.allowance);
    let words = Words::of(reading.document.language).joined();
    match &scoped.selector {
        Selector::Text(text) => {
            let found =
                matching::repeated(bytes, range, text.as_bytes(), scoped.loosest, MAX_MATCHES)
                    .ok_or_else(|| {
                        refusal::text_not_found(reading, &question(reading, scoped, text, range))
                    })?;
            let first = found.places.first().copied();
            let places = outside_of_words(found.places, scoped, (words, bytes));
            if let (true, Some(first)) = (places.is_empty(), first) {
                return Err(refusal::inside_word(reading, InsideWord(first)));
            }
            let inside_words = inside_words(&places, scoped, (words, bytes));
            let (count, places) = (places.len(), places.into_iter().take(most));
            let size = count.min(most).saturating_mul(replacement.len());
            let spent = if count > MAX_MATCHES {
                Err(Exceeded::Matches)
            } else {
                allowance.spend_replacing(places.len(), size)
            };
            spent.map_err(|exceeded| {
                refusal::exceeded(&reading.document.path, exceeded).in_field("text")
            })?;
            let replaced = places
                .map(|span| Replaced {
                    span,
                    bytes: replacement.as_bytes().to_vec(),
                    holds_another: false,
                })
                .collect();
            Ok(Matches {
                count,
                replaced,
                level: Some(found.level),
                inside_words,
            })
        }
        Selector::Pattern(pattern) => {
            let (count, replaced) =
                patterns::replace(pattern, bytes, range, replacement, most, allowance)
                    .map_err(|failed| refusal::not_searched(reading, failed).in_field("pattern"))?;
            if count == 0 {
                return Err(refusal::pattern_not_found(reading, &pattern.text));
            }
            if pattern.of_text.is_none() {
                return Ok(Matches {
                    count,
                    replaced,
                    level: None,
                    inside_words: Vec::new(),
                });
            }
            let first = replaced.first().map(|replaced| replaced.span);
            let left = count - replaced.len();
            let is_whole = |replaced: &Replaced| {
                scoped.inside_words != Some(false) || !words.are_cut(bytes, replaced.span)
            };
            let replaced: Vec<Replaced> = replaced.into_iter().filter(is_whole).collect();
            if let (true, Some(first)) = (replaced.is_empty(), first) {
                return Err(refusal::inside_word(reading, InsideWord(first)));
            }
            let places: Vec<Span> = replaced.iter().map(|replaced| replaced.span).collect();
            let inside_words = inside_words(&places, scoped, (words, bytes));
            Ok(Matches {
                count: replaced.len() + left,
                replaced,
                level: None,
                inside_words,
            })
        }
        Selector::Symbol(_)
        | Selector::Section(_)
        | Selector::Block(_)
        | Selector::Element(_)
        | Selector::Key(_)
        | Selector::Lines(_) => Err(searches_nothing()),
    }
}

/// Returns the places without those inside of words, where they are not meant.
fn outside_of_words(
    places: Vec<Span>,
    scoped: &Scoped,
    (words, bytes): (Words, &[u8]),
) -> Vec<Span> {
    let are_meant = scoped.inside_words != Some(false);
    places
        .into_iter()
        .filter(|place| are_meant || !words.are_cut(bytes, *place))
        .collect()
}

/// Returns those of the places that are inside of words, where nothing was said about such.
fn inside_words(places: &[Span], scoped: &Scoped, (words, bytes): (Words, &[u8])) -> Vec<Span> {
    let is_told = |place: &Span| scoped.inside_words.is_none() && words.are_cut(bytes, *place);
    places.iter().copied().filter(is_told).collect()
}

fn searches_nothing() -> Diagnostic {
    Diagnostic::new(Code::Malformed, "only `text` and `pattern` search a file")
}
