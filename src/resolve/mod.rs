//! Selector × Snapshot → Target, or why not, with the nearest names.
//!
//! A `Target` is an address found: a range of one file, widened to whole lines where it has them to itself, and its
//! description. Deliberately not here: what is done with it (plan).

pub mod allowance;
pub mod block;
pub mod called;
mod choice;
pub mod document;
pub mod element;
pub mod key;
pub mod lookup;
pub mod matching;
pub mod named;
pub mod overload;
pub mod parts;
pub mod patterns;
pub mod places;
pub mod reading;
pub mod refusal;
pub mod scaffold;
pub mod section;
pub mod segment;
pub mod symbol;

pub use allowance::Allowance;
pub use block::{Block, Blocks, marked_blocks};
pub use called::{Called, Sort};
pub use document::Document;
pub use named::{Named, is_code};
pub use places::{Match, Matches, Places, Quoted, matches, quoted};
pub use reading::Reading;
pub use segment::Segment;

use crate::diagnostic::Diagnostic;
use crate::manifest::{BlockSelector, LineRange, Operation, Part, Scoped, Selector};
use crate::syntax::Language;
use crate::syntax::html::Element;
use crate::text::Span;
use block::Found;
use lookup::Lookup;

/// An address found.
#[derive(Clone, Debug)]
pub struct Target<'r, 'd> {
    /// Where the operation acts.
    pub span: Span,
    /// The named segment, when the selector names one.
    pub named: Option<&'r Named<'d>>,
    /// The element, when the selector names one.
    pub element: Option<&'d Element>,
    /// The block, when the selector names one.
    pub block: Option<&'r Block>,
    /// The number of the entry of a configuration file, when the selector names one.
    pub key: Option<usize>,
    /// The range described.
    pub segment: Segment,
}

impl<'r, 'd> Target<'r, 'd> {
    /// Returns a range that no name stands for.
    fn unnamed(reading: &Reading<'d>, span: Span, kind: &str) -> Target<'r, 'd> {
        Target {
            span,
            named: None,
            block: None,
            element: None,
            key: None,
            segment: reading.describe(span, None, kind),
        }
    }
}

/// Finds what `scoped` names, in the part asked for; a block by its name alone where nothing else has it. `text` and
/// `pattern` must stand in exactly one place.
pub fn locate<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    part: Option<Part>,
    operation: &Operation,
) -> Result<(Target<'r, 'd>, Option<Match>), Diagnostic> {
    let found = located(reading, scoped, part, operation);
    match found
        .as_ref()
        .err()
        .and_then(|missing| block_instead(reading, scoped, missing))
    {
        Some(Found::Block(block)) => Ok((part_of_block(reading, block, part, operation)?, None)),
        Some(Found::Named(named)) => Ok((part_of(reading, named, part, operation)?, None)),
        None => found,
    }
}

fn located<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    part: Option<Part>,
    operation: &Operation,
) -> Result<(Target<'r, 'd>, Option<Match>), Diagnostic> {
    match &scoped.selector {
        Selector::Symbol(_) | Selector::Section(_) => {
            let named = find_named(reading, scoped, operation)?;
            Ok((part_of(reading, named, part, operation)?, None))
        }
        Selector::Element(selector) => {
            let at = choice::of(
                element::find_all(reading, selector, operation)?,
                scoped.choice,
            )
            .map_err(|not_one| {
                not_one.refused(reading, scoped, operation, |several| {
                    element::several(reading, selector, &several, operation)
                })
            })?;
            let span = element_part(reading, at, part, operation)?;
            let segment = element::describe(reading, at, span);
            let element = reading.document.dom().elements.get(at);
            Ok((
                Target {
                    span,
                    named: None,
                    block: None,
                    element,
                    key: None,
                    segment,
                },
                None,
            ))
        }
        Selector::Block(selector) => match find_block(reading, selector, scoped, operation)? {
            Found::Block(block) => Ok((part_of_block(reading, block, part, operation)?, None)),
            Found::Named(named) => Ok((part_of(reading, named, part, operation)?, None)),
        },
        Selector::Key(selector) => Ok((key::target(reading, selector, part, operation)?, None)),
        Selector::Lines(range) => Ok((lines(reading, *range, scoped, operation)?, None)),
        Selector::Text(_) | Selector::Pattern(_) => {
            let (span, matched) = places::place(reading, scoped, operation)?;
            let kind = selector_word(&scoped.selector);
            Ok((Target::unnamed(reading, span, kind), matched))
        }
    }
}

/// Returns how a selector's key is written.
pub fn selector_word(selector: &Selector) -> &'static str {
    match selector {
        Selector::Symbol(_) => "symbol",
        Selector::Section(_) => "section",
        Selector::Element(_) => "element",
        Selector::Block(_) => "block",
        Selector::Key(_) => "key",
        Selector::Text(_) => "text",
        Selector::Pattern(_) => "pattern",
        Selector::Lines(_) => "lines",
    }
}

/// Returns the block that an address names where it names nothing else.
fn block_instead<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    missing: &Diagnostic,
) -> Option<Found<'r, 'd>> {
    let address = match &scoped.selector {
        Selector::Symbol(_) | Selector::Section(_) | Selector::Element(_) | Selector::Key(_) => {
            &scoped.selector
        }
        Selector::Block(_) | Selector::Text(_) | Selector::Pattern(_) | Selector::Lines(_) => {
            return None;
        }
    };
    if !missing.candidates.is_empty() || scoped.kind.is_some() || reading.document.too_large() {
        return None;
    }
    let name = BlockSelector::parse(&refusal::as_written(address)).ok()?;
    match block::find(reading, &name) {
        Lookup::Found(found) => Some(found),
        Lookup::Missing { .. } | Lookup::Ambiguous { .. } => None,
    }
}

/// Finds the segments that a `symbol` or `section` selector names, each with its address; none is a refusal.
fn all_named<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    operation: &Operation,
) -> Result<Vec<(String, &'r Named<'d>)>, Diagnostic> {
    let language = parsed_language(reading, &scoped.selector, operation)?;
    let lookup = match &scoped.selector {
        Selector::Section(selector) => section::find(reading.named(), selector),
        Selector::Symbol(selector) => symbol::find(
            reading.register(),
            selector,
            scoped.kind,
            &reading.document.bytes,
        ),
        Selector::Block(_)
        | Selector::Element(_)
        | Selector::Key(_)
        | Selector::Text(_)
        | Selector::Pattern(_)
        | Selector::Lines(_) => Lookup::Missing {
            nearest: Vec::new(),
        },
    };
    let found = match lookup {
        Lookup::Found(named) => vec![(named.address(), named)],
        Lookup::Missing { nearest } => {
            return Err(refusal::missing(
                reading, scoped, nearest, language, operation,
            ));
        }
        Lookup::Ambiguous { candidates } => candidates,
    };
    Ok(found)
}

/// Finds the one segment that a `symbol` or `section` selector names.
fn find_named<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    operation: &Operation,
) -> Result<&'r Named<'d>, Diagnostic> {
    let chosen = choice::of(all_named(reading, scoped, operation)?, scoped.choice);
    chosen.map(|(_, named)| named).map_err(|not_one| {
        not_one.refused(reading, scoped, operation, |several| {
            refusal::several_segments(reading, scoped, &several, operation)
        })
    })
}

/// Returns the language of the file, or why its segments cannot be told.
fn parsed_language(
    reading: &Reading<'_>,
    selector: &Selector,
    operation: &Operation,
) -> Result<&'static Language, Diagnostic> {
    let document = reading.document;
    let place = operation.place(selector_word(selector));
    let Some(language) = document.language else {
        return Err(refusal::unsupported_language(document).at(place));
    };
    if document.too_large() {
        return Err(refusal::too_large(document).at(place));
    }
    if let Some(excess) = document.outline().excess {
        return Err(refusal::excessive(document, excess).at(place));
    }
    Ok(language)
}

/// Finds the one thing that a `block` selector names.
fn find_block<'r, 'd>(
    reading: &'r Reading<'d>,
    selector: &BlockSelector,
    scoped: &Scoped,
    operation: &Operation,
) -> Result<Found<'r, 'd>, Diagnostic> {
    let chosen = choice::of(all_blocks(reading, selector, operation)?, scoped.choice);
    chosen.map(|(_, found)| found).map_err(|not_one| {
        not_one.refused(reading, scoped, operation, |several| {
            refusal::several_blocks(reading, scoped, several, operation)
        })
    })
}

/// Finds what a `block` selector names, each with its address; nothing is a refusal.
fn all_blocks<'r, 'd>(
    reading: &'r Reading<'d>,
    selector: &BlockSelector,
    operation: &Operation,
) -> Result<Vec<(String, Found<'r, 'd>)>, Diagnostic> {
    if reading.document.too_large() {
        return Err(refusal::too_large(reading.document).at(operation.place("block")));
    }
    match block::find(reading, selector) {
        Lookup::Found(found) => Ok(vec![(String::new(), found)]),
        Lookup::Missing { nearest } => Err(match reading.excess() {
            Some(excess) => {
                refusal::excessive(reading.document, excess).at(operation.place("block"))
            }
            None => refusal::missing_block(reading, selector, nearest, operation),
        }),
        Lookup::Ambiguous { candidates } => Ok(candidates),
    }
}

/// Returns how many segments or places `scoped` names; none is a refusal.
pub fn count(
    reading: &Reading<'_>,
    scoped: &Scoped,
    operation: &Operation,
) -> Result<usize, Diagnostic> {
    let counted = match &scoped.selector {
        Selector::Symbol(_) | Selector::Section(_) => {
            all_named(reading, scoped, operation).map(|found| found.len())
        }
        Selector::Element(selector) => {
            element::find_all(reading, selector, operation).map(|found| found.len())
        }
        Selector::Block(selector) => {
            all_blocks(reading, selector, operation).map(|found| found.len())
        }
        Selector::Text(_) | Selector::Pattern(_) => places::places(reading, scoped, operation)
            .map(|places| choice::apart(places.spans).len()),
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
    operation: &Operation,
) -> Result<Target<'r, 'd>, Diagnostic> {
    let span = match part {
        None | Some(Part::Whole) => block.whole(reading.document),
        Some(Part::Body) => block.body(reading.document),
        Some(part) => return Err(refusal::no_such_part_of_block(part).at(operation.place("part"))),
    };
    Ok(Target {
        span,
        named: None,
        block: Some(block),
        element: None,
        key: None,
        segment: block::described(reading, block, span),
    })
}

/// Narrows a named segment to the part asked for.
fn part_of<'r, 'd>(
    reading: &'r Reading<'d>,
    named: &'r Named<'d>,
    part: Option<Part>,
    operation: &Operation,
) -> Result<Target<'r, 'd>, Diagnostic> {
    let span = parts::span(reading.document, named.symbol, part).map_err(|problem| {
        refusal::no_such_part(reading, named, problem).at(operation.place("part"))
    })?;
    let segment = reading.describe(span, Some(named), named.symbol.kind.as_str());
    Ok(Target {
        span,
        named: Some(named),
        block: None,
        element: None,
        key: None,
        segment,
    })
}

/// Returns the bytes of the part asked for of the element with this number.
fn element_part(
    reading: &Reading<'_>,
    at: usize,
    part: Option<Part>,
    operation: &Operation,
) -> Result<Span, Diagnostic> {
    let element = reading
        .document
        .dom()
        .elements
        .get(at)
        .expect("a selector finds elements of this page");
    element::part(reading.document, element, part)
        .map_err(|problem| element::no_such_part(reading, at, problem).at(operation.place("part")))
}

/// Finds the lines, inside the segment that narrows them.
fn lines<'r, 'd>(
    reading: &'r Reading<'d>,
    range: LineRange,
    scoped: &Scoped,
    operation: &Operation,
) -> Result<Target<'r, 'd>, Diagnostic> {
    let document = reading.document;
    let count = document.lines().count();
    if range.last > count {
        return Err(refusal::line_out_of_range(document, range, count).at(operation.place("lines")));
    }
    let span = Span::new(
        document.line_start(range.first),
        document.lines().content(&document.bytes, range.last).end,
    );
    let around = scope(reading, scoped, operation)?;
    if !around.contains(span) {
        return Err(refusal::lines_outside(reading, range, around).at(operation.place("lines")));
    }
    Ok(Target::unnamed(reading, span, "lines"))
}

/// Returns the range that `within` narrows the search to; the whole file (behind its byte-order mark) without one.
fn scope(
    reading: &Reading<'_>,
    scoped: &Scoped,
    operation: &Operation,
) -> Result<Span, Diagnostic> {
    let Some(within) = &scoped.within else {
        let document = reading.document;
        return Ok(Span::new(
            document.line_start(1).min(document.bytes.len()),
            document.bytes.len(),
        ));
    };
    let scoped = Scoped::from(within.clone());
    let found = match within {
        Selector::Element(selector) => element::find(reading, selector, operation)
            .and_then(|at| element_part(reading, at, None, operation)),
        Selector::Key(selector) => {
            let span = |reading: &Reading<'_>| {
                key::target(reading, selector, Some(Part::Whole), operation).map(|it| it.span)
            };
            let front = reading.document.front_matter();
            front
                .as_ref()
                .map_or_else(|| span(reading), |front| span(&reading.of_part(front)))
        }
        Selector::Block(selector) => {
            find_block(reading, selector, &scoped, operation).map(|found| whole_of(reading, &found))
        }
        _ => find_named(reading, &scoped, operation)
            .map(|named| reading.document.widened(named.symbol.whole())),
    };
    found.or_else(|missing| match block_instead(reading, &scoped, &missing) {
        Some(found) => Ok(whole_of(reading, &found)),
        None => Err(missing.at(operation.place("within"))),
    })
}

/// Returns all of what a `block` selector found.
fn whole_of(reading: &Reading<'_>, found: &Found<'_, '_>) -> Span {
    match found {
        Found::Block(block) => block.whole(reading.document),
        Found::Named(named) => reading.document.widened(named.symbol.whole()),
    }
}

/// Returns every segment of a document, blocks and regions too, described, in file order.
pub fn segments(reading: &Reading<'_>) -> Vec<Segment> {
    called::segments(reading)
}

/// Returns the segments that `name` names, blocks and regions too, described, in file order. The name is qualified or not, a
/// heading with its markers or without.
pub fn segments_called(reading: &Reading<'_>, name: &str) -> Vec<Segment> {
    called::matching(reading, |names| names.answer_to(name))
        .into_iter()
        .map(|called| called.segment)
        .collect()
}
