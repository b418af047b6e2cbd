//! What is in a key, table, class or section beside the edits stays in it. Where an edit touches the header of the one around, that one has
//! another name, maybe; but it is the same one only if the same splice made its header of the old one. A key that is renamed in one
//! operation does not get what was in the next one, whose header another operation deletes.

use std::collections::{HashMap, HashSet};

use super::touched_spans::{header, is_touched};
use crate::resolve::Definition;
use crate::syntax::SegmentKind;
use crate::text::splice::Splices;
use crate::text::{Span, is_blank};

/// What another definition has now.
pub(super) struct TakenOver<'n, 'a> {
    /// What it is, as it was.
    pub(super) member: &'n Definition<'a>,
    /// What it is in now.
    pub(super) holder: &'n Definition<'a>,
}

/// Returns the first member of each definition that has gone over to another, with the new one.
pub(super) fn taken_over<'n, 'a>(
    old: &'n [Definition<'a>],
    (new, bytes): (&'n [Definition<'a>], &[u8]),
    splices: &Splices,
) -> Vec<TakenOver<'n, 'a>> {
    // One splice has written what it takes.
    if splices.iter().nth(1).is_none() {
        return Vec::new();
    }
    let (touched_old, touched_new): (Vec<Span>, Vec<Span>) = splices
        .with_new_spans()
        .map(|(splice, written)| (splice.span, written))
        .unzip();
    let made_of =
        |new: Span, old: Span| is_made_of((new, bytes), old, (&touched_old[..], &touched_new[..]));
    let members = |named: &'n [Definition<'a>], touched: &[Span]| -> Vec<(usize, usize)> {
        let is_beside = |at: &usize| !is_touched(header(&named[*at]), touched);
        (0..named.len())
            .filter(is_beside)
            .filter_map(|at| Some((at, edited_holder(named, at, touched)?)))
            .collect()
    };
    let start = |named: &Definition<'_>| named.symbol.definition.start;
    let now: HashMap<(usize, &str), usize> = members(new, &touched_new)
        .into_iter()
        .map(|(at, holder)| ((start(&new[at]), new[at].symbol.name.as_str()), holder))
        .collect();

    let moves = splices.moves();
    let mut judged: HashSet<(usize, usize)> = HashSet::new();
    let mut found = Vec::new();
    for (at, was) in members(old, &touched_old) {
        let member = &old[at];
        let place = (moves.after(start(member)), member.symbol.name.as_str());
        let Some(&is) = now.get(&place) else {
            continue;
        };
        let is_new = judged.insert((was, is));
        if is_new && !made_of(header(&new[is]), header(&old[was])) {
            found.push(TakenOver {
                member,
                holder: &new[is],
            });
        }
    }
    found
}

/// Returns the nearest definition around one whose header is touched, by its position in the list.
fn edited_holder(named: &[Definition<'_>], at: usize, touched: &[Span]) -> Option<usize> {
    let mut parent = named.get(at)?.parent;
    while let Some(holder) = parent {
        let around = named.get(holder)?;
        // The structure of a page has a check of its own.
        if around.symbol.kind == SegmentKind::Element {
            return None;
        }
        if is_touched(header(around), touched) {
            return Some(holder);
        }
        parent = around.parent;
    }
    None
}

/// Says whether a splice that the new header is of touches the old one, or is beside it and gives no more than a header: who writes
/// more has written all of it.
fn is_made_of((new, bytes): (Span, &[u8]), old: Span, (taken, given): (&[Span], &[Span])) -> bool {
    let from = given.partition_point(|written| written.end < new.start);
    let near = given.iter().zip(taken).skip(from);
    let mut near = near.take_while(|(written, _)| written.start <= new.end);
    near.any(|(written, taken)| {
        let wrote = written.overlaps(new) || new.contains(*written);
        let is_beside = || {
            let more = Span::new(new.end.min(written.end), written.end);
            taken.start <= old.end && old.start <= taken.end && is_blank(more.of(bytes))
        };
        wrote && (taken.overlaps(old) || is_beside())
    })
}
