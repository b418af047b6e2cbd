//! Reads a piece of code that may not stand by itself: a method without its class.
//!
//! The piece is parsed as it is and inside the surroundings that the language's folder lists; the first reading
//! that is free of errors, stays inside its surroundings and defines something is taken. Offsets are then the piece's own again.

use super::reading::FragmentReading;
use super::{TreeGrammar, Wrap, elements, errors, lines, statements, walk};
use crate::syntax::{Outline, SegmentKind, Statement, Symbol};
use crate::text::Span;

/// Returns what `fragment` defines as a piece of a segment of kind `parent`. The surroundings of that kind are
/// tried first (`x = 1` is a field there, and a mere statement elsewhere).
pub(super) fn outline(
    grammar: &TreeGrammar,
    fragment: &[u8],
    parent: Option<SegmentKind>,
) -> Outline {
    let fits = |wrap: &&Wrap| parent.is_some_and(|parent| wrap.parents.contains(&parent));
    let wraps = grammar.tables.wraps;
    // Where no surroundings fit the parent, a fragment that parses by itself is taken as it is, though it defines nothing.
    let is_plain = !wraps.iter().any(|wrap| fits(&wrap));
    let fitting = wraps.iter().filter(fits).map(Some);
    let others = wraps.iter().filter(|wrap| !fits(wrap)).map(Some);
    let mut fallback: Option<(bool, Vec<Symbol>)> = None;
    for wrap in fitting.chain([None]).chain(others) {
        let Some(reading) = FragmentReading::of(grammar, fragment, wrap) else {
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
pub(super) fn read(grammar: &TreeGrammar, fragment: &[u8]) -> Option<FragmentReading> {
    let plain = FragmentReading::of(grammar, fragment, None)?;
    if plain.is_sound() {
        return Some(plain);
    }
    let wrapped = grammar
        .tables
        .wraps
        .iter()
        .filter_map(|wrap| FragmentReading::of(grammar, fragment, Some(wrap)));
    wrapped
        .into_iter()
        .find(FragmentReading::is_sound)
        .or(Some(plain))
}

/// Returns the statements of a file, or of what is in a segment of kind `parent`; `None` where that does not parse.
pub(super) fn statements(
    grammar: &TreeGrammar,
    source: &[u8],
    parent: Option<SegmentKind>,
) -> Option<Vec<Statement>> {
    let compiled = grammar.compiled()?;
    if parent.is_none() && grammar.tables.preamble.is_empty() {
        let tree = grammar.parse(source)?;
        return errors::find_errors(&tree, source)
            .is_empty()
            .then(|| statements::find_statements(compiled, &tree, source));
    }
    let reading = reading_inside(grammar, source, parent)?;
    let found = statements::find_statements(compiled, &reading.tree, &reading.source);
    let inside = found
        .into_iter()
        .filter(|statement| reading.inner.contains(statement.span));
    let inside: Vec<Statement> = inside.collect();
    // The member that the last one is a prefix of is not here.
    let text = |span: Span| reading.source.get(span.start..span.end).unwrap_or_default();
    let is_cut = |last: &Statement| {
        let after = text(Span::new(last.span.end, reading.inner.end));
        compiled.is_prefix(text(last.span)) && !after.contains(&b';')
    };
    if inside.last().is_some_and(is_cut) {
        return None;
    }
    let start = reading.inner.start;
    let moved = |statement: Statement| statement.moved(|offset| offset.saturating_sub(start));
    Some(inside.into_iter().map(moved).collect())
}

/// Returns the elements of a file, or of what is in a segment of kind `parent`; none where that does not parse.
pub(super) fn elements(
    grammar: &TreeGrammar,
    source: &[u8],
    parent: Option<SegmentKind>,
) -> Vec<Span> {
    let Some(compiled) = grammar.compiled() else {
        return Vec::new();
    };
    if parent.is_none() && grammar.tables.preamble.is_empty() {
        let tree = grammar.parse(source);
        return tree
            .map(|tree| elements::find_elements(compiled, &tree, source))
            .unwrap_or_default();
    }
    let Some(reading) = reading_inside(grammar, source, parent) else {
        return Vec::new();
    };
    let found = elements::find_elements(compiled, &reading.tree, &reading.source);
    inside(&reading, found)
}

/// Returns the comments of what is in a segment of kind `parent`, or else of a file or a piece of one; `None` where that does not parse.
pub(super) fn comments(
    grammar: &TreeGrammar,
    source: &[u8],
    parent: Option<SegmentKind>,
) -> Option<Vec<Span>> {
    if parent.is_none() && grammar.tables.preamble.is_empty() {
        return None;
    }
    let reading = reading_inside(grammar, source, parent)?;
    let found = lines::comments(grammar.compiled()?, &reading.tree, &reading.source);
    Some(inside(&reading, found))
}

/// Returns the spans that are in the fragment, where they are in it.
fn inside(reading: &FragmentReading, found: Vec<Span>) -> Vec<Span> {
    let start = reading.inner.start;
    found
        .into_iter()
        .filter(|span| reading.inner.contains(*span))
        .map(|span| Span::new(span.start - start, span.end - start))
        .collect()
}

/// Returns the first reading without errors of what is in a segment of kind `parent`, or else of a file.
fn reading_inside(
    grammar: &TreeGrammar,
    source: &[u8],
    parent: Option<SegmentKind>,
) -> Option<FragmentReading> {
    let Some(parent) = parent else {
        return FragmentReading::of(grammar, source, None).filter(FragmentReading::is_sound);
    };
    let wraps = grammar.tables.wraps.iter();
    let mut readings = wraps
        .filter(|wrap| wrap.parents.contains(&parent))
        .filter_map(|wrap| FragmentReading::of(grammar, source, Some(wrap)));
    readings.find(FragmentReading::is_sound)
}

/// Returns where the last statement of `fragment` lacks the `;` that it may end without.
pub(super) fn unterminated(
    grammar: &TreeGrammar,
    fragment: &[u8],
    parent: Option<SegmentKind>,
) -> Option<usize> {
    let compiled = grammar.compiled()?;
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
    let mut readings = wraps.filter_map(|wrap| FragmentReading::of(grammar, fragment, wrap));
    let reading = readings.find(FragmentReading::is_sound)?;
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
