//! Keys of YAML that move: what is below quoted lines stays in what it was in. A key that the content gives back less deep takes all
//! along that is below it.
//!
//! Example: with `steps:` in the place of `    steps:`, at the end of a job, the steps that nobody quoted are the workflow's.
//!
//! So does a key that it gives back deeper, below a neighbour without a value: it would be the value of that.
//!
//! Example: with `    logs:` in the place of `  logs:`, below `  data:`, a volume would be an option of another one.
//!
//! Known limits: a key that gets another name, too, is a key of the content; who quotes all that is below it moves it.

use std::collections::HashMap;

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::resolve::Document;
use crate::syntax::keys::{KeyEntry, KeySegment, Tree, ValueForm};
use crate::text::Span;
use crate::text::splice::Splices;

/// Returns an entry beside the edit that is in a key of the same name, which another one holds that the edit leaves alone.
pub(super) fn moved(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Option<ChangedStatement> {
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
            (is_left && is_others && !is_same).then_some(ChangedStatement::Moved(entry.span, start))
        })
}

/// Returns the key of the content that would be the value of a neighbour which has none, and was a key beside it.
pub(super) fn sunk(guard: &Guard, old: &Document, new: &Document) -> Option<ChangedStatement> {
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else {
        return None;
    };
    let first = |tree: &'_ Tree, span: Span| {
        let in_span = |entry: &&KeyEntry| {
            matches!(entry.step, KeySegment::Key(_))
                && span.start <= entry.span.start
                && entry.span.start < span.end
        };
        tree.entries
            .iter()
            .filter(in_span)
            .min_by_key(|entry| entry.span.start)
            .cloned()
    };
    let strokes = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    let mut sunk = strokes.filter_map(|(was, now)| {
        let (own, given) = (first(before, was.span)?, first(after, now.span)?);
        let holder = after.entries.get(given.parent?)?;
        let is_empty = |entry: &&KeyEntry| {
            entry.form == ValueForm::Nothing
                && entry.parent == own.parent
                && entry.span.end <= was.span.start
                && guard.moves.after(entry.span.start) == holder.span.start
        };
        let was_empty = before.entries.iter().any(|entry| is_empty(&entry));
        (own.step == given.step && was_empty).then_some(ChangedStatement::Continued(given.span))
    });
    sunk.next()
}
