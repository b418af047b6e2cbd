//! What is wrong with the structure of a page after an edit, one question a function.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::page::{FRAME, MovedSpans, PageTree, within};
use crate::syntax::html::{Attribute, HtmlElement, PageProblem, PageProblemKind, end_is_optional};
use crate::text::{Span, is_blank};

/// Something that would be wrong.
pub(super) enum StructureProblem {
    /// The end tag of an old element is gone, its start tag stays.
    Lost { end_tag: Span, start_tag: Span },
    /// The end tag of an old element would close another one, or another's would close it.
    Crossed { end_tag: Span, start_tag: Span },
    /// An old tag would no longer be one.
    Swallowed(Span),
    /// The document type is gone.
    Doctype(Span),
    /// A new start tag lacks the closing tag that the page writes.
    LeftOpen(Span),
    /// New disorder.
    Added(PageProblem),
    /// A browser would put it elsewhere than the tags say.
    Displaced(Span),
    /// An old comment would end elsewhere.
    Ended(Span),
    /// A quotation mark of a new attribute's value ends it.
    Unquoted(Span),
    /// A tag has an attribute of this name already.
    Repeated(Span),
    /// An old attribute would be another tag's.
    Handed(Span),
    /// An old tag or text would be outside of the element that it was in.
    Outside(Span),
    /// An old description would be another term's.
    Reassigned(Span),
}

/// Looks every tag up that no splice touches.
pub(super) fn lost_and_crossed(
    old: &PageTree<'_>,
    new: &PageTree<'_>,
    moves: &MovedSpans,
) -> Vec<StructureProblem> {
    let by_start: HashMap<usize, &HtmlElement> = new
        .dom
        .elements
        .iter()
        .map(|found| (found.start_tag.start, found))
        .collect();
    let by_end: HashMap<usize, &HtmlElement> = new
        .dom
        .elements
        .iter()
        .filter_map(|found| Some((found.end_tag?.start, found)))
        .collect();
    let old_ends = old
        .dom
        .elements
        .iter()
        .filter_map(|element| element.end_tag);
    let kept_ends: HashSet<usize> = old_ends.filter_map(|tag| moves.start(tag)).collect();
    let kept_starts: HashSet<usize> = old
        .dom
        .elements
        .iter()
        .filter_map(|element| moves.start(element.start_tag))
        .collect();
    let (mut lost, mut crossed, mut swallowed) = (Vec::new(), Vec::new(), Vec::new());
    for element in &old.dom.elements {
        let start_tag = element.start_tag;
        let start = moves.start(start_tag);
        let end = element.end_tag.map(|tag| (tag, moves.start(tag)));
        match (start, end) {
            (Some(start), end) => match (by_start.get(&start), end) {
                (None, _) => swallowed.push(StructureProblem::Swallowed(start_tag)),
                (Some(_), None) => {}
                (Some(found), Some((end_tag, kept))) => {
                    let now = found.end_tag.map(|tag| tag.start);
                    match (kept, now) {
                        (Some(kept), Some(now)) if kept == now => {}
                        (Some(_), _) => {
                            crossed.push(StructureProblem::Crossed { end_tag, start_tag })
                        }
                        // One that the edit wrote is as good.
                        (None, Some(now)) if !kept_ends.contains(&now) => {}
                        (None, _) => lost.push(StructureProblem::Lost { end_tag, start_tag }),
                    }
                }
            },
            (None, Some((end_tag, Some(kept)))) => {
                let opener = by_end.get(&kept).map(|found| found.start_tag);
                // Another start tag than the one that was edited, if also edited.
                let is_another = |opener: Span| {
                    kept_starts.contains(&opener.start) || !moves.made(opener, start_tag)
                };
                if opener.is_none_or(is_another) {
                    crossed.push(StructureProblem::Crossed { end_tag, start_tag });
                }
            }
            (None, _) => {}
        }
    }
    // The first of these is the cause of the others.
    swallowed.truncate(1);
    [swallowed, lost, crossed]
        .into_iter()
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

/// The document type and the end of the page are there afterwards when they were before, however much was rewritten.
pub(super) fn lost_frame(old: &PageTree<'_>, new: &PageTree<'_>) -> Vec<StructureProblem> {
    let mut found = Vec::new();
    if let (Some(doctype), None) = (old.dom.doctype, new.dom.doctype) {
        found.push(StructureProblem::Doctype(doctype));
    }
    for name in FRAME {
        let ended = |element: &&HtmlElement| &*element.name == name && element.end_tag.is_some();
        let was = old.dom.elements.iter().find(ended);
        if let (
            Some(HtmlElement {
                start_tag,
                end_tag: Some(end_tag),
                ..
            }),
            None,
        ) = (was, new.dom.elements.iter().find(ended))
        {
            found.push(StructureProblem::Lost {
                end_tag: *end_tag,
                start_tag: *start_tag,
            });
        }
    }
    found
}

/// Returns the start tags that an edit wrote without the closing tag that HTML lets one leave out, where the page, or what
/// the same splice replaced, has it, or where they would take in what follows.
pub(super) fn left_open(old: &PageTree<'_>, new: &PageTree<'_>, moves: &MovedSpans) -> Vec<Span> {
    let mut closed: HashMap<&str, bool> = HashMap::new();
    for element in old.dom.elements.iter().filter(|element| !element.is_void) {
        let all = closed.entry(&*element.name).or_insert(true);
        *all &= element.end_tag.is_some();
    }
    let (old_ends, new_ends) = (old.end_tags(), new.end_tags());
    let statements: Vec<usize> = new
        .dom
        .tags
        .iter()
        .filter(|tag| !tag.is_value)
        .map(|tag| tag.span.start)
        .collect();
    // On one of the ways through a template (`{% if a %}<li>{% else %}<li class="b">{% endif %}`) a tag has none of its own.
    let branches = |element: &HtmlElement| {
        let next =
            statements.get(statements.partition_point(|&start| start < element.start_tag.end));
        next.is_some_and(|&start| start < element.end)
    };
    let mut found = Vec::new();
    for (was, now) in moves
        .splices
        .iter()
        .flatten()
        .filter(|(_, now)| !now.is_empty())
    {
        let (ended, ends) = (within(&old_ends, *was), within(&new_ends, *now));
        let fewer = |name: &str| ended.get(name) > ends.get(name);
        let is_open = |element: &HtmlElement| {
            end_is_optional(&element.name) && element.end_tag.is_none() && !element.is_foreign
        };
        // What begins in the content and goes on after it takes in what stands there, unless something was open there before.
        let was_open = old.begun_in(*was).any(is_open);
        let takes_in = |element: &HtmlElement| {
            let more = Span::new(now.end, element.end.max(now.end));
            !was_open && element.start_tag.start >= now.start && !is_blank(more.of(new.bytes))
        };
        for element in new.begun_in(*now) {
            let lacks_end = closed.get(&*element.name) == Some(&true)
                || fewer(&element.name)
                || takes_in(element);
            if is_open(element) && lacks_end && !branches(element) {
                found.push(element.start_tag);
            }
        }
    }
    found
}

/// Returns the first comment whose signs no splice touches, and that would end at another.
pub(super) fn ended_elsewhere(
    old: &PageTree<'_>,
    new: &PageTree<'_>,
    moves: &MovedSpans,
) -> Option<Span> {
    const OPEN: usize = "<!--".len();
    const CLOSE: usize = "-->".len();
    let ends: HashMap<usize, usize> = new
        .dom
        .comments
        .iter()
        .map(|comment| (comment.start, comment.end))
        .collect();
    let is_other = |comment: &&Span| {
        let signs = |comment: &Span| {
            let close = Span::new(comment.end.checked_sub(CLOSE)?, comment.end);
            let is_whole = comment.len() >= OPEN + CLOSE && close.of(old.bytes) == b"-->";
            let begins = moves
                .start(Span::new(comment.start, comment.start + OPEN))
                .filter(|_| is_whole)?;
            Some((begins, moves.start(close)? + CLOSE))
        };
        signs(comment).is_some_and(|(begins, end)| ends.get(&begins).is_some_and(|now| *now != end))
    };
    old.dom.comments.iter().find(is_other).copied()
}

/// Returns the first attribute of the new page that has a quotation mark in its name, where there are more of them than in the old one:
/// what was to be a value ended there.
pub(super) fn unquoted(old: &PageTree<'_>, new: &PageTree<'_>) -> Option<Span> {
    let names = |page: &PageTree<'_>| -> Vec<Span> {
        let attributes = page
            .dom
            .elements
            .iter()
            .flat_map(|element| &element.attributes);
        let is_odd = |name: &Span| {
            name.of(page.bytes)
                .iter()
                .any(|byte| matches!(byte, b'"' | b'\'' | b'<'))
        };
        attributes
            .map(|attribute| attribute.name)
            .filter(is_odd)
            .collect()
    };
    let found = names(new);
    if found.is_empty() {
        return None;
    }
    let text = |page: &PageTree<'_>, name: &Span| name.of(page.bytes).to_vec();
    let known: HashSet<Vec<u8>> = names(old).iter().map(|name| text(old, name)).collect();
    found
        .iter()
        .find(|name| !known.contains(&text(new, name)))
        .copied()
}

/// Returns the first attribute in a tag that an edit touches which has one of its name before it, where there are more such than in the
/// old page: a browser takes the first alone.
pub(super) fn repeated(old: &PageTree<'_>, new: &PageTree<'_>, moves: &MovedSpans) -> Option<Span> {
    let doubled = |page: &PageTree<'_>| -> Vec<(String, Span, Span)> {
        let of = |element: &HtmlElement| {
            let key = |name: Span| format!("{} {}", element.name, page.name_of(name));
            let second = page.second_attributes(element).into_iter();
            second
                .map(|name| (key(name), name, element.start_tag))
                .collect::<Vec<_>>()
        };
        page.dom.elements.iter().flat_map(of).collect()
    };
    let mut found = doubled(new);
    if !found.iter().any(|(.., tag)| moves.touched(*tag)) {
        return None;
    }
    let mut known: HashMap<String, usize> = HashMap::new();
    doubled(old)
        .into_iter()
        .for_each(|(key, ..)| *known.entry(key).or_insert(0) += 1);
    // Those in tags that nobody touched are the old ones first.
    found.sort_by_key(|(.., tag)| moves.touched(*tag));
    found.retain(|(key, ..)| match known.get_mut(key) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    found
        .into_iter()
        .find(|(.., tag)| moves.touched(*tag))
        .map(|(_, name, _)| name)
}

/// Returns the first attribute that no splice touches, and that the tag which has it, whose name none touches either, has no more: one
/// that ends between the two gives it to the next.
pub(super) fn handed(old: &PageTree<'_>, new: &PageTree<'_>, moves: &MovedSpans) -> Option<Span> {
    let by_name: HashMap<usize, &HtmlElement> = new
        .dom
        .elements
        .iter()
        .map(|element| (element.tag_name.start, element))
        .collect();
    old.dom.elements.iter().find_map(|element| {
        if !moves.reaches(element.start_tag) {
            return None;
        }
        let now = by_name.get(&moves.start(element.tag_name)?)?;
        let is_kept = |start: usize| {
            now.attributes
                .iter()
                .any(|attribute| attribute.name.start == start)
        };
        let mut left = element.attributes.iter().map(Attribute::span);
        left.find(|span| moves.start(*span).is_some_and(|start| !is_kept(start)))
    })
}

/// Returns the problems that the new page has more of than the old one.
pub(super) fn added(old: &PageTree<'_>, new: &PageTree<'_>) -> Vec<PageProblem> {
    let mut known: BTreeMap<(PageProblemKind, String), usize> = BTreeMap::new();
    for problem in &old.dom.problems {
        *known
            .entry((problem.sort, old.tag(problem.span)))
            .or_insert(0) += 1;
    }
    let mut found = Vec::new();
    for problem in &new.dom.problems {
        match known.get_mut(&(problem.sort, new.tag(problem.span))) {
            Some(left) if *left > 0 => *left -= 1,
            _ => found.push(*problem),
        }
    }
    found
}
