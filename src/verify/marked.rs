//! Marked text, for tests: `before«old|new»after` is a file and what is done to it.

use crate::text::Span;
use crate::text::splice::{Splice, Splices};

/// Reads a marked text: the file as it was, and the splices of the edit. A `¦` between two marks, or else
/// the first `|`, parts the old from the new.
pub(super) fn read(text: &str) -> (String, Splices) {
    let (mut old, mut splices) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((head, marked)) = rest.split_once('«') {
        let (change, tail) = marked.split_once('»').unwrap();
        let parted = change.split_once('¦').or_else(|| change.split_once('|'));
        let (from, to) = parted.unwrap();
        old.push_str(head);
        splices.push(Splice::new(
            Span::new(old.len(), old.len() + from.len()),
            to,
        ));
        old.push_str(from);
        rest = tail;
    }
    old.push_str(rest);
    (old, Splices::new(splices).unwrap())
}
