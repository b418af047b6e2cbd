//! Members of a list that commas part, as things to put in: a field of Rust, a constant of an enumeration, a property of an object. Each
//! gets the comma that its place wants, and gives none that it brings.

use super::place::place_inside;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Position};
use crate::plan::content::{self, ContentPlace, Defined, parent_kind, place_at};
use crate::plan::edit::{EditKind, Insertion};
use crate::plan::gaps;
use crate::resolve::{Definition, Document, Reading};
use crate::syntax::{Language, SegmentKind};
use crate::text::{Span, is_blank};

/// What is to be put beside a member, and what else has to change for it.
pub(super) struct MemberContent {
    /// The content, with the comma or `;` that comes after it.
    pub(super) text: Vec<u8>,
    /// What goes ahead of the line break before it: the comma of the member that was the last, where no comment is after that.
    pub(super) before: &'static [u8],
    /// The edits of what is around it.
    pub(super) others: Vec<EditKind>,
}

/// Returns what puts `content` beside `named`, a member that has lines to itself, on lines of its own.
///
/// # Errors
///
/// The commas are where lines begin.
pub(super) fn on_lines(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    span: Span,
    position: Position,
    content: &[u8],
) -> Result<MemberContent, Diagnostic> {
    let document = reading.document;
    let own = named.symbol.definition;
    let (mut text, end) = without_comma(document.language, content, parent_kind(reading, named));
    let mut member = |sign: u8, before, others| {
        text.splice(end..end, [sign]);
        MemberContent {
            text: std::mem::take(&mut text),
            before,
            others,
        }
    };
    if position == Position::Before {
        return Ok(member(b',', b"", Vec::new()));
    }
    let after = next_code(document, own.end);
    match document.bytes.get(after) {
        Some(b',') if after < span.end => Ok(member(b',', b"", Vec::new())),
        Some(b',') => Err(Diagnostic::new(
            Code::Unsupported,
            format!("the comma after {} is on another line", named.address()),
        )
        .note("replace the lines by their number, or by their text")),
        // What ends the constants of Java is after the last one.
        Some(b';') if after < span.end => {
            let sign = Span::new(after, after + 1);
            let others = vec![EditKind::replace(sign, b",".to_vec())];
            Ok(member(b';', b"", others))
        }
        _ if own.end == span.end => Ok(MemberContent {
            text,
            before: b",",
            others: Vec::new(),
        }),
        _ => Ok(MemberContent {
            text,
            before: b"",
            others: vec![EditKind::replace(Span::at(own.end), b",".to_vec())],
        }),
    }
}

/// Returns `content` as it takes the place of `named`, a member, and where that place ends, up to the end of `span`: what is after the
/// member stays, comma, comments and all, unless the content has a comment there of its own.
pub(super) fn in_place(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    span: Span,
    content: &[u8],
) -> (Vec<u8>, usize) {
    let document = reading.document;
    let (mut text, end) = without_comma(document.language, content, parent_kind(reading, named));
    if is_blank(&text[end..]) {
        text.truncate(end);
        return (text, named.symbol.definition.end);
    }
    let after = next_code(document, named.symbol.definition.end);
    if let Some(lines) = after_leading_comma(document, named) {
        return (text, lines.end);
    }
    let sign = document.bytes.get(after).copied();
    if let Some(sign @ (b',' | b';')) = sign.filter(|_| after < span.end && end > 0) {
        text.insert(end, sign);
    }
    (text, span.end)
}

/// Returns the lines of a member that a comma at the beginning of its line parts from the one above, if nothing else is on them.
pub(super) fn after_leading_comma(document: &Document, named: &Definition<'_>) -> Option<Span> {
    let whole = named.symbol.whole();
    let start = document.lines().start(document.lines().line(whole.start));
    let ahead = Span::new(start, whole.start).of(&document.bytes);
    let comma = start + ahead.trim_ascii_end().len().checked_sub(1)?;
    let is_first = is_blank(Span::new(start, comma).of(&document.bytes));
    if document.bytes.get(comma) != Some(&b',') || !is_first {
        return None;
    }
    let lines = document.widened(Span::new(comma, named.symbol.definition.end));
    (lines.start == start).then_some(lines)
}

/// Returns what puts `content` beside `named`, a member that shares its line with others, on that line.
///
/// # Errors
///
/// The content takes lines of its own.
pub(super) fn on_its_line(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    position: Position,
    content: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    if after_leading_comma(document, named).is_some() {
        let message = format!("the comma of {} begins its line", named.address());
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("replace the lines by their number, or by their text"));
    }
    let place = ContentPlace {
        fresh_line: false,
        ..place_at(reading, named.symbol.definition, Some(named))
    };
    let (text, end) = without_comma(document.language, content, parent_kind(reading, named));
    if text.contains(&b'\n') || end < text.trim_ascii_end().len() {
        return Err(takes_lines());
    }
    let content = content::fit_to_place(&text, indent, &place)?;
    let whole = named.symbol.whole();
    let insertion = match position {
        Position::Before => Insertion {
            at: whole.start,
            content,
            after: b", ".to_vec(),
            ..Insertion::default()
        },
        _ => Insertion {
            at: named.symbol.definition.end,
            before: b", ".to_vec(),
            content,
            ..Insertion::default()
        },
    };
    Ok(vec![EditKind::Insert(Insertion {
        beside: Some(whole),
        ..insertion
    })])
}

/// Where in a list of members content goes that is to be the first or the last of them.
pub(super) enum MemberPlace<'r> {
    /// Beside this one.
    Beside(&'r Definition<'r>),
    /// After what is last and has no name, which ends here.
    After(usize),
    /// Between the braces of an empty list.
    Empty(Span),
}

/// Returns where content goes that is to be the first or the last member of `named`, if it has members in a list and the content is another.
///
/// # Errors
///
/// What is first there has no name.
pub(super) fn place_in_list<'r>(
    reading: &'r Reading<'_>,
    named: &Definition<'_>,
    position: Position,
    content: &[u8],
) -> Result<Option<MemberPlace<'r>>, Diagnostic> {
    let document = reading.document;
    // All that a type consists of is in its list.
    let is_value = matches!(named.symbol.kind, SegmentKind::Variable | SegmentKind::Type);
    let is_member =
        |child: &&Definition<'_>| child.symbol.parted || named.symbol.kind == SegmentKind::Type;
    let mut members = gaps::children(reading, named).into_iter().filter(is_member);
    let chosen = match position {
        Position::First => members.next(),
        _ => members.next_back(),
    };
    let Some(chosen) = chosen else {
        return Ok(place_without_members(document, named, position, content));
    };
    let defined = Defined::by(content, document.language, Some(named.symbol.kind));
    if !defined.is_parted() && !is_value {
        return Ok(None);
    }
    let bytes = &document.bytes;
    if position == Position::First {
        let before = last_code(document, chosen.symbol.whole().start);
        let is_first = before.is_some_and(|at| bytes[at] == b'{');
        return match is_first {
            true => Ok(Some(MemberPlace::Beside(chosen))),
            false => Err(Diagnostic::new(
                Code::Unsupported,
                format!("what is first in {} has no name", named.address()),
            )
            .note("`insert` before the text of that, or beside one of the members")),
        };
    }
    let after = next_code(document, chosen.symbol.definition.end);
    let next = match bytes.get(after) {
        Some(b',') => next_code(document, after + 1),
        _ => after,
    };
    let ends = matches!(bytes.get(next), Some(b'}' | b';') | None);
    let body = named.symbol.body.map_or(next, |body| body.end);
    if ends || body <= next || !chosen.symbol.parted {
        return Ok(Some(MemberPlace::Beside(chosen)));
    }
    let close = body - usize::from(is_value);
    let last = last_code(document, close).filter(|_| !is_value || bytes.get(close) == Some(&b'}'));
    Ok(last.map(|last| MemberPlace::After(last + 1)))
}

/// Returns where the list of constants ends in `named` that nothing ends yet, and that something else is to be put after: Java
/// wants a `;` there, which takes the place of a comma.
pub(super) fn open_end(reading: &Reading<'_>, named: &Definition<'_>) -> Option<Span> {
    let document = reading.document;
    let children = gaps::children(reading, named);
    let last = children
        .last()
        .filter(|_| named.symbol.kind == SegmentKind::Enum)?;
    let end = last.symbol.parted.then_some(last.symbol.definition.end)?;
    let after = next_code(document, end);
    let (place, next) = match document.bytes.get(after) {
        Some(b',') => (Span::new(after, after + 1), next_code(document, after + 1)),
        _ => (Span::at(end), after),
    };
    let is_end = named.symbol.body.is_some_and(|body| body.end <= next);
    is_end.then_some(place)
}

/// Returns where content goes in an object that has no member with a name, if it is one: `{}`, `{ ...rest }`.
fn place_without_members(
    document: &Document,
    named: &Definition<'_>,
    position: Position,
    content: &[u8],
) -> Option<MemberPlace<'static>> {
    let value = named.symbol.body.filter(|value| value.len() >= 2)?;
    let text = value.of(&document.bytes);
    let inside = Span::new(value.start + 1, value.end - 1);
    let is_object = text.starts_with(b"{")
        && text.ends_with(b"}")
        && !inside
            .of(&document.bytes)
            .iter()
            .any(|byte| matches!(byte, b'{' | b'}'));
    let defined = || Defined::by(content, document.language, Some(named.symbol.kind));
    let is_member = match named.symbol.kind {
        SegmentKind::Variable => is_object && defined().is_parted(),
        SegmentKind::Type => is_object && !defined().is_empty(),
        _ => false,
    };
    if !is_member {
        return None;
    }
    if is_blank(inside.of(&document.bytes)) {
        return Some(MemberPlace::Empty(inside));
    }
    let last = last_code(document, inside.end)?;
    let is_last = position == Position::Last && last >= inside.start;
    is_last.then_some(MemberPlace::After(last + 1))
}

/// Returns what puts `content` between the braces of the empty list of `named`, on lines of its own.
pub(super) fn into_empty(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    inside: Span,
    content: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let around = document.indentation(named.symbol.definition.start).to_vec();
    let ending = content::line_endings(document, inside.start, 1);
    let place = place_inside(reading, named);
    let content = content::fit_to_place(content, indent, &place)?;
    let lines = [&ending[..], &content, &ending, &around].concat();
    Ok(vec![EditKind::replace(inside, lines)])
}

/// Returns what puts `content` into the list of `named` after what is last there and ends at `end`, its comma included.
///
/// # Errors
///
/// The list is on one line, and the content on several.
pub(super) fn after_the_last(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    end: usize,
    content: &[u8],
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let kind = named.symbol.kind;
    let (text, text_end) = without_comma(document.language, content, Some(kind));
    let has_comma = document.bytes.get(end - 1) == Some(&b',');
    let line = document.lines().line(end - 1);
    let line_end = document.lines().content(&document.bytes, line).end;
    let goes_on = !is_blank(Span::new(end, line_end).of(&document.bytes))
        && next_code(document, end) < line_end;
    if goes_on && text.contains(&b'\n') {
        return Err(takes_lines());
    }
    let place = ContentPlace {
        document,
        offset: end,
        base: document.indentation(end - 1).to_vec(),
        unit: content::unit_at(document, document.widened(named.symbol.definition), None),
        fresh_line: !goes_on,
        parent: Some(kind),
        old: None,
    };
    let parent = Some(document.widened(named.symbol.definition));
    if goes_on {
        let content = content::fit_to_place(&text, indent, &place)?;
        let before = if has_comma { &b" "[..] } else { b", " };
        return Ok(vec![EditKind::Insert(Insertion {
            at: end,
            before: before.to_vec(),
            content,
            parent,
            ..Insertion::default()
        })]);
    }
    let mut text = text;
    if has_comma {
        text.insert(text_end, b',');
    }
    let is_bare = end == line_end;
    let mut edits = Vec::new();
    if !has_comma && !is_bare {
        edits.push(EditKind::replace(Span::at(end), b",".to_vec()));
    }
    let comma = if !has_comma && is_bare {
        &b","[..]
    } else {
        b""
    };
    edits.push(EditKind::Insert(Insertion {
        at: line_end,
        before: [comma, &content::line_endings(document, end, 1)].concat(),
        content: content::fit_to_place(&text, indent, &place)?,
        parent,
        ..Insertion::default()
    }));
    Ok(edits)
}

fn takes_lines() -> Diagnostic {
    let message = "the segment shares its line: content of several lines cannot stand beside it";
    Diagnostic::new(Code::Unsupported, message)
        .note("replace the line, or name the segment around it")
}

/// Returns where the last byte before `offset` is that is neither blank nor in a comment.
fn last_code(document: &Document, offset: usize) -> Option<usize> {
    let comments = comments(document);
    let mut end = offset;
    loop {
        end = document.bytes.get(..end)?.trim_ascii_end().len();
        match comments.iter().find(|it| it.start < end && end <= it.end) {
            Some(comment) => end = comment.start,
            None => return end.checked_sub(1),
        }
    }
}

fn comments(document: &Document) -> Vec<Span> {
    document
        .language
        .map(|language| language.grammar.comments(&document.bytes))
        .unwrap_or_default()
}

/// Returns where the first byte at or after `offset` is that is neither blank nor in a comment.
fn next_code(document: &Document, offset: usize) -> usize {
    let comments = comments(document);
    let mut at = offset;
    loop {
        let rest = document.bytes.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_ascii_start().len();
        match comments.iter().find(|it| it.start <= at && at < it.end) {
            Some(comment) => at = comment.end,
            None => return at,
        }
    }
}

/// Returns content without the comma that its code ends with, and where that code ends.
fn without_comma(
    language: Option<&Language>,
    content: &[u8],
    parent: Option<SegmentKind>,
) -> (Vec<u8>, usize) {
    let comments = language
        .map(|language| language.grammar.comments_inside(content, parent))
        .unwrap_or_default();
    let mut end = content.trim_ascii_end().len();
    while let Some(comment) = comments.iter().find(|it| it.start < end && end <= it.end) {
        end = content[..comment.start].trim_ascii_end().len();
    }
    let mut text = content.to_vec();
    if end > 0 && text[end - 1] == b',' {
        end -= 1;
        text.remove(end);
    }
    (text, end)
}
