//! `FragmentReading`: a piece of code, parsed with what was put around it, its offsets its own again.

use tree_sitter::{Node, Tree};

use super::{TreeGrammar, Wrap, walk};
use crate::syntax::Symbol;
use crate::text::Span;

/// A fragment, parsed with what was put around it.
pub(super) struct FragmentReading {
    pub tree: Tree,
    /// The fragment with its surroundings.
    pub source: Vec<u8>,
    /// Where the fragment is in `source`.
    pub inner: Span,
    pub(super) wrapped: bool,
}

impl FragmentReading {
    pub(super) fn of(
        grammar: &TreeGrammar,
        fragment: &[u8],
        wrap: Option<&Wrap>,
    ) -> Option<FragmentReading> {
        let (before, after) = wrap.map_or(("", ""), |wrap| (wrap.before, wrap.after));
        let preamble = grammar.tables.preamble.as_bytes();
        let is_file = fragment.trim_ascii_start().first() == preamble.first();
        let preamble = if is_file { &[][..] } else { preamble };
        let source = [
            preamble,
            before.as_bytes(),
            fragment,
            after.as_bytes(),
            b"\n",
        ]
        .concat();
        let tree = grammar.parse(&source)?;
        let start = preamble.len() + before.len();
        let inner = Span::new(start, start + fragment.len());
        Some(FragmentReading {
            tree,
            source,
            inner,
            wrapped: wrap.is_some(),
        })
    }

    /// Says whether it parses, in one thing at the top if it was wrapped: `} class Y {` does not break out.
    pub(super) fn is_sound(&self) -> bool {
        let root = self.tree.root_node();
        let around =
            |it: Node<'_>| it.start_byte() < self.inner.start && self.inner.end < it.end_byte();
        // What a file of the language begins with may come first.
        let is_around = || (0..2).filter_map(|at| root.named_child(at)).any(around);
        !root.has_error() && (!self.wrapped || is_around())
    }

    /// Returns the symbols, with spans into the fragment.
    pub(super) fn symbols(&self, grammar: &TreeGrammar) -> Vec<Symbol> {
        let symbols = grammar
            .compiled()
            .and_then(|compiled| walk::symbols(compiled, &self.tree, &self.source).ok())
            .unwrap_or_default();
        let mut symbols = if self.wrapped {
            unwrapped(symbols, self.inner)
        } else {
            symbols
        };
        shift(&mut symbols, self.inner);
        symbols
    }
}

/// Returns what is defined inside the surroundings; an owner that they gave is not the fragment's.
fn unwrapped(symbols: Vec<Symbol>, inner: Span) -> Vec<Symbol> {
    let around = |symbol: &Symbol| symbol.definition.start < inner.start;
    let members = symbols.into_iter().flat_map(|symbol| {
        if around(&symbol) {
            symbol.children
        } else {
            vec![symbol]
        }
    });
    members
        .filter(|member| inner.contains(member.whole()))
        .map(|member| Symbol {
            owner: None,
            ..member
        })
        .collect()
}

/// Makes offsets into `inner` those of every span. What does not parse may reach into the line ending after it. The nesting
/// is bounded by the walk that made the symbols.
fn shift(symbols: &mut [Symbol], inner: Span) {
    let back = |offset: usize| offset.min(inner.end).saturating_sub(inner.start);
    let back = |span: Span| Span::new(back(span.start), back(span.end));
    for symbol in symbols {
        symbol.definition = back(symbol.definition);
        symbol.signature = back(symbol.signature);
        symbol.body = symbol.body.map(back);
        symbol.docstring = symbol.docstring.map(back);
        symbol.trailing = symbol.trailing.map(back);
        for decoration in &mut symbol.decorations {
            decoration.span = back(decoration.span);
        }
        shift(&mut symbol.children, inner);
    }
}
