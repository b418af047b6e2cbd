//! `Losses`: what one file loses inside of its edits, named by what each was.

use super::chained::{self, BoundAlong};
use super::decorators::{self, Decorator};
use super::directives::{self, Directive};
use super::exchange::FileExchanged;
use super::halves::{self, Halves};
use super::heads::{self, LeftOut};
use super::links::{self, LinkDefinition};
use super::members::{self, MissingMembers};
use super::shrink::{self, Shrunk};
use crate::plan::FileEdit;
use crate::resolve::{Definition, Document};
use crate::text::splice::Splices;

/// What went from the segments of a file.
#[derive(Default)]
pub struct Went {
    /// What went and came inside of the edits.
    pub exchange: FileExchanged,
    /// Decorators that went from definitions that stay, and attributes from members that do.
    pub decorators: Vec<Decorator>,
    /// Documentation that went from definitions that stay.
    pub undocumented: Vec<LeftOut>,
    /// What replacements by name leave out of what a type or a value is made of.
    pub missing: Vec<MissingMembers>,
    /// Names that a definition bound along, and that go with it.
    pub bound_along: Vec<BoundAlong>,
}

impl Went {
    /// Compares the segments of a file before and after.
    pub fn between(
        edit: &FileEdit,
        splices: &Splices,
        before: (&Document, &[Definition<'_>]),
        after: (&Document, &[Definition<'_>]),
    ) -> Went {
        let exchange = FileExchanged::between(edit, splices, before, after);
        let renamed = exchange.renamed();
        let undocumented = heads::undocumented(edit, splices, before, after, renamed);
        let mut decorators = decorators::gone(edit, splices, before, after, renamed);
        let (attributes, missing) = members::gone(edit, splices, before, after, renamed);
        decorators.extend(attributes);
        Went {
            exchange,
            decorators,
            undocumented,
            missing,
            bound_along: chained::gone(edit, before, after.0),
        }
    }

    /// Adds what went from a script of the page.
    pub fn add(&mut self, script: Went) {
        self.exchange.add(script.exchange);
        self.decorators.extend(script.decorators);
        self.undocumented.extend(script.undocumented);
        self.missing.extend(script.missing);
        self.bound_along.extend(script.bound_along);
    }
}

/// What one file loses in a step.
#[derive(Clone, Debug)]
pub struct Losses {
    /// Which step of the batch it is.
    pub(super) step: usize,
    pub(super) exchange: FileExchanged,
    pub(super) shrunk: Option<Shrunk>,
    pub(super) decorators: Vec<Decorator>,
    pub(super) directives: Vec<Directive>,
    pub(super) links: Vec<LinkDefinition>,
    pub(super) halves: Vec<Halves>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) missing: Vec<MissingMembers>,
    pub(super) bound_along: Vec<BoundAlong>,
}

impl Losses {
    /// Returns what an edit of a `step` takes from `old`, of whose segments `Went` tells.
    pub fn of(
        step: usize,
        edit: &FileEdit,
        Went {
            exchange,
            decorators,
            undocumented,
            missing,
            bound_along,
        }: Went,
        old: &Document,
        new: &Document,
    ) -> Losses {
        let mut left_out = heads::gone(edit, old, new);
        left_out.extend(undocumented);
        Losses {
            step,
            left_out,
            missing,
            bound_along,
            exchange: exchange.with_blocks(edit, old, new),
            shrunk: shrink::shrunk(edit, old),
            decorators,
            directives: directives::gone(edit, old),
            links: links::gone(edit, old, new),
            halves: halves::gone(edit, old, new),
        }
    }

    /// Returns what is sure where `new` does not parse: what has its header in `old` more often.
    pub fn by_header(mut self, old: &Document, new: &Document) -> Losses {
        self.exchange.keep_headless(&old.bytes, &new.bytes);
        self.decorators.clear();
        self.left_out.clear();
        self.missing.clear();
        self.bound_along.clear();
        self
    }
}
