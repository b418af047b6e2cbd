//! Finds a block by its name: a block of a template, a region between comments, a block of the template that a scaffolded
//! file was made from, and else the definition or section that goes by that name.
//!
//! Whoever asks is told which segment was found, never which of these it was looked for in vain: why a way was not gone
//! is an aside, for those who want to hear it.

use std::collections::BTreeMap;

use super::Reading;
use super::document::Document;
use super::lookup::Lookup;
use super::named::Named;
use super::scaffold;
use super::section;
use super::segment::{Name, Segment, describe};
use super::symbol;
use crate::diagnostic::nearest;
use crate::manifest::address::block_address;
use crate::manifest::{BlockSelector, SectionSelector, SymbolSelector};
use crate::syntax::outline::Extent;
use crate::syntax::{Excess, jinja, regions};
use crate::text::{Span, is_binary, is_blank};

/// A block found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its own name.
    pub name: String,
    /// What makes it one.
    pub sort: Sort,
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
pub enum Sort {
    /// `{% block name %}`
    Template,
    /// `# region name`
    Region,
    /// The template that the file was made from.
    Scaffold,
}

impl Sort {
    /// Returns the word that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Sort::Template | Sort::Scaffold => "block",
            Sort::Region => "region",
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
        if self.sort == Sort::Scaffold {
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

/// Returns the blocks of `document`.
pub fn blocks(document: &Document) -> Blocks {
    let mut found = Blocks::default();
    if is_binary(&document.bytes) || document.too_large() {
        return found;
    }
    let mut list = marked(document, &mut found.asides);
    list.add(scaffold::blocks(document, &mut found.asides));
    let list = list.addressed(document);
    match extent(&list, document) {
        Ok(()) => Blocks { list, ..found },
        Err(excess) => Blocks {
            excess: Some(excess),
            ..found
        },
    }
}

/// Returns those that something in the file itself opens: the blocks of a template and the regions of a file.
pub fn marked_blocks(document: &Document) -> Vec<Block> {
    if is_binary(&document.bytes) || document.too_large() {
        return Vec::new();
    }
    marked(document, &mut Vec::new()).addressed(document)
}

fn marked(document: &Document, asides: &mut Vec<Aside>) -> Numbered {
    let mut list = Numbered::default();
    list.add(template_blocks(document, asides));
    list.add(region_blocks(document));
    list
}

/// Says whether blocks come to no more than those of a file of this size may.
fn extent(list: &[Block], document: &Document) -> Result<(), Excess> {
    let mut left = Extent::of_file(document.bytes.len());
    let mut depths: Vec<usize> = Vec::with_capacity(list.len());
    for block in list {
        let around = block.parent.and_then(|at| list.get(at));
        let depth = block
            .parent
            .and_then(|at| depths.get(at))
            .map_or(0, |depth| depth + 1);
        depths.push(depth);
        let names = block.address.len() + around.map_or(0, |around| around.address.len());
        left.take(depth, block.open.cover(block.close).len(), names)?;
    }
    Ok(())
}

/// Blocks with their numbers among those of their names.
#[derive(Default)]
struct Numbered {
    list: Vec<(usize, Block)>,
    counts: BTreeMap<String, usize>,
}

impl Numbered {
    /// Adds `more` blocks of one sort. A name that an earlier sort has means that one.
    fn add(&mut self, more: Vec<Block>) {
        let known = self.counts.clone();
        for block in more
            .into_iter()
            .filter(|block| !known.contains_key(&block.name))
        {
            let index = self.counts.entry(block.name.clone()).or_insert(0);
            *index += 1;
            self.list.push((*index, block));
        }
    }

    /// Returns them in file order, each with its address and the block of its sort around it.
    fn addressed(mut self, document: &Document) -> Vec<Block> {
        self.list
            .sort_by_key(|(_, block)| (block.open.start, usize::MAX - block.close.end));
        let mut around: BTreeMap<Sort, Vec<(usize, usize)>> = BTreeMap::new();
        let mut blocks = Vec::new();
        for (index, block) in self.list {
            let stack = around.entry(block.sort).or_default();
            while stack.pop_if(|(end, _)| *end < block.close.end).is_some() {}
            let parent = stack.last().map(|&(_, at)| at);
            stack.push((block.close.end, blocks.len()));
            let alone = self.counts.get(&block.name).is_none_or(|&twins| twins < 2);
            let name = if alone {
                block.name.clone()
            } else {
                format!("{}[{index}]", block.name)
            };
            blocks.push(Block {
                address: block_address(&document.path, &name),
                parent,
                ..block
            });
        }
        blocks
    }
}

/// Says whether `{% block %}` means something in the file: its name says so, or no language that would know better.
fn may_be_template(document: &Document) -> bool {
    document.language.is_none() || jinja::is_template(&document.path)
}

fn template_blocks(document: &Document, asides: &mut Vec<Aside>) -> Vec<Block> {
    if !may_be_template(document) || memchr::memmem::find(&document.bytes, b"{%").is_none() {
        return Vec::new();
    }
    match jinja::blocks(&document.bytes) {
        Ok(found) => found
            .into_iter()
            .map(|found| block(found.name, Sort::Template, found.open, found.close))
            .collect(),
        Err(broken) => {
            let line = document.lines().line(broken.offset);
            let text = format!(
                "{}:{line}: {}, so its tags tell no blocks",
                document.path, broken.message
            );
            asides.push(Aside::of_all(text));
            Vec::new()
        }
    }
}

fn region_blocks(document: &Document) -> Vec<Block> {
    let found = regions::regions(&document.bytes, document.language);
    found
        .into_iter()
        .map(|found| block(found.name, Sort::Region, found.open, found.close))
        .collect()
}

pub(super) fn block(name: String, sort: Sort, open: Span, close: Span) -> Block {
    Block {
        name,
        sort,
        open,
        close,
        address: String::new(),
        parent: None,
    }
}

/// What a name turned out to be.
#[derive(Clone, Copy, Debug)]
pub enum Found<'r, 'd> {
    /// A block.
    Block(&'r Block),
    /// What else goes by that name.
    Named(&'r Named<'d>),
}

/// Returns what `selector` names in the file, or what was found instead.
pub fn find<'r, 'd>(reading: &'r Reading<'d>, selector: &BlockSelector) -> Lookup<Found<'r, 'd>> {
    let list = &reading.blocks().list;
    let called = |name: &str| {
        list.iter()
            .filter(|block| block.name == name)
            .collect::<Vec<_>>()
    };
    let literal = called(&selector.name);
    match (literal.as_slice(), selector.split_index()) {
        (&[only], _) => return Lookup::Found(Found::Block(only)),
        ([], Some((name, index))) => {
            if let Some(&nth) = index
                .checked_sub(1)
                .and_then(|at| called(name).get(at).copied())
                .as_ref()
            {
                return Lookup::Found(Found::Block(nth));
            }
        }
        ([], None) => {}
        (several, _) => {
            let candidate = |block: &&'r Block| (block.address.clone(), Found::Block(block));
            return Lookup::Ambiguous {
                candidates: several.iter().map(candidate).collect(),
            };
        }
    }
    match by_name(reading, selector) {
        Some(Lookup::Found(named)) => Lookup::Found(Found::Named(named)),
        Some(Lookup::Ambiguous { candidates }) => Lookup::Ambiguous {
            candidates: candidates
                .into_iter()
                .map(|(address, named)| (address, Found::Named(named)))
                .collect(),
        },
        Some(Lookup::Missing { nearest }) => Lookup::Missing {
            nearest: near(list, selector, nearest),
        },
        None => Lookup::Missing {
            nearest: near(list, selector, Vec::new()),
        },
    }
}

/// Looks for the definition or the section of that name.
fn by_name<'r, 'd>(
    reading: &'r Reading<'d>,
    selector: &BlockSelector,
) -> Option<Lookup<&'r Named<'d>>> {
    reading.document.language?;
    let sections = reading
        .named()
        .iter()
        .any(|named| !super::is_code(named.symbol.kind));
    if sections {
        let selector = SectionSelector::parse(&selector.name).ok()?;
        return Some(section::find(reading.named(), &selector));
    }
    let selector = SymbolSelector::parse(&selector.name).ok()?;
    Some(symbol::find(
        reading.register(),
        &selector,
        None,
        &reading.document.bytes,
    ))
}

/// Returns addresses that the caller may have meant: blocks spelled nearly so, then what else is.
fn near(list: &[Block], selector: &BlockSelector, others: Vec<String>) -> Vec<String> {
    const MOST: usize = 5;
    /// Longest name in bytes for which spellings are compared.
    const LONGEST: usize = 256;
    let name = selector
        .split_index()
        .map_or(selector.name.as_str(), |(name, _)| name);
    let comparable = list
        .iter()
        .map(|block| block.name.as_str())
        .filter(|name| name.len() <= LONGEST);
    let spelled = if name.len() <= LONGEST {
        nearest(name, comparable, MOST)
    } else {
        Vec::new()
    };
    let blocks = spelled
        .iter()
        .flat_map(|word| list.iter().filter(|block| block.name == **word));
    let mut addresses: Vec<String> = Vec::new();
    for address in blocks.map(|block| block.address.clone()).chain(others) {
        if addresses.len() < MOST && !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

/// Describes `span` of a block.
pub fn described(reading: &Reading<'_>, block: &Block, span: Span) -> Segment {
    let parent = block.parent.and_then(|at| reading.blocks().list.get(at));
    let around = || {
        reading
            .enclosing(block.open.cover(block.close))
            .map(|around| around.qualified.clone())
    };
    describe(
        reading.document,
        span,
        block.sort.as_str(),
        Name {
            address: Some(block.address.clone()),
            name: &block.name,
            signature: Some(block.open)
                .filter(|open| !open.is_empty() && block.sort != Sort::Scaffold),
            parent: parent.map(|parent| parent.address.clone()).or_else(around),
        },
    )
}
