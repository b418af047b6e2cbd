//! `Block`: a range of a file that markers, a template or a region set apart.

use crate::resolve::document::Document;
use crate::syntax::Excess;
use crate::text::{Span, is_blank};

/// A block found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its own name.
    pub name: String,
    /// What makes it one.
    pub sort: BlockKind,
    /// The tag or comment that opens it; empty where nothing in the file does.
    pub open: Span,
    /// The tag or comment that closes it.
    pub close: Span,
    /// The address within the file.
    pub address: String,
    /// Position of the block around it in the list.
    pub parent: Option<usize>,
}

/// What makes a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockKind {
    /// `{% block name %}`
    Template,
    /// `# region name`
    Region,
    /// The template that the file was made from.
    Scaffold,
}

impl BlockKind {
    /// Returns the word that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            BlockKind::Template | BlockKind::Scaffold => "block",
            BlockKind::Region => "region",
        }
    }
}

/// Why a block is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// Its name; `None` of all that there may be.
    pub block: Option<String>,
    /// The reason, the file first.
    pub text: String,
}

impl Aside {
    /// Says `text` of all blocks that there may be.
    pub fn of_all(text: String) -> Aside {
        Aside { block: None, text }
    }
}

/// The blocks of one file.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// In file order, those around others ahead of them.
    pub list: Vec<Block>,
    /// Why there are no more of them.
    pub asides: Vec<Aside>,
    /// Why none is told, though there are some.
    pub excess: Option<Excess>,
}

/// What stands between the tags of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// Whole lines, blank ones at their ends left out.
    Lines(Span),
    /// Lines that are blank, if any; `at` is the end of the line that opens the block.
    Blank {
        /// Where content comes, behind a line ending.
        at: usize,
        /// The blank lines, with the ending of the last one; empty when there are none.
        lines: Span,
    },
    /// Bytes that share a line with a tag.
    Bytes(Span),
}

impl Block {
    /// Returns all of it, tags included, as whole lines when it has them to itself.
    pub fn whole(&self, document: &Document) -> Span {
        let span = self.open.cover(self.close);
        if span.is_empty() {
            span
        } else {
            document.widened(span)
        }
    }

    /// Returns what stands between its tags.
    pub fn inner(&self, document: &Document) -> Inner {
        let (bytes, lines) = (&document.bytes, document.lines());
        if self.sort == BlockKind::Scaffold {
            return match self.open.cover(self.close) {
                span if span.is_empty() => Inner::Blank {
                    at: line_end_ahead(document, span.start),
                    lines: span,
                },
                span => Inner::Lines(span),
            };
        }
        let (start, end) = (self.open.end, self.close.start.max(self.open.end));
        let (first, last) = (lines.line(start), lines.line(end));
        let first_end = lines.content(bytes, first).end.max(start);
        let starts = first < last && is_blank(Span::new(start, first_end).of(bytes));
        let last_start = lines.start(last).max(start);
        let ends = first < last && is_blank(Span::new(last_start.min(end), end).of(bytes));
        if !(starts && ends) {
            let start = if starts {
                lines.start(first + 1)
            } else {
                start
            };
            let end = if ends {
                lines.content(bytes, last - 1).end
            } else {
                end
            };
            return Inner::Bytes(Span::new(start.min(end), end.max(start.min(end))));
        }
        let blank = |number: &usize| is_blank(lines.content(bytes, *number).of(bytes));
        let mut between = first + 1..=last - 1;
        match (
            between.clone().find(|number| !blank(number)),
            between.rfind(|number| !blank(number)),
        ) {
            (Some(from), Some(to)) => {
                Inner::Lines(Span::new(lines.start(from), lines.content(bytes, to).end))
            }
            _ => Inner::Blank {
                at: first_end,
                lines: Span::new(lines.start(first + 1), lines.start(last)),
            },
        }
    }

    /// Returns the bytes that `part: body` means.
    pub fn body(&self, document: &Document) -> Span {
        match self.inner(document) {
            Inner::Lines(span) | Inner::Bytes(span) => span,
            Inner::Blank { at, .. } => Span::at(at),
        }
    }
}

/// Returns the end of the content of the line above the one that begins at `offset`; `offset` itself on the first.
fn line_end_ahead(document: &Document, offset: usize) -> usize {
    let lines = document.lines();
    match lines.line(offset) {
        line if document.line_start(line) < offset => lines.content(&document.bytes, line).end,
        line if line > 1 => lines.content(&document.bytes, line - 1).end,
        _ => offset,
    }
}

pub(crate) fn block(name: String, sort: BlockKind, open: Span, close: Span) -> Block {
    Block {
        name,
        sort,
        open,
        close,
        address: String::new(),
        parent: None,
    }
}
