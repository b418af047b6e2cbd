//! What is between the words of YAML: white space, comments, and the sign of a block of text.

use crate::text::Span;

/// Returns the range of a block of text from its sign to its last line's end; what is stripped does not count.
pub(super) fn with_sign(text: &str, body: Span, lead: usize) -> Span {
    let start = sign_at(text, lead, body.start).unwrap_or(body.start);
    let header = text.get(start..body.start).unwrap_or_default();
    let keeps = header
        .lines()
        .next()
        .is_some_and(|sign| sign.split('#').next().unwrap_or(sign).contains('+'));
    let written = text.get(start..body.end).unwrap_or_default();
    let ended = written.strip_suffix('\n').unwrap_or(written);
    let ended = ended.strip_suffix('\r').unwrap_or(ended);
    let length = if keeps {
        ended.len()
    } else {
        written.trim_end().len()
    };
    Span::new(start, start + length)
}

/// Returns where the next word is, white space and comments passed over, a comma too.
pub(super) fn next_word(bytes: &[u8], from: usize, limit: usize) -> Option<usize> {
    let mut at = from;
    while at < limit.min(bytes.len()) {
        match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' | b',' => at += 1,
            b'#' => {
                at += bytes[at..]
                    .iter()
                    .position(|&byte| byte == b'\n')
                    .unwrap_or(bytes.len() - at)
            }
            _ => return Some(at),
        }
    }
    None
}

/// Returns where the sign of a block of text is after `from`.
pub(super) fn sign_at(text: &str, from: usize, limit: usize) -> Option<usize> {
    let at = next_word(text.as_bytes(), from, limit)?;
    matches!(text.as_bytes().get(at), Some(b'|' | b'>')).then_some(at)
}
