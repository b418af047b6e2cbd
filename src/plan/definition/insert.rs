//! A definition beside another one or inside of it, with the gaps that the file has there.

use super::docstring::{end_of_lead, lead_of};
use super::parted::{self, MemberPlace};
use super::place::{open_up_body, place_inside};
use super::replace::defines_itself;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Indent, Position};
use crate::plan::content::{
    self, Bulk, ContentPlace, Defined, defined_beside, line_endings, parent_kind, place_at,
};
use crate::plan::edit::{EditKind, Insertion};
use crate::plan::gaps::{self, Gaps, bulk_beginning, bulk_ending, set_apart};
use crate::plan::section::insert_into_section;
use crate::resolve::{Definition, Document, Reading};
use crate::syntax::{SegmentKind, markdown};
use crate::text::Span;

/// A sibling of a named segment.
pub(crate) fn insert_sibling_of(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    span: Span,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let mut text = content::trim_to_block(content);
    let (above, below) = wanted_bulk(reading, named, &text);
    let place = ContentPlace {
        offset: span.start,
        ..place_at(reading, span, Some(named))
    };
    let is_parted = named.symbol.parted;
    if is_parted && !document.has_lines_to_itself(named.symbol.whole()) {
        return parted::on_its_line(reading, named, position, &text, indent);
    }
    let (mut ahead, mut others) = (&b""[..], Vec::new());
    if is_parted {
        let member = parted::on_lines(reading, named, span, position, &text)?;
        (text, ahead, others) = (member.text, member.before, member.others);
    }
    if !place.fresh_line {
        return Err(Diagnostic::new(
            Code::Unsupported,
            "the segment shares its line: nothing can stand beside it",
        )
        .note("replace the line, or name the segment around it"));
    }
    let content = content::fit_to_place(
        &text,
        indent,
        &ContentPlace {
            fresh_line: true,
            ..place
        },
    )?;
    let (siblings, near) = gaps::siblings(reading, named);
    let own = Bulk::of(named.symbol);
    let top = named.parent.is_none();
    let own_lines = span;
    let span = match named.symbol.kind {
        SegmentKind::Section => markdown::halves::with_anchors(&document.bytes, span),
        _ => span,
    };
    let around = Gaps::around(document, span);
    let blank = |count: usize| line_endings(document, span.start, count);
    // Where an anchor is between two sections, the lines between them say little.
    let least = usize::from(span != own_lines);
    if position == Position::Before {
        let gap = gaps::blank_lines_of(document, &siblings, near, (below, own), top).max(least);
        let room = gaps::blank_lines_of(
            document,
            &siblings,
            near,
            (bulk_ending(reading, around.previous), above),
            top,
        );
        let head = if around.above == 0 && needs_room(document, named, around.previous) {
            blank(room)
        } else {
            Vec::new()
        };
        let insertion = Insertion {
            at: span.start,
            head,
            content,
            after: blank(1 + gap),
            ..Insertion::default()
        };
        return Ok(vec![EditKind::Insert(set_apart(
            document,
            Insertion {
                beside: Some(span),
                ..insertion
            },
        ))]);
    }
    let gap = gaps::blank_lines_of(document, &siblings, near, (own, above), top).max(least);
    let room = gaps::blank_lines_of(
        document,
        &siblings,
        near,
        (below, bulk_beginning(reading, around.next)),
        top,
    );
    let foot = if around.below == 0 && is_followed(document, named, around.next) {
        blank(room)
    } else {
        Vec::new()
    };
    let insertion = Insertion {
        at: span.end,
        before: [ahead, &blank(1 + gap)].concat(),
        content,
        foot,
        ..Insertion::default()
    };
    others.push(EditKind::Insert(set_apart(
        document,
        Insertion {
            beside: Some(span),
            ..insertion
        },
    )));
    Ok(others)
}

/// Returns how much room content wants above and below: of code the content tells, sections always want some.
fn wanted_bulk(reading: &Reading<'_>, named: &Definition<'_>, text: &[u8]) -> (Bulk, Bulk) {
    if named.symbol.kind == SegmentKind::Section {
        return (Bulk::Bulky, Bulk::Bulky);
    }
    let defined = defined_beside(reading, named, text);
    (defined.bulk_above(), defined.bulk_below())
}

/// Says whether the line above is a neighbour, not the header that opens the block.
fn needs_room(document: &Document, named: &Definition<'_>, previous: Option<usize>) -> bool {
    let Some(previous) = previous else {
        return false;
    };
    let line = document
        .lines()
        .content(&document.bytes, previous)
        .of(&document.bytes);
    let depth = document.indentation(named.symbol.definition.start).len();
    let shallower = crate::text::leading_blank(line).len() < depth;
    !(shallower || line.trim_ascii_end().ends_with(b"{"))
}

/// Says whether the line below is a neighbour, not what closes the block.
fn is_followed(document: &Document, named: &Definition<'_>, next: Option<usize>) -> bool {
    let Some(next) = next else { return false };
    let line = document
        .lines()
        .content(&document.bytes, next)
        .of(&document.bytes);
    let depth = document.indentation(named.symbol.definition.start).len();
    crate::text::leading_blank(line).len() >= depth
        && !matches!(line.trim_ascii_start().first(), Some(b'}' | b')' | b']'))
}

/// The first or last child of a named segment.
pub(crate) fn insert_child_of(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    if named.symbol.kind == SegmentKind::Section {
        return insert_into_section(reading, named, position, content);
    }
    let document = reading.document;
    let text = content::trim_to_block(content);
    match parted::place_in_list(reading, named, position, &text)? {
        Some(MemberPlace::Beside(member)) => {
            let beside = match position {
                Position::First => Position::Before,
                _ => Position::After,
            };
            let span = document.widened(member.symbol.whole());
            return insert_sibling_of(reading, member, span, beside, content, indent);
        }
        Some(MemberPlace::After(end)) => {
            return parted::after_the_last(reading, named, end, &text, indent);
        }
        Some(MemberPlace::Empty(inside)) => {
            return parted::into_empty(reading, named, inside, &text, indent);
        }
        None => {}
    }
    let Some(body) = named
        .symbol
        .body
        .filter(|_| named.symbol.kind != SegmentKind::Variable)
    else {
        let message = format!("a {} without a body has no inside", named.symbol.kind);
        return Err(Diagnostic::new(Code::Unsupported, message));
    };
    if defines_itself(reading, named, &text) {
        let name = &named.symbol.name;
        return Err(Diagnostic::new(
            Code::Unsupported,
            format!("the content defines `{name}`, and would be put inside of it"),
        )
        .note("give only what is to be inside, without the header around it"));
    }
    let defined = Defined::by(&text, document.language, Some(named.symbol.kind));
    if position == Position::Last {
        refuse_behind_the_last(document, named, body, &text)?;
    }
    if body.is_empty() || !document.has_lines_to_itself(body) {
        return Ok(insert_into_short_body(
            reading,
            named,
            body,
            position,
            content::fit_to_place(&text, indent, &place_inside(reading, named))?,
            &text,
        ));
    }
    let lines = document.widened(body);
    let base = content::indentation_inside(document, lines);
    let unit = content::unit_at(
        document,
        document.widened(named.symbol.definition),
        parent_kind(reading, named),
    );
    let place = ContentPlace {
        document,
        offset: lines.start,
        base,
        unit,
        fresh_line: true,
        parent: Some(named.symbol.kind),
        old: None,
    };
    let content = content::fit_to_place(&text, indent, &place)?;
    let children = gaps::children(reading, named);
    let blank = |count: usize| line_endings(document, lines.start, count);
    let parent = Some(document.widened(named.symbol.definition));
    if position == Position::Last {
        let end = named
            .symbol
            .trailing
            .map_or(lines.end, |trailing| document.widened(trailing).end);
        let last = children
            .last()
            .filter(|last| document.widened(last.symbol.whole()).end >= lines.end);
        let above = last.map_or(Bulk::Slim, |last| Bulk::of(last.symbol));
        let gap = gaps::blank_lines_of(
            document,
            &children,
            children.len(),
            (above, defined.bulk_above()),
            false,
        );
        let sign = parted::open_end(reading, named).filter(|_| !defined.is_parted());
        let is_here = |sign: &Span| sign.is_empty() && sign.start == end;
        let ahead = if sign.as_ref().is_some_and(is_here) {
            &b";"[..]
        } else {
            b""
        };
        let mut edits: Vec<EditKind> = sign
            .filter(|sign| !is_here(sign))
            .map(|sign| EditKind::replace(sign, b";".to_vec()))
            .into_iter()
            .collect();
        edits.push(EditKind::Insert(Insertion {
            at: end,
            before: [ahead, &blank(1 + gap)].concat(),
            content,
            parent,
            ..Insertion::default()
        }));
        return Ok(edits);
    }
    if let Some(lead) = lead_of(document, named, body) {
        let end = end_of_lead(document, lead);
        let at = end.end;
        let around = Gaps::around(document, end);
        let rest = Span::new(
            at,
            document
                .lines()
                .content(&document.bytes, around.lines.1)
                .end
                .max(at),
        );
        if !crate::text::is_blank(rest.of(&document.bytes)) {
            let message = format!(
                "what has to stand first in {} shares its line",
                named.address()
            );
            return Err(
                Diagnostic::new(Code::Unsupported, message).note("replace the line, or the body")
            );
        }
        let gap = gaps::blank_lines_of(
            document,
            &children,
            0,
            (Bulk::Slim, defined.bulk_above()),
            false,
        );
        let next = around
            .next
            .filter(|&next| document.lines().start(next) < lines.end);
        let room = gaps::blank_lines_of(
            document,
            &children,
            0,
            (defined.bulk_below(), bulk_beginning(reading, next)),
            false,
        );
        let foot = if next.is_some() && around.below == 0 {
            blank(room)
        } else {
            Vec::new()
        };
        return Ok(vec![EditKind::Insert(Insertion {
            at,
            before: blank(1 + gap),
            content,
            foot,
            parent,
            ..Insertion::default()
        })]);
    }
    let below = bulk_beginning(reading, Some(document.lines().line(lines.start)));
    let gap = gaps::blank_lines_of(document, &children, 0, (defined.bulk_below(), below), false);
    Ok(vec![EditKind::Insert(Insertion {
        at: lines.start,
        content,
        after: blank(1 + gap),
        parent,
        ..Insertion::default()
    })])
}

/// Refuses content behind a statement that leaves the function: there it would never run. What is there all the same are functions and
/// types where indentation says nothing, and a `yield`, which makes a generator of a function.
fn refuse_behind_the_last(
    document: &Document,
    named: &Definition<'_>,
    body: Span,
    text: &[u8],
) -> Result<(), Diagnostic> {
    const LEAVING: [&[u8]; 3] = [b"return", b"raise", b"throw"];
    let is_function = matches!(
        named.symbol.kind,
        SegmentKind::Function | SegmentKind::Method
    );
    let Some(language) = document.language.filter(|_| is_function) else {
        return Ok(());
    };
    let marks = language.habits.line_comments.iter().copied();
    let marks: Vec<&str> = marks.chain(["/*", "*"]).collect();
    let is_code = |line: &&[u8]| {
        !line.is_empty() && !marks.iter().any(|mark| line.starts_with(mark.as_bytes()))
    };
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let Some(added) = lines.find(is_code) else {
        return Ok(());
    };
    let defines = || {
        let outline = language
            .grammar
            .fragment_outline(text, Some(named.symbol.kind));
        let runs = [SegmentKind::Variable, SegmentKind::Constant];
        outline
            .symbols
            .first()
            .is_some_and(|first| !runs.contains(&first.kind))
    };
    let is_there_all_the_same =
        first_word(added) == b"yield" || !language.habits.offside && defines();
    let statements = language
        .grammar
        .statements(&document.bytes, None)
        .unwrap_or_default();
    let mut inside = statements.iter().filter(|it| body.contains(it.span));
    let depth = inside.clone().map(|it| it.depth).min();
    let last = inside.rfind(|it| Some(it.depth) == depth);
    let Some(last) = last.filter(|_| !is_there_all_the_same) else {
        return Ok(());
    };
    let last = last.span.of(&document.bytes);
    if !LEAVING.contains(&first_word(last)) {
        return Ok(());
    }
    let line = last.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let message = format!(
        "the content is below `{}`, which leaves {}: there it would never run",
        shown(String::from_utf8_lossy(line).trim()),
        named.address()
    );
    Err(Diagnostic::new(Code::Unsupported, message)
        .note("put it above that statement: `insert` with its `text` and `position: before`"))
}

/// Returns the word that code begins with.
fn first_word(code: &[u8]) -> &[u8] {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$';
    let end = code.iter().take_while(|byte| is_of_word(byte)).count();
    &code[..end]
}

/// Into a body that is empty or shares the header's line.
fn insert_into_short_body(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    body: Span,
    position: Position,
    fitted: Vec<u8>,
    text: &[u8],
) -> Vec<EditKind> {
    let document = reading.document;
    if body.is_empty() {
        return open_up_body(reading, named, body, fitted, None);
    }
    let ending = line_endings(document, body.start, 1);
    let place = place_inside(reading, named);
    let lead = lead_of(document, named, body).filter(|_| position == Position::First);
    if let Some(lead) = lead {
        let mut lines = [
            &place.base,
            Span::new(body.start, lead.end)
                .of(&document.bytes)
                .trim_ascii(),
        ]
        .concat();
        lines = [lines, ending.clone(), fitted].concat();
        let rest = Span::new(lead.end, body.end)
            .of(&document.bytes)
            .trim_ascii();
        let rest = rest.strip_prefix(b";").unwrap_or(rest).trim_ascii_start();
        if !rest.is_empty() {
            lines = [lines, ending, place.base.clone(), rest.to_vec()].concat();
        }
        return open_up_body(reading, named, body, lines, None);
    }
    let mut kept = place.base.clone();
    kept.extend_from_slice(body.of(&document.bytes).trim_ascii());
    let defined = Defined::by(text, document.language, Some(named.symbol.kind));
    let gap = gaps::blank_lines_of(document, &[], 0, (Bulk::Slim, defined.bulk_above()), false);
    let between = line_endings(document, body.start, 1 + gap);
    let lines = if position == Position::First {
        [fitted, ending, kept].concat()
    } else {
        [kept, between, fitted].concat()
    };
    open_up_body(reading, named, body, lines, Some(position))
}
