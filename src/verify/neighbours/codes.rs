//! Code within the lines of a Markdown page: a backtick that content leaves open is closed by the next one, and what was marked as code is
//! text from there on, what was text code.
//!
//! Example: with ``Use `make or`` before `` `rm` with care, in `/` ``, `rm` is no code, and ` with care, in ` is.
//!
//! Known limits: stars and brackets are not looked at.

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::syntax::markdown::leaves;
use crate::text::Span;

/// Returns the first code that no edit reaches the backticks of, and that shares some of its bytes with other code afterwards.
pub(super) fn remarked(guard: &Guard, (old, new): (&[u8], &[u8])) -> Option<ChangedStatement> {
    let has_mark = |span: Span, bytes: &[u8]| span.of(bytes).contains(&b'`');
    if !guard
        .sides
        .strokes()
        .any(|(was, now)| has_mark(was.span, old) || has_mark(now.span, new))
    {
        return None;
    }
    let after = leaves::codes(new);
    let codes = leaves::codes(old);
    let mut left = codes.iter().filter(|code| {
        let is_touched = |mark: Span| guard.sides.old.at(mark).next().is_some();
        !is_touched(Span::new(code.start, code.start + 1))
            && !is_touched(Span::new(code.end - 1, code.end))
    });
    left.find_map(|code| {
        let now = Span::new(guard.moves.after(code.start), guard.moves.before(code.end));
        let from = after.partition_point(|other| other.end <= now.start);
        let other = after.get(from).filter(|other| other.start < now.end)?;
        (*other != now).then_some(ChangedStatement::Lost(*code, now.start))
    })
}
