//! An element of a page is replaced, removed, or gets a neighbour or a child.

use super::layout::{ElementLayout, layout_of};
use super::{attribute, inside};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Part, Position};
use crate::plan::content::{self, ContentPlace, line_endings, place_at, without_final_newline};
use crate::plan::edit::{EditKind, Insertion, delete_bare_lines, delete_lines};
use crate::resolve::element::own_lines;
use crate::resolve::{Document, Reading, Target};
use crate::syntax::css;
use crate::syntax::html::{HtmlElement, embedded_language, is_block, is_space};
use crate::text::indent::Unit;
use crate::text::{LineEnding, Span, is_blank};

/// Puts `content` in the place of an element or a part of it.
pub fn replace_element(
    reading: &Reading<'_>,
    element: &HtmlElement,
    target: &Target<'_, '_>,
    part: Option<Part>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    match part {
        Some(Part::Inner) => {
            let edits = replace_inner(reading, element, target.span, content, indent)?;
            inside::check_inside(reading.document, element, edits)
        }
        Some(Part::Attribute(name)) => {
            attribute::replace_attribute(reading, element, name, content)
        }
        _ => {
            let block = content::trim_to_block(content);
            if block.is_empty() {
                return Ok(remove_whole(reading.document, element));
            }
            if reading.document.dom().is_preformatted(target.span.start) {
                return Ok(vec![EditKind::replace(
                    target.span,
                    as_written(reading.document, target.span, content),
                )]);
            }
            let place = ContentPlace {
                old: Some(target.span),
                ..place_at(reading, target.span, None)
            };
            Ok(vec![EditKind::replace(
                target.span,
                content::fit_to_place(&block, indent, &place)?,
            )])
        }
    }
}

/// Removes an element or a part of it.
pub fn remove_element(
    reading: &Reading<'_>,
    element: &HtmlElement,
    part: Option<Part>,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    match part {
        Some(Part::Inner) => Ok(match layout_of(document, element) {
            ElementLayout::None => Vec::new(),
            ElementLayout::Lines { all, .. } => vec![delete_bare_lines(all)],
            ElementLayout::Inline(inner) | ElementLayout::Blank(inner) => {
                vec![EditKind::replace(inner, Vec::new())]
            }
        }),
        Some(Part::Attribute(name)) => attribute::remove_attribute(reading, element, name),
        _ => Ok(remove_whole(document, element)),
    }
}

/// Adds `content` beside or inside an element.
pub fn insert_at_element(
    reading: &Reading<'_>,
    element: &HtmlElement,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    match position {
        Position::Before | Position::After => {
            insert_sibling(reading, element, position, content, indent)
        }
        Position::First | Position::Last => {
            inside::check_is_another(reading.document, element, content)?;
            let edits = insert_child(reading, element, position, content, indent)?;
            inside::check_inside(reading.document, element, edits)
        }
    }
}

/// Removes an element: its lines where it has them to itself, else its bytes and, outside of a `<pre>`, one of the blanks
/// around it.
fn remove_whole(document: &Document, element: &HtmlElement) -> Vec<EditKind> {
    let whole = element.whole();
    let preformatted = document.dom().is_preformatted(whole.start);
    match own_lines(document, whole) {
        Some(lines) if preformatted => return vec![delete_bare_lines(lines)],
        Some(lines) => return vec![delete_lines(lines)],
        None if preformatted => return vec![EditKind::replace(whole, Vec::new())],
        None => {}
    }
    let bytes = &document.bytes;
    let blank_ahead = whole.start > 0 && matches!(bytes.get(whole.start - 1), Some(b' ' | b'\t'));
    let blank_behind = bytes.get(whole.end).is_none_or(|byte| is_space(*byte));
    let start = if blank_ahead && blank_behind {
        whole.start - 1
    } else {
        whole.start
    };
    vec![EditKind::replace(Span::new(start, whole.end), Vec::new())]
}

/// Puts content between the tags.
fn replace_inner(
    reading: &Reading<'_>,
    element: &HtmlElement,
    target: Span,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    match layout_of(document, element) {
        ElementLayout::None => Ok(vec![EditKind::replace(
            target,
            as_written(document, target, content),
        )]),
        ElementLayout::Lines { all, .. } if content::trim_to_block(content).is_empty() => {
            Ok(vec![delete_bare_lines(all)])
        }
        ElementLayout::Lines { text, .. } => {
            let base = document.indentation(text.start).to_vec();
            Ok(vec![EditKind::replace(
                text,
                fit_content(
                    reading,
                    element,
                    (text, base, true),
                    &content::trim_to_block(content),
                    indent,
                )?,
            )])
        }
        ElementLayout::Inline(inner) | ElementLayout::Blank(inner)
            if moves_to_lines(document, element, content) =>
        {
            open_up_element(reading, element, inner, content, indent)
        }
        ElementLayout::Inline(inner) | ElementLayout::Blank(inner) => Ok(vec![EditKind::replace(
            inner,
            in_line(reading, element, inner, content, indent)?,
        )]),
    }
}

/// Says whether content goes to lines of its own in an element that has none yet.
fn moves_to_lines(document: &Document, element: &HtmlElement, content: &str) -> bool {
    let preformatted = document.dom().is_preformatted(element.start_tag.end);
    is_block(&element.name) && !preformatted && without_final_newline(content).contains('\n')
}

/// Puts content on lines of its own between tags that stand on one line.
fn open_up_element(
    reading: &Reading<'_>,
    element: &HtmlElement,
    inner: Span,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let outer = document.indentation(element.start_tag.start).to_vec();
    let base = [outer.as_slice(), &indentation_step(reading)].concat();
    let at = (Span::at(inner.start), base, true);
    let ready = fit_content(
        reading,
        element,
        at,
        &content::trim_to_block(content),
        indent,
    )?;
    let ending = line_endings(document, inner.start, 1);
    let behind = if element.end_tag.is_some() {
        [ending.as_slice(), &outer].concat()
    } else {
        Vec::new()
    };
    Ok(vec![EditKind::replace(
        inner,
        [ending.as_slice(), &ready, &behind].concat(),
    )])
}

/// Returns content as it stands inside of a line: its first line as it is, the others indented like the line.
fn in_line(
    reading: &Reading<'_>,
    element: &HtmlElement,
    at: Span,
    content: &str,
    indent: Indent,
) -> Result<Vec<u8>, Diagnostic> {
    let document = reading.document;
    let text = without_final_newline(content);
    if !text.contains('\n') || document.dom().is_preformatted(at.start) {
        return Ok(as_written(document, at, content));
    }
    let base = document.indentation(at.start).to_vec();
    fit_content(
        reading,
        element,
        (at, base, false),
        &content::end_in_line_break(content),
        indent,
    )
}

/// Returns content for lines inside of `element`, which are those of a script or a style when it is one.
fn fit_content(
    reading: &Reading<'_>,
    element: &HtmlElement,
    (span, base, fresh_line): (Span, Vec<u8>, bool),
    content: &[u8],
    indent: Indent,
) -> Result<Vec<u8>, Diagnostic> {
    let document = reading.document;
    let old = (!span.is_empty()).then_some(span);
    let embedded =
        embedded_language(&document.bytes, element).map(|language| document.embedding(language));
    let place = ContentPlace {
        base,
        fresh_line,
        old,
        ..place_at(reading, span, None)
    };
    let place = match &embedded {
        Some(embedded) => ContentPlace {
            document: embedded,
            ..place
        },
        None => place,
    };
    content::fit_to_place(content, indent, &place)
}

/// Returns one step of indentation as the file has it.
fn indentation_step(reading: &Reading<'_>) -> Vec<u8> {
    let document = reading.document;
    match document
        .unit()
        .or_else(|| content::unit_at(document, Span::at(0), None))
    {
        Some(Unit::Tab) => b"\t".to_vec(),
        Some(Unit::Spaces(count)) => vec![b' '; count],
        None => Vec::new(),
    }
}

/// Returns content without its final line ending and otherwise as it is, but for the file's line endings.
fn as_written(document: &Document, at: Span, content: &str) -> Vec<u8> {
    LineEnding::at(&document.bytes, at.start)
        .write(without_final_newline(content).as_bytes())
        .into_owned()
}

/// Returns what content after `element` comes after: a term has its descriptions below it, which another term with its own would take.
fn end_of_described<'d>(
    document: &'d Document,
    element: &'d HtmlElement,
    content: &str,
) -> &'d HtmlElement {
    let content = content.trim_ascii_start().to_ascii_lowercase();
    let begins_term = content
        .strip_prefix("<dt")
        .is_some_and(|rest| rest.starts_with([' ', '>', '\n', '\t']));
    if &*element.name != "dt" || !begins_term || !content.contains("<dd") {
        return element;
    }
    let next = |element: &HtmlElement| element.next.and_then(|at| document.dom().elements.get(at));
    let names = |element: &HtmlElement, name: &str| &*element.name == name;
    let mut term = element;
    while let Some(other) = next(term).filter(|other| names(other, "dt")) {
        term = other;
    }
    let Some(mut last) = next(term).filter(|other| names(other, "dd")) else {
        return element;
    };
    while let Some(other) = next(last).filter(|other| names(other, "dd")) {
        last = other;
    }
    last
}

fn insert_sibling(
    reading: &Reading<'_>,
    element: &HtmlElement,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let before = position == Position::Before;
    let element = if before {
        element
    } else {
        end_of_described(document, element, content)
    };
    let whole = element.whole();
    let Some(lines) = own_lines(document, whole) else {
        let at = if before { whole.start } else { whole.end };
        let base = document.indentation(at).to_vec();
        let text = without_final_newline(content);
        let content = if text.contains('\n') && !document.dom().is_preformatted(at) {
            let place = ContentPlace {
                base,
                fresh_line: false,
                ..place_at(reading, Span::at(at), None)
            };
            content::fit_to_place(&content::end_in_line_break(content), indent, &place)?
        } else {
            as_written(document, Span::at(at), content)
        };
        return Ok(vec![EditKind::Insert(Insertion {
            at,
            content,
            beside: Some(whole),
            ..Insertion::default()
        })]);
    };
    let preformatted = document.dom().is_preformatted(whole.start);
    let content = if preformatted {
        as_written(document, lines, content)
    } else {
        content::fit_to_place(
            &content::trim_to_block(content),
            indent,
            &place_at(reading, lines, None),
        )?
    };
    let (above, below) = (
        blank_lines_beside(document, element.previous, Some(element)),
        blank_lines_beside(document, element.next, Some(element)),
    );
    let wanted = if before {
        above.or(below)
    } else {
        below.or(above)
    }
    .filter(|_| !preformatted);
    let room = line_endings(document, lines.start, 1 + wanted.unwrap_or(0));
    let insertion = Insertion {
        content,
        beside: Some(lines),
        ..Insertion::default()
    };
    Ok(vec![EditKind::Insert(if before {
        Insertion {
            at: lines.start,
            after: room,
            ..insertion
        }
    } else {
        Insertion {
            at: lines.end,
            before: room,
            ..insertion
        }
    })])
}

/// Returns how many blank lines are between two neighbours that have their lines to themselves.
fn blank_lines_beside(
    document: &Document,
    other: Option<usize>,
    element: Option<&HtmlElement>,
) -> Option<usize> {
    let (other, element) = (document.dom().elements.get(other?)?, element?);
    let (upper, lower) = if other.start_tag.start < element.start_tag.start {
        (other, element)
    } else {
        (element, other)
    };
    let (upper, lower) = (
        own_lines(document, upper.whole())?,
        own_lines(document, lower.whole())?,
    );
    let between = document
        .bytes
        .get(upper.end..lower.start)
        .filter(|between| is_blank(between))?;
    between
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
        .checked_sub(1)
}

/// Returns how much of `inner`, all that is in a style, has to come before other content: an `@import` below a rule is void. Nothing
/// where the content is of that sort itself.
fn top_end(document: &Document, element: &HtmlElement, inner: Span, content: &str) -> usize {
    let is_style = embedded_language(&document.bytes, element)
        .is_some_and(|language| std::ptr::eq(language, &css::CSS));
    if is_style && css::top_end(content.as_bytes()) == 0 {
        css::top_end(inner.of(&document.bytes))
    } else {
        0
    }
}

/// Returns the end of the line of `at`, where nothing but blanks and comments of it come after that; else `at`.
fn line_end(document: &Document, at: usize) -> usize {
    let rest = document.bytes.get(at..).unwrap_or_default();
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = line.trim_ascii();
    let is_comment =
        text.starts_with(b"/*") && memchr::memmem::find(text, b"*/") == Some(text.len() - 2);
    if text.is_empty() || is_comment {
        at + line.trim_ascii_end().len()
    } else {
        at
    }
}

fn insert_child(
    reading: &Reading<'_>,
    element: &HtmlElement,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let first = position == Position::First;
    let parent = Some(element.whole());
    match layout_of(document, element) {
        ElementLayout::None => {
            let message = format!("a <{}> has no inside", element.name);
            Err(Diagnostic::new(Code::Unsupported, message)
                .note("`position: before` or `after` stands beside it"))
        }
        ElementLayout::Blank(inner) if is_block(&element.name) && content.contains('\n') => {
            open_up_element(reading, element, inner, content, indent)
        }
        ElementLayout::Blank(inner) | ElementLayout::Inline(inner) => {
            let top = if first {
                top_end(document, element, inner, content)
            } else {
                0
            };
            let at = Span::at(if first { inner.start + top } else { inner.end });
            let content = in_line(reading, element, at, content, indent)?;
            Ok(vec![EditKind::Insert(Insertion {
                at: at.start,
                content,
                parent,
                ..Insertion::default()
            })])
        }
        ElementLayout::Lines { text, .. } => {
            let dom = document.dom();
            let mut children = Vec::new();
            let mut next = element.first_child;
            while let Some(child) = next.and_then(|at| dom.elements.get(at)) {
                next = child.next;
                children.push(child);
            }
            let near = if first {
                children.first()
            } else {
                children.last()
            };
            let own = near.and_then(|child| own_lines(document, child.whole()));
            // Among lines of text the first one tells the indentation: the last may be a continuation.
            let base = document
                .indentation(own.map_or(text.start, |lines| lines.start))
                .to_vec();
            let edge = if first { text.start } else { text.end };
            let at_edge = own.is_some_and(|lines| {
                if first {
                    lines.start == edge
                } else {
                    lines.end == edge
                }
            });
            let wanted = near.filter(|_| at_edge).and_then(|child| {
                let other = if first { child.next } else { child.previous };
                blank_lines_beside(document, other, Some(child))
            });
            let room = line_endings(document, text.start, 1 + wanted.unwrap_or(0));
            let at = (Span::at(edge), base, true);
            let top = if first {
                top_end(document, element, text, content)
            } else {
                0
            };
            let content = fit_content(
                reading,
                element,
                at,
                &content::trim_to_block(content),
                indent,
            )?;
            let insertion = Insertion {
                at: edge,
                content,
                parent,
                ..Insertion::default()
            };
            Ok(vec![EditKind::Insert(if top > 0 {
                Insertion {
                    at: line_end(document, edge + top),
                    before: room,
                    ..insertion
                }
            } else if first {
                Insertion {
                    after: room,
                    ..insertion
                }
            } else {
                Insertion {
                    before: room,
                    ..insertion
                }
            })])
        }
    }
}
