//! `TouchedDefinition`: the lines of a definition that an edit touches, and no other line is touched.

use crate::syntax::python::source::indentation;
use crate::syntax::{Outline, SegmentKind, Symbol};
use crate::text::Span;
use crate::text::splice::Splices;

/// The lines of a definition that splices touch, and no other line is touched.
pub(super) struct TouchedDefinition<'o> {
    pub(super) symbol: &'o Symbol,
    pub(super) in_class: bool,
    /// Whole lines, from that of the first decorator or the header.
    pub(super) lines: Span,
    /// Blanks before the first.
    pub(super) indent: usize,
    /// Whether a changed header could be at odds with a statement elsewhere.
    pub(super) has_globals: bool,
}

/// Returns the innermost definitions, outside of functions, that hold all splices; sorted, disjoint.
pub(super) fn touched_definitions<'o>(
    old: &[u8],
    known: &'o Outline,
    splices: &Splices,
) -> Option<Vec<TouchedDefinition<'o>>> {
    let has_globals = memchr::memmem::find(old, b"global").is_some();
    let mut regions: Vec<TouchedDefinition<'o>> = Vec::new();
    for splice in splices.iter() {
        if regions
            .last()
            .is_some_and(|last| is_edit_of(last.lines, splice.span))
        {
            continue;
        }
        let region = definition_around(old, &known.symbols, splice.span, has_globals)?;
        // An edit of a class's own lines comes after one of a method of it: then the class is read as a whole.
        while regions
            .pop_if(|last| span_within(region.lines, last.lines))
            .is_some()
        {}
        if regions
            .last()
            .is_some_and(|last| last.lines.end > region.lines.start)
        {
            return None;
        }
        regions.push(region);
    }
    Some(regions)
}

fn span_within(lines: Span, span: Span) -> bool {
    lines.start <= span.start && span.end <= lines.end
}

/// Says whether an edit of `span` is one of these lines. What begins at their very end would join the next.
fn is_edit_of(lines: Span, span: Span) -> bool {
    span_within(lines, span) && !(span.is_empty() && span.start == lines.end)
}

/// Returns the innermost definition whose lines hold `span`.
fn definition_around<'o>(
    old: &[u8],
    symbols: &'o [Symbol],
    span: Span,
    has_globals: bool,
) -> Option<TouchedDefinition<'o>> {
    let mut found = None;
    let (mut symbols, mut in_class) = (symbols, false);
    // Whole lines begin before the statement.
    let (_, first) = indentation(old, span.start);
    loop {
        // In file order, though a variable may be on the line of another.
        let after = symbols.partition_point(|symbol| start_of(symbol) <= first);
        let Some(symbol) = symbols[..after]
            .last()
            .filter(|symbol| is_definition(symbol))
        else {
            return found;
        };
        let Some((lines, indent)) = lines_of(old, symbol) else {
            return found;
        };
        if !is_edit_of(lines, span) || (span.is_empty() && span.start <= lines.start + indent) {
            return found;
        }
        found = Some(TouchedDefinition {
            symbol,
            in_class,
            lines,
            indent,
            has_globals,
        });
        if symbol.kind != SegmentKind::Class {
            return found;
        }
        (symbols, in_class) = (&symbol.children, true);
    }
}

pub(super) fn is_definition(symbol: &Symbol) -> bool {
    matches!(
        symbol.kind,
        SegmentKind::Function | SegmentKind::Method | SegmentKind::Class
    )
}

/// Returns where the statement begins: with its first decorator, else with its header.
pub(super) fn start_of(symbol: &Symbol) -> usize {
    use crate::syntax::DecorationKind::Decorator;
    let first = symbol
        .decorations
        .iter()
        .find(|decoration| decoration.sort == Decorator);
    first.map_or(symbol.definition.start, |first| first.span.start)
}

/// Returns the lines of a definition and how many blanks are before the first; `None` when it shares a line with
/// something else, or at the head of the file, where comments mean more.
fn lines_of(old: &[u8], symbol: &Symbol) -> Option<(Span, usize)> {
    let statement = start_of(symbol);
    let start = old
        .get(..statement)?
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let blanks = old.get(start..statement)?;
    let head = old
        .get(..start)?
        .iter()
        .filter(|&&byte| byte == b'\n')
        .take(2)
        .count();
    if head < 2 || !blanks.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
        return None;
    }
    let rest = old.get(symbol.definition.end..)?;
    let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
    let tail = rest.get(..length)?.trim_ascii();
    let alone = tail.is_empty() || tail.starts_with(b"#");
    alone.then_some((
        Span::new(start, symbol.definition.end + length),
        blanks.len(),
    ))
}
