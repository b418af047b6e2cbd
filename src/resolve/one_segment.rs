//! The one segment that a selector names, or why there is no such segment or are several.

use super::block::{self, BlockOrDefinition};
use super::lookup::Lookup;
use super::named::Definition;
use super::reading::Reading;
use super::refusal::{self, selector_word};
use super::{choice, element, section, symbol};
use crate::diagnostic::Diagnostic;
use crate::manifest::{BlockSelector, Part, Scoped, Selector};
use crate::syntax::Language;
use crate::text::Span;

/// Returns the block that an address names where it names nothing else.
pub(super) fn block_instead<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
    missing: &Diagnostic,
) -> Option<BlockOrDefinition<'r, 'd>> {
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
pub(super) fn all_named<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
) -> Result<Vec<(String, &'r Definition<'d>)>, Diagnostic> {
    let language = parsed_language(reading, &scoped.selector)?;
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
            return Err(refusal::missing(reading, scoped, nearest, language));
        }
        Lookup::Ambiguous { candidates } => candidates,
    };
    Ok(found)
}

/// Finds the one segment that a `symbol` or `section` selector names.
pub(super) fn find_named<'r, 'd>(
    reading: &'r Reading<'d>,
    scoped: &Scoped,
) -> Result<&'r Definition<'d>, Diagnostic> {
    let chosen = choice::of(all_named(reading, scoped)?, scoped.choice);
    chosen.map(|(_, named)| named).map_err(|not_one| {
        not_one.refused(reading, scoped, |several| {
            refusal::several_segments(reading, scoped, &several)
        })
    })
}

/// Returns the language of the file, or why its segments cannot be told.
fn parsed_language(
    reading: &Reading<'_>,
    selector: &Selector,
) -> Result<&'static Language, Diagnostic> {
    let document = reading.document;
    let field = selector_word(selector);
    let Some(language) = document.language else {
        return Err(refusal::unsupported_language(document).in_field(field));
    };
    if document.too_large() {
        return Err(refusal::too_large(document).in_field(field));
    }
    if let Some(excess) = document.outline().excess {
        return Err(refusal::excessive(document, excess).in_field(field));
    }
    Ok(language)
}

/// Finds the one thing that a `block` selector names.
pub(super) fn find_block<'r, 'd>(
    reading: &'r Reading<'d>,
    selector: &BlockSelector,
    scoped: &Scoped,
) -> Result<BlockOrDefinition<'r, 'd>, Diagnostic> {
    let chosen = choice::of(all_blocks(reading, selector)?, scoped.choice);
    chosen.map(|(_, found)| found).map_err(|not_one| {
        not_one.refused(reading, scoped, |several| {
            refusal::several_blocks(reading, scoped, several)
        })
    })
}

/// Finds what a `block` selector names, each with its address; nothing is a refusal.
pub(super) fn all_blocks<'r, 'd>(
    reading: &'r Reading<'d>,
    selector: &BlockSelector,
) -> Result<Vec<(String, BlockOrDefinition<'r, 'd>)>, Diagnostic> {
    if reading.document.too_large() {
        return Err(refusal::too_large(reading.document).in_field("block"));
    }
    match block::find(reading, selector) {
        Lookup::Found(found) => Ok(vec![(String::new(), found)]),
        Lookup::Missing { nearest } => Err(match reading.excess() {
            Some(excess) => refusal::excessive(reading.document, excess).in_field("block"),
            None => refusal::missing_block(reading, selector, nearest),
        }),
        Lookup::Ambiguous { candidates } => Ok(candidates),
    }
}

/// Returns the bytes of the part asked for of the element with this number.
pub(super) fn element_part(
    reading: &Reading<'_>,
    at: usize,
    part: Option<Part>,
) -> Result<Span, Diagnostic> {
    let element = reading
        .document
        .dom()
        .elements
        .get(at)
        .expect("a selector finds elements of this page");
    element::part(reading.document, element, part)
        .map_err(|problem| element::no_such_part(reading, at, problem).in_field("part"))
}
