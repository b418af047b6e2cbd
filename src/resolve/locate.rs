//! Locating: one selector against one file, to a `Target`.

use super::block::{self, Block, BlockOrDefinition};
use super::found::{Found, Purpose, Target};
use super::named::Definition;
use super::one_segment::{
    all_blocks, all_named, block_instead, element_part, find_block, find_named,
};
use super::reading::Reading;
use super::refusal;
use super::scope::scope;
use super::settled::settled;
use super::text_match::Match;
use super::{choice, element, key, parts, places};
use crate::diagnostic::Diagnostic;
use crate::manifest::{LineRange, Part, Scoped, Selector};
use crate::text::Span;

/// Finds what `scoped` names, in the part asked for; a block by its name alone where nothing else has it. `text` and
/// `pattern` must stand in exactly one place.
pub fn locate<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    part: Option<Part>,
    purpose: Purpose,
) -> Result<(Target<'r, 'd>, Option<Match>), Diagnostic> {
    let settled = settled(reading, scoped);
    let scoped = settled.as_ref().unwrap_or(scoped);
    let found = located(reading, scoped, part, purpose);
    match found
        .as_ref()
        .err()
        .and_then(|missing| block_instead(reading, scoped, missing))
    {
        Some(BlockOrDefinition::Block(block)) => Ok((part_of_block(reading, block, part)?, None)),
        Some(BlockOrDefinition::Named(named)) => Ok((part_of(reading, named, part)?, None)),
        None => found,
    }
}

fn located<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    part: Option<Part>,
    purpose: Purpose,
) -> Result<(Target<'r, 'd>, Option<Match>), Diagnostic> {
    match &scoped.selector {
        Selector::Symbol(_) | Selector::Section(_) => {
            let named = find_named(reading, scoped)?;
            Ok((part_of(reading, named, part)?, None))
        }
        Selector::Element(selector) => {
            let at = choice::of(element::find_all(reading, selector)?, scoped.choice).map_err(
                |not_one| {
                    not_one.refused(reading, scoped, |several| {
                        element::several(reading, selector, &several)
                    })
                },
            )?;
            let span = element_part(reading, at, part)?;
            let segment = element::describe(reading, at, span);
            let element = reading
                .document
                .dom()
                .elements
                .get(at)
                .expect("a selector finds elements of this page");
            Ok((
                Target {
                    span,
                    found: Found::Element(element),
                    segment,
                },
                None,
            ))
        }
        Selector::Block(selector) => match find_block(reading, selector, scoped)? {
            BlockOrDefinition::Block(block) => Ok((part_of_block(reading, block, part)?, None)),
            BlockOrDefinition::Named(named) => Ok((part_of(reading, named, part)?, None)),
        },
        Selector::Key(selector) => Ok((key::target(reading, selector, part)?, None)),
        Selector::Lines(range) => Ok((lines(reading, *range, scoped)?, None)),
        Selector::Text(_) | Selector::Pattern(_) => {
            let (span, matched) = places::place(reading, scoped, purpose)?;
            let found = match scoped.selector {
                Selector::Pattern(_) => Found::Pattern,
                _ => Found::Text,
            };
            Ok((Target::unnamed(reading, span, found), matched))
        }
    }
}

/// Returns how many segments or places `scoped` names; none is a refusal.
pub fn count(
    reading: &Reading<'_>,
    scoped: &Scoped,
    purpose: Purpose,
) -> Result<usize, Diagnostic> {
    let settled = settled(reading, scoped);
    let scoped = settled.as_ref().unwrap_or(scoped);
    let counted = match &scoped.selector {
        Selector::Symbol(_) | Selector::Section(_) => {
            all_named(reading, scoped).map(|found| found.len())
        }
        Selector::Element(selector) => {
            element::find_all(reading, selector).map(|found| found.len())
        }
        Selector::Block(selector) => all_blocks(reading, selector).map(|found| found.len()),
        Selector::Text(_) | Selector::Pattern(_) => {
            places::places(reading, scoped, purpose).map(|places| choice::apart(places.spans).len())
        }
        Selector::Key(_) | Selector::Lines(_) => Ok(1),
    };
    match counted {
        // A block may have the name that nothing else has.
        Err(missing) if block_instead(reading, scoped, &missing).is_some() => Ok(1),
        counted => counted,
    }
}

/// Narrows a block to the part asked for.
fn part_of_block<'r, 'd>(
    reading: &'r Reading<'d>,
    block: &'r Block,
    part: Option<Part>,
) -> Result<Target<'r, 'd>, Diagnostic> {
    let span = match part {
        None | Some(Part::Whole) => block.whole(reading.document),
        Some(Part::Body) => block.body(reading.document),
        Some(part) => return Err(refusal::no_such_part_of_block(part).in_field("part")),
    };
    Ok(Target {
        span,
        found: Found::Block(block),
        segment: block::described(reading, block, span),
    })
}

/// Narrows a named segment to the part asked for.
fn part_of<'r, 'd>(
    reading: &'r Reading<'d>,
    named: &'r Definition<'d>,
    part: Option<Part>,
) -> Result<Target<'r, 'd>, Diagnostic> {
    let span = parts::span(reading.document, named.symbol, part)
        .map_err(|problem| refusal::no_such_part(reading, named, problem).in_field("part"))?;
    let segment = reading.describe(span, Some(named), named.symbol.kind.as_str());
    Ok(Target {
        span,
        found: Found::Definition(named),
        segment,
    })
}

/// Finds the lines, inside the segment that narrows them.
fn lines<'r, 'd>(
    reading: &'r Reading<'d>,
    range: LineRange,
    scoped: &Scoped,
) -> Result<Target<'r, 'd>, Diagnostic> {
    let document = reading.document;
    let count = document.lines().count();
    if range.last > count {
        return Err(refusal::line_out_of_range(document, range, count).in_field("lines"));
    }
    let span = Span::new(
        document.line_start(range.first),
        document.lines().content(&document.bytes, range.last).end,
    );
    let around = scope(reading, scoped)?;
    if !around.contains(span) {
        return Err(refusal::lines_outside(reading, range, around).in_field("lines"));
    }
    Ok(Target::unnamed(reading, span, Found::Lines))
}
