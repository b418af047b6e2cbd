//! Terms: a description of a list (`<dd>`) belongs to the terms above it, and to no others after an edit of those.
//!
//! Terms may be added to those that a description has, and each may change its words. What descriptions are taken as well
//! are parted from the others by whoever takes them.

use std::collections::{HashMap, HashSet};

use super::page::{MovedSpans, PageTree};
use crate::syntax::html::HtmlElement;
use crate::text::Span;

/// The terms and the descriptions of one group of a list.
#[derive(Default)]
struct Group<'p> {
    terms: Vec<&'p HtmlElement>,
    descriptions: Vec<&'p HtmlElement>,
}

/// Returns the start tag of the first description, of the old page, that would belong to another term.
pub(super) fn reassigned(
    old: &PageTree<'_>,
    new: &PageTree<'_>,
    moves: &MovedSpans,
) -> Option<Span> {
    let old_groups = groups(old);
    if old_groups.is_empty() {
        return None;
    }
    let new_groups = groups(new);
    let mut by_description: HashMap<usize, usize> = HashMap::new();
    for (number, group) in new_groups.iter().enumerate() {
        let starts = group.descriptions.iter().map(|it| it.start_tag.start);
        by_description.extend(starts.map(|start| (start, number)));
    }
    // Of each term that is kept, which group it was in.
    let mut was: HashMap<usize, &Group<'_>> = HashMap::new();
    for group in &old_groups {
        let kept = group.terms.iter();
        was.extend(kept.filter_map(|term| Some((moves.start(term.start_tag)?, group))));
    }
    let said =
        |page: &PageTree<'_>, it: &HtmlElement| it.whole().of(page.bytes).trim_ascii().to_vec();
    old_groups.iter().find_map(|group| {
        let kept: HashSet<usize> = group
            .terms
            .iter()
            .filter_map(|term| moves.start(term.start_tag))
            .collect();
        let lost = group.descriptions.iter().find(|description| {
            let place = moves.start(description.start_tag);
            let found = place
                .and_then(|start| Some((start, new_groups.get(*by_description.get(&start)?)?)));
            let Some((start, now)) = found else {
                return false;
            };
            let has = |starts: &HashSet<usize>| {
                now.terms
                    .iter()
                    .any(|term| starts.contains(&term.start_tag.start))
            };
            if group.terms.is_empty() || now.terms.is_empty() {
                return false;
            }
            if has(&kept) {
                return comes_between(now, &kept, start, moves);
            }
            // A term that was taken may be written again, and a kept one may be given the same description once more.
            let is_rewritten = kept.len() < group.terms.len()
                && now.terms.iter().any(|term| moves.touched(term.start_tag));
            if is_rewritten {
                return false;
            }
            let is_again = new_groups.iter().any(|other| {
                let is_its = other
                    .terms
                    .iter()
                    .any(|term| kept.contains(&term.start_tag.start));
                is_its
                    && other
                        .descriptions
                        .iter()
                        .any(|it| said(new, it) == said(old, description))
            });
            // Which of the descriptions of two terms went cannot be seen.
            let is_joined = now.terms.iter().any(|term| {
                let heir = was.get(&term.start_tag.start);
                heir.is_some_and(|heir| {
                    heir.descriptions
                        .iter()
                        .any(|it| moves.start(it.start_tag).is_none())
                })
            });
            !(is_again || is_joined)
        });
        lost.map(|description| description.start_tag)
    })
}

/// Says whether a term with a description of its own was written between those terms that are `kept` and a description of theirs.
fn comes_between(now: &Group<'_>, kept: &HashSet<usize>, start: usize, moves: &MovedSpans) -> bool {
    let is_written = |it: &&&HtmlElement| moves.wrote(it.start_tag);
    let is_below = |term: &&&HtmlElement| {
        let above = kept.iter().any(|start| *start < term.start_tag.start);
        above && term.start_tag.start < start
    };
    let term = now.terms.iter().filter(is_written).find(is_below);
    term.is_some_and(|term| {
        let own = now.descriptions.iter().filter(is_written);
        own.map(|it| it.start_tag.start)
            .any(|own| term.start_tag.start < own && own < start)
    })
}

/// Returns the groups of terms and descriptions of a page, in the order in which they begin.
fn groups<'p>(page: &'p PageTree<'_>) -> Vec<Group<'p>> {
    let mut found: Vec<Group<'p>> = Vec::new();
    // Of each element that holds some, the last group in it.
    let mut open: HashMap<Option<usize>, usize> = HashMap::new();
    for element in &page.dom.elements {
        let is_term = match &*element.name {
            "dt" => true,
            "dd" => false,
            _ => continue,
        };
        let last = open.get(&element.parent).copied();
        let goes_on = |at: &usize| {
            let group = found.get(*at);
            !is_term || group.is_some_and(|group| group.descriptions.is_empty())
        };
        let at = last.filter(goes_on).unwrap_or(found.len());
        if at == found.len() {
            found.push(Group::default());
            open.insert(element.parent, at);
        }
        if let Some(group) = found.get_mut(at) {
            if is_term {
                group.terms.push(element);
            } else {
                group.descriptions.push(element);
            }
        }
    }
    found
}
