//! The inside of a definition: where its content is placed, and how one without a body gets one.

use crate::plan::content::{self, ContentPlace, line_endings, parent_kind};
use crate::plan::edit::EditKind;
use crate::resolve::{Definition, Reading};
use crate::text::Span;

/// Returns the place of a line inside the body of `named`, for a body that shows no indentation of its own.
pub(crate) fn place_inside<'a>(
    reading: &'a Reading<'_>,
    named: &Definition<'_>,
) -> ContentPlace<'a> {
    let document = reading.document;
    let unit = document
        .unit()
        .or_else(|| content::unit_at(document, Span::at(0), parent_kind(reading, named)));
    let step = match unit {
        Some(crate::text::indent::Unit::Tab) => b"\t".to_vec(),
        Some(crate::text::indent::Unit::Spaces(count)) => vec![b' '; count],
        None => Vec::new(),
    };
    let base = [document.indentation(named.symbol.signature.start), &step].concat();
    ContentPlace {
        document,
        offset: named.symbol.definition.start,
        base,
        unit,
        fresh_line: true,
        parent: Some(named.symbol.kind),
        old: None,
    }
}

/// Puts ready lines into a body that shares the header's line: the body moves to lines of its own.
pub(crate) fn open_up_body(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    body: Span,
    lines: Vec<u8>,
) -> Vec<EditKind> {
    let document = reading.document;
    let bytes = &document.bytes;
    let ending = line_endings(document, body.start, 1);
    let blanks_before = bytes[..body.start]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let start = body.start - blanks_before;
    let offside = document
        .language
        .is_some_and(|language| language.habits.offside);
    let begins_line = start == 0 || bytes.get(start - 1) == Some(&b'\n');
    let mut new = if begins_line {
        Vec::new()
    } else {
        ending.clone()
    };
    new.extend_from_slice(&lines);
    if offside {
        return vec![EditKind::replace(Span::new(start, body.end), new)];
    }
    let blanks_after = bytes[body.end..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    new.extend_from_slice(&ending);
    new.extend_from_slice(document.indentation(named.symbol.definition.start));
    vec![EditKind::replace(
        Span::new(start, body.end + blanks_after),
        new,
    )]
}
