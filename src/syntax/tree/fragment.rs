//! Reads a piece of code that may not stand by itself: a method without its class.
//!
//! The piece is parsed as it is and inside the surroundings that the language's folder lists; the first reading
//! that is free of errors, stays inside its surroundings and defines something is taken. Offsets are then the piece's own again.

use tree_sitter::{Node, Tree};

use super::{TreeGrammar, Wrap, elements, errors, statements, walk};
use crate::syntax::{Kind, Outline, Statement, Symbol};
use crate::text::Span;

/// A fragment, parsed with what was put around it.
pub(super) struct Reading {
    pub tree: Tree,
    /// The fragment with its surroundings.
    pub source: Vec<u8>,
    /// Where the fragment is in `source`.
    pub inner: Span,
    wrapped: bool,
}

/// Returns what `fragment` defines as a piece of a segment of kind `parent`. The surroundings of that kind are
/// tried first (`x = 1` is a field there, and a mere statement elsewhere).
pub(super) fn outline(grammar: &TreeGrammar, fragment: &[u8], parent: Option<Kind>) -> Outline {
    let fits = |wrap: &&Wrap| parent.is_some_and(|parent| wrap.parents.contains(&parent));
    let wraps = grammar.tables.wraps;
    // Where no surroundings fit the parent, a fragment that parses by itself is taken as it is, though it defines nothing.
    let is_plain = !wraps.iter().any(|wrap| fits(&wrap));
    let fitting = wraps.iter().filter(fits).map(Some);
    let others = wraps.iter().filter(|wrap| !fits(wrap)).map(Some);
    let mut fallback: Option<(bool, Vec<Symbol>)> = None;
    for wrap in fitting.chain([None]).chain(others) {
        let Some(reading) = Reading::of(grammar, fragment, wrap) else {
            continue;
        };
        let (sound, symbols) = (reading.is_sound(), reading.symbols(grammar));
        if sound && (!symbols.is_empty() || (wrap.is_none() && is_plain)) {
            return Outline {
                symbols,
                sound: false,
                excess: None,
            };
        }
        if fallback
            .as_ref()
            .is_none_or(|&(fallback_sound, _)| sound && !fallback_sound)
        {
            fallback = Some((sound, symbols));
        }
    }
    fallback
        .map(|(_, symbols)| Outline {
            symbols,
            sound: false,
            excess: None,
        })
        .unwrap_or_default()
}

/// Returns the first reading without errors: as it is, else in one of the surroundings; else as it is.
pub(super) fn read(grammar: &TreeGrammar, fragment: &[u8]) -> Option<Reading> {
    let plain = Reading::of(grammar, fragment, None)?;
    if plain.is_sound() {
        return Some(plain);
    }
    let wrapped = grammar
        .tables
        .wraps
        .iter()
        .filter_map(|wrap| Reading::of(grammar, fragment, Some(wrap)));
    wrapped.into_iter().find(Reading::is_sound).or(Some(plain))
}

/// Returns the statements of a file, or of what stands in a segment of kind `parent`; `None` where that does not parse.
pub(super) fn statements(
    grammar: &TreeGrammar,
    source: &[u8],
    parent: Option<Kind>,
) -> Option<Vec<Statement>> {
    let Some(parent) = parent else {
        let tree = grammar.parse(source)?;
        return errors::of(&tree, source)
            .is_empty()
            .then(|| statements::of(grammar.compiled(), &tree, source));
    };
    let wraps = grammar
        .tables
        .wraps
        .iter()
        .filter(|wrap| wrap.parents.contains(&parent));
    let mut readings = wraps.filter_map(|wrap| Reading::of(grammar, source, Some(wrap)));
    let reading = readings.find(Reading::is_sound)?;
    let found = statements::of(grammar.compiled(), &reading.tree, &reading.source);
    let inside = found
        .into_iter()
        .filter(|statement| reading.inner.contains(statement.span));
    let inside: Vec<Statement> = inside.collect();
    // The member that the last one is a prefix of is not here.
    let text = |span: Span| reading.source.get(span.start..span.end).unwrap_or_default();
    let is_cut = |last: &Statement| {
        let behind = text(Span::new(last.span.end, reading.inner.end));
        grammar.compiled().is_prefix(text(last.span)) && !behind.contains(&b';')
    };
    if inside.last().is_some_and(is_cut) {
        return None;
    }
    let start = reading.inner.start;
    let moved = |statement: Statement| statement.moved(|offset| offset.saturating_sub(start));
    Some(inside.into_iter().map(moved).collect())
}

/// Returns the elements of a file, or of what stands in a segment of kind `parent`; none where that does not parse.
pub(super) fn elements(grammar: &TreeGrammar, source: &[u8], parent: Option<Kind>) -> Vec<Span> {
    let Some(parent) = parent else {
        let tree = grammar.parse(source);
        return tree
            .map(|tree| elements::of(grammar.compiled(), &tree, source))
            .unwrap_or_default();
    };
    let wraps = grammar
        .tables
        .wraps
        .iter()
        .filter(|wrap| wrap.parents.contains(&parent));
    let mut readings = wraps.filter_map(|wrap| Reading::of(grammar, source, Some(wrap)));
    let Some(reading) = readings.find(Reading::is_sound) else {
        return Vec::new();
    };
    let found = elements::of(grammar.compiled(), &reading.tree, &reading.source);
    let inside = found
        .into_iter()
        .filter(|element| reading.inner.contains(*element));
    let start = reading.inner.start;
    inside
        .map(|element| Span::new(element.start - start, element.end - start))
        .collect()
}

/// Returns where the last statement of `fragment` lacks the `;` that it may end without.
pub(super) fn unterminated(
    grammar: &TreeGrammar,
    fragment: &[u8],
    parent: Option<Kind>,
) -> Option<usize> {
    let compiled = grammar.compiled();
    if !compiled.ends_freely() {
        return None;
    }
    let fits = |wrap: &&Wrap| parent.is_some_and(|parent| wrap.parents.contains(&parent));
    let wraps = grammar
        .tables
        .wraps
        .iter()
        .filter(fits)
        .map(Some)
        .chain([None]);
    let mut readings = wraps.filter_map(|wrap| Reading::of(grammar, fragment, wrap));
    let reading = readings.find(Reading::is_sound)?;
    let mut cursor = reading.tree.walk();
    if reading.wrapped {
        // Into the class, and into its braces.
        let went = cursor.goto_first_child() && cursor.goto_last_child();
        let outside =
            !went || cursor.node().end_byte() < reading.inner.end || !cursor.goto_last_child();
        if outside || !cursor.goto_previous_sibling() {
            return None;
        }
    } else if !cursor.goto_last_child() {
        return None;
    }
    while compiled.traits(cursor.node()).comment {
        if !cursor.goto_previous_sibling() {
            return None;
        }
    }
    let mut last = cursor.node();
    while compiled.traits(last).wrapper && !compiled.is_terminated(last) {
        let inner = u32::try_from(last.named_child_count().checked_sub(1)?).ok()?;
        last = last
            .child_by_field_name("declaration")
            .or_else(|| last.named_child(inner))?;
    }
    let (end, terminator) = walk::last_token(compiled, last);
    let lacks = compiled.is_terminated(last) && terminator.is_none();
    (lacks && reading.inner.contains(last.byte_range().into())).then(|| end - reading.inner.start)
}

impl Reading {
    fn of(grammar: &TreeGrammar, fragment: &[u8], wrap: Option<&Wrap>) -> Option<Reading> {
        let (before, after) = wrap.map_or(("", ""), |wrap| (wrap.before, wrap.after));
        let source = [before.as_bytes(), fragment, after.as_bytes(), b"\n"].concat();
        let tree = grammar.parse(&source)?;
        let inner = Span::new(before.len(), before.len() + fragment.len());
        Some(Reading {
            tree,
            source,
            inner,
            wrapped: wrap.is_some(),
        })
    }

    /// Says whether it parses, with one thing at the top if it was wrapped: `} class Y {` does not break out.
    fn is_sound(&self) -> bool {
        let root = self.tree.root_node();
        let around = |only: Node<'_>| {
            only.start_byte() < self.inner.start && self.inner.end < only.end_byte()
        };
        !root.has_error() && (!self.wrapped || root.named_child(0).is_some_and(around))
    }

    /// Returns the symbols, with spans into the fragment.
    fn symbols(&self, grammar: &TreeGrammar) -> Vec<Symbol> {
        let symbols =
            walk::symbols(grammar.compiled(), &self.tree, &self.source).unwrap_or_default();
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

/// Makes offsets into `inner` those of every span. What does not parse may reach into the line ending behind it. The nesting
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
