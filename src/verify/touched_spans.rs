//! Which parts of definitions the splices of an edit touch.

use crate::resolve::Definition;
use crate::syntax::SegmentKind;
use crate::text::Span;

/// Returns the range that must be free of edits for a segment to count as beside them: its header; of a variable, all
/// that comes before its value.
pub(super) fn header(named: &Definition<'_>) -> Span {
    let symbol = named.symbol;
    let header = symbol.signature.cover(Span::at(symbol.definition.start));
    let value = symbol
        .body
        .filter(|_| symbol.kind == SegmentKind::Variable)
        .map_or(header.end, |value| value.start);
    Span::new(header.start, value.clamp(header.start, header.end))
}

/// Says whether a splice touches `span`; sorted spans, so that a search finds the neighbours.
pub(super) fn is_touched(span: Span, touched: &[Span]) -> bool {
    let from = touched.partition_point(|splice| splice.end < span.start);
    touched[from..]
        .iter()
        .take_while(|splice| splice.start <= span.end)
        // What begins where a splice ends is behind it, as an item is behind the comma ahead of it.
        .any(|splice| {
            splice.overlaps(span) || (splice.start <= span.start && span.end < splice.end)
        })
}
