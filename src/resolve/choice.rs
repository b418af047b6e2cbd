//! Which of several segments or places an operation means: the only one, the n-th, or each.

use super::{Reading, refusal, selector_word};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Choice, Scoped, Selector};
use crate::text::Span;

/// Why none was chosen.
pub(super) enum NotOne<T> {
    /// There are several, and any may be meant.
    Several(Vec<T>),
    /// There are only so many.
    TooFew(usize),
}

/// Chooses one of those that were `found`, in file order. Who means each asks for them one by one.
pub(super) fn of<T>(found: Vec<T>, choice: Choice) -> Result<T, NotOne<T>> {
    let count = found.len();
    match choice {
        Choice::Nth(number) => found
            .into_iter()
            .nth(number.saturating_sub(1))
            .ok_or(NotOne::TooFew(count)),
        Choice::Only | Choice::Every if count == 1 => {
            found.into_iter().next().ok_or(NotOne::TooFew(count))
        }
        Choice::Only | Choice::Every => Err(NotOne::Several(found)),
    }
}

/// Returns `places` without those that overlap one before them.
pub(super) fn apart(places: Vec<Span>) -> Vec<Span> {
    let mut end = 0;
    let is_apart = |place: &Span| {
        let apart = place.start >= end;
        end = if apart { place.end } else { end };
        apart
    };
    places.into_iter().filter(is_apart).collect()
}

impl<T> NotOne<T> {
    /// Returns the refusal; `several` words that there are several.
    pub(super) fn refused(
        self,
        reading: &Reading<'_>,
        scoped: &Scoped,
        several: impl FnOnce(Vec<T>) -> Diagnostic,
    ) -> Diagnostic {
        match self {
            // Segments have addresses of their own to be told by.
            NotOne::Several(found) => match scoped.selector {
                Selector::Text(_) | Selector::Pattern(_) => {
                    several(found).note("`occurrence: n` means the n-th, `all: true` each of them")
                }
                _ => several(found),
            },
            NotOne::TooFew(count) => {
                let word = selector_word(&scoped.selector);
                let asked = shown(&refusal::as_written(&scoped.selector));
                let times = if count == 1 {
                    "once".to_owned()
                } else {
                    format!("{count} times")
                };
                let message = format!(
                    "the {word} `{asked}` is {times} in {}, and `occurrence` asks for another",
                    reading.document.path
                );
                let code = match scoped.selector {
                    Selector::Text(_) => Code::TextNotFound,
                    Selector::Pattern(_) => Code::PatternNotFound,
                    _ => Code::SegmentNotFound,
                };
                Diagnostic::new(code, message).in_field("occurrence")
            }
        }
    }
}
