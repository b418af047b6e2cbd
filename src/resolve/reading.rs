//! `Reading`: a file with all that selectors ask of it, each made on first use and kept for the operations that follow.

use std::cell::OnceCell;
use std::sync::Arc;

use super::allowance::Budget;
use super::block::{self, Blocks};
use super::document::Document;
use super::matching::FoldedFile;
use super::named::{Definition, Register};
use super::segment::{self, Segment};
use crate::syntax::Excess;
use crate::syntax::html::Addresses;
use crate::text::Span;

/// A document with its segments named, made once for all operations on it.
pub struct Reading<'d> {
    /// The file.
    pub document: &'d Document,
    register: OnceCell<Arc<Register<'d>>>,
    addresses: OnceCell<Addresses<'d>>,
    blocks: OnceCell<Blocks>,
    pub(super) allowance: Budget,
    pub(super) page: FoldedFile<'d>,
}

impl<'d> Reading<'d> {
    /// Returns the reading of `document`, with an allowance of its own.
    pub fn of(document: &'d Document) -> Reading<'d> {
        Reading::within(document, &Budget::default())
    }

    /// Returns the reading of `document` by one of several that share `allowance`.
    pub fn within(document: &'d Document, allowance: &Budget) -> Reading<'d> {
        Reading {
            document,
            register: OnceCell::new(),
            addresses: OnceCell::new(),
            blocks: OnceCell::new(),
            page: FoldedFile::of(&document.bytes),
            allowance: allowance.clone(),
        }
    }

    /// Returns the reading of `document`, whose segments are named in `register`.
    pub fn registered(document: &'d Document, register: &Arc<Register<'d>>) -> Reading<'d> {
        Reading {
            register: register.clone().into(),
            ..Reading::of(document)
        }
    }

    /// Returns the register of its segments.
    pub fn register(&self) -> &Arc<Register<'d>> {
        self.register
            .get_or_init(|| Arc::new(Register::of(self.document.outline())))
    }

    /// Returns the reading of a part of the document, such as its front matter.
    pub fn of_part<'p>(&self, part: &'p Document) -> Reading<'p> {
        Reading::within(part, &self.allowance)
    }

    /// Returns every segment with its qualified name, in file order, parents ahead of their children.
    pub fn named(&self) -> &[Definition<'d>] {
        self.register().all()
    }

    /// Returns what the elements of a page can be told by.
    pub fn addresses(&self) -> &Addresses<'d> {
        self.addresses
            .get_or_init(|| Addresses::of(self.document.dom(), &self.document.bytes))
    }

    /// Returns the blocks and regions.
    pub fn blocks(&self) -> &Blocks {
        self.blocks.get_or_init(|| block::blocks(self.document))
    }

    /// Returns why segments of the file, or its blocks, are not told although it has some.
    pub fn excess(&self) -> Option<Excess> {
        self.document.outline().excess.or(self.blocks().excess)
    }

    /// Returns what there is to say of blocks that were looked for, in vain or not.
    pub fn asides(&self) -> Vec<String> {
        self.blocks
            .get()
            .map(|blocks| &blocks.asides)
            .into_iter()
            .flatten()
            .map(|aside| aside.text.clone())
            .collect()
    }

    /// Returns the segment around `named`.
    pub fn parent(&self, named: &Definition<'_>) -> Option<&Definition<'d>> {
        self.named().get(named.parent?)
    }

    /// Returns the innermost segment that holds all of `span`.
    pub fn enclosing(&self, span: Span) -> Option<&Definition<'d>> {
        self.named()
            .iter()
            .rfind(|named| named.symbol.whole().contains(span))
    }

    /// Describes `span`, as the segment `named` when it is one.
    pub fn describe(&self, span: Span, named: Option<&Definition<'_>>, kind: &str) -> Segment {
        let document = self.document;
        let around = if let Some(named) = named {
            self.parent(named)
        } else {
            self.enclosing(span)
        };
        let within = named
            .map(Definition::address)
            .or_else(|| around.map(Definition::address));
        segment::describe(
            document,
            span,
            kind,
            segment::Name {
                address: within,
                name: named.map_or("", |named| named.symbol.name.as_str()),
                signature: named.map(|named| named.symbol.signature),
                parent: around.map(|around| around.qualified.clone()),
            },
        )
    }
}
