//! `insert`: content beside or inside a segment, with the room that its neighbours give each other.

use super::definition::insert::{insert_child_of, insert_sibling_of};
use super::edit::{EditKind, Insertion, Nesting};
use super::key::TargetEdits;
use super::lines::{insert_beside_text, insert_line, means_line};
use super::{element, key};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Position, Verb};
use crate::resolve::{Definition, Found, Reading, Target, is_code};
use crate::syntax::SegmentKind;
use crate::text::Span;

/// Returns the edits that put `content` beside or inside `target`.
pub(super) fn insert_at_target(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
    indent: Indent,
    verb: &Verb,
) -> Result<TargetEdits, Diagnostic> {
    if let Found::Key(at) = target.found {
        return key::plan_key_edit(reading, at, verb).map(TargetEdits::from);
    }
    let mut edits = insert_by_kind(reading, target, position, content, indent)?;
    let is_inside = matches!(position, Position::First | Position::Last);
    let holder = target
        .named()
        .filter(|named| is_inside && is_code(named.symbol.kind));
    for edit in &mut edits {
        edit.stays_inside(holder.map(|named| named.symbol.definition.start));
        let EditKind::Insert(insertion) = edit else {
            continue;
        };
        let around = span_around(reading, target, position, insertion);
        if insertion.nesting == Nesting::Between {
            insertion.nesting = Nesting::of(around, insertion.at, position);
        }
        insertion.around = around.filter(|_| target.named().is_some());
    }
    Ok(edits.into())
}

/// Returns what of the file an insertion is inside of.
pub(super) fn span_around(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    insertion: &Insertion,
) -> Option<Span> {
    let document = reading.document;
    let is_inside = matches!(position, Position::First | Position::Last);
    match (target.found, insertion.beside) {
        (Found::Element(element), _) => {
            let parent = || document.dom().elements.get(element.parent?);
            if is_inside { Some(element) } else { parent() }.map(|it| it.whole())
        }
        (Found::Block(block), _) => is_inside.then(|| block.whole(document)),
        (Found::Definition(named), _) if is_inside => Some(named.symbol.definition),
        (Found::Definition(named), _) => {
            // A method of Go is not written inside of its type.
            let holds = |parent: &&Definition<'_>| {
                parent.symbol.definition.contains(named.symbol.definition)
            };
            reading
                .parent(named)
                .filter(holds)
                .map(|parent| parent.symbol.definition)
        }
        (Found::Key(_) | Found::Text | Found::Pattern | Found::Lines, Some(lines)) => {
            let holds = |named: &&Definition<'_>| !lines.contains(named.symbol.whole());
            reading
                .enclosing(lines)
                .filter(holds)
                .map(|named| named.symbol.definition)
        }
        // Bytes of a line are of what the line is of.
        (Found::Key(_) | Found::Text | Found::Pattern | Found::Lines, None) => {
            Some(Span::at(insertion.at))
        }
    }
}

fn insert_by_kind(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let is_beside = matches!(position, Position::Before | Position::After);
    match target.found {
        Found::Element(found) => {
            element::insert_at_element(reading, found, position, content, indent)
        }
        Found::Block(block) => {
            super::block::insert_at_block(reading, target, block, position, content, indent)
        }
        Found::Definition(named) => {
            if named.symbol.kind == SegmentKind::Section {
                if matches!(position, Position::After | Position::Last) {
                    super::fence::refuse_behind_open(reading.document, named.symbol)?;
                }
                super::fence::refuse_between_halves(reading.document, named.symbol, position)?;
            }
            if is_beside {
                insert_sibling_of(reading, named, target.span, position, content, indent)
            } else {
                insert_child_of(reading, named, position, content, indent)
            }
        }
        Found::Key(_) | Found::Text | Found::Pattern | Found::Lines if !is_beside => {
            Err(Diagnostic::new(
                Code::Unsupported,
                "text and lines have no inside: no `first` or `last` child",
            )
            .note("`position: before` or `after` stands beside them"))
        }
        Found::Text | Found::Pattern
            if !target.span.of(&reading.document.bytes).ends_with(b"\n")
                && !means_line(reading, target.span, position, content) =>
        {
            insert_beside_text(reading, target, position, content, indent)
        }
        Found::Key(_) | Found::Text | Found::Pattern | Found::Lines => {
            insert_line(reading, target, position, content, indent)
        }
    }
}
