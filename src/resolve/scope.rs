//! The range that a search keeps to: the segment that `within` names, or the whole file.

use super::block::BlockOrDefinition;
use super::one_segment::{block_instead, element_part, find_block, find_named};
use super::reading::Reading;
use super::settled::settled_selector;
use super::{element, key};
use crate::diagnostic::Diagnostic;
use crate::manifest::{Part, Scoped, Selector};
use crate::text::Span;

/// Returns the range that `within` narrows the search to; the whole file (behind its byte-order mark) without one.
pub(super) fn scope(reading: &Reading<'_>, scoped: &Scoped) -> Result<Span, Diagnostic> {
    let Some(within) = &scoped.within else {
        let document = reading.document;
        return Ok(Span::new(
            document.line_start(1).min(document.bytes.len()),
            document.bytes.len(),
        ));
    };
    let settled = settled_selector(reading, within);
    let within = settled.as_ref().unwrap_or(within);
    let scoped = Scoped::from(within.clone());
    let found = match within {
        Selector::Element(selector) => {
            element::find(reading, selector).and_then(|at| element_part(reading, at, None))
        }
        Selector::Key(selector) => {
            let span = |reading: &Reading<'_>| {
                key::target(reading, selector, Some(Part::Whole)).map(|it| it.span)
            };
            let front = reading.document.front_matter();
            front
                .as_ref()
                .map_or_else(|| span(reading), |front| span(&reading.of_part(front)))
        }
        Selector::Block(selector) => {
            find_block(reading, selector, &scoped).map(|found| whole_of(reading, &found))
        }
        _ => {
            find_named(reading, &scoped).map(|named| reading.document.widened(named.symbol.whole()))
        }
    };
    found.or_else(|missing| match block_instead(reading, &scoped, &missing) {
        Some(found) => Ok(whole_of(reading, &found)),
        None => Err(missing.in_field("within")),
    })
}

/// Returns all of what a `block` selector found.
fn whole_of(reading: &Reading<'_>, found: &BlockOrDefinition<'_, '_>) -> Span {
    match found {
        BlockOrDefinition::Block(block) => block.whole(reading.document),
        BlockOrDefinition::Named(named) => reading.document.widened(named.symbol.whole()),
    }
}
