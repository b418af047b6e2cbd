//! What a browser makes of a page is what its tags say, where it was so before: an `<a>` inside of an `<a>` ends that, a second
//! `<form>` is overlooked, and `<!-- <script>` in a script hides its end tag.
//!
//! Tags and pieces of text are looked up in the tree that the standard's own rules build of the page (`html::places`). What
//! stood elsewhere than its tags say before the edit may stay so. Known limits: nothing is said of templates, of pages
//! that are not UTF-8 or had tags out of order before, and of what `<noscript>` holds, which a browser reads in two ways.

use std::collections::{HashMap, HashSet};

use super::{Moves, Page};
use crate::syntax::html::{Dom, Element, Mark, MarkSort, Place, places};
use crate::text::Span;

/// Elements that the standard's rules put where they want.
const UNMARKED: [&str; 3] = ["html", "head", "body"];

/// Deepest nesting that is looked into: at each tag the parser may look through all that are open.
const MAX_DEPTH: usize = 256;

/// Something of a page, and where its tags say that it stands.
struct Piece {
    mark: Mark,
    /// The element's number; `None` of text.
    element: Option<usize>,
    /// The number of the element around it.
    around: Option<usize>,
    /// Its first byte, by which it is known after the edit.
    start: usize,
}

/// Returns the first tag or text of the new page that a browser would put elsewhere than its tags say, though it does not in the
/// old one; it may be one that nobody touched.
pub(super) fn displaced(old: &Page<'_>, new: &Page<'_>, moves: &Moves) -> Option<Span> {
    let is_plain = |page: &Page<'_>| page.dom.tags.is_empty() && !page.bytes.trim_ascii_start().starts_with(b"<?xml");
    if !is_plain(old) || !is_plain(new) || !old.dom.problems.is_empty() || !new.dom.problems.is_empty() {
        return None;
    }
    let (old_pieces, new_pieces) = (pieces(old)?, pieces(new)?);
    let (wrong, is_shut) = misplaced(new, &new_pieces)?;
    if wrong.is_empty() && is_shut {
        return None;
    }
    let (before, was_shut) = misplaced(old, &old_pieces)?;
    let known: HashSet<usize> =
        before.iter().filter_map(|piece| moves.start(Span::new(piece.start, piece.start + 1))).collect();
    // A piece of a page may be made of tags that only stand right in another: `<tr>` by itself.
    let names: HashSet<&str> = before.iter().filter_map(|piece| name(old.dom, piece)).collect();
    let is_new = |piece: &&&Piece| match name(new.dom, piece) {
        Some(name) => !known.contains(&piece.start) && !names.contains(name),
        None => !known.contains(&piece.start) && !before.iter().any(|piece| piece.element.is_none()),
    };
    let first = wrong.iter().find(is_new).map(|piece| match piece.element.and_then(|at| new.dom.elements.get(at)) {
        Some(element) => element.start_tag,
        None => Span::new(piece.start, piece.start + 1),
    });
    first.or((was_shut && !is_shut).then_some(Span::at(new.bytes.len())))
}

fn name<'d>(dom: &'d Dom, piece: &Piece) -> Option<&'d str> {
    piece.element.and_then(|at| dom.elements.get(at)).map(|element| &*element.name)
}

/// Returns the pieces that a browser puts elsewhere than their tags say, and whether all is shut where the page ends; `None` where
/// that cannot be told.
fn misplaced<'p>(page: &Page<'_>, pieces: &'p [Piece]) -> Option<(Vec<&'p Piece>, bool)> {
    // A letter at the end shows what is open there.
    let source = format!("{}x", std::str::from_utf8(page.bytes).ok()?);
    let end = Mark { offset: source.len(), sort: MarkSort::Text };
    let marked: Vec<Mark> = pieces.iter().map(|piece| piece.mark).chain([end]).collect();
    let numbers: HashMap<usize, usize> =
        pieces.iter().enumerate().filter_map(|(number, piece)| Some((piece.element?, number))).collect();
    let found = places(&source, &marked)?;
    let says = |piece: &Piece| {
        let mut around = piece.around;
        while let Some(at) = around {
            if let Some(number) = numbers.get(&at) {
                return Some(*number);
            }
            around = page.dom.elements.get(at).and_then(|element| element.parent);
        }
        None
    };
    let is_wrong = |(piece, place): &(&Piece, &Place)| **place != Place::Inside(says(piece));
    let wrong = pieces.iter().zip(&found).filter(is_wrong).map(|(piece, _)| piece).collect();
    Some((wrong, found.last() == Some(&Place::Inside(None))))
}

/// Returns the tags and the pieces of text of a page, in file order.
fn pieces(page: &Page<'_>) -> Option<Vec<Piece>> {
    let elements = &page.dom.elements;
    let mut hidden = vec![false; elements.len()];
    let mut depths = vec![0_usize; elements.len()];
    let mut found = Vec::new();
    // Between these stands text.
    let mut borders: Vec<Span> = page.dom.comments.iter().copied().chain(page.dom.doctype).collect();
    for (at, element) in elements.iter().enumerate() {
        let around = element.parent;
        let under = |list: &[bool]| around.and_then(|around| list.get(around).copied()).unwrap_or(false);
        hidden[at] = under(&hidden) || &*element.name == "noscript";
        depths[at] = around.and_then(|around| depths.get(around)).map_or(0, |depth| depth + 1);
        if depths[at] > MAX_DEPTH {
            return None;
        }
        if !hidden[at] && !UNMARKED.contains(&&*element.name) {
            let mark = Mark { offset: element.tag_name.end, sort: MarkSort::Tag };
            found.push(Piece { mark, element: Some(at), around, start: element.start_tag.start });
        }
        borders.push(element.start_tag);
        borders.extend(element.end_tag);
    }
    borders.sort_unstable();
    let mut from = 0;
    for border in borders.into_iter().chain([Span::at(page.bytes.len())]) {
        if from < border.start {
            found.extend(text(page, Span::new(from, border.start), &hidden));
        }
        from = from.max(border.end);
    }
    found.sort_by_key(|piece| piece.mark.offset);
    Some(found)
}

/// Returns the last letter of a text, where that says something of the tree.
fn text(page: &Page<'_>, span: Span, hidden: &[bool]) -> Option<Piece> {
    let bytes = span.of(page.bytes);
    let length = bytes.trim_ascii_end().len();
    let start = span.start + length.checked_sub(1)?;
    let around = around(page.dom, start);
    let element = around.and_then(|at| page.dom.elements.get(at));
    let is_hidden = around.is_some_and(|at| hidden.get(at) == Some(&true));
    // Of what holds text alone the text is nowhere else.
    if is_hidden || element.is_some_and(holds_text) || bytes.contains(&b'<') || bytes.contains(&0) {
        return None;
    }
    let mark = Mark { offset: span.start + length, sort: MarkSort::Text };
    Some(Piece { mark, element: None, around, start })
}

fn holds_text(element: &Element) -> bool {
    matches!(
        &*element.name,
        "script" | "style" | "textarea" | "title" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext"
    )
}

/// Returns the innermost element that has `offset` between its tags.
fn around(dom: &Dom, offset: usize) -> Option<usize> {
    let ahead = dom.elements.partition_point(|element| element.start_tag.end <= offset);
    let mut at = ahead.checked_sub(1);
    while let Some(number) = at {
        let element = dom.elements.get(number)?;
        let holds = element.inner().is_some_and(|inner| inner.start <= offset && offset < inner.end);
        if holds {
            return Some(number);
        }
        at = element.parent;
    }
    None
}
