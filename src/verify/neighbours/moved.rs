//! Keys of YAML that move: what is below quoted lines stays in what it was in. A key that the content gives back less deep takes all
//! along that is below it.
//!
//! Example: with `steps:` in the place of `    steps:`, at the end of a job, the steps that nobody quoted are the workflow's.
//!
//! Known limits: a key that gets another name, too, is a key of the content; who quotes all that is below it moves it.

use std::collections::HashMap;

use super::changed::Changed;
use super::guard::Guard;
use crate::resolve::Document;
use crate::syntax::keys::{KeyEntry, Tree};
use crate::text::Span;
use crate::text::splice::Splices;

/// Returns an entry beside the edit that is in a key of the same name, which another one holds that the edit leaves alone.
pub(super) fn moved(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Option<Changed> {
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else {
        return None;
    };
    let is_in = |spans: &[Span], at: usize| {
        let past = spans.partition_point(|span| span.end <= at);
        spans.get(past).is_some_and(|span| span.start <= at)
    };
    let taken: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let written: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
    let now: HashMap<usize, &KeyEntry> = after
        .entries
        .iter()
        .map(|entry| (entry.span.start, entry))
        .collect();
    let holder = |tree: &'_ Tree, entry: &KeyEntry| -> Option<KeyEntry> {
        tree.entries.get(entry.parent?).cloned()
    };
    before
        .entries
        .iter()
        .filter(|entry| !is_in(&taken, entry.span.start))
        .find_map(|entry| {
            let key = holder(before, entry).filter(|key| is_in(&taken, key.span.start))?;
            let start = guard.moves.after(entry.span.start);
            let found = now.get(&start)?;
            let heir = holder(after, found)
                .filter(|heir| heir.step == key.step && is_in(&written, heir.span.start))?;
            let was = holder(before, &key)?;
            let is = holder(after, &heir)?;
            let is_root = |entry: &KeyEntry| entry.parent.is_none();
            let is_left = is_root(&was) || !is_in(&taken, was.span.start);
            let is_others = is_root(&is) || !is_in(&written, is.span.start);
            let is_same = match (is_root(&was), is_root(&is)) {
                (false, false) => guard.moves.after(was.span.start) == is.span.start,
                (one, other) => one == other,
            };
            (is_left && is_others && !is_same).then_some(Changed::Moved(entry.span, start))
        })
}
