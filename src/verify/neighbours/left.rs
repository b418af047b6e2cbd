//! A statement that is quoted, and stands again below something else of the content, is in the block that it was in.
//!
//! Example: with `log()⏎    save()` in the place of a `save()` that is eight deep, it would leave its `if`.

use super::guard::Guard;
use super::prefix;
use crate::syntax::Statement;
use crate::text::Span;

/// Returns the first statement that is quoted as a whole, and that the content has in another block than its own first one.
pub(super) fn left(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Option<Span> {
    let strokes = guard
        .sides
        .strokes()
        .filter(|(was, now)| !was.is_named && !was.span.is_empty() && !now.span.is_empty());
    let mut found = strokes.filter_map(|(was, now)| {
        let quoted = was.span.of(old).trim_ascii();
        let at = prefix::first_word(was.span.start, old)?;
        let own = before
            .get(before.partition_point(|it| it.span.start < at))
            .filter(|it| it.span.start == at)?;
        if own.span.of(old) != quoted.strip_suffix(b";").unwrap_or(quoted)
            && own.span.of(old) != quoted
        {
            return None;
        }
        let start = prefix::first_word(now.span.start, new)?;
        let from = after.partition_point(|it| it.span.start < start);
        let first = after.get(from).filter(|first| first.span.start == start)?;
        let content = after
            .get(from + 1..)?
            .iter()
            .take_while(|it| it.span.start < now.span.end);
        let again = content
            .enumerate()
            .find(|(_, it)| it.span.of(new) == own.span.of(old))?;
        let is_elsewhere =
            outer(after, from + 1 + again.0) != outer(after, from) && again.1.depth < first.depth;
        is_elsewhere.then_some(again.1.span)
    });
    found.next()
}

/// Returns where the statement begins that the one at `at` stands in.
fn outer(statements: &[Statement], at: usize) -> Option<usize> {
    let depth = statements.get(at)?.depth;
    statements[..at]
        .iter()
        .rfind(|it| it.depth < depth)
        .map(|it| it.span.start)
}
