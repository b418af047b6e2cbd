//! `insert`: content beside or inside a segment, with the room that its neighbours give each other.

use super::definition::insert::{insert_child_of, insert_sibling_of};
use super::edit::{EditKind, Insertion, Nesting};
use super::element;
use super::lines::{insert_beside_text, insert_line, means_line};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Position, Scoped, Selector};
use crate::resolve::{Definition, Reading, Target, is_code};
use crate::syntax::SegmentKind;
use crate::text::Span;

/// Returns the edits that put `content` beside or inside `target`.
pub(super) fn insert_at_target(
    reading: &Reading<'_>,
    scoped: &Scoped,
    target: &Target<'_, '_>,
    position: Option<Position>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let position = position.unwrap_or(Position::After);
    let mut edits = insert_by_kind(reading, scoped, target, position, content, indent)?;
    let is_inside = matches!(position, Position::First | Position::Last);
    let holder = target
        .named
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
        insertion.around = around.filter(|_| target.named.is_some());
    }
    Ok(edits)
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
    if let Some(element) = target.element {
        let parent = || document.dom().elements.get(element.parent?);
        return if is_inside { Some(element) } else { parent() }.map(|it| it.whole());
    }
    if let Some(block) = target.block {
        return is_inside.then(|| block.whole(document));
    }
    match (target.named, insertion.beside) {
        (Some(named), _) if is_inside => Some(named.symbol.definition),
        (Some(named), _) => {
            // A method of Go is not written inside of its type.
            let holds = |parent: &&Definition<'_>| {
                parent.symbol.definition.contains(named.symbol.definition)
            };
            reading
                .parent(named)
                .filter(holds)
                .map(|parent| parent.symbol.definition)
        }
        (None, Some(lines)) => {
            let holds = |named: &&Definition<'_>| !lines.contains(named.symbol.whole());
            reading
                .enclosing(lines)
                .filter(holds)
                .map(|named| named.symbol.definition)
        }
        // Bytes of a line are of what the line is of.
        (None, None) => Some(Span::at(insertion.at)),
    }
}

fn insert_by_kind(
    reading: &Reading<'_>,
    scoped: &Scoped,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    if let Some(found) = target.element {
        return element::insert_at_element(reading, found, position, content, indent);
    }
    if let Some(block) = target.block {
        return super::block::insert_at_block(reading, target, block, position, content, indent);
    }
    if let (Some(named), Position::After | Position::Last) = (target.named, position)
        && named.symbol.kind == SegmentKind::Section
    {
        super::fence::refuse_behind_open(reading.document, named.symbol)?;
    }
    if let Some(named) = target
        .named
        .filter(|named| named.symbol.kind == SegmentKind::Section)
    {
        super::fence::refuse_between_halves(reading.document, named.symbol, position)?;
    }
    let edit = match (target.named, position) {
        (Some(named), Position::Before | Position::After) => {
            insert_sibling_of(reading, named, target, position, content, indent)?
        }
        (Some(named), Position::First | Position::Last) => {
            insert_child_of(reading, named, position, content, indent)?
        }
        (None, Position::Before | Position::After) => match scoped.selector {
            Selector::Text(_) | Selector::Pattern(_)
                if target.span.of(&reading.document.bytes).ends_with(b"\n")
                    || means_line(reading, target.span, position, content) =>
            {
                insert_line(reading, target, position, content, indent)?
            }
            Selector::Text(_) | Selector::Pattern(_) => {
                insert_beside_text(reading, target, position, content, indent)?
            }
            _ => insert_line(reading, target, position, content, indent)?,
        },
        (None, Position::First | Position::Last) => {
            return Err(Diagnostic::new(
                Code::Unsupported,
                "text and lines have no inside: no `first` or `last` child",
            )
            .note("`position: before` or `after` stands beside them"));
        }
    };
    Ok(edit)
}
