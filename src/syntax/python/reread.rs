//! Reading again only what an edit touched: the functions, methods and classes around the splices, each by itself.
//!
//! Why that is enough. Where a file parses, what stands between two of its statements is known: no bracket and no string
//! is open, and the lines of a block are indented alike. So when the lines of one definition become the lines of one
//! definition of the same name, indented as before, the parser meets everything else as it met it before. Scopes are
//! closed likewise: what a definition in a module or a class does with names outside of it is bound by nothing but its
//! own name and what its header reads.
//!
//! Whatever is not plainly so (another definition around it, comments at its edges, a header that changed in a file with
//! `global` statements, an error of any kind) has the whole file read.

use crate::parallel;
use crate::syntax::{Decoration, Kind, Outline, Symbol};
use crate::text::Span;
use crate::text::splice::{Moves, Splices};

use super::comments::trailing;
use super::source::{Text, indentation};
use super::{HEADER, NEWEST_MINOR, Scope, each_span, errors, module, outline, unwrap_spans};

/// More blanks than that ahead of a line may be more levels than Python has.
const DEEPEST: usize = 90;

/// Returns the outline of `new`, which `splices` made of `old`, a file without errors whose outline is `known`, if all that
/// has to be read again is some definitions, and they have no errors; else `None`.
pub fn reread<'o>(
    old: &[u8],
    known: &'o Outline,
    new: &[u8],
    splices: &Splices,
) -> Option<Outline> {
    let regions = regions(old, known, splices)?;
    let moves = splices.moves();
    let read = |region: Region<'o>| {
        let (start, end) = (
            moves.ahead(region.lines.start),
            moves.ahead(region.lines.end),
        );
        let lines = new.get(start..end)?;
        // Or else the next line would be a part of the last.
        if lines.ends_with(b"\n") != region.lines.of(old).ends_with(b"\n") {
            return None;
        }
        let mut symbol = definition(lines, start, &region, known_header(old, &region))?;
        trail(&mut symbol, new);
        Some(Replaced {
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

/// The lines of a definition that splices touch, and no other line is touched.
struct Region<'o> {
    symbol: &'o Symbol,
    in_class: bool,
    /// Whole lines, from that of the first decorator or the header.
    lines: Span,
    /// Blanks ahead of the first.
    indent: usize,
    /// Whether a changed header could be at odds with a statement elsewhere.
    has_globals: bool,
}

/// Returns the innermost definitions, outside of functions, that hold all splices; sorted, disjoint.
fn regions<'o>(old: &[u8], known: &'o Outline, splices: &Splices) -> Option<Vec<Region<'o>>> {
    let has_globals = memchr::memmem::find(old, b"global").is_some();
    let mut regions: Vec<Region<'o>> = Vec::new();
    for splice in splices.iter() {
        if regions
            .last()
            .is_some_and(|last| takes(last.lines, splice.span))
        {
            continue;
        }
        let region = around(old, &known.symbols, splice.span, has_globals)?;
        // An edit of a class's own lines comes after one of a method of it: then the class is read as a whole.
        while regions
            .pop_if(|last| holds(region.lines, last.lines))
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

fn holds(lines: Span, span: Span) -> bool {
    lines.start <= span.start && span.end <= lines.end
}

/// Says whether an edit of `span` is one of these lines. What begins at their very end would join the next.
fn takes(lines: Span, span: Span) -> bool {
    holds(lines, span) && !(span.is_empty() && span.start == lines.end)
}

/// Returns the innermost definition whose lines hold `span`.
fn around<'o>(
    old: &[u8],
    symbols: &'o [Symbol],
    span: Span,
    has_globals: bool,
) -> Option<Region<'o>> {
    let mut found = None;
    let (mut symbols, mut in_class) = (symbols, false);
    // Whole lines begin ahead of the statement.
    let (_, first) = indentation(old, span.start);
    loop {
        // In file order, though a variable may stand on the line of another.
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
        if !takes(lines, span) || (span.is_empty() && span.start <= lines.start + indent) {
            return found;
        }
        found = Some(Region {
            symbol,
            in_class,
            lines,
            indent,
            has_globals,
        });
        if symbol.kind != Kind::Class {
            return found;
        }
        (symbols, in_class) = (&symbol.children, true);
    }
}

fn is_definition(symbol: &Symbol) -> bool {
    matches!(symbol.kind, Kind::Function | Kind::Method | Kind::Class)
}

/// Returns where the statement begins: with its first decorator, else with its header.
fn start_of(symbol: &Symbol) -> usize {
    use crate::syntax::DecorationSort::Decorator;
    let first = symbol
        .decorations
        .iter()
        .find(|decoration| decoration.sort == Decorator);
    first.map_or(symbol.definition.start, |first| first.span.start)
}

/// Returns the lines of a definition and how many blanks are ahead of the first; `None` when it shares a line with
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

/// Returns the header as it was, decorators included.
fn known_header<'b>(old: &'b [u8], region: &Region<'_>) -> &'b [u8] {
    let symbol = region.symbol;
    old.get(start_of(symbol)..symbol.signature.end.max(start_of(symbol)))
        .unwrap_or_default()
}

/// Reads the new lines of a definition, which begin at `start` of the new file; `None` when they are not one definition
/// of the same name and kind in the same place, without errors.
fn definition(lines: &[u8], start: usize, region: &Region<'_>, header: &[u8]) -> Option<Symbol> {
    let blanks = lines.get(..region.indent)?;
    let unusual = |byte: &u8| matches!(byte, 0x0c | b'\r');
    let deep = |line: &[u8]| {
        line.iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count()
            > DEEPEST
    };
    let last = lines
        .strip_suffix(b"\n")
        .unwrap_or(lines)
        .rsplit(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let comment_or_blank =
        last.trim_ascii().is_empty() || last.trim_ascii_start().starts_with(b"#");
    if comment_or_blank
        || last.ends_with(b"\\")
        || lines.iter().any(unusual)
        || lines.split(|&byte| byte == b'\n').any(deep)
        || memchr::memmem::find(lines, b"from __future__").is_some()
        || !blanks.iter().all(|byte| matches!(byte, b' ' | b'\t'))
    {
        return None;
    }
    let wrapped = if region.indent > 0 {
        [HEADER, lines].concat()
    } else {
        lines.to_vec()
    };
    let ahead = wrapped.len() - lines.len();
    let text = std::str::from_utf8(&wrapped).ok()?;
    let scope = if region.in_class {
        Scope::Class
    } else {
        Scope::Module
    };
    let read = |module: &ruff_python_parser::Parsed<ruff_python_ast::ModModule>| {
        let sound =
            module.has_valid_syntax() && errors::found(text, module, NEWEST_MINOR).is_empty();
        let alone = is_alone(&module.syntax().body, ahead > 0);
        (sound && alone).then(|| outline::outline(&Text::of(&wrapped), module, scope))
    };
    let outline = module::parsed(text, NEWEST_MINOR, read).ok()??;
    let [mut symbol] = <[Symbol; 1]>::try_from(outline.symbols).ok()?;
    let old = region.symbol;
    if symbol.name != old.name
        || symbol.kind != old.kind
        || start_of(&symbol) != ahead + region.indent
    {
        return None;
    }
    let new_header = wrapped.get(start_of(&symbol)..symbol.signature.end.max(start_of(&symbol)))?;
    // A walrus is nowhere refused but in what a class body itself evaluates.
    let has_walrus = memchr::memmem::find(new_header, b":=").is_some();
    if region.has_globals && new_header != header || region.in_class && has_walrus {
        return None;
    }
    unwrap_spans(&mut symbol, ahead);
    shift(&mut symbol, start);
    Some(symbol)
}

/// Says whether a module, or the block in it, is one definition and nothing else.
fn is_alone(body: &[ruff_python_ast::Stmt], is_wrapped: bool) -> bool {
    use ruff_python_ast::Stmt;
    let body = match body {
        [Stmt::If(wrapper)] if is_wrapped && wrapper.elif_else_clauses.is_empty() => {
            &wrapper.body[..]
        }
        _ if is_wrapped => return false,
        body => body,
    };
    matches!(body, [Stmt::FunctionDef(_) | Stmt::ClassDef(_)])
}

/// Gives a definition, and those that end where it ends, the comments behind it: where a statement has ended, what
/// begins with `#` is one.
fn trail(symbol: &mut Symbol, new: &[u8]) {
    let comment = |first, end| {
        new.get(first..end)?
            .starts_with(b"#")
            .then(|| Span::new(first, end))
    };
    symbol.trailing = trailing(new, symbol.definition.start, symbol.definition.end, comment);
    let end = symbol.definition.end;
    let last = symbol.children.last_mut();
    if let Some(last) = last.filter(|last| is_definition(last) && last.definition.end == end) {
        trail(last, new);
    }
}

fn shift(symbol: &mut Symbol, by: usize) {
    each_span(symbol, &mut |span| *span = span.shifted(by));
}

/// A definition that was read again.
struct Replaced<'o> {
    lines: Span,
    old: &'o Symbol,
    /// Where its statement begins in the new file.
    start: usize,
    symbol: Symbol,
}

/// Makes the new outline of the old one.
struct Rebuild<'o> {
    moves: Moves,
    replaced: Vec<Replaced<'o>>,
}

impl Rebuild<'_> {
    fn symbol(&self, old: &Symbol) -> Option<Symbol> {
        let at = self
            .replaced
            .partition_point(|replaced| replaced.lines.end <= old.definition.start);
        if let Some(replaced) = self
            .replaced
            .get(at)
            .filter(|replaced| std::ptr::eq(replaced.old, old))
        {
            // The comments above are as they were.
            let above = old
                .decorations
                .iter()
                .filter(|decoration| decoration.span.end <= replaced.lines.start);
            let above: Option<Vec<Decoration>> = above
                .map(|above| {
                    Some(Decoration {
                        span: self.span(above.span)?,
                        ..*above
                    })
                })
                .collect();
            let decorations = [above?, replaced.symbol.decorations.clone()].concat();
            return Some(Symbol {
                decorations,
                ..replaced.symbol.clone()
            });
        }
        let optional =
            |span: Option<Span>| span.map_or(Some(None), |span| self.span(span).map(Some));
        let decorations: Option<Vec<Decoration>> = old
            .decorations
            .iter()
            .map(|decoration| {
                Some(Decoration {
                    span: self.span(decoration.span)?,
                    ..*decoration
                })
            })
            .collect();
        let children: Option<Vec<Symbol>> = old
            .children
            .iter()
            .map(|child| self.symbol(child))
            .collect();
        Some(Symbol {
            name: old.name.clone(),
            owner: old.owner.clone(),
            address: old.address.clone(),
            kind: old.kind,
            level: old.level,
            definition: self.span(old.definition)?,
            decorations: decorations?,
            trailing: optional(old.trailing)?,
            signature: self.span(old.signature)?,
            body: optional(old.body)?,
            docstring: optional(old.docstring)?,
            children: children?,
        })
    }

    fn span(&self, span: Span) -> Option<Span> {
        Some(Span::new(self.offset(span.start)?, self.offset(span.end)?))
    }

    /// Returns where an offset of the old file stands now. Of a definition that was read again, only its first byte and
    /// its end have a place that is known.
    fn offset(&self, offset: usize) -> Option<usize> {
        let at = self
            .replaced
            .partition_point(|replaced| replaced.lines.end < offset);
        match self
            .replaced
            .get(at)
            .filter(|replaced| replaced.lines.start < offset)
        {
            Some(inside) if offset == inside.old.definition.end => {
                Some(inside.symbol.definition.end)
            }
            Some(inside) if offset == start_of(inside.old) => Some(inside.start),
            Some(inside) if offset < inside.lines.end => None,
            Some(_) | None => Some(self.moves.ahead(offset)),
        }
    }
}

#[cfg(test)]
mod tests;
