//! Reads a piece of code that may not stand by itself: a method without its class.
//!
//! The piece is parsed as it is and inside the surroundings that the language's folder lists; the first reading
//! that is free of errors, stays inside its surroundings and defines something is taken. Offsets are then the piece's own again.

use tree_sitter::Tree;

use super::{TreeGrammar, Wrap, walk};
use crate::syntax::{Kind, Outline, Symbol};
use crate::text::Span;

/// A fragment, parsed with what was put around it.
pub(super) struct Reading {
    pub tree: Tree,
    /// The fragment with its surroundings.
    pub source: Vec<u8>,
    /// Where the fragment is in `source`.
    pub inner: Span,
    symbols: Vec<Symbol>,
    wrapped: bool,
}

/// Returns the best reading of `fragment`; `None` when no parse came to an end.
pub(super) fn read(grammar: &TreeGrammar, fragment: &[u8], parent: Option<Kind>) -> Option<Reading> {
    let fits = |wrap: &&Wrap| parent.is_some_and(|parent| wrap.parents.contains(&parent));
    let wraps = grammar.tables.wraps;
    let order =
        wraps.iter().filter(fits).map(Some).chain([None]).chain(wraps.iter().filter(|wrap| !fits(wrap)).map(Some));
    let mut fallback: Option<Reading> = None;
    for wrap in order {
        let Some(reading) = Reading::of(grammar, fragment, wrap) else { continue };
        let sound = reading.is_sound();
        if sound && (!reading.symbols.is_empty() || (wrap.is_none() && parent.is_none())) {
            return Some(reading);
        }
        if fallback.as_ref().is_none_or(|fallback| sound && !fallback.is_sound()) {
            fallback = Some(reading);
        }
    }
    fallback
}

impl Reading {
    fn of(grammar: &TreeGrammar, fragment: &[u8], wrap: Option<&Wrap>) -> Option<Reading> {
        let (before, after) = wrap.map_or(("", ""), |wrap| (wrap.before, wrap.after));
        let source = [before.as_bytes(), fragment, after.as_bytes(), b"\n"].concat();
        let tree = grammar.parse(&source)?;
        let inner = Span::new(before.len(), before.len() + fragment.len());
        let symbols = walk::symbols(grammar.compiled(), &tree, &source);
        let symbols = if wrap.is_some() { unwrapped(symbols, inner) } else { symbols };
        Some(Reading { tree, source, inner, symbols, wrapped: wrap.is_some() })
    }

    /// Says whether it parses, with one thing at the top if it was wrapped: `} class Y {` does not break out.
    fn is_sound(&self) -> bool {
        let root = self.tree.root_node();
        let contained = root
            .named_child(0)
            .is_some_and(|only| only.start_byte() < self.inner.start && self.inner.end < only.end_byte());
        !root.has_error() && (!self.wrapped || contained)
    }

    /// Returns the symbols, with spans into the fragment.
    pub fn into_outline(self) -> Outline {
        let mut symbols = self.symbols;
        shift(&mut symbols, self.inner.start);
        Outline { symbols }
    }
}

/// Returns what is defined inside the surroundings; an owner that they gave is not the fragment's.
fn unwrapped(symbols: Vec<Symbol>, inner: Span) -> Vec<Symbol> {
    let around = |symbol: &Symbol| symbol.definition.start < inner.start;
    let members = symbols.into_iter().flat_map(|symbol| if around(&symbol) { symbol.children } else { vec![symbol] });
    members.filter(|member| inner.contains(member.whole())).map(|member| Symbol { owner: None, ..member }).collect()
}

/// Moves every span `by` bytes towards the start. The nesting is bounded by the walk that made the symbols.
fn shift(symbols: &mut [Symbol], by: usize) {
    let back = |span: Span| Span::new(span.start.saturating_sub(by), span.end.saturating_sub(by));
    for symbol in symbols {
        symbol.definition = back(symbol.definition);
        symbol.signature = back(symbol.signature);
        symbol.body = symbol.body.map(back);
        symbol.docstring = symbol.docstring.map(back);
        symbol.trailing = symbol.trailing.map(back);
        for decoration in &mut symbol.decorations {
            decoration.span = back(decoration.span);
        }
        shift(&mut symbol.children, by);
    }
}
