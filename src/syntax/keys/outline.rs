//! The outline of a configuration file: a symbol for each entry that is written, inside of the one that holds it.
//!
//! Tables that are only implied have no place of their own, so what they hold is in their stead.

use super::{KeySegment, Tree, ValueForm};
use crate::syntax::outline::{Excess, Extent};
use crate::syntax::{Decoration, DecorationKind, Outline, SegmentKind, Symbol};
use crate::text::Span;

/// Returns the outline of `tree`, which a file of this size holds.
pub fn outline(tree: &Tree, size: usize) -> Outline {
    let mut reader = OutlineReader {
        tree,
        left: Extent::of_file(size),
    };
    let mut symbols = Vec::new();
    for &root in &tree.roots {
        let mut address = String::new();
        if let Some(entry) = tree.get(root).filter(|_| tree.roots.len() > 1) {
            entry.step.write_to(&mut address);
        }
        if let Err(excess) = reader.add_inside(root, &address, 0, &mut symbols) {
            return Outline::exceeding(excess);
        }
    }
    Outline {
        symbols,
        sound: false,
        excess: None,
    }
}

struct OutlineReader<'t> {
    tree: &'t Tree,
    left: Extent,
}

impl OutlineReader<'_> {
    /// Adds what `at` holds, whose address is `address` and around which so many segments lie.
    fn add_inside(
        &mut self,
        at: usize,
        address: &str,
        around: usize,
        to: &mut Vec<Symbol>,
    ) -> Result<(), Excess> {
        let tree = self.tree;
        let children = tree.get(at).map_or(&[][..], |entry| &entry.children);
        children
            .iter()
            .try_for_each(|&child| self.add(child, address, around, to))
    }

    fn add(
        &mut self,
        at: usize,
        outer: &str,
        around: usize,
        to: &mut Vec<Symbol>,
    ) -> Result<(), Excess> {
        let tree = self.tree;
        let Some(entry) = tree.get(at) else {
            return Ok(());
        };
        let mut address = outer.to_owned();
        entry.step.write_to(&mut address);
        if matches!(entry.form, ValueForm::Implied | ValueForm::Tables) {
            return self.add_inside(at, &address, around, to);
        }
        // Before what is inside: a name of a megabyte would be written once for each.
        self.left
            .take(around, entry.span.len(), address.len() + outer.len())?;
        let mut children = Vec::new();
        self.add_inside(at, &address, around + 1, &mut children)?;
        let name = match &entry.step {
            KeySegment::Key(key) => key.clone(),
            // Not its number: that changes with what comes and goes before it.
            KeySegment::Item(_) => "[]".to_owned(),
        };
        let comments = entry.comments.iter();
        to.push(Symbol {
            name,
            owner: None,
            address: Some(address),
            names_inside: true,
            parted: false,
            component: false,
            kind: SegmentKind::Key,
            level: 0,
            definition: entry.whole(),
            decorations: comments
                .map(|&span| Decoration {
                    sort: DecorationKind::Comment,
                    span,
                })
                .collect(),
            trailing: None,
            signature: entry.key.unwrap_or(Span::at(entry.span.start)),
            body: Some(entry.value).filter(|value| !value.is_empty()),
            docstring: None,
            children,
        });
        Ok(())
    }
}
