//! Where lines begin and end, and what is blank in them.

use crate::text::{BOM, Span};

/// Returns the end of the last line in `span` that is not blank, its ending excluded; `span`'s start without one.
pub(super) fn last_visible_line_end(source: &[u8], span: Span) -> usize {
    let visible = span
        .of(source)
        .iter()
        .rposition(|&byte| !is_blank(byte) && !is_ending(byte));
    visible.map_or(span.start, |at| line_end(source, span.start + at))
}

/// Returns the start of the first line in `span` that is not blank; `span`'s end without one.
pub(super) fn first_visible_line(source: &[u8], span: Span) -> usize {
    let visible = span
        .of(source)
        .iter()
        .position(|&byte| !is_blank(byte) && !is_ending(byte));
    visible.map_or(span.end, |at| {
        line_start(source, span.start + at).max(span.start)
    })
}

/// Returns the offset of the first byte of the line that holds `offset`.
pub(super) fn line_start(source: &[u8], offset: usize) -> usize {
    source[..offset]
        .iter()
        .rposition(|&byte| is_ending(byte))
        .map_or(0, |at| at + 1)
        .max(bom_len(source))
        .min(offset)
}

/// Returns the offset of the ending of the line that holds `offset`.
fn line_end(source: &[u8], offset: usize) -> usize {
    source[offset..]
        .iter()
        .position(|&byte| is_ending(byte))
        .map_or(source.len(), |at| offset + at)
}

/// Says whether `byte` is what CommonMark calls a space or tab.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub(super) fn is_ending(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

pub(super) fn bom_len(source: &[u8]) -> usize {
    if source.starts_with(BOM) {
        BOM.len()
    } else {
        0
    }
}
