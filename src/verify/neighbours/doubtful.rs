//! A block that only its indentation makes, in a language whose older version takes one statement there: what content puts beside that
//! statement would be outside of the block, or put that outside, for whoever reads the file in the older version.
//!
//! Example: `log()` above `run()`, in a file of Scala 2 that has `if (ready)⏎  run()`.
//!
//! A file that has such blocks already is in the newer version.

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::syntax::Doubtful;

/// Returns the first statement that would be in such a block, of a header that no content brings.
pub(super) fn put_beside(guard: &Guard, after: &[Doubtful]) -> Option<ChangedStatement> {
    after.iter().find_map(|doubtful| {
        let mut strokes = guard.sides.new.0.iter().map(|stroke| stroke.span);
        let is_beside = strokes.any(|stroke| {
            doubtful.header < stroke.start && stroke.start < doubtful.span.end && !stroke.is_empty()
        });
        is_beside.then_some(ChangedStatement::Strayed(doubtful.span))
    })
}
