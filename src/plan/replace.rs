//! `replace`: content in the place of a segment or of a part of it.

use super::definition::replace::replace_symbol;
use super::edit::EditKind;
use super::element;
use super::section::replace_section;
use crate::diagnostic::Diagnostic;
use crate::manifest::{Indent, Part, Scoped, Selector};
use crate::resolve::{Reading, Target, is_code};
use crate::syntax::SegmentKind;
use crate::text::{LineEnding, is_blank};

pub(super) use super::lines::replace_lines;

/// Returns the edits that put `content` in the place of `target`.
pub(super) fn replace_target(
    reading: &Reading<'_>,
    scoped: &Scoped,
    target: &Target<'_, '_>,
    part: Option<Part>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    if let Some(found) = target.element {
        return element::replace_element(reading, found, target, part, content, indent);
    }
    if let Some(block) = target.block {
        return super::block::replace_block(reading, block, part, content, indent);
    }
    match (&scoped.selector, target.named) {
        (Selector::Section(_) | Selector::Block(_), Some(named))
            if named.symbol.kind == SegmentKind::Section =>
        {
            replace_section(document, named, target, part, content)
        }
        (Selector::Symbol(_) | Selector::Section(_) | Selector::Block(_), Some(named)) => {
            let mut edits = replace_symbol(reading, named, target, part, content, indent)?;
            if part == Some(Part::Body) && is_code(named.symbol.kind) {
                edits
                    .iter_mut()
                    .for_each(|edit| edit.stays_inside(Some(named.symbol.definition.start)));
            }
            Ok(edits)
        }
        (Selector::Lines(_), _) => replace_lines(reading, target, content, indent),
        // Keys have a room of their own.
        (Selector::Key(_), _) => Ok(Vec::new()),
        (Selector::Pattern(_), _) if content.is_empty() => {
            Ok(super::quoted::remove_quoted(reading, target.span))
        }
        (Selector::Pattern(_), _) => {
            // Who matches all of a line, its line break too, means a line.
            let matched = target.span.of(&document.bytes);
            let takes_line =
                matched.ends_with(b"\n") && !is_blank(matched) && !content.ends_with('\n');
            let content = if takes_line {
                &format!("{content}\n")
            } else {
                content
            };
            let ready = super::quoted::in_its_line(reading, target.span, content, indent)?;
            let ending = LineEnding::at(&document.bytes, target.span.start);
            Ok(vec![EditKind::replace(
                target.span,
                ending.write(&ready).into_owned(),
            )])
        }
        (
            Selector::Text(_)
            | Selector::Symbol(_)
            | Selector::Section(_)
            | Selector::Block(_)
            | Selector::Element(_),
            _,
        ) => {
            let ending = LineEnding::at(&document.bytes, target.span.start);
            Ok(vec![EditKind::replace(
                target.span,
                ending.write(content.as_bytes()),
            )])
        }
    }
}
