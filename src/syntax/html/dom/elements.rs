//! `Dom`: the elements of a page, and what is out of order in it.

use crate::syntax::html::mask::TemplateTag;
use crate::syntax::html::tokens::Attribute;
use crate::text::Span;

/// One element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HtmlElement {
    /// Its name in lower case.
    pub name: Box<str>,
    /// Where the start tag writes it.
    pub tag_name: Span,
    /// Its attributes in file order.
    pub attributes: Vec<Attribute>,
    /// From `<` to `>`.
    pub start_tag: Span,
    /// `None` where there is none: of a void element, or left out.
    pub end_tag: Option<Span>,
    /// Offset after its last byte; with no end tag after the last of its content that is not blank.
    pub end: usize,
    /// It cannot have content: `<br>`, `<path/>`.
    pub is_void: bool,
    /// Part of SVG or MathML.
    pub is_foreign: bool,
    /// Text is directly inside, be it blank.
    pub has_text: bool,
    /// The element around it.
    pub parent: Option<usize>,
    /// The element before it in the same parent.
    pub previous: Option<usize>,
    /// The element after it in the same parent.
    pub next: Option<usize>,
    /// The first element inside.
    pub first_child: Option<usize>,
    /// From 1: which it is of those of its name in its parent.
    pub nth_of_type: usize,
    /// How many of its name there are in its parent.
    pub of_type: usize,
}

impl HtmlElement {
    /// Returns the range from the start tag to the end tag.
    pub fn whole(&self) -> Span {
        Span::new(self.start_tag.start, self.end)
    }

    /// Returns the range between the tags; `None` for an element that cannot have content.
    pub fn inner(&self) -> Option<Span> {
        let end = self.end_tag.map_or(self.end, |tag| tag.start);
        (!self.is_void).then(|| Span::new(self.start_tag.end, end))
    }

    /// Returns the attribute of this name, in any case; of several the first.
    pub fn attribute(&self, source: &[u8], name: &str) -> Option<&Attribute> {
        let named = |attribute: &&Attribute| {
            attribute
                .name
                .of(source)
                .eq_ignore_ascii_case(name.as_bytes())
        };
        self.attributes.iter().find(named)
    }
}

/// Something out of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageProblem {
    /// What it is.
    pub sort: PageProblemKind,
    /// The tag, or what there is of it.
    pub span: Span,
}

/// What is out of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageProblemKind {
    /// A start tag whose end tag is not there and may not be left out.
    Unclosed,
    /// An end tag that closes nothing.
    Stray,
    /// An `<html>`, `<head>` or `<body>` where a page does not have it: a second one, or one inside of something else.
    Misplaced,
    /// A tag or a comment that the file ends in.
    Unterminated(&'static str),
    /// Made to be slow: nothing is said of the file.
    TooIntricate,
}

/// A page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dom {
    /// In file order.
    pub elements: Vec<HtmlElement>,
    /// The comments in file order.
    pub comments: Vec<Span>,
    /// The document type, when the file has one.
    pub doctype: Option<Span>,
    /// What is out of order, in no particular order.
    pub problems: Vec<PageProblem>,
    /// The template tags.
    pub tags: Vec<TemplateTag>,
    /// What is in a `<pre>` or the like, in file order: every blank there counts.
    pub preformatted: Vec<Span>,
}

impl Dom {
    /// Says whether every blank at `offset` counts, because it is inside of a `<pre>` or the like.
    pub fn is_preformatted(&self, offset: usize) -> bool {
        let following = self
            .preformatted
            .partition_point(|span| span.start <= offset);
        following
            .checked_sub(1)
            .and_then(|at| self.preformatted.get(at))
            .is_some_and(|span| offset <= span.end)
    }

    /// Returns the elements inside of the one with this number, at every depth; they follow it.
    pub fn inside(&self, at: usize) -> std::ops::Range<usize> {
        let end = self.elements.get(at).map_or(0, |element| element.end);
        let following = self.elements.get(at + 1..).unwrap_or_default();
        at + 1..at + 1 + following.partition_point(|other| other.start_tag.start < end)
    }
}
