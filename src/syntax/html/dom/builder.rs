//! From tokens to elements: what ends an open element, and what is never ended.

use std::cell::Cell;
use std::collections::HashMap;

use super::super::tokens::{StartTag, Token, Tokenizer, is_space};
use super::super::{mask, rules};
use super::{Dom, HtmlElement, PageProblem, PageProblemKind};
use crate::text::Span;

/// Elements nested deeper than this are children of the one at this depth, as in browsers.
const MAX_DEPTH: usize = 512;

/// What a page consists of, in this order.
const FRAME: [&str; 3] = ["html", "head", "body"];

/// Most elements of a file that are kept.
const MAX_ELEMENTS: usize = 1_000_000;

/// How many open elements may be looked at for each byte of the file before it is given up: only a file made to be slow
/// gets there.
const STEPS_PER_BYTE: usize = 64;

impl Dom {
    /// Reads `source`.
    pub fn of(source: &[u8]) -> Dom {
        let tags = mask::tags(source);
        let masked = if tags.is_empty() {
            None
        } else {
            Some(mask::masked(source, &tags))
        };
        let dom = build_dom(masked.as_deref().unwrap_or(source));
        match dom {
            Some(dom) => Dom { tags, ..dom },
            None => {
                let problem = PageProblem {
                    sort: PageProblemKind::TooIntricate,
                    span: Span::at(0),
                };
                Dom {
                    problems: vec![problem],
                    tags,
                    ..Dom::default()
                }
            }
        }
    }
}

/// Reads a page whose template tags are masked; `None` for one made to be slow.
fn build_dom(source: &[u8]) -> Option<Dom> {
    DomBuilder::new(source).built()
}

struct DomBuilder<'s> {
    source: &'s [u8],
    dom: Dom,
    /// The open elements, the innermost last.
    stack: Vec<usize>,
    /// The last element at the top of the file.
    last_top: Option<usize>,
    /// The last child of each element.
    last_child: Vec<Option<usize>>,
    /// Where the last content that is not blank ends.
    content_end: usize,
    /// Which of `<html>`, `<head>` and `<body>` have begun.
    begun: [bool; FRAME.len()],
    /// How many `p` are open.
    open_paragraphs: usize,
    xml: bool,
    steps: Cell<usize>,
}

impl<'s> DomBuilder<'s> {
    fn new(source: &'s [u8]) -> DomBuilder<'s> {
        DomBuilder {
            source,
            dom: Dom::default(),
            stack: Vec::new(),
            last_top: None,
            last_child: Vec::new(),
            content_end: 0,
            begun: [false; FRAME.len()],
            open_paragraphs: 0,
            xml: source.trim_ascii_start().starts_with(b"<?xml"),
            steps: Cell::new(
                10_000_usize.saturating_add(source.len().saturating_mul(STEPS_PER_BYTE)),
            ),
        }
    }

    fn built(mut self) -> Option<Dom> {
        let mut tokens = Tokenizer::of(self.source);
        while let Some(token) = tokens.next(self.in_foreign()) {
            let span = token.span();
            match token {
                Token::Start(start) => {
                    if let Some(name) = self.start(start) {
                        self.text(tokens.raw_text(&name));
                    }
                }
                Token::End { name, span } => self.end(name, span),
                Token::Comment(span) => self.dom.comments.push(span),
                Token::Doctype(span) => self.dom.doctype = self.dom.doctype.or(Some(span)),
                Token::Text(span) => self.text(span),
                Token::Unterminated { what, span } => {
                    self.dom.problems.push(PageProblem {
                        sort: PageProblemKind::Unterminated(what),
                        span,
                    });
                }
            }
            if self.content_end < span.end && !span.of(self.source).trim_ascii().is_empty() {
                let blanks = span
                    .of(self.source)
                    .iter()
                    .rev()
                    .take_while(|byte| is_space(**byte))
                    .count();
                self.content_end = span.end - blanks;
            }
            if self.steps.get() == 0 || self.dom.elements.len() > MAX_ELEMENTS {
                return None;
            }
        }
        self.close_down_to(0);
        count_types(&mut self.dom.elements);
        self.dom.preformatted = preformatted_spans(&self.dom.elements);
        Some(self.dom)
    }

    fn in_foreign(&self) -> bool {
        let open = self.stack.last().and_then(|&at| self.dom.elements.get(at));
        open.is_some_and(|open| open.is_foreign && !rules::is_integration_point(&open.name))
    }

    fn text(&mut self, span: Span) {
        if let Some(open) = self
            .stack
            .last()
            .and_then(|&at| self.dom.elements.get_mut(at))
        {
            open.has_text |= !span.is_empty();
        }
        if !span.of(self.source).trim_ascii().is_empty() {
            let blanks = span
                .of(self.source)
                .iter()
                .rev()
                .take_while(|byte| is_space(**byte))
                .count();
            self.content_end = self.content_end.max(span.end - blanks);
        }
    }

    /// Opens an element; returns its name when nothing but text can follow.
    fn start(&mut self, tag: StartTag) -> Option<Box<str>> {
        let name: Box<str> = String::from_utf8_lossy(tag.name.of(self.source))
            .to_ascii_lowercase()
            .into();
        if self.in_foreign() && rules::breaks_out(&name) {
            while self.in_foreign() {
                self.close_down_to(self.stack.len().saturating_sub(1));
            }
        }
        let is_foreign = matches!(&*name, "svg" | "math") || self.in_foreign();
        if !is_foreign {
            self.close_before(&name);
            self.frame(&name, tag.span);
        }
        let is_void = if is_foreign {
            tag.closes_itself
        } else {
            rules::is_void(&name) || (self.xml && tag.closes_itself)
        };
        let is_raw = !is_void && !is_foreign && rules::is_raw(&name);
        let at = self.add(&name, tag, is_foreign, is_void);
        if !is_void {
            self.stack.push(at);
            self.open_paragraphs += usize::from(&*name == "p");
        }
        is_raw.then_some(name)
    }

    /// Tells an `<html>`, `<head>` or `<body>` where no page has it: browsers overlook it, so that what it was written for
    /// is lost.
    fn frame(&mut self, name: &str, span: Span) {
        let Some(which) = FRAME.iter().position(|known| *known == name) else {
            return;
        };
        let around = self.stack.last().and_then(|&at| self.dom.elements.get(at));
        let begun = self
            .begun
            .get(which..)
            .is_some_and(|begun| begun.contains(&true));
        if begun || around.is_some_and(|around| which == 0 || &*around.name != "html") {
            self.dom.problems.push(PageProblem {
                sort: PageProblemKind::Misplaced,
                span,
            });
        }
        if let Some(mark) = self.begun.get_mut(which) {
            *mark = true;
        }
    }

    fn add(&mut self, name: &str, tag: StartTag, is_foreign: bool, is_void: bool) -> usize {
        let at = self.dom.elements.len();
        let parent = self
            .stack
            .get(..self.stack.len().min(MAX_DEPTH))
            .and_then(<[usize]>::last)
            .copied();
        let previous = match parent {
            Some(parent) => self
                .last_child
                .get_mut(parent)
                .and_then(|last| last.replace(at)),
            None => self.last_top.replace(at),
        };
        if let Some(previous) = previous.and_then(|previous| self.dom.elements.get_mut(previous)) {
            previous.next = Some(at);
        } else if let Some(parent) = parent.and_then(|parent| self.dom.elements.get_mut(parent)) {
            parent.first_child = Some(at);
        }
        self.last_child.push(None);
        self.dom.elements.push(HtmlElement {
            name: name.into(),
            tag_name: tag.name,
            attributes: tag.attributes,
            start_tag: tag.span,
            end_tag: None,
            end: tag.span.end,
            is_void,
            is_foreign,
            has_text: false,
            parent,
            previous,
            next: None,
            first_child: None,
            nth_of_type: 1,
            of_type: 1,
        });
        at
    }

    /// Returns the name of the open element at this depth; each look costs a step.
    fn open(&self, depth: usize) -> &str {
        self.steps.set(self.steps.get().saturating_sub(1));
        let element = self
            .stack
            .get(depth)
            .and_then(|&at| self.dom.elements.get(at));
        element.map_or("", |element| {
            if element.is_foreign {
                "svg"
            } else {
                &*element.name
            }
        })
    }

    /// Closes what the start of `name` closes.
    fn close_before(&mut self, name: &str) {
        let innermost = self.stack.len().saturating_sub(1);
        if self.open(innermost) == "head" && rules::ends_head(name) {
            self.close_down_to(innermost);
        }
        if is_heading(name) && is_heading(self.open(self.stack.len().saturating_sub(1))) {
            self.close_down_to(self.stack.len().saturating_sub(1));
        }
        let mut keep = self.stack.len();
        for depth in (0..self.stack.len()).rev() {
            let open = self.open(depth);
            if rules::ends_open(name, open) {
                keep = depth;
            } else if rules::stops_ending(open, name) || self.steps.get() == 0 {
                break;
            }
            // Only these end more than the nearest: an option its group, a part of a table all that is open in it.
            if keep == depth && !matches!(name, "optgroup" | "tr" | "tbody" | "thead" | "tfoot") {
                break;
            }
        }
        self.close_down_to(keep);
        if self.open_paragraphs > 0 && rules::closes_p(name) {
            let paragraph = (0..self.stack.len())
                .rev()
                .find_map(|depth| match self.open(depth) {
                    "p" => Some(Some(depth)),
                    open => (rules::shields_p(open) || self.steps.get() == 0).then_some(None),
                });
            if let Some(Some(depth)) = paragraph {
                self.close_down_to(depth);
            }
        }
    }

    /// Closes the element that an end tag is of.
    fn end(&mut self, name: Span, span: Span) {
        let name = String::from_utf8_lossy(name.of(self.source)).to_ascii_lowercase();
        let stray = PageProblem {
            sort: PageProblemKind::Stray,
            span,
        };
        for depth in (0..self.stack.len()).rev() {
            let Some(open) = self
                .stack
                .get(depth)
                .and_then(|&at| self.dom.elements.get(at))
            else {
                break;
            };
            self.steps.set(self.steps.get().saturating_sub(1));
            if *open.name == *name {
                self.close_down_to(depth + 1);
                self.close(Some(span));
                return;
            }
            let open = if open.is_foreign { "" } else { &*open.name };
            if rules::stops_end_tag(open, &name) || self.steps.get() == 0 {
                break;
            }
        }
        self.dom.problems.push(stray);
    }

    /// Closes open elements without an end tag until only `depth` of them are open.
    fn close_down_to(&mut self, depth: usize) {
        while self.stack.len() > depth {
            self.close(None);
        }
    }

    /// Closes the innermost element.
    fn close(&mut self, end_tag: Option<Span>) {
        let Some(element) = self
            .stack
            .pop()
            .and_then(|at| self.dom.elements.get_mut(at))
        else {
            return;
        };
        self.open_paragraphs -= usize::from(&*element.name == "p" && !element.is_foreign);
        element.end_tag = end_tag;
        element.end = end_tag.map_or(self.content_end.max(element.start_tag.end), |tag| tag.end);
        if end_tag.is_none() && (element.is_foreign || !rules::end_is_optional(&element.name)) {
            self.dom.problems.push(PageProblem {
                sort: PageProblemKind::Unclosed,
                span: element.start_tag,
            });
        }
    }
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Returns where every blank counts, the outermost elements alone.
fn preformatted_spans(elements: &[HtmlElement]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let keeping = elements
        .iter()
        .filter(|element| !element.is_foreign && rules::keeps_blanks(&element.name));
    for inner in keeping.filter_map(HtmlElement::inner) {
        if found.last().is_none_or(|last| last.end < inner.start) {
            found.push(inner);
        }
    }
    found
}

/// Counts, for each element, those of its name in its parent.
fn count_types(elements: &mut [HtmlElement]) {
    let mut counts: HashMap<(Option<usize>, &str), usize> = HashMap::new();
    let mut nth = Vec::with_capacity(elements.len());
    for element in &*elements {
        let count = counts.entry((element.parent, &element.name)).or_insert(0);
        *count += 1;
        nth.push(*count);
    }
    let all = |element: &HtmlElement| {
        counts
            .get(&(element.parent, &*element.name))
            .copied()
            .unwrap_or(1)
    };
    let of_type: Vec<usize> = elements.iter().map(all).collect();
    for ((element, nth), all) in elements.iter_mut().zip(nth).zip(of_type) {
        (element.nth_of_type, element.of_type) = (nth, all);
    }
}
