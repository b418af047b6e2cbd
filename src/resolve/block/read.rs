//! Reading: every block of a file, whatever set it apart.

use std::collections::BTreeMap;

use super::model::{Aside, Block, BlockKind, Blocks, block};
use crate::manifest::address::block_address;
use crate::resolve::document::Document;
use crate::resolve::scaffold;
use crate::syntax::outline::Extent;
use crate::syntax::{Excess, jinja, regions};
use crate::text::is_binary;

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
        let mut around: BTreeMap<BlockKind, Vec<(usize, usize)>> = BTreeMap::new();
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
            .map(|found| block(found.name, BlockKind::Template, found.open, found.close))
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
        .map(|found| block(found.name, BlockKind::Region, found.open, found.close))
        .collect()
}
