//! The inside of a definition: where its content is placed, and how one without a body gets one.

use crate::manifest::Position;
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

/// Puts ready lines into a body that shares the header's line: the body moves to lines of its own. What is in it stands at the end of them
/// where they were put first, and at their beginning where last; anywhere without a position.
pub(crate) fn open_up_body(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    body: Span,
    lines: Vec<u8>,
    position: Option<Position>,
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
    let kept = position.and_then(|position| kept_in(&new, body, bytes, position));
    let blanks_after = bytes[body.end..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    new.extend_from_slice(&ending);
    new.extend_from_slice(document.indentation(named.symbol.definition.start));
    let end = body.end + blanks_after;
    // What stood there is written where it is, so that it is a neighbour like any other.
    match kept {
        Some((own, at)) => vec![
            EditKind::replace(Span::new(start, own.start), &new[..at]),
            EditKind::replace(Span::new(own.end, end), &new[at + own.len()..]),
        ],
        None => vec![EditKind::replace(Span::new(start, end), new)],
    }
}

/// Returns what is in a body, without blanks, and where it stands in `new`.
fn kept_in(new: &[u8], body: Span, bytes: &[u8], position: Position) -> Option<(Span, usize)> {
    let text = body.of(bytes);
    let start = body.start + (text.len() - text.trim_ascii_start().len());
    let own = Span::new(start, start + text.trim_ascii().len());
    let text = own.of(bytes);
    let at = match position {
        Position::First => new.len().checked_sub(text.len())?,
        _ => new.len() - new.trim_ascii_start().len(),
    };
    let is_there = new.get(at..)?.starts_with(text) && !text.is_empty();
    is_there.then_some((own, at))
}
