//! What Scala has and the grammar has not: a `{` below an expression opens its last argument, unless a blank line parts the two. To the
//! grammar the expression ends with its line, and so that line break is read as a blank ("Newline Characters" in Scala's specification).

use tree_sitter::Tree;

/// Returns the text that is to be read in the place of `source`, if that makes a difference.
pub(super) fn legible(_tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    let mut read: Option<Vec<u8>> = None;
    for end in memchr::memchr_iter(b'\n', source) {
        let line = source.get(..end).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let next = source.get(end..).unwrap_or_default();
        let blanks = next.len() - next.trim_ascii_start().len();
        let is_next_line = memchr::memchr_iter(b'\n', &next[..blanks]).count() == 1;
        let opens = next.get(blanks) == Some(&b'{') && is_next_line;
        if opens && ends_expression(line) {
            read.get_or_insert_with(|| source.to_vec())[end] = b' ';
        }
    }
    read
}

/// Says whether a text may end with an expression on its last line, and with no comment.
fn ends_expression(text: &[u8]) -> bool {
    let from = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
    let line = text.get(from..).unwrap_or_default();
    let has_comment = memchr::memmem::find(line, b"//").is_some();
    let last = line.last();
    !has_comment
        && last.is_some_and(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b')' | b']' | b'`')
        })
}
