//! A case of a `switch` that falls through goes on with the case that it went on with. One that is put in between would be run by it,
//! and where the next one goes it would run the one after that.
//!
//! Example: with `case 3: other(); break;` between `case 1:` and `case 2: run();`, a 1 does something else.
//!
//! Another label for what it goes on with, and other statements there, are no such thing.

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::syntax::Fall;
use crate::text::{Span, is_blank};

/// Says whether an edit may put a case somewhere, or take one: it writes or takes a label, one of `words` at least.
pub(super) fn may_change(guard: &Guard, words: &[&str], old: &[u8], new: &[u8]) -> bool {
    let has_label = |text: &[u8]| {
        words
            .iter()
            .any(|word| memchr::memmem::find(text, word.as_bytes()).is_some())
    };
    guard
        .sides
        .strokes()
        .any(|(was, now)| has_label(was.span.of(old)) || has_label(now.span.of(new)))
}

/// Says whether `label` is one of several that stand for what is below the last: `case 1:`, with `case 2:` at `next`, right below it.
pub(super) fn is_shared(label: Span, next: usize, bytes: &[u8]) -> bool {
    let is_case = |text: &[u8]| text.starts_with(b"case ") || text.starts_with(b"default");
    let between = bytes.get(label.end..next).unwrap_or_default();
    let text = label.of(bytes);
    is_case(text)
        && text.ends_with(b":")
        && is_blank(between)
        && is_case(bytes.get(next..).unwrap_or_default())
}

/// Returns the cases, of `before`, that fall through to another one in `after`, and that no edit takes as a whole.
pub(super) fn rerouted(guard: &Guard, before: &[Fall], after: &[Fall]) -> Vec<ChangedStatement> {
    let rerouted = before.iter().filter_map(|fall| {
        let is_taken = guard
            .sides
            .old
            .at(fall.span)
            .any(|it| !it.span.is_empty() && it.span.contains(fall.span));
        let start = guard.moves.after(fall.span.start);
        let at = after
            .binary_search_by_key(&start, |it| it.span.start)
            .ok()?;
        let now = after
            .get(at)
            .filter(|now| !is_taken && !goes_on(fall, now))?;
        // Its statements have another label, which comes after its own; or they had one, and are its own now.
        let is_one_of_several = now.span.end < now.end || fall.span.end < fall.end;
        let is_shared = is_one_of_several && guard.moves.before(fall.end) == now.end;
        if is_shared {
            return None;
        }
        Some(ChangedStatement::Rerouted(fall.span, now.span.start))
    });
    rerouted.collect()
}

/// Says whether a case falls through to what it fell through to, or to what took the place of that.
fn goes_on(was: &Fall, now: &Fall) -> bool {
    let is_same = was.lands.iter().any(|label| now.lands.contains(label));
    let is_gone =
        || !was.lands.is_empty() && !was.lands.iter().any(|label| now.labels.contains(label));
    let is_new =
        || !now.lands.is_empty() && !now.lands.iter().any(|label| was.labels.contains(label));
    is_same || was.lands.is_empty() && now.lands.is_empty() || is_gone() && is_new()
}
