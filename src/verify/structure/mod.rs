//! Structure: no batch loses or crosses a closing tag of a page, by whatever kind of operation, nor its document type; nor does
//! one of Markdown leave a fence or a comment open (`enclosures`), or an element that holds others (`halves`).
//!
//! What it holds. An element whose start tag stays keeps a closing tag if it had one; what an edit writes is closed by
//! what the edit writes; and `<html>`, `<head>`, `<body>` stand once, in this order, and keep their closing tags and the
//! document type, unless the page comes to extend a template, which has them. A closing tag that HTML lets one leave out may be
//! left out where the page does so: not of a `<li>` when the page closes every `<li>`, and never in the place of a `<li>` that was
//! closed. What was out of order before may stay so, but nothing may be added.
//!
//! How. Every tag that no splice touches is looked up where it then stands; then the whole page is built as a browser builds it
//! (`browser`). What goes on in an element without a closing tag stays in it (`implied`), and a description with its terms (`terms`).
//! Known limit: a start tag that stands open on
//! one way through a template's `{% if %}` is taken for meant.

mod browser;
mod enclosures;
mod halves;
mod implied;
mod terms;
mod words;

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::diagnostic::{Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::resolve::document::MAX_PARSED_BYTES;
use crate::snapshot::File;
use crate::syntax::html::{Attribute, Dom, Element, Problem, Sort, end_is_optional, is_html};
use crate::syntax::jinja;
use crate::syntax::markdown::is_markdown;
use crate::text::splice::Splices;
use crate::text::{Lines, Span, is_binary, is_blank};

/// Most refusals for one file: one lost tag puts all around it out of order.
const MOST_LISTED: usize = 3;

/// Elements that a page has once and does not lose.
const FRAME: [&str; 3] = ["html", "head", "body"];

/// Returns a refusal for each tag that an edit of a page would lose, cross or leave open.
pub fn check(edit: &FileEdit, before: Option<&File>, after: &Document) -> Vec<Diagnostic> {
    let readable = |bytes: &[u8]| !is_binary(bytes) && bytes.len() <= MAX_PARSED_BYTES;
    let unchanged = before.is_some_and(|before| before.bytes == after.bytes);
    if after.language.is_some_and(is_markdown) && !unchanged && readable(&after.bytes) {
        let before = before.filter(|before| readable(&before.bytes));
        let check = |before: &File| {
            let halves = || halves::check(edit, &before.bytes, &after.bytes);
            enclosures::check(edit, &before.bytes, &after.bytes).or_else(halves)
        };
        return before.and_then(check).into_iter().collect();
    }
    if !after.language.is_some_and(is_html) || unchanged || !readable(&after.bytes) {
        return Vec::new();
    }
    let new = Page {
        bytes: &after.bytes,
        dom: after.dom(),
    };
    let Some(before) = before.filter(|before| readable(&before.bytes)) else {
        return new_page(edit, &new);
    };
    let dom = Dom::of(&before.bytes);
    let old = Page {
        bytes: &before.bytes,
        dom: &dom,
    };
    if old
        .dom
        .problems
        .iter()
        .any(|problem| problem.sort == Sort::TooIntricate)
    {
        return Vec::new();
    }
    let moves = Moves::of(edit.splices.as_ref());
    let mut found = lost_and_crossed(&old, &new, &moves);
    // What a child template says of its page is in the one that it extends.
    let has_parent =
        |page: &Page<'_>| jinja::is_template(&edit.path) && jinja::extends(page.bytes).is_some();
    let frame = if has_parent(&new) {
        Vec::new()
    } else {
        lost_frame(&old, &new)
    };
    for lost in frame {
        if !found.iter().any(|known| known.old_tag() == lost.old_tag()) {
            found.push(lost);
        }
    }
    // What is lost puts tags out of order that nobody touched; what was written out of order is told in any case.
    let touched = |problem: &Problem| moves.wrote(problem.span);
    let tags_lost = !found.is_empty();
    found.extend(
        left_open(&old, &new, &moves)
            .into_iter()
            .map(Found::LeftOpen),
    );
    found.extend(
        added(&old, &new)
            .into_iter()
            .filter(|problem| !tags_lost || touched(problem))
            .map(Found::Added),
    );
    found.extend(ended_elsewhere(&old, &new, &moves).map(Found::Ended));
    if found.is_empty() {
        found.extend(unquoted(&old, &new).map(Found::Unquoted));
        found.extend(repeated(&old, &new, &moves).map(Found::Repeated));
        found.extend(handed(&old, &new, &moves).map(Found::Handed));
    }
    if found.is_empty() {
        found.extend(implied::left(&old, &new, &moves).map(Found::Outside));
        found.extend(terms::reassigned(&old, &new, &moves).map(Found::Reassigned));
    }
    if found.is_empty() {
        found.extend(browser::displaced(&old, &new, &moves).map(Found::Displaced));
    }
    found
        .into_iter()
        .take(MOST_LISTED)
        .map(|found| found.refusal(edit, &old, &new))
        .collect()
}

/// A page that is new: one that has a document type or an `html` is whole, so its tags are in order. A piece of one may
/// open what another closes.
fn new_page(edit: &FileEdit, new: &Page<'_>) -> Vec<Diagnostic> {
    let whole = new.dom.doctype.is_some()
        || new
            .dom
            .elements
            .iter()
            .any(|element| &*element.name == "html");
    // A template may begin a page in two ways.
    let misplaced =
        |problem: &&Problem| problem.sort == Sort::Misplaced && !new.dom.tags.is_empty();
    let problems = new
        .dom
        .problems
        .iter()
        .filter(|problem| whole && !misplaced(problem))
        .take(MOST_LISTED);
    problems
        .map(|problem| Found::Added(*problem).refusal(edit, new, new))
        .collect()
}

struct Page<'b> {
    bytes: &'b [u8],
    dom: &'b Dom,
}

/// Where what no splice touches stands afterwards.
struct Moves {
    /// The old ranges and the new ones, in order.
    splices: Option<Vec<(Span, Span)>>,
}

impl Moves {
    fn of(splices: Option<&Splices>) -> Moves {
        Moves {
            splices: splices.map(|splices| {
                splices
                    .with_new_spans()
                    .map(|(splice, new)| (splice.span, new))
                    .collect()
            }),
        }
    }

    /// Returns where `span` begins afterwards; `None` when a splice touches it.
    fn start(&self, span: Span) -> Option<usize> {
        let splices = self.splices.as_ref()?;
        let ahead = splices.partition_point(|(old, _)| old.end <= span.start);
        if splices
            .get(ahead)
            .is_some_and(|(old, _)| old.start < span.end)
        {
            return None;
        }
        let shifted = ahead.checked_sub(1).and_then(|last| splices.get(last));
        Some(shifted.map_or(span.start, |(old, new)| span.start - old.end + new.end))
    }

    /// Says whether a splice takes or puts something within `span` of the old file.
    fn reaches(&self, span: Span) -> bool {
        let splices = self.splices.as_deref().unwrap_or_default();
        let from = splices.partition_point(|(old, _)| old.end <= span.start);
        splices
            .get(from)
            .is_some_and(|(old, _)| old.start < span.end)
    }

    /// Says whether a splice wrote any of `span` of the new file, or took something out of it.
    fn touched(&self, span: Span) -> bool {
        let touches = |new: &Span| match new.is_empty() {
            true => span.start <= new.start && new.start <= span.end,
            false => new.overlaps(span),
        };
        self.splices.iter().flatten().any(|(_, new)| touches(new))
    }

    /// Says whether a splice wrote `span` of the new file.
    fn wrote(&self, span: Span) -> bool {
        self.splices
            .iter()
            .flatten()
            .any(|(_, new)| new.contains(span))
    }
}

/// Something that would be wrong.
enum Found {
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
    Added(Problem),
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
fn lost_and_crossed(old: &Page<'_>, new: &Page<'_>, moves: &Moves) -> Vec<Found> {
    let by_start: HashMap<usize, &Element> = new
        .dom
        .elements
        .iter()
        .map(|found| (found.start_tag.start, found))
        .collect();
    let by_end: HashMap<usize, &Element> = new
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
                (None, _) => swallowed.push(Found::Swallowed(start_tag)),
                (Some(_), None) => {}
                (Some(found), Some((end_tag, kept))) => {
                    let now = found.end_tag.map(|tag| tag.start);
                    match (kept, now) {
                        (Some(kept), Some(now)) if kept == now => {}
                        (Some(_), _) => crossed.push(Found::Crossed { end_tag, start_tag }),
                        // One that the edit wrote is as good.
                        (None, Some(now)) if !kept_ends.contains(&now) => {}
                        (None, _) => lost.push(Found::Lost { end_tag, start_tag }),
                    }
                }
            },
            (None, Some((end_tag, Some(kept)))) => {
                let opener = by_end.get(&kept).map(|found| found.start_tag.start);
                if opener.is_none_or(|opener| kept_starts.contains(&opener)) {
                    crossed.push(Found::Crossed { end_tag, start_tag });
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
fn lost_frame(old: &Page<'_>, new: &Page<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    if let (Some(doctype), None) = (old.dom.doctype, new.dom.doctype) {
        found.push(Found::Doctype(doctype));
    }
    for name in FRAME {
        let ended = |element: &&Element| &*element.name == name && element.end_tag.is_some();
        let was = old.dom.elements.iter().find(ended);
        if let (
            Some(Element {
                start_tag,
                end_tag: Some(end_tag),
                ..
            }),
            None,
        ) = (was, new.dom.elements.iter().find(ended))
        {
            found.push(Found::Lost {
                end_tag: *end_tag,
                start_tag: *start_tag,
            });
        }
    }
    found
}

/// Returns the start tags that an edit wrote without the closing tag that HTML lets one leave out, where the page, or what
/// the same splice replaced, has it, or where they would take in what follows.
fn left_open(old: &Page<'_>, new: &Page<'_>, moves: &Moves) -> Vec<Span> {
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
    let branches = |element: &Element| {
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
        let is_open = |element: &Element| {
            end_is_optional(&element.name) && element.end_tag.is_none() && !element.is_foreign
        };
        // What begins in the content and goes on after it takes in what stands there, unless something was open there before.
        let was_open = old.begun_in(*was).any(is_open);
        let takes_in = |element: &Element| {
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
fn ended_elsewhere(old: &Page<'_>, new: &Page<'_>, moves: &Moves) -> Option<Span> {
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
fn unquoted(old: &Page<'_>, new: &Page<'_>) -> Option<Span> {
    let names = |page: &Page<'_>| -> Vec<Span> {
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
    let text = |page: &Page<'_>, name: &Span| name.of(page.bytes).to_vec();
    let known: HashSet<Vec<u8>> = names(old).iter().map(|name| text(old, name)).collect();
    found
        .iter()
        .find(|name| !known.contains(&text(new, name)))
        .copied()
}

/// Returns the first attribute in a tag that an edit touches which has one of its name before it, where there are more such than in the
/// old page: a browser takes the first alone.
fn repeated(old: &Page<'_>, new: &Page<'_>, moves: &Moves) -> Option<Span> {
    let doubled = |page: &Page<'_>| -> Vec<(String, Span, Span)> {
        let of = |element: &Element| {
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
fn handed(old: &Page<'_>, new: &Page<'_>, moves: &Moves) -> Option<Span> {
    let by_name: HashMap<usize, &Element> = new
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

/// Counts the closing tags that touch `span`, by name.
fn within<'p>(end_tags: &[(Span, &'p str)], span: Span) -> HashMap<&'p str, usize> {
    let from = end_tags.partition_point(|(tag, _)| tag.end <= span.start);
    let mut counts = HashMap::new();
    for (_, name) in end_tags
        .iter()
        .skip(from)
        .take_while(|(tag, _)| tag.start < span.end)
    {
        *counts.entry(*name).or_insert(0) += 1;
    }
    counts
}

/// Returns the problems that the new page has more of than the old one.
fn added(old: &Page<'_>, new: &Page<'_>) -> Vec<Problem> {
    let mut known: BTreeMap<(Sort, String), usize> = BTreeMap::new();
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

impl Page<'_> {
    /// Returns the closing tags in file order, each with its name.
    fn end_tags(&self) -> Vec<(Span, &str)> {
        let ended = self
            .dom
            .elements
            .iter()
            .filter_map(|element| Some((element.end_tag?, &*element.name)));
        let mut tags: Vec<(Span, &str)> = ended.collect();
        tags.sort_unstable();
        tags
    }

    /// Returns the elements whose start tag touches `span`.
    fn begun_in(&self, span: Span) -> impl Iterator<Item = &Element> {
        let from = self
            .dom
            .elements
            .partition_point(|element| element.start_tag.end <= span.start);
        self.dom
            .elements
            .iter()
            .skip(from)
            .take_while(move |element| element.start_tag.start < span.end)
    }

    /// Returns the names of an element's attributes that one before has as well, with another value. One way through a template may have the one and
    /// another way the other, so nothing is said of two with a tag of a template between them, nor of names that such a tag writes.
    fn second_attributes(&self, element: &Element) -> Vec<Span> {
        let has_tag = |span: Span| {
            let from = self
                .dom
                .tags
                .partition_point(|tag| tag.span.end <= span.start);
            self.dom
                .tags
                .get(from)
                .is_some_and(|tag| tag.span.start < span.end)
        };
        let value = |attribute: &Attribute| attribute.value.map(|value| value.of(self.bytes));
        let mut before: HashMap<String, &Attribute> = HashMap::new();
        let mut second = Vec::new();
        for attribute in element
            .attributes
            .iter()
            .filter(|attribute| !has_tag(attribute.name))
        {
            let name = self.name_of(attribute.name);
            let is_hidden = |first: &&Attribute| {
                value(first) != value(attribute)
                    && !has_tag(Span::new(first.span().end, attribute.name.start))
            };
            if before
                .insert(name, attribute)
                .as_ref()
                .is_some_and(is_hidden)
            {
                second.push(attribute.name);
            }
        }
        second
    }

    /// Returns the name of an attribute as names are compared.
    fn name_of(&self, name: Span) -> String {
        String::from_utf8_lossy(name.of(self.bytes)).to_ascii_lowercase()
    }

    /// Returns a tag as `<div>` or `</div>`, without attributes.
    fn tag(&self, span: Span) -> String {
        let text = String::from_utf8_lossy(span.of(self.bytes));
        let end = text
            .find(|character: char| character.is_whitespace() || character == '>')
            .unwrap_or(text.len());
        let name: String = text[..end].chars().take(40).collect();
        format!("{}>", name.trim_end_matches('/').to_ascii_lowercase())
    }

    fn line(&self, span: Span) -> usize {
        Lines::of(self.bytes).line(span.start)
    }

    fn excerpt(&self, edit: &FileEdit, span: Span) -> Excerpt {
        let lines = Lines::of(self.bytes);
        let line = lines.line(span.start);
        let text =
            String::from_utf8_lossy(lines.content(self.bytes, line).of(self.bytes)).into_owned();
        Excerpt {
            path: edit.path.clone(),
            line,
            column: lines.column(span.start),
            text,
        }
    }
}
