//! Anchors of YAML: an alias beside the edits stands for the value that it stood for.
//!
//! Example: with `x-jobs: &base` put below `x-base: &base`, each `*base` further down would be the jobs'.
//!
//! What the edits take may be written again elsewhere: a block that moves has its anchor along.

use std::collections::HashMap;

use super::changed::ChangedStatement;
use crate::resolve::Document;
use crate::syntax::keys::{KeyEntry, Tree};
use crate::text::Span;
use crate::text::splice::Splices;

/// Returns the first alias beside the edits that would stand for the value of another anchor.
pub(super) fn rebound(
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Option<ChangedStatement> {
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else {
        return None;
    };
    let now: HashMap<Span, Span> = aliases(after, &new.bytes).collect();
    let moves = splices.moves();
    let moved = |span: Span| Span::new(moves.after(span.start), moves.before(span.end));
    let is_taken = |span: Span| splices.iter().any(|splice| splice.span.overlaps(span));
    let is_written = |span: Span| {
        splices
            .with_new_spans()
            .any(|(_, written)| written.overlaps(span))
    };
    let mut found: Vec<(Span, Span)> = aliases(before, &old.bytes)
        .filter(|(alias, _)| !is_taken(*alias))
        .collect();
    found.sort_by_key(|(alias, _)| alias.start);
    found.into_iter().find_map(|(alias, anchor)| {
        let place = moved(alias);
        let leads_to = *now.get(&place)?;
        let is_same = if is_taken(anchor) {
            is_written(leads_to)
        } else {
            leads_to == moved(anchor)
        };
        (!is_same).then_some(ChangedStatement::Rebound(alias, leads_to.start))
    })
}

/// Returns each alias of a file with its anchor, `&name`.
fn aliases<'t>(tree: &'t Tree, bytes: &'t [u8]) -> impl Iterator<Item = (Span, Span)> + 't {
    tree.entries.iter().flat_map(move |entry| {
        let named = entry
            .anchor
            .as_ref()
            .filter(|anchor| !anchor.aliases.is_empty());
        let word = named.and_then(|anchor| anchor_of(entry, &anchor.name, bytes));
        let names = named.map_or(&[][..], |anchor| &anchor.aliases);
        names.iter().filter_map(move |alias| Some((*alias, word?)))
    })
}

/// Returns where an anchor of this name is ahead of the value of `entry`.
fn anchor_of(entry: &KeyEntry, name: &str, bytes: &[u8]) -> Option<Span> {
    let word = format!("&{name}");
    let ahead = bytes.get(entry.span.start..entry.lead)?;
    let at = entry.span.start + memchr::memmem::rfind(ahead, word.as_bytes())?;
    Some(Span::new(at, at + word.len()))
}
