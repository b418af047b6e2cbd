//! `PairEntry`: what is known of one key of a file.

use crate::text::Span;

/// A key, its value, and what is wrong with them.
pub(super) struct PairEntry {
    /// From the first byte of the key, and of the words before it, to the last of the value.
    pub whole: Span,
    /// The key as it is written, and the words before it.
    pub key: Span,
    /// What the key stands for; `None` for one that no address could hold.
    pub name: Option<String>,
    /// What is after the sign; `None` without any.
    pub value: Option<Span>,
    /// The comment behind the value.
    pub comment: Option<Span>,
    /// Where something is that cannot be read, and what.
    pub fault: Option<(usize, &'static str)>,
}
