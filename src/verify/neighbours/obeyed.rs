//! Comments that some tool obeys for the line below them, in files that have keys, or elements, and no statements: that line goes with
//! its comment, and nothing else comes between. Where there are statements, see `prefix`.
//!
//! Example: `x_version: 1` goes from below `# renovate: datasource=docker`; the next key would be what is kept up to date.

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::prefix::{begins_line, comment_above, first_word, line_at};
use crate::syntax::directives;
use crate::text::{Span, is_blank};

/// Returns the first line that would lose such a comment to another one.
pub(super) fn handed_on(guard: &Guard, (old, new): (&[u8], &[u8])) -> Option<ChangedStatement> {
    let mut quoted = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    quoted.find_map(|(was, now)| {
        let at = first_word(was.span.start, old).filter(|at| begins_line(*at, old))?;
        let above = comment_over(at, old).filter(|above| above.end <= was.span.start)?;
        let first = first_word(now.span.start, new)?;
        let (own, heir) = (line_at(at, old), line_at(first, new));
        if own == heir || comment_over(first, new)?.of(new) != above.of(old) {
            return None;
        }
        let is_deletion = is_blank(now.span.of(new)) && at < was.span.end;
        let is_below = || {
            let given = Span::new(first, now.span.end.max(first)).of(new);
            let mut given = given.split(|&byte| byte == b'\n').skip(1);
            was.span.is_empty() || given.any(|line| line.trim_ascii() == own)
        };
        (is_deletion || is_below()).then_some(ChangedStatement::HandedOn(
            Span::new(at, at + own.len()),
            first,
        ))
    })
}

/// Returns the comment above the line of `at` that some tool obeys for that line; in pages blank lines may be between.
fn comment_over(at: usize, bytes: &[u8]) -> Option<Span> {
    let right_above = || comment_above(at, bytes);
    let over_blanks = || {
        let end = bytes.get(..at)?.trim_ascii_end().len();
        let line = memchr::memchr(b'\n', &bytes[end..]).map(|line| end + line + 1)?;
        comment_above(line, bytes).filter(|above| above.of(bytes).starts_with(b"<!--"))
    };
    let found = right_above().or_else(over_blanks)?;
    directives::is_for_next(found.of(bytes)).then_some(found)
}
