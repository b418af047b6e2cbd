//! Reads the touched definitions again, each by itself, and puts them in their places.

use super::rebuild::{Rebuild, RereadDefinition};
use super::touched::{TouchedDefinition, is_definition, start_of, touched_definitions};
use crate::parallel;
use crate::syntax::python::comments::trailing;
use crate::syntax::python::fragment::{HEADER, body_under_header};
use crate::syntax::python::outline::{self, StatementScope};
use crate::syntax::python::source::SourceText;
use crate::syntax::python::spans::{each_span, unwrap_spans};
use crate::syntax::python::{NEWEST_MINOR, errors, module};
use crate::syntax::{Outline, Symbol};
use crate::text::Span;
use crate::text::splice::Splices;

/// More blanks than that before a line may be more levels than Python has.
const DEEPEST: usize = 90;

/// Returns the outline of `new`, which `splices` made of `old`, a file without errors whose outline is `known`, if all that
/// has to be read again is some definitions, and they have no errors; else `None`.
pub(crate) fn reread<'o>(
    old: &[u8],
    known: &'o Outline,
    new: &[u8],
    splices: &Splices,
) -> Option<Outline> {
    let regions = touched_definitions(old, known, splices)?;
    let moves = splices.moves();
    let read = |region: TouchedDefinition<'o>| {
        let (start, end) = (
            moves.before(region.lines.start),
            moves.before(region.lines.end),
        );
        let lines = new.get(start..end)?;
        // Or else the next line would be a part of the last.
        if lines.ends_with(b"\n") != region.lines.of(old).ends_with(b"\n") {
            return None;
        }
        let mut symbol = read_definition(lines, start, &region, known_header(old, &region))?;
        add_trailing_comments(&mut symbol, new);
        Some(RereadDefinition {
            lines: region.lines,
            old: region.symbol,
            start: start + region.indent,
            symbol,
        })
    };
    let replaced: Option<Vec<_>> = parallel::map(regions, read).into_iter().collect();
    let rebuild = Rebuild {
        moves,
        replaced: replaced?,
    };
    let symbols: Option<Vec<Symbol>> = known
        .symbols
        .iter()
        .map(|symbol| rebuild.symbol(symbol))
        .collect();
    Some(Outline {
        symbols: symbols?,
        sound: true,
        excess: None,
    })
}

/// Returns the header as it was, decorators included.
fn known_header<'b>(old: &'b [u8], region: &TouchedDefinition<'_>) -> &'b [u8] {
    let symbol = region.symbol;
    old.get(start_of(symbol)..symbol.signature.end.max(start_of(symbol)))
        .unwrap_or_default()
}

/// Reads the new lines of a definition, which begin at `start` of the new file; `None` when they are not one definition
/// of the same name and kind in the same place, without errors.
fn read_definition(
    lines: &[u8],
    start: usize,
    region: &TouchedDefinition<'_>,
    header: &[u8],
) -> Option<Symbol> {
    let blanks = lines.get(..region.indent)?;
    if !blanks.iter().all(|byte| matches!(byte, b' ' | b'\t')) || !can_be_read_alone(lines) {
        return None;
    }
    let wrapped = if region.indent > 0 {
        [HEADER, lines].concat()
    } else {
        lines.to_vec()
    };
    let header_length = wrapped.len() - lines.len();
    let text = std::str::from_utf8(&wrapped).ok()?;
    let scope = if region.in_class {
        StatementScope::Class
    } else {
        StatementScope::Module
    };
    let read = |module: &ruff_python_parser::Parsed<ruff_python_ast::ModModule>| {
        let sound = module.has_valid_syntax()
            && errors::errors_in_module(text, module, NEWEST_MINOR).is_empty();
        let alone = is_alone(&module.syntax().body, header_length > 0);
        (sound && alone).then(|| outline::outline(&SourceText::of(&wrapped), module, scope))
    };
    let outline = module::parsed(text, NEWEST_MINOR, read).ok()??;
    let [mut symbol] = <[Symbol; 1]>::try_from(outline.symbols).ok()?;
    let old = region.symbol;
    if symbol.name != old.name
        || symbol.kind != old.kind
        || start_of(&symbol) != header_length + region.indent
    {
        return None;
    }
    let new_header = wrapped.get(start_of(&symbol)..symbol.signature.end.max(start_of(&symbol)))?;
    // A walrus is nowhere refused but in what a class body itself evaluates.
    let has_walrus = memchr::memmem::find(new_header, b":=").is_some();
    if region.has_globals && new_header != header || region.in_class && has_walrus {
        return None;
    }
    unwrap_spans(&mut symbol, header_length);
    shift_spans(&mut symbol, start);
    Some(symbol)
}

/// Says whether the lines of a definition mean by themselves what they mean in their file.
fn can_be_read_alone(lines: &[u8]) -> bool {
    let last = lines
        .strip_suffix(b"\n")
        .unwrap_or(lines)
        .rsplit(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    // What comes after them would belong to the last one, or that to what comes after them.
    let ends_with_code =
        !last.trim_ascii().is_empty() && !last.trim_ascii_start().starts_with(b"#");

    ends_with_code
        && !last.ends_with(b"\\")
        && !lines.iter().any(|byte| matches!(byte, 0x0c | b'\r'))
        && !lines.split(|&byte| byte == b'\n').any(is_too_deep)
        && memchr::memmem::find(lines, b"from __future__").is_none()
}

fn is_too_deep(line: &[u8]) -> bool {
    let blanks = line
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    blanks > DEEPEST
}

/// Says whether a module, or the block in it, is one definition and nothing else.
fn is_alone(body: &[ruff_python_ast::Stmt], is_wrapped: bool) -> bool {
    use ruff_python_ast::Stmt;
    matches!(
        body_under_header(body, is_wrapped),
        Some([Stmt::FunctionDef(_) | Stmt::ClassDef(_)])
    )
}

/// Gives a definition, and those that end where it ends, the comments after it: where a statement has ended, what
/// begins with `#` is one.
fn add_trailing_comments(symbol: &mut Symbol, new: &[u8]) {
    let comment = |first, end| {
        new.get(first..end)?
            .starts_with(b"#")
            .then(|| Span::new(first, end))
    };
    symbol.trailing = trailing(new, symbol.definition.start, symbol.definition.end, comment);
    let end = symbol.definition.end;
    let last = symbol.children.last_mut();
    if let Some(last) = last.filter(|last| is_definition(last) && last.definition.end == end) {
        add_trailing_comments(last, new);
    }
}

fn shift_spans(symbol: &mut Symbol, by: usize) {
    each_span(symbol, &mut |span| *span = span.shifted(by));
}
