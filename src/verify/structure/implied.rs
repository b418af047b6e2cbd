//! Elements that end without a closing tag: text that goes on in one stays in it, though content that ends it is put between.
//!
//! Example: a `<ul>` below the first line of a `<p>` without `</p>` ends that, and the next line of the paragraph is in none.
//!
//! Content may part an element in two of its kind. Known limit: nothing is said of templates.

use std::collections::{HashMap, HashSet};

use super::browser::{around, pieces};
use super::page::{MovedSpans, PageTree};
use crate::syntax::html::end_is_optional;
use crate::text::Span;

/// Returns the first text or tag of the old page that would be outside of the element that it was in, which has no closing tag.
pub(super) fn left(old: &PageTree<'_>, new: &PageTree<'_>, moves: &MovedSpans) -> Option<Span> {
    if !old.dom.tags.is_empty() || !new.dom.tags.is_empty() {
        return None;
    }
    let is_open = |at: &usize| {
        old.dom.elements.get(*at).is_some_and(|element| {
            end_is_optional(&element.name)
                && element.end_tag.is_none()
                && !element.is_foreign
                && moves.reaches(element.whole())
        })
    };
    let kept: HashSet<usize> = old
        .dom
        .elements
        .iter()
        .filter_map(|element| moves.start(element.start_tag))
        .collect();
    let by_start: HashMap<usize, usize> = new
        .dom
        .elements
        .iter()
        .enumerate()
        .map(|(at, element)| (element.start_tag.start, at))
        .collect();
    pieces(old)?.into_iter().find_map(|piece| {
        let element = old.dom.elements.get(piece.around.filter(is_open)?)?;
        let place = Span::new(piece.start, piece.start + 1);
        let (start, now) = (moves.start(element.start_tag)?, moves.start(place)?);
        let mut outer = match piece.element {
            Some(_) => new.dom.elements.get(*by_start.get(&now)?)?.parent,
            None => around(new.dom, now),
        };
        while let Some(it) = outer.and_then(|at| new.dom.elements.get(at)) {
            let is_second = it.name == element.name && !kept.contains(&it.start_tag.start);
            if it.start_tag.start == start || is_second {
                return None;
            }
            outer = it.parent;
        }
        Some(place)
    })
}
