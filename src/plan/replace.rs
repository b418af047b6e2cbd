//! `replace`: content in the place of a segment or of a part of it.

use super::definition::replace::replace_symbol;
use super::edit::EditKind;
use super::key::TargetEdits;
use super::section::replace_section;
use super::{element, item, key};
use crate::diagnostic::Diagnostic;
use crate::manifest::{Indent, Part, Verb};
use crate::resolve::{Found, Reading, Target, is_code};
use crate::syntax::SegmentKind;
use crate::text::{LineEnding, is_blank};

pub(super) use super::lines::replace_lines;

/// Returns the edits that put `content` in the place of `target`.
pub(super) fn replace_target(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    part: Option<Part>,
    content: &str,
    indent: Indent,
    verb: &Verb,
) -> Result<TargetEdits, Diagnostic> {
    let document = reading.document;
    let edits = match target.found {
        Found::Key(at) => return key::plan_key_edit(reading, at, verb).map(TargetEdits::from),
        Found::Element(found) => {
            element::replace_element(reading, found, target, part, content, indent)?
        }
        Found::Block(block) => super::block::replace_block(reading, block, part, content, indent)?,
        Found::Definition(named) if named.symbol.kind == SegmentKind::Section => {
            replace_section(document, named, target, part, content)?
        }
        Found::Definition(named) if let Some(Part::Item(kind, name)) = part => {
            item::replace_item(reading, named, (kind, name), content, indent)?
        }
        Found::Definition(named) => {
            let mut edits = replace_symbol(reading, named, target, part, content, indent)?;
            if part == Some(Part::Body) && is_code(named.symbol.kind) {
                edits
                    .iter_mut()
                    .for_each(|edit| edit.stays_inside(Some(named.symbol.definition.start)));
            }
            edits
        }
        Found::Lines => replace_lines(reading, target, content, indent)?,
        Found::Pattern if content.is_empty() => super::quoted::remove_quoted(reading, target.span),
        Found::Pattern => replace_match(reading, target, content, indent)?,
        Found::Text => {
            let ending = LineEnding::at(&document.bytes, target.span.start);
            vec![EditKind::replace(
                target.span,
                ending.write(content.as_bytes()),
            )]
        }
    };
    Ok(edits.into())
}

/// Puts `content` in the place of the match of a pattern. Who matches all of a line, its line break too, means a line.
fn replace_match(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let matched = target.span.of(&document.bytes);
    let takes_line = matched.ends_with(b"\n") && !is_blank(matched) && !content.ends_with('\n');
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
