//! The verbs on a block: what stands between its tags, and what stands beside them.

use super::content::{self, Bulk, ContentPlace, defined_beside, line_endings};
use super::edit::{EditKind, Insertion, delete_bare_lines, delete_lines};
use super::gaps::{self, Gaps};
use super::lines;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Part, Position};
use crate::resolve::block::{BlockKind, Inner};
use crate::resolve::{Block, Definition, Document, Reading, Target};
use crate::syntax::{jinja, regions};
use crate::text::indent::Unit;
use crate::text::{LineEnding, Lines, Span};

/// Returns the edits that put `content` in the place of what `block` holds; of all of it when the content brings the
/// block's own tags.
pub(super) fn replace_block(
    reading: &Reading<'_>,
    block: &Block,
    part: Option<Part>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let text = content::trim_to_block(content);
    check_tags(document, block, &text)?;
    if part != Some(Part::Body) && brings_its_tags(document, block, &text) {
        let span = block.whole(document);
        let fresh_line = begins_line(document, span.start);
        let base = document.indentation(block.open.start).to_vec();
        let place = ContentPlace {
            old: Some(span),
            fresh_line,
            ..place_in_block(document, span.start, base)
        };
        return Ok(vec![EditKind::replace(
            span,
            content::move_to_place(&text, indent, &place)?,
        )]);
    }
    if text.is_empty() {
        return Ok(empty_block(block.inner(document)));
    }
    match block.inner(document) {
        Inner::Lines(span) => {
            let base = document.indentation(span.start).to_vec();
            let place = ContentPlace {
                old: Some(span),
                ..place_in_block(document, span.start, base)
            };
            Ok(vec![EditKind::replace(
                span,
                content::move_to_place(&text, indent, &place)?,
            )])
        }
        Inner::Blank { at, lines } => {
            let content = content::move_to_place(
                &text,
                indent,
                &place_in_block(document, at, base_of_empty(document, block)),
            )?;
            if lines.is_empty() {
                return Ok(vec![EditKind::Insert(Insertion {
                    at,
                    before: line_endings(document, at, 1),
                    content,
                    ..Insertion::default()
                })]);
            }
            Ok(vec![EditKind::replace(
                lines,
                [content, line_endings(document, at, 1)].concat(),
            )])
        }
        Inner::Bytes(span) => in_line(document, block, span, &text, indent),
    }
}

/// Several lines between tags that share a line with nothing else get lines of their own; all else stays on the line.
fn in_line(
    document: &Document,
    block: &Block,
    span: Span,
    text: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let fresh_line = begins_line(document, span.start);
    let base = document.indentation(block.open.start).to_vec();
    let line = |offset: usize| document.lines().line(offset);
    let opens_up = text.contains(&b'\n')
        && line(block.open.start) == line(block.close.start)
        && document.has_lines_to_itself(block.open.cover(block.close));
    if opens_up {
        let ending = line_endings(document, span.start, 1);
        let content = content::move_to_place(
            text,
            indent,
            &place_in_block(document, span.start, base.clone()),
        )?;
        return Ok(vec![EditKind::replace(
            span,
            [&ending[..], &content, &ending, &base].concat(),
        )]);
    }
    let place = ContentPlace {
        old: Some(span),
        fresh_line,
        ..place_in_block(document, span.start, base)
    };
    Ok(vec![EditKind::replace(
        span,
        content::move_to_place(text, indent, &place)?,
    )])
}

fn empty_block(inner: Inner) -> Vec<EditKind> {
    match inner {
        Inner::Lines(span) => vec![delete_bare_lines(span)],
        Inner::Bytes(span) if !span.is_empty() => vec![EditKind::replace(span, Vec::new())],
        Inner::Bytes(_) | Inner::Blank { .. } => Vec::new(),
    }
}

/// Returns the edits that put `content` beside or inside `block`.
pub(super) fn insert_at_block(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    block: &Block,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let text = content::trim_to_block(content);
    check_tags(document, block, &text)?;
    let inner = block.inner(document);
    match (position, inner) {
        (_, Inner::Blank { at, .. }) if block.sort == BlockKind::Scaffold => {
            blank_lines_around(document, block, at, &text, indent)
        }
        (Position::First | Position::Last, Inner::Blank { at, .. }) => {
            blank_lines_around(document, block, at, &text, indent)
        }
        (Position::First | Position::Last, Inner::Lines(span)) => {
            insert_inside(reading, block, span, position, (content, indent))
        }
        (Position::First | Position::Last, Inner::Bytes(span)) => {
            let at = if position == Position::First {
                span.start
            } else {
                span.end
            };
            let content = LineEnding::at(&document.bytes, at)
                .write(&text)
                .into_owned();
            Ok(vec![EditKind::Insert(Insertion {
                at,
                content,
                ..Insertion::default()
            })])
        }
        (Position::Before | Position::After, _) if !document.has_lines_to_itself(target.span) => {
            lines::insert_beside_text(reading, target, position, content, indent)
        }
        (Position::Before | Position::After, _) => {
            insert_beside(document, target.span, position, &text, indent)
        }
    }
}

fn blank_lines_around(
    document: &Document,
    block: &Block,
    at: usize,
    text: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let content = content::move_to_place(
        text,
        indent,
        &place_in_block(document, at, base_of_empty(document, block)),
    )?;
    Ok(vec![EditKind::Insert(Insertion {
        at,
        before: line_endings(document, at, 1),
        content,
        ..Insertion::default()
    })])
}

/// A sibling of a block: the blank lines that part the block from its neighbour part the two as well.
fn insert_beside(
    document: &Document,
    span: Span,
    position: Position,
    text: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let around = Gaps::around(document, span);
    let base = document.indentation(span.start).to_vec();
    let content =
        content::move_to_place(text, indent, &place_in_block(document, span.start, base))?;
    let (near, far) = if position == Position::Before {
        ((around.above, around.previous), (around.below, around.next))
    } else {
        ((around.below, around.next), (around.above, around.previous))
    };
    let gap = [near, far]
        .iter()
        .find(|(_, neighbour)| neighbour.is_some())
        .map_or(0, |(gap, _)| *gap);
    let room = line_endings(document, span.start, 1 + gap);
    let insertion = Insertion {
        content,
        beside: Some(span),
        ..Insertion::default()
    };
    Ok(vec![EditKind::Insert(if position == Position::Before {
        Insertion {
            at: span.start,
            after: room,
            ..insertion
        }
    } else {
        Insertion {
            at: span.end,
            before: room,
            ..insertion
        }
    })])
}

/// The first or last thing between the tags, with the room that definitions there give each other.
fn insert_inside(
    reading: &Reading<'_>,
    block: &Block,
    inner: Span,
    position: Position,
    (content, indent): (&str, Indent),
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let first = position == Position::First;
    let text = content::trim_to_block(content);
    let last_line = document
        .lines()
        .line(inner.end.saturating_sub(1).max(inner.start));
    let edge = if first {
        inner.start
    } else {
        document.line_start(last_line)
    };
    let held: Vec<&Definition<'_>> = reading
        .named()
        .iter()
        .filter(|named| inner.contains(named.symbol.whole()))
        .filter(|named| {
            reading
                .parent(named)
                .is_none_or(|parent| !inner.contains(parent.symbol.whole()))
        })
        .collect();
    let (at_edge, near) = if first {
        (
            held.first()
                .filter(|named| document.widened(named.symbol.whole()).start <= inner.start),
            0,
        )
    } else {
        (
            held.last()
                .filter(|named| document.widened(named.symbol.whole()).end >= inner.end),
            held.len(),
        )
    };
    let neighbour = at_edge.map_or(Bulk::Slim, |named| Bulk::of(named.symbol));
    let own = at_edge
        .or(held.first())
        .map(|named| defined_beside(reading, named, &text));
    let bulks = match (&own, first) {
        (Some(own), true) => (own.bulk_below(), neighbour),
        (Some(own), false) => (neighbour, own.bulk_above()),
        (None, _) => (Bulk::Slim, Bulk::Slim),
    };
    let top = held.first().is_none_or(|named| named.parent.is_none());
    let gap = gaps::blank_lines_of(document, &held, near, bulks, top);
    let base = match at_edge {
        Some(named) => document.indentation(named.symbol.definition.start).to_vec(),
        None if block.sort == BlockKind::Scaffold => document.indentation(inner.start).to_vec(),
        None => document.indentation(edge).to_vec(),
    };
    let content = content::move_to_place(&text, indent, &place_in_block(document, edge, base))?;
    let room = line_endings(document, edge, 1 + gap);
    Ok(vec![EditKind::Insert(if first {
        Insertion {
            at: inner.start,
            content,
            after: room,
            ..Insertion::default()
        }
    } else {
        Insertion {
            at: inner.end,
            before: room,
            content,
            ..Insertion::default()
        }
    })])
}

/// Returns the edits that remove `block`, or what it holds.
pub(super) fn delete_block(
    reading: &Reading<'_>,
    block: &Block,
    part: Option<Part>,
) -> Vec<EditKind> {
    let document = reading.document;
    if part == Some(Part::Body) {
        return empty_block(block.inner(document));
    }
    let span = block.whole(document);
    match span {
        span if span.is_empty() => Vec::new(),
        span if document.has_lines_to_itself(span) => vec![delete_lines(span)],
        span => vec![EditKind::replace(span, Vec::new())],
    }
}

/// Refuses content whose tags or region comments do not pair: they would close or open what stands around it.
fn check_tags(document: &Document, block: &Block, text: &[u8]) -> Result<(), Diagnostic> {
    let problem = match block.sort {
        BlockKind::Template => jinja::blocks(text)
            .err()
            .map(|broken| (broken.offset, broken.message)),
        BlockKind::Region => regions::unpaired(text, document.language).map(|span| {
            (
                span.start,
                "a region comment without its counterpart".to_owned(),
            )
        }),
        BlockKind::Scaffold => None,
    };
    let Some((offset, message)) = problem else {
        return Ok(());
    };
    let line = Lines::of(text).line(offset);
    let message = format!(
        "line {line} of the content would break {}::{}: {message}",
        document.path, block.address
    );
    Err(Diagnostic::new(Code::StructureLost, message)
        .note("what the content opens it has to close, and nothing else"))
}

/// Says whether the content is the block itself, tags and all.
fn brings_its_tags(document: &Document, block: &Block, text: &[u8]) -> bool {
    match block.sort {
        BlockKind::Template => jinja::blocks(text).is_ok_and(|found| {
            found
                .iter()
                .any(|own| own.parent.is_none() && own.name == block.name)
        }),
        BlockKind::Region => regions::regions(text, document.language)
            .iter()
            .any(|own| own.name == block.name),
        BlockKind::Scaffold => false,
    }
}

/// Returns the indentation of content in a block that holds nothing.
fn base_of_empty(document: &Document, block: &Block) -> Vec<u8> {
    if block.sort != BlockKind::Scaffold {
        return document.indentation(block.open.start).to_vec();
    }
    // Nothing in the file belongs to the block; the line above says how deep it stands.
    let lines = document.lines();
    let above = lines
        .line(block.open.start)
        .saturating_sub(usize::from(!block.open.start.eq(&document.bytes.len())));
    let text = |number: &usize| lines.content(&document.bytes, *number).of(&document.bytes);
    let Some(number) = (1..=above.max(1))
        .rev()
        .find(|number| !crate::text::is_blank(text(number)))
    else {
        return Vec::new();
    };
    let mut base = document.indentation(lines.start(number)).to_vec();
    let opener = document
        .language
        .map_or("", |language| language.habits.body_opener)
        .as_bytes();
    if !opener.is_empty() && text(&number).trim_ascii_end().ends_with(opener) {
        base.extend(document.unit().unwrap_or(Unit::Spaces(4)).steps(1));
    }
    base
}

fn begins_line(document: &Document, offset: usize) -> bool {
    document.line_start(document.lines().line(offset)) == offset
}

/// Returns the place of lines that begin with `base`.
fn place_in_block(document: &Document, offset: usize, base: Vec<u8>) -> ContentPlace<'_> {
    let unit = content::unit_at(document, Span::at(offset), None);
    ContentPlace {
        document,
        offset,
        base,
        unit,
        fresh_line: true,
        parent: None,
        old: None,
    }
}
