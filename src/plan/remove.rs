//! `delete`: a segment goes with its decorations, and of the gaps around it the smaller.

use super::definition::remove::{empty_body, remove_definition, remove_last_of_several};
use super::edit::{EditKind, delete_lines};
use super::element;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Part, Scoped, Selector};
use crate::resolve::{Reading, Target};
use crate::syntax::SegmentKind;
use crate::syntax::markdown::halves;

pub(super) use super::edit::delete_bare_lines;
pub(super) use super::filler::filler_of_empty_body;

/// Returns the edits that remove `target`.
pub(super) fn remove_target(
    reading: &Reading<'_>,
    scoped: &Scoped,
    target: &Target<'_, '_>,
    part: Option<Part>,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    if let Some(found) = target.element {
        return element::remove_element(reading, found, part);
    }
    if let Some(block) = target.block {
        return Ok(super::block::delete_block(reading, block, part));
    }
    match (&scoped.selector, target.named) {
        (Selector::Text(_) | Selector::Pattern(_), _) => {
            Ok(super::quoted::remove_quoted(reading, target.span))
        }
        (Selector::Element(_), _)
        | (Selector::Symbol(_) | Selector::Section(_) | Selector::Block(_), None) => {
            Ok(vec![EditKind::replace(target.span, Vec::new())])
        }
        // Keys have a room of their own.
        (Selector::Key(_), _) => Ok(Vec::new()),
        (Selector::Lines(_), _) => Ok(vec![delete_bare_lines(target.span)]),
        (Selector::Section(_) | Selector::Block(_), Some(named))
            if named.symbol.kind == SegmentKind::Section =>
        {
            match part {
                Some(Part::Heading) => Err(Diagnostic::new(
                    Code::Unsupported,
                    "a section cannot lose its heading alone",
                )
                .note("delete the section, or replace `part: heading`")),
                _ if target.span.is_empty() => Ok(Vec::new()),
                _ => Ok(vec![delete_lines(halves::with_anchors(
                    &document.bytes,
                    target.span,
                ))]),
            }
        }
        (Selector::Symbol(_) | Selector::Section(_) | Selector::Block(_), Some(named)) => {
            match part.unwrap_or(Part::Whole) {
                Part::Signature => Err(Diagnostic::new(
                    Code::Unsupported,
                    "a definition cannot lose its signature alone",
                )
                .note("delete the segment, or replace `part: signature`")),
                Part::Body => Ok(vec![empty_body(document, named, target.span)]),
                Part::Docstring => Ok(vec![remove_definition(document, target.span)]),
                Part::Whole
                | Part::Definition
                | Part::Own
                | Part::Heading
                | Part::Code(_)
                | Part::Table(_)
                | Part::List(_)
                | Part::Inner
                | Part::Attribute(_) => {
                    let span = document.widened(named.symbol.whole());
                    Ok(remove_last_of_several(document, named, span)
                        .unwrap_or_else(|| vec![remove_definition(document, span)]))
                }
            }
        }
    }
}
