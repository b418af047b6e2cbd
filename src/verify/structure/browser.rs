//! What a browser makes of a page is what its tags say, where it was so before: an `<a>` inside of an `<a>` ends that, a second
//! `<form>` is overlooked, and `<!-- <script>` in a script hides its end tag.
//!
//! Tags and pieces of text are looked up in the tree that the standard's own rules build of the page (`html::places`). What
//! stood elsewhere than its tags say before the edit may stay where it was. Known limits: nothing is said of templates, of pages
//! that are not UTF-8, and of what `<noscript>` holds, which a browser reads in two ways.

use std::collections::{HashMap, HashSet};

use super::page::{MovedSpans, PageTree};
use crate::syntax::html::{Dom, HtmlElement, TreeMark, TreeMarkKind, TreePlace, places};
use crate::text::Span;

/// Deepest nesting that is looked into: at each tag the parser may look through all that are open.
const MAX_DEPTH: usize = 256;

/// Something of a page, and where its tags say that it stands.
pub(super) struct PagePiece {
    mark: TreeMark,
    /// The element's number; `None` of text.
    pub(super) element: Option<usize>,
    /// The number of the element around it.
    pub(super) around: Option<usize>,
    /// Its first byte, by which it is known after the edit.
    pub(super) start: usize,
}

/// Returns the first tag or text of the new page that a browser puts elsewhere than its tags say, unless the old page had it in that
/// very place; it may be one that nobody touched.
pub(super) fn displaced(
    old: &PageTree<'_>,
    new: &PageTree<'_>,
    moves: &MovedSpans,
) -> Option<Span> {
    let is_plain = |page: &PageTree<'_>| {
        page.dom.tags.is_empty() && !page.bytes.trim_ascii_start().starts_with(b"<?xml")
    };
    if !is_plain(old) || !is_plain(new) {
        return None;
    }
    let (old_pieces, new_pieces) = (pieces(old)?, pieces(new)?);
    let now = judged(new, &new_pieces)?;
    if now.wrong().next().is_none() && now.is_shut {
        return None;
    }
    let before = judged(old, &old_pieces)?;
    // Where each piece that nobody touched stood, in the numbers of the new page.
    let numbers: HashMap<usize, usize> = new_pieces
        .iter()
        .enumerate()
        .map(|(number, piece)| (piece.start, number))
        .collect();
    let moved = |piece: &PagePiece| {
        numbers
            .get(&moves.start(Span::new(piece.start, piece.start + 1))?)
            .copied()
    };
    let mut stood: HashMap<usize, Option<TreePlace>> = HashMap::new();
    for (piece, (place, is_right)) in old_pieces.iter().zip(&before.places) {
        let Some(number) = moved(piece) else { continue };
        let place = match *place {
            TreePlace::Inside(Some(around)) => old_pieces
                .get(around)
                .and_then(moved)
                .map(|around| TreePlace::Inside(Some(around))),
            place => Some(place),
        };
        // What stood by mistake in an element that is gone has to go somewhere.
        let anywhere = now
            .places
            .get(number)
            .map(|(place, _)| *place)
            .filter(|place| *place != TreePlace::Nowhere);
        stood.insert(
            number,
            if place.is_some() || *is_right {
                place
            } else {
                anywhere
            },
        );
    }
    // A piece of a page may be made of tags that only stand right in another: `<tr>` by itself.
    let names: HashSet<&str> = before
        .wrong()
        .filter_map(|at| name(old.dom, old_pieces.get(at)?))
        .collect();
    let text_is_wrong = before.wrong().any(|at| {
        old_pieces
            .get(at)
            .is_some_and(|piece| piece.element.is_none())
    });
    let is_new = |number: &usize| match stood.get(number) {
        Some(place) => *place != now.places.get(*number).map(|(place, _)| *place),
        None => match new_pieces
            .get(*number)
            .and_then(|piece| name(new.dom, piece))
        {
            Some(name) => !names.contains(name),
            None => !text_is_wrong,
        },
    };
    let first = now
        .wrong()
        .find(is_new)
        .and_then(|number| new_pieces.get(number))
        .map(
            |piece| match piece.element.and_then(|at| new.dom.elements.get(at)) {
                Some(element) => element.start_tag,
                None => Span::new(piece.start, piece.start + 1),
            },
        );
    first.or((before.is_shut && !now.is_shut).then_some(Span::at(new.bytes.len())))
}

fn name<'d>(dom: &'d Dom, piece: &PagePiece) -> Option<&'d str> {
    piece
        .element
        .and_then(|at| dom.elements.get(at))
        .map(|element| &*element.name)
}

/// Where a browser puts the pieces of a page.
struct PlacedPieces {
    /// Of each piece its place, and whether that is what its tags say.
    places: Vec<(TreePlace, bool)>,
    /// Whether all is shut where the page ends.
    is_shut: bool,
}

impl PlacedPieces {
    /// Returns the numbers of the pieces that are elsewhere than their tags say.
    fn wrong(&self) -> impl Iterator<Item = usize> {
        self.places
            .iter()
            .enumerate()
            .filter(|(_, (_, is_right))| !is_right)
            .map(|(number, _)| number)
    }
}

/// Looks up where a browser puts the pieces of a page; `None` where that cannot be told.
fn judged(page: &PageTree<'_>, pieces: &[PagePiece]) -> Option<PlacedPieces> {
    // A letter at the end shows what is open there.
    let source = format!("{}x", std::str::from_utf8(page.bytes).ok()?);
    let end = TreeMark {
        offset: source.len(),
        sort: TreeMarkKind::Text,
    };
    let marked: Vec<TreeMark> = pieces.iter().map(|piece| piece.mark).chain([end]).collect();
    let numbers: HashMap<usize, usize> = pieces
        .iter()
        .enumerate()
        .filter_map(|(number, piece)| Some((piece.element?, number)))
        .collect();
    let mut found = places(&source, &marked)?;
    let is_frame = |number: usize| {
        pieces
            .get(number)
            .and_then(|piece| name(page.dom, piece))
            .is_some_and(is_frame)
    };
    // Whether something is in the body of a page or behind it makes no difference.
    for number in 0..found.len() {
        while let Some(TreePlace::Inside(Some(around))) = found.get(number).copied()
            && is_frame(around)
        {
            let beyond = found
                .get(around)
                .copied()
                .filter(|place| *place != TreePlace::Nowhere);
            *found.get_mut(number)? = beyond.unwrap_or(TreePlace::Inside(None));
        }
    }
    let is_shut = found.pop()? == TreePlace::Inside(None);
    let says = |piece: &PagePiece| {
        let mut around = piece.around;
        while let Some(at) = around {
            if let Some(number) = numbers.get(&at).filter(|number| !is_frame(**number)) {
                return Some(*number);
            }
            around = page.dom.elements.get(at).and_then(|element| element.parent);
        }
        None
    };
    let is_right = |piece: &PagePiece, place| match name(page.dom, piece) {
        Some(name) if self::is_frame(name) => place != TreePlace::Nowhere,
        Some(_) | None => place == TreePlace::Inside(says(piece)),
    };
    let places = pieces
        .iter()
        .zip(found)
        .map(|(piece, place)| (place, is_right(piece, place)))
        .collect();
    Some(PlacedPieces { places, is_shut })
}

/// Returns the tags and the pieces of text of a page, in file order.
pub(super) fn pieces(page: &PageTree<'_>) -> Option<Vec<PagePiece>> {
    let elements = &page.dom.elements;
    let mut hidden = vec![false; elements.len()];
    let mut depths = vec![0_usize; elements.len()];
    let mut found = Vec::new();
    // Between these stands text.
    let mut borders: Vec<Span> = page
        .dom
        .comments
        .iter()
        .copied()
        .chain(page.dom.doctype)
        .collect();
    for (at, element) in elements.iter().enumerate() {
        let around = element.parent;
        let under = |list: &[bool]| {
            around
                .and_then(|around| list.get(around).copied())
                .unwrap_or(false)
        };
        hidden[at] = under(&hidden) || &*element.name == "noscript";
        depths[at] = around
            .and_then(|around| depths.get(around))
            .map_or(0, |depth| depth + 1);
        if depths[at] > MAX_DEPTH {
            return None;
        }
        if !hidden[at] {
            let mark = TreeMark {
                offset: element.tag_name.end,
                sort: TreeMarkKind::Tag,
            };
            found.push(PagePiece {
                mark,
                element: Some(at),
                around,
                start: element.start_tag.start,
            });
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
fn text(page: &PageTree<'_>, span: Span, hidden: &[bool]) -> Option<PagePiece> {
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
    let mark = TreeMark {
        offset: span.start + length,
        sort: TreeMarkKind::Text,
    };
    Some(PagePiece {
        mark,
        element: None,
        around,
        start,
    })
}

/// Says whether elements of this name make up a page, whether their tags are there or not.
fn is_frame(name: &str) -> bool {
    matches!(name, "html" | "head" | "body")
}

fn holds_text(element: &HtmlElement) -> bool {
    matches!(
        &*element.name,
        "script"
            | "style"
            | "textarea"
            | "title"
            | "xmp"
            | "iframe"
            | "noembed"
            | "noframes"
            | "plaintext"
    )
}

/// Returns the innermost element that has `offset` between its tags.
pub(super) fn around(dom: &Dom, offset: usize) -> Option<usize> {
    let ahead = dom
        .elements
        .partition_point(|element| element.start_tag.end <= offset);
    let mut at = ahead.checked_sub(1);
    while let Some(number) = at {
        let element = dom.elements.get(number)?;
        let holds = element
            .inner()
            .is_some_and(|inner| inner.start <= offset && offset < inner.end);
        if holds {
            return Some(number);
        }
        at = element.parent;
    }
    None
}
