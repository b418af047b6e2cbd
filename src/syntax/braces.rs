//! What is between two braces, and what begins a line.

use crate::text::{BOM, Span, leading_blank, trim_ending};

/// Says whether only blanks (or a byte-order mark) are before `offset` on its line.
pub(super) fn begins_line(source: &[u8], offset: usize) -> bool {
    let before = source.get(..offset).unwrap_or_default();
    let line = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(before, |at| before.get(at + 1..).unwrap_or_default());
    let line = line.strip_prefix(BOM).unwrap_or(line);
    leading_blank(line).len() == line.len()
}

/// Returns what is between two braces: whole lines where the braces end and begin lines, else the bytes without
/// the blanks beside the braces. Neither the blank lines that it begins with nor the ending of the last line are part of it.
pub(super) fn own_lines(source: &[u8], inner: Span) -> Span {
    let bytes = inner.of(source);
    let blanks = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let first = bytes.iter().take_while(|byte| blanks(byte)).count();
    let lead = if bytes.get(first) == Some(&b'\n') {
        let text = bytes.len() - bytes.trim_ascii_start().len();
        let above = bytes.get(..text).unwrap_or_default();
        let line = memchr::memrchr(b'\n', above).unwrap_or(first);
        if text < bytes.len() {
            line + 1
        } else {
            first + 1
        }
    } else {
        first
    };
    let trail = bytes
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let end = trim_ending(bytes.get(..bytes.len() - trail).unwrap_or_default()).len();
    Span::new(inner.start + lead, inner.start + end.max(lead))
}
