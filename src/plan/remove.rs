//! `delete`: a segment goes with its decorations, and of the gaps around it the smaller.

use super::definition::remove::{empty_body, remove_definition, remove_last_of_several};
use super::definition::variables::check_removal;
use super::edit::{EditKind, delete_lines};
use super::key::TargetEdits;
use super::{element, item, key};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Part, Verb};
use crate::resolve::{Definition, Found, Reading, Target};
use crate::syntax::SegmentKind;
use crate::syntax::markdown::halves;

pub(super) use super::edit::delete_bare_lines;
pub(super) use super::filler::filler_of_empty_body;

/// Returns the edits that remove `target`.
pub(super) fn remove_target(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    part: Option<Part>,
    verb: &Verb,
) -> Result<TargetEdits, Diagnostic> {
    let edits = match target.found {
        Found::Key(at) => return key::plan_key_edit(reading, at, verb).map(TargetEdits::from),
        Found::Element(found) => element::remove_element(reading, found, part)?,
        Found::Block(block) => super::block::delete_block(reading, block, part),
        Found::Text | Found::Pattern => super::quoted::remove_quoted(reading, target.span),
        Found::Lines => vec![delete_bare_lines(target.span)],
        Found::Definition(named) if named.symbol.kind == SegmentKind::Section => {
            remove_section(reading, target, part)?
        }
        Found::Definition(named) => remove_named(reading, named, target, part)?,
    };
    Ok(edits.into())
}

fn remove_section(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    part: Option<Part>,
) -> Result<Vec<EditKind>, Diagnostic> {
    match part {
        Some(Part::Heading) => Err(Diagnostic::new(
            Code::Unsupported,
            "a section cannot lose its heading alone",
        )
        .note("delete the section, or replace `part: heading`")),
        _ if target.span.is_empty() => Ok(Vec::new()),
        _ => Ok(vec![delete_lines(halves::with_anchors(
            &reading.document.bytes,
            target.span,
        ))]),
    }
}

fn remove_named(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    part: Option<Part>,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    match part.unwrap_or(Part::Whole) {
        Part::Signature => Err(Diagnostic::new(
            Code::Unsupported,
            "a definition cannot lose its signature alone",
        )
        .note("delete the segment, or replace `part: signature`")),
        Part::Body => Ok(vec![empty_body(document, named, target.span)]),
        Part::Docstring => Ok(vec![remove_definition(document, target.span, false)]),
        Part::Item(kind, name) => item::remove_item(reading, named, (kind, name)),
        Part::Whole
        | Part::Definition
        | Part::Own
        | Part::Heading
        | Part::Code(_)
        | Part::Table(_)
        | Part::List(_)
        | Part::Inner
        | Part::Attribute(_) => {
            check_removal(reading, named)?;
            let span = document.widened(named.symbol.whole());
            Ok(remove_last_of_several(document, named, span)
                .unwrap_or_else(|| vec![remove_definition(document, span, named.symbol.parted)]))
        }
    }
}
