//! The rules and declarations that have a name.
//!
//! A rule is called by its selector, blanks as one, `'` for `"` and without backslashes: `".card > a[href='/x']"`; a block of an at-rule by what is before its
//! brace: `"@media (min-width: 60em)"`. A declaration is called by its property. Of SCSS a mixin and a function have the name that
//! they are used by.
//!
//! Known limits: branches and loops of SCSS have no name, nor has what is in them.

use super::balance::{line_comment_end, opaque_end};
use super::dialect::StyleDialect;
use super::names::is_of_name;
use super::statements::{AT_RULE, AT_STATEMENT, DECLARATION, RULE, statements};
use crate::syntax::braces::{begins_line, own_lines};
use crate::syntax::outline::MAX_NESTING;
use crate::syntax::word_names::quoted_name;
use crate::syntax::{Decoration, DecorationKind, Excess, Outline, SegmentKind, Statement, Symbol};
use crate::text::{Span, leading_blank};

/// At-rules of SCSS that say when something counts: of those one may be like the next.
const BRANCHES: [&str; 6] = ["@if", "@else", "@each", "@for", "@while", "@at-root"];

/// What the names of variables begin with, of Less in its quotes: `--accent`, `$gap`, `"@gap"`.
pub(crate) const VARIABLE_SIGNS: [&str; 3] = ["--", "$", "\"@"];

/// Says whether a segment of a style is a rule that is known by its selector alone: nothing else calls it so.
pub(crate) fn is_rule(symbol: &Symbol) -> bool {
    symbol.kind == SegmentKind::Struct && !symbol.name.starts_with("\"@")
}

/// Returns the segments of `source`; none where something is left open.
pub(super) fn outline(source: &[u8], dialect: StyleDialect) -> Outline {
    let Some(statements) = statements(source, dialect) else {
        return Outline::default();
    };
    let comments = comments(source, dialect);
    let mut symbols: Vec<Symbol> = Vec::new();
    // The blocks around, from the outside in: those without a name hide what is in them.
    let mut open: Vec<Option<Symbol>> = Vec::new();
    for statement in &statements {
        close(&mut open, statement.depth, &mut symbols);
        if open.len() >= MAX_NESTING {
            return Outline::exceeding(Excess::Nesting);
        }
        let is_hidden = open.last().is_some_and(Option::is_none);
        let named = symbol(source, statement, dialect, &comments).filter(|_| !is_hidden);
        if matches!(statement.kind, RULE | AT_RULE) {
            open.push(named);
        } else if let Some(named) = named {
            match open.last_mut() {
                Some(Some(around)) => around.children.push(named),
                _ => symbols.push(named),
            }
        }
    }
    close(&mut open, 0, &mut symbols);
    let outline = Outline {
        symbols,
        sound: true,
        excess: None,
    };
    outline.bounded(source.len())
}

/// Closes blocks until so many are left.
fn close(open: &mut Vec<Option<Symbol>>, depth: usize, symbols: &mut Vec<Symbol>) {
    while open.len() > depth {
        let Some(closed) = open.pop().flatten() else {
            continue;
        };
        match open.last_mut() {
            Some(Some(around)) => around.children.push(closed),
            _ => symbols.push(closed),
        }
    }
}

/// Returns the comments of `source` in file order.
pub(super) fn comments(source: &[u8], dialect: StyleDialect) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let is_comment =
            source[at..].starts_with(b"/*") || line_comment_end(source, at, dialect).is_some();
        let next = opaque_end(source, at, dialect)
            .unwrap_or(at + 1)
            .max(at + 1);
        if is_comment {
            found.push(Span::new(at, next));
        }
        at = next;
    }
    found
}

/// Returns the segment that a statement is, if it has a name.
fn symbol(
    source: &[u8],
    statement: &Statement,
    dialect: StyleDialect,
    comments: &[Span],
) -> Option<Symbol> {
    let span = statement.span;
    let (name, kind, head, body, end) = match statement.kind {
        RULE | AT_RULE => {
            let brace = brace_of(source, span, dialect)?;
            let head = Span::new(span.start, brace);
            let head = Span::new(
                head.start,
                head.start + head.of(source).trim_ascii_end().len(),
            );
            let (name, kind) = name_of_block(source, head, dialect)?;
            let inner = Span::new(brace + 1, span.end.saturating_sub(1).max(brace + 1));
            let inner = after_header_comments(source, inner, dialect);
            (name, kind, head, own_lines(source, inner), span.end)
        }
        DECLARATION | AT_STATEMENT => {
            let text = span.of(source);
            let colon = property_end(text)?;
            let property = text[..colon].trim_ascii_end();
            let name = std::str::from_utf8(property).ok()?;
            let name = match name.strip_prefix('$') {
                Some(_) => name.to_owned(),
                None => quoted_name(name)?,
            };
            let blanks = text[colon + 1..].len() - text[colon + 1..].trim_ascii_start().len();
            let value = Span::new(span.start + colon + 1 + blanks, span.end);
            let head = Span::new(span.start, span.start + property.len());
            let end = after_semicolon(source, span.end);
            (name, SegmentKind::Variable, head, value, end)
        }
        _ => return None,
    };
    let decorations = comments_above(source, span.start, comments);
    let docstring = docstring(source, &decorations);
    Some(Symbol {
        name,
        owner: None,
        address: None,
        names_inside: true,
        parted: false,
        component: false,
        kind,
        level: 0,
        definition: Span::new(span.start, end),
        decorations,
        trailing: None,
        signature: head,
        body: Some(body),
        docstring,
        children: Vec::new(),
    })
}

/// Returns what is between two braces without the comments at the end of the line of the first.
fn after_header_comments(source: &[u8], inner: Span, dialect: StyleDialect) -> Span {
    let mut at = inner.start;
    loop {
        let rest = Span::new(at, inner.end).of(source);
        let blanks = leading_blank(rest).len();
        at += blanks;
        match rest.get(blanks..) {
            Some([b'\r', b'\n', ..] | [b'\n', ..]) => return Span::new(at, inner.end),
            Some([b'/', b'*' | b'/', ..]) => {}
            _ => return inner,
        }
        let end = opaque_end(source, at, dialect).filter(|end| at < *end && *end <= inner.end);
        let Some(end) = end else {
            return inner;
        };
        at = end;
    }
}

/// Returns where the brace of a block is.
fn brace_of(source: &[u8], span: Span, dialect: StyleDialect) -> Option<usize> {
    let mut at = span.start;
    while at < span.end {
        if let Some(end) = opaque_end(source, at, dialect) {
            at = end.max(at + 1);
            continue;
        }
        if source[at] == b'{' {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Returns what a block is called, and what it is.
fn name_of_block(
    source: &[u8],
    head: Span,
    dialect: StyleDialect,
) -> Option<(String, SegmentKind)> {
    let words = plain_words(source, head, dialect)?;
    let (first, rest) = words.split_once(' ').unwrap_or((&words, ""));
    if BRANCHES.contains(&first) || words.is_empty() {
        return None;
    }
    if dialect == StyleDialect::Scss && matches!(first, "@mixin" | "@function") {
        let end = rest.find(|c: char| !c.is_ascii() || !is_of_name(c as u8));
        let name = quoted_name(&rest[..end.unwrap_or(rest.len())])?;
        return Some((name, SegmentKind::Function));
    }
    Some((quoted_name(&words)?, SegmentKind::Struct))
}

/// Returns a text without comments and backslashes, with a blank for all that are in a row, and `'` for `"`.
fn plain_words(source: &[u8], span: Span, dialect: StyleDialect) -> Option<String> {
    let mut bytes = Vec::new();
    let mut at = span.start;
    while at < span.end {
        let end = opaque_end(source, at, dialect)
            .unwrap_or(at + 1)
            .max(at + 1);
        let is_comment =
            source[at..].starts_with(b"/*") || line_comment_end(source, at, dialect).is_some();
        let piece = Span::new(at, end.min(span.end)).of(source);
        match is_comment {
            true => bytes.push(b' '),
            false => bytes.extend_from_slice(piece),
        }
        at = end;
    }
    let text = String::from_utf8(bytes).ok()?;
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    Some(words.join(" ").replace('"', "'").replace('\\', ""))
}

/// Returns where the colon is of what begins as a declaration does.
fn property_end(text: &[u8]) -> Option<usize> {
    let signs = text
        .iter()
        .take_while(|byte| matches!(byte, b'$' | b'@' | b'*'))
        .count();
    let letters = text[signs..]
        .iter()
        .take_while(|byte| is_of_name(**byte))
        .count();
    let end = signs + letters;
    let blanks = text[end..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let is_property = letters > 0 && signs <= 1 && text.get(end + blanks) == Some(&b':');
    is_property.then_some(end + blanks)
}

/// Returns the end of a declaration with its `;`.
fn after_semicolon(source: &[u8], end: usize) -> usize {
    let rest = source.get(end..).unwrap_or_default();
    let blanks = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    match rest.get(blanks) {
        Some(b';') => end + blanks + 1,
        _ => end,
    }
}

/// Returns the comments right above what begins at `start`, each on lines of its own.
fn comments_above(source: &[u8], start: usize, comments: &[Span]) -> Vec<Decoration> {
    let mut above = Vec::new();
    let mut below = start;
    let before = comments.partition_point(|comment| comment.end <= start);
    for comment in comments[..before].iter().rev() {
        let gap = Span::new(comment.end, below).of(source);
        let feeds = gap.iter().filter(|byte| **byte == b'\n').count();
        let is_right_above = gap.trim_ascii().is_empty() && feeds == 1;
        if !is_right_above || !begins_line(source, comment.start) {
            break;
        }
        above.push(Decoration {
            sort: DecorationKind::Comment,
            span: *comment,
        });
        below = comment.start;
    }
    above.reverse();
    above
}
/// Returns what documents something of the comments above it: the last one, or the last lines that each are one.
fn docstring(source: &[u8], above: &[Decoration]) -> Option<Span> {
    let is_line = |comment: &Decoration| comment.span.of(source).starts_with(b"//");
    let last = above.last()?;
    let lines = above.iter().rev().take_while(|comment| is_line(comment));
    let lines = lines.map(|comment| comment.span).reduce(Span::cover);
    lines.or(Some(last.span))
}
