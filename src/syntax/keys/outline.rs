//! The outline of a configuration file: a symbol for each entry that is written, inside of the one that holds it.
//!
//! Tables that are only implied have no place of their own, so what they hold stands in their stead.

use super::{Form, Step, Tree};
use crate::syntax::{Decoration, DecorationSort, Kind, Outline, Symbol};
use crate::text::Span;

/// Returns the outline of `tree`.
pub fn outline(tree: &Tree) -> Outline {
    Outline { symbols: tree.roots.iter().flat_map(|&root| inside(tree, root)).collect(), sound: false }
}

fn inside(tree: &Tree, at: usize) -> Vec<Symbol> {
    let children = tree.get(at).map_or(&[][..], |entry| &entry.children);
    children.iter().flat_map(|&child| symbols(tree, child)).collect()
}

fn symbols(tree: &Tree, at: usize) -> Vec<Symbol> {
    let Some(entry) = tree.get(at) else { return Vec::new() };
    if matches!(entry.form, Form::Implied | Form::Tables) {
        return inside(tree, at);
    }
    let name = match &entry.step {
        Step::Key(key) => key.clone(),
        // Not its number: that changes with what comes and goes ahead of it.
        Step::Item(_) => "[]".to_owned(),
    };
    vec![Symbol {
        name,
        owner: None,
        address: Some(tree.address(at)),
        kind: Kind::Key,
        level: 0,
        definition: entry.span,
        decorations: entry.comments.iter().map(|&span| Decoration { sort: DecorationSort::Comment, span }).collect(),
        trailing: None,
        signature: entry.key.unwrap_or(Span::at(entry.span.start)),
        body: Some(entry.value).filter(|value| !value.is_empty()),
        docstring: None,
        children: inside(tree, at),
    }]
}
