//! `insert`: content beside or inside a segment, with the room that its neighbours give each other.

use super::action::{defined_beside, parent_kind, place_at};
use super::content::{self, Bulk, Defined, Place};
use super::edit::{Insertion, Nesting, What};
use super::element;
use super::gaps::{self, Gaps};
use super::overlap::endings;
use super::own_line;
use super::replace::{inside, opened_up};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Position, Scoped, Selector};
use crate::resolve::{Definition, Document, Reading, Target, is_code};
use crate::syntax::html::is_html;
use crate::syntax::jinja;
use crate::syntax::keys::KeyFormat;
use crate::syntax::markdown::{self, MARKDOWN, MarkdownBlockKind, leaves};
use crate::syntax::{DecorationKind, Kind, head};
use crate::text::splice::{Splice, Splices};
use crate::text::{BOM, LineEnding, Span, is_blank, leading_blank};

/// Returns the edits that put `content` beside or inside `target`.
pub fn beside(
    reading: &Reading<'_>,
    scoped: &Scoped,
    target: &Target<'_, '_>,
    position: Option<Position>,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let position = position.unwrap_or(Position::After);
    let mut edits = placed(reading, scoped, target, position, content, indent)?;
    let is_inside = matches!(position, Position::First | Position::Last);
    let holder = target
        .named
        .filter(|named| is_inside && is_code(named.symbol.kind));
    for edit in &mut edits {
        edit.stays_inside(holder.map(|named| named.symbol.definition.start));
        let What::Insert(insertion) = edit else {
            continue;
        };
        let around = around(reading, target, position, insertion);
        if insertion.nesting == Nesting::Between {
            insertion.nesting = Nesting::of(around, insertion.at, position);
        }
        insertion.around = around.filter(|_| target.named.is_some());
    }
    Ok(edits)
}

/// Returns the edits that put a comment above a definition and its decorators.
pub fn comment_above(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let document = reading.document;
    let symbol = named.symbol;
    let decorators = symbol
        .decorations
        .iter()
        .filter(|decoration| decoration.sort == DecorationKind::Decorator);
    let start = decorators
        .map(|decorator| decorator.span.start)
        .min()
        .unwrap_or(symbol.definition.start);
    let text = content::block(content);
    let habits = document.language.map(|language| language.habits);
    let lines = habits.map_or(&[][..], |habits| habits.line_comments).iter();
    let blocks = habits
        .map_or(&[][..], |habits| habits.block_comments)
        .iter()
        .map(|(open, _)| open);
    let is_comment = lines
        .chain(blocks)
        .any(|mark| text.trim_ascii_start().starts_with(mark.as_bytes()));
    let line = document.line_start(document.lines().line(start));
    if !is_comment || !is_blank(&document.bytes[line..start]) {
        let message = format!(
            "the docstring of {} is a comment on lines of its own",
            named.address()
        );
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("write it with the signs of a comment"));
    }
    let place = Place {
        fresh_line: true,
        ..place_at(reading, Span::at(start), Some(named))
    };
    let content = content::fitted(&text, indent, &place)?;
    let beside = Some(document.widened(symbol.definition));
    Ok(one(Insertion {
        at: line,
        content,
        after: endings(document, line, 1),
        beside,
        ..Insertion::default()
    }))
}

/// Returns the edits that put the text that documents a variable on the lines below its assignment.
pub fn text_below(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let document = reading.document;
    let assignment = named.symbol.definition;
    if !document.has_lines_to_itself(assignment) {
        let message = format!(
            "the assignment to {} shares its line with something else",
            named.address()
        );
        return Err(Diagnostic::new(Code::Unsupported, message).note("replace the line"));
    }
    let lines = document.widened(assignment);
    let place = Place {
        fresh_line: true,
        ..place_at(reading, Span::at(assignment.start), Some(named))
    };
    let content = content::fitted(&content::block(content), indent, &place)?;
    let before = endings(document, lines.start, 1);
    Ok(one(Insertion {
        at: lines.end,
        before,
        content,
        beside: Some(lines),
        ..Insertion::default()
    }))
}

/// Returns what of the file an insertion is inside of.
fn around(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    insertion: &Insertion,
) -> Option<Span> {
    let document = reading.document;
    let is_inside = matches!(position, Position::First | Position::Last);
    if let Some(element) = target.element {
        let parent = || document.dom().elements.get(element.parent?);
        return if is_inside { Some(element) } else { parent() }.map(|it| it.whole());
    }
    if let Some(block) = target.block {
        return is_inside.then(|| block.whole(document));
    }
    match (target.named, insertion.beside) {
        (Some(named), _) if is_inside => Some(named.symbol.definition),
        (Some(named), _) => {
            // A method of Go is not written inside of its type.
            let holds = |parent: &&Definition<'_>| {
                parent.symbol.definition.contains(named.symbol.definition)
            };
            reading
                .parent(named)
                .filter(holds)
                .map(|parent| parent.symbol.definition)
        }
        (None, Some(lines)) => {
            let holds = |named: &&Definition<'_>| !lines.contains(named.symbol.whole());
            reading
                .enclosing(lines)
                .filter(holds)
                .map(|named| named.symbol.definition)
        }
        // Bytes of a line are of what the line is of.
        (None, None) => Some(Span::at(insertion.at)),
    }
}

fn placed(
    reading: &Reading<'_>,
    scoped: &Scoped,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    if let Some(found) = target.element {
        return element::inserted(reading, found, position, content, indent);
    }
    if let Some(block) = target.block {
        return super::block::insert(reading, target, block, position, content, indent);
    }
    if let (Some(named), Position::After | Position::Last) = (target.named, position)
        && named.symbol.kind == Kind::Section
    {
        super::fence::refuse_behind_open(reading.document, named.symbol)?;
    }
    if let Some(named) = target
        .named
        .filter(|named| named.symbol.kind == Kind::Section)
    {
        super::fence::refuse_between_halves(reading.document, named.symbol, position)?;
    }
    let edit = match (target.named, position) {
        (Some(named), Position::Before | Position::After) => {
            sibling(reading, named, target, position, content, indent)?
        }
        (Some(named), Position::First | Position::Last) => {
            child(reading, named, position, content, indent)?
        }
        (None, Position::Before | Position::After) => match scoped.selector {
            Selector::Text(_) | Selector::Pattern(_)
                if target.span.of(&reading.document.bytes).ends_with(b"\n")
                    || means_line(reading, target.span, position, content) =>
            {
                line(reading, target, position, content, indent)?
            }
            Selector::Text(_) | Selector::Pattern(_) => {
                beside_text(reading, target, position, content, indent)?
            }
            _ => line(reading, target, position, content, indent)?,
        },
        (None, Position::First | Position::Last) => {
            return Err(Diagnostic::new(
                Code::Unsupported,
                "text and lines have no inside: no `first` or `last` child",
            )
            .note("`position: before` or `after` stands beside them"));
        }
    };
    Ok(edit)
}

/// Returns the edits that put `content` beside a range of a line: on lines of its own when it is made of lines.
pub fn beside_text(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    if ends_line(content) {
        return line(reading, target, position, content, indent);
    }
    in_line(reading, target, position, content)
}

/// Says whether content beside a text or a pattern, found at `span`, goes on in its line.
pub fn is_in_line(
    reading: &Reading<'_>,
    scoped: &Scoped,
    span: Span,
    position: Option<Position>,
    content: &str,
) -> bool {
    let position = position.unwrap_or(Position::After);
    matches!(scoped.selector, Selector::Text(_) | Selector::Pattern(_))
        && !ends_line(content)
        && !span.of(&reading.document.bytes).ends_with(b"\n")
        && !means_line(reading, span, position, content)
}

/// Says whether a text means its line: it fills that, and the content does not bring the blank that joins both in one; or the content
/// begins a line whatever comes after it.
fn means_line(reading: &Reading<'_>, span: Span, position: Position, content: &str) -> bool {
    let document = reading.document;
    let joins = match position {
        Position::Before => content.ends_with([' ', '\t']),
        _ => joins_after(document, span.of(&document.bytes), content.as_bytes()),
    };
    let fills_item = position == Position::After && super::quoted::fills_item(document, span);
    own_line::is_wanted(document, span, position, content)
        || (!joins || content.contains('\n'))
            && (fills_item || super::quoted::fills_lines(document, span))
}

/// Says whether content of one line goes on in the line of `text`, after it: it begins with one blank, or with several and is a
/// comment. What begins as the text does has the indentation of a line.
fn joins_after(document: &Document, text: &[u8], content: &[u8]) -> bool {
    let blank = leading_blank(content);
    if blank.is_empty() || blank == leading_blank(text) {
        return false;
    }
    let habits = document.language.map(|language| language.habits);
    let marks = habits.map_or(&["#", "//"][..], |habits| habits.line_comments);
    let blocks = habits.map_or(&[][..], |habits| habits.block_comments);
    let begins = |mark: &str| content[blank.len()..].starts_with(mark.as_bytes());
    blank == b" "
        || marks.iter().any(|mark| begins(mark))
        || blocks.iter().any(|(open, _)| begins(open))
}

fn ends_line(content: &str) -> bool {
    content.ends_with('\n')
}

fn one(insertion: Insertion) -> Vec<What> {
    vec![What::Insert(insertion)]
}

/// Right at the match, in its line.
fn in_line(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
) -> Result<Vec<What>, Diagnostic> {
    let text = String::from_utf8_lossy(target.span.of(&reading.document.bytes));
    let (first, second) = if position == Position::Before {
        (content, &*text)
    } else {
        (&*text, content)
    };
    let is_word =
        |letter: Option<char>| letter.is_some_and(|it| it.is_ascii_alphanumeric() || it == '_');
    // A part of a word, such as an `s`, may be meant to be joined.
    let is_part = content.chars().all(|it| is_word(Some(it)));
    let is_joined =
        !is_part && is_word(first.chars().next_back()) && is_word(second.chars().next());
    let is_sign = position == Position::After && {
        let before = text.as_bytes().last().copied();
        own_line::is_joined_sign(reading.document, before, content)
    };
    if is_joined || is_sign {
        let message = "the content would be joined to the word beside it";
        return Err(Diagnostic::new(Code::Unsupported, message).note(
            "part the two by a blank in the content, end it with a line break for a line of its own, or use `replace`",
        ));
    }
    let at = if position == Position::Before {
        target.span.start
    } else {
        target.span.end
    };
    let content = LineEnding::at(&reading.document.bytes, at)
        .write(content.as_bytes())
        .into_owned();
    Ok(one(Insertion {
        at,
        content,
        ..Insertion::default()
    }))
}

/// On lines of its own, beside the lines of the target.
fn line(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let document = reading.document;
    let lines = document.lines();
    let span = target.span;
    let last = if span.is_empty() {
        span.start
    } else {
        span.end - 1
    };
    let (first, last) = (lines.line(span.start), lines.line(last));
    let whole = Span::new(
        document.line_start(first),
        lines.content(&document.bytes, last).end,
    );
    let depth = match position {
        Position::After => super::quoted::depth_at(document, span.start),
        _ => document.indentation(whole.start).to_vec(),
    };
    let place = Place::of_lines(document, whole.start, &depth);
    let behind = if position == Position::Before {
        first
    } else {
        last + 1
    };
    let stays = indent == Indent::Auto && document.keeps_blanks(behind);
    let indent = if stays { Indent::Keep } else { indent };
    let lines = content::lines(content);
    let is_code = document
        .language
        .is_some_and(|language| language.name != MARKDOWN.name);
    let content = if !is_code && indent == Indent::Auto {
        let written = [
            &*place.base,
            &super::quoted::on_lines_of(&lines, &place.base),
        ]
        .concat();
        LineEnding::at(&document.bytes, whole.start)
            .write(&written)
            .into_owned()
    } else {
        if indent == Indent::Auto && !depth.is_empty() {
            let above = line_above(document, (last, position), &depth);
            super::quoted::refuse_unreachable(document, &[above, &lines].concat())?;
        }
        content::fitted(&lines, indent, &place)?
    };
    let ending = endings(document, whole.start, 1);
    Ok(one(if position == Position::Before {
        Insertion {
            at: whole.start,
            content,
            after: ending,
            beside: Some(whole),
            ..Insertion::default()
        }
    } else {
        Insertion {
            at: whole.end,
            before: ending,
            content,
            beside: Some(whole),
            ..Insertion::default()
        }
    }))
}

/// Returns the line that content comes right below, if it is as deep, with its line ending and without its indentation.
fn line_above<'d>(
    document: &'d Document,
    (line, position): (usize, Position),
    depth: &[u8],
) -> &'d [u8] {
    let span = Span::new(document.line_start(line), document.line_start(line + 1));
    let text = span.of(&document.bytes).strip_prefix(depth);
    text.filter(|text| position == Position::After && text.ends_with(b"\n"))
        .unwrap_or_default()
}

fn start_of_text(bytes: &[u8]) -> usize {
    if bytes.starts_with(BOM) { BOM.len() } else { 0 }
}

/// A sibling of a named segment.
fn sibling(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let document = reading.document;
    let text = content::block(content);
    let (above, below) = wants(reading, named, &text);
    let place = Place {
        offset: target.span.start,
        ..place_at(reading, target.span, Some(named))
    };
    if !place.fresh_line {
        return Err(Diagnostic::new(
            Code::Unsupported,
            "the segment shares its line: nothing can stand beside it",
        )
        .note("replace the line, or name the segment around it"));
    }
    let content = content::fitted(
        &text,
        indent,
        &Place {
            fresh_line: true,
            ..place
        },
    )?;
    let (siblings, near) = gaps::siblings(reading, named);
    let own = Bulk::of(named.symbol.kind);
    let top = named.parent.is_none();
    let span = match named.symbol.kind {
        Kind::Section => markdown::halves::with_anchors(&document.bytes, target.span),
        _ => target.span,
    };
    let around = Gaps::around(document, span);
    let blank = |count: usize| endings(document, span.start, count);
    // Where an anchor is between two sections, the lines between them say little.
    let least = usize::from(span != target.span);
    if position == Position::Before {
        let gap = gaps::between(document, &siblings, near, (below, own), top).max(least);
        let room = gaps::between(
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
        return Ok(one(apart(
            document,
            Insertion {
                beside: Some(span),
                ..insertion
            },
        )));
    }
    let gap = gaps::between(document, &siblings, near, (own, above), top).max(least);
    let room = gaps::between(
        document,
        &siblings,
        near,
        (below, bulk_beginning(reading, around.next)),
        top,
    );
    let foot = if around.below == 0 && follows(document, named, around.next) {
        blank(room)
    } else {
        Vec::new()
    };
    let insertion = Insertion {
        at: span.end,
        before: blank(1 + gap),
        content,
        foot,
        ..Insertion::default()
    };
    Ok(one(apart(
        document,
        Insertion {
            beside: Some(span),
            ..insertion
        },
    )))
}

/// Returns how much room content wants above and below: of code the content tells, sections always want some.
fn wants(reading: &Reading<'_>, named: &Definition<'_>, text: &[u8]) -> (Bulk, Bulk) {
    if named.symbol.kind == Kind::Section {
        return (Bulk::Bulky, Bulk::Bulky);
    }
    let defined = defined_beside(reading, named, text);
    (defined.bulk_above(), defined.bulk_below())
}

/// Returns how much room what ends on a line wants: the outermost segment that does.
fn bulk_ending(reading: &Reading<'_>, number: Option<usize>) -> Bulk {
    bulk_where(reading, number, |whole| {
        whole.end.saturating_sub(1).max(whole.start)
    })
}

/// Returns how much room what begins on a line wants: the outermost segment that does.
fn bulk_beginning(reading: &Reading<'_>, number: Option<usize>) -> Bulk {
    bulk_where(reading, number, |whole| whole.start)
}

fn bulk_where(reading: &Reading<'_>, number: Option<usize>, edge: impl Fn(Span) -> usize) -> Bulk {
    let lines = reading.document.lines();
    let on_line = |named: &&Definition<'_>| number == Some(lines.line(edge(named.symbol.whole())));
    reading
        .named()
        .iter()
        .find(on_line)
        .map_or(Bulk::Slim, |named| Bulk::of(named.symbol.kind))
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
fn follows(document: &Document, named: &Definition<'_>, next: Option<usize>) -> bool {
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
fn child(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    if named.symbol.kind == Kind::Section {
        return Ok(section_child(reading, named, position, content));
    }
    let document = reading.document;
    let Some(body) = named
        .symbol
        .body
        .filter(|_| named.symbol.kind != Kind::Variable)
    else {
        let message = format!("a {} without a body has no inside", named.symbol.kind);
        return Err(Diagnostic::new(Code::Unsupported, message));
    };
    let text = content::block(content);
    let defined = Defined::by(&text, document.language, Some(named.symbol.kind));
    if body.is_empty() || !document.has_lines_to_itself(body) {
        return Ok(into_short_body(
            reading,
            named,
            body,
            position,
            content::fitted(&text, indent, &inside(reading, named))?,
            &text,
        ));
    }
    let lines = document.widened(body);
    let base = document.indentation(lines.start).to_vec();
    let unit = content::unit_at(
        document,
        document.widened(named.symbol.definition),
        parent_kind(reading, named),
    );
    let place = Place {
        document,
        offset: lines.start,
        base,
        unit,
        fresh_line: true,
        parent: Some(named.symbol.kind),
        old: None,
    };
    let content = content::fitted(&text, indent, &place)?;
    let children = gaps::children(reading, named);
    let blank = |count: usize| endings(document, lines.start, count);
    let parent = Some(document.widened(named.symbol.definition));
    if position == Position::Last {
        let end = named
            .symbol
            .trailing
            .map_or(lines.end, |trailing| document.widened(trailing).end);
        let last = children
            .last()
            .filter(|last| document.widened(last.symbol.whole()).end >= lines.end);
        let above = last.map_or(Bulk::Slim, |last| Bulk::of(last.symbol.kind));
        let gap = gaps::between(
            document,
            &children,
            children.len(),
            (above, defined.bulk_above()),
            false,
        );
        return Ok(one(Insertion {
            at: end,
            before: blank(1 + gap),
            content,
            parent,
            ..Insertion::default()
        }));
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
        let gap = gaps::between(
            document,
            &children,
            0,
            (Bulk::Slim, defined.bulk_above()),
            false,
        );
        let next = around
            .next
            .filter(|&next| document.lines().start(next) < lines.end);
        let room = gaps::between(
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
        return Ok(one(Insertion {
            at,
            before: blank(1 + gap),
            content,
            foot,
            parent,
            ..Insertion::default()
        }));
    }
    let below = bulk_beginning(reading, Some(document.lines().line(lines.start)));
    let gap = gaps::between(document, &children, 0, (defined.bulk_below(), below), false);
    Ok(one(Insertion {
        at: lines.start,
        content,
        after: blank(1 + gap),
        parent,
        ..Insertion::default()
    }))
}

/// Into a body that is empty or shares the header's line.
fn into_short_body(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    body: Span,
    position: Position,
    fitted: Vec<u8>,
    text: &[u8],
) -> Vec<What> {
    let document = reading.document;
    if body.is_empty() {
        return opened_up(reading, named, body, fitted);
    }
    let ending = endings(document, body.start, 1);
    let place = inside(reading, named);
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
        return opened_up(reading, named, body, lines);
    }
    let mut kept = place.base.clone();
    kept.extend_from_slice(body.of(&document.bytes).trim_ascii());
    let defined = Defined::by(text, document.language, Some(named.symbol.kind));
    let gap = gaps::between(document, &[], 0, (Bulk::Slim, defined.bulk_above()), false);
    let between = endings(document, body.start, 1 + gap);
    let lines = if position == Position::First {
        [fitted, ending, kept].concat()
    } else {
        [kept, between, fitted].concat()
    };
    opened_up(reading, named, body, lines)
}

/// Text at the start or the end of a section; an item or a row in its list or table, where one is there.
fn section_child(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    position: Position,
    content: &str,
) -> Vec<What> {
    let document = reading.document;
    if let Some(insertion) = goes_on(document, named, position, content) {
        return one(insertion);
    }
    let ready = LineEnding::at(&document.bytes, named.symbol.definition.start)
        .write(&content::block(content))
        .into_owned();
    // Ahead of the section's own text a heading would take that.
    let own = || markdown::own(&document.bytes, named.symbol).filter(|_| has_headings(&ready));
    let at = match position {
        Position::First => own().map_or(named.symbol.signature.end, |own| own.end),
        _ => markdown::halves::with_anchors(&document.bytes, named.symbol.definition).end,
    };
    let line = document.widened(Span::at(at)).end.max(at);
    let around = Gaps::around(document, Span::at(at));
    let foot = if position == Position::First && around.next.is_some() && around.below == 0 {
        endings(document, at, 1)
    } else {
        Vec::new()
    };
    one(apart(
        document,
        Insertion {
            at: line,
            before: endings(document, at, 2),
            content: ready,
            foot,
            ..Insertion::default()
        },
    ))
}

fn has_headings(content: &[u8]) -> bool {
    !MARKDOWN
        .grammar
        .fragment_outline(content, None)
        .symbols
        .is_empty()
}

/// Returns the insertion with a blank line above or below it where a page needs one: without, a paragraph or a list goes on in what
/// comes next, and a `---` makes a heading of what is above it.
fn apart(document: &Document, insertion: Insertion) -> Insertion {
    if !document.language.is_some_and(markdown::is_markdown) {
        return insertion;
    }
    let at = insertion.at;
    let ending = endings(document, at, 1);
    let with = |above: bool, below: bool| {
        let mut insertion = insertion.clone();
        if above {
            insertion.before.splice(0..0, ending.iter().copied());
        }
        if below {
            insertion.after.extend_from_slice(&ending);
        }
        insertion
    };
    let disturbs = |insertion: &Insertion| {
        let Insertion {
            head,
            before,
            content,
            after,
            foot,
            ..
        } = insertion;
        let Ok(splices) = Splices::new(vec![Splice::new(
            Span::at(at),
            [head, before, content, after, foot]
                .map(Vec::as_slice)
                .concat(),
        )]) else {
            return false;
        };
        let new = splices.apply(&document.bytes);
        !leaves::disturbed(&document.bytes, &new, &splices, |_| leaves::Naming::Named).is_empty()
    };
    let ways = [(false, false), (true, false), (false, true), (true, true)];
    let undisturbing = ways
        .into_iter()
        .map(|(above, below)| with(above, below))
        .find(|it| !disturbs(it));
    undisturbing.unwrap_or(insertion)
}

/// Returns how content goes on in the list or the table that a section begins or ends with: items of the same sort, without a
/// blank line where the list has none, and rows.
fn goes_on(
    document: &Document,
    named: &Definition<'_>,
    position: Position,
    content: &str,
) -> Option<Insertion> {
    let bytes = &document.bytes;
    let text = content::block(content);
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let sort = if first.starts_with(b"|") {
        MarkdownBlockKind::Table
    } else {
        MarkdownBlockKind::List
    };
    if sort == MarkdownBlockKind::List && marker(first).is_none() {
        return None;
    }
    // With a delimiter row of its own it is a table of its own.
    let second = text.split(|&byte| byte == b'\n').nth(1).unwrap_or_default();
    let is_delimiter =
        second.contains(&b'-') && second.iter().all(|byte| b"|:- \t\r".contains(byte));
    if sort == MarkdownBlockKind::Table && is_delimiter {
        return None;
    }
    let own = markdown::own(bytes, named.symbol)?;
    let blocks = markdown::blocks(bytes, named.symbol, sort);
    let block = match position {
        Position::First if sort == MarkdownBlockKind::List => {
            *blocks.first().filter(|block| block.start == own.start)?
        }
        Position::Last if own.end >= named.symbol.definition.end => {
            *blocks.last().filter(|block| block.end >= own.end)?
        }
        _ => return None,
    };
    let start = document.line_start(document.lines().line(block.start));
    let base = leading_blank(&bytes[start..]).to_vec();
    let opener = document
        .lines()
        .content(bytes, document.lines().line(block.start))
        .of(bytes)
        .trim_ascii_start();
    let is_loose = memchr::memmem::find(&LineEnding::Lf.write(block.of(bytes)), b"\n\n").is_some();
    if sort == MarkdownBlockKind::List && (marker(opener) != marker(first) || is_loose) {
        return None;
    }
    let lines = [&*base, &super::quoted::on_lines_of(&text, &base)].concat();
    let content = LineEnding::at(bytes, block.start)
        .write(&lines)
        .into_owned();
    let ending = endings(document, block.start, 1);
    // Before what another operation puts after the list or the table, at the end of the section.
    let nesting = Nesting::of(
        Some(block),
        if position == Position::First {
            start
        } else {
            block.end
        },
        position,
    );
    Some(match position {
        Position::First => Insertion {
            at: start,
            content,
            after: ending,
            nesting,
            ..Insertion::default()
        },
        _ => {
            let at = document
                .lines()
                .content(bytes, document.lines().line(block.end.max(1) - 1))
                .end;
            Insertion {
                at,
                before: ending,
                content,
                nesting,
                ..Insertion::default()
            }
        }
    })
}

/// Returns the sign of a list's item that `line` begins with: of a number, what comes after it.
fn marker(line: &[u8]) -> Option<u8> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = *line.get(digits)?;
    let is_sign = if digits == 0 {
        b"-*+".contains(&sign)
    } else {
        b".)".contains(&sign)
    };
    (is_sign && line.get(digits + 1).is_some_and(u8::is_ascii_whitespace)).then_some(sign)
}

/// At the start or the end of a file.
pub fn into_file(
    reading: &Reading<'_>,
    position: Option<Position>,
    content: &str,
    indent: Indent,
) -> Result<Vec<What>, Diagnostic> {
    let document = reading.document;
    let bytes = &document.bytes;
    let is_above = matches!(position, Some(Position::First | Position::Before));
    if !is_above && ends_page(document) && begins_text(content) {
        let message = format!(
            "{} ends with `</html>`: nothing comes after it",
            document.path
        );
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("name the element that it is to be in: `selector: body`, `position: last`"));
    }
    let lines = at_margin(document, content::lines(content), indent)?;
    let ready = LineEnding::at(bytes, 0).write(&lines).into_owned();
    if bytes.len() == start_of_text(bytes) {
        let after = if ends_line(content) {
            b"\n".to_vec()
        } else {
            Vec::new()
        };
        return Ok(one(Insertion {
            at: bytes.len(),
            content: ready,
            after,
            ..Insertion::default()
        }));
    }
    Ok(one(apart(
        document,
        at_edge(reading, position, &lines, ready),
    )))
}

/// Says whether the last thing in a page is its closing tag.
fn ends_page(document: &Document) -> bool {
    const END: &[u8] = b"</html>";
    let text = document.bytes.trim_ascii_end();
    let tag = &text[text.len().saturating_sub(END.len())..];
    document.language.is_some_and(is_html) && tag.eq_ignore_ascii_case(END)
}

/// Says whether content is more than comments and the tags of a template may be.
fn begins_text(content: &str) -> bool {
    let text = content.trim_start();
    !(text.is_empty()
        || ["<!--", "{%", "{#"]
            .iter()
            .any(|sign| text.starts_with(sign)))
}

/// Returns lines for the top of a file: of code that begins indented the indentation is taken off, with which it would be of the last
/// definition.
fn at_margin(document: &Document, lines: Vec<u8>, indent: Indent) -> Result<Vec<u8>, Diagnostic> {
    let is_code = document
        .language
        .is_some_and(|language| !language.habits.body_opener.is_empty());
    let first = lines
        .split(|&byte| byte == b'\n')
        .find(|line| !is_blank(line))
        .unwrap_or_default();
    let begins_indented = !leading_blank(first).is_empty();
    if !is_code || indent == Indent::Auto && !begins_indented {
        return Ok(lines);
    }
    let fitted = content::fitted(&lines, indent, &Place::of_lines(document, 0, b""))?;
    Ok(LineEnding::Lf.write(&fitted).into_owned())
}

fn at_edge(
    reading: &Reading<'_>,
    position: Option<Position>,
    lines: &[u8],
    ready: Vec<u8>,
) -> Insertion {
    let document = reading.document;
    let bytes = &document.bytes;
    let text = content::block(&String::from_utf8_lossy(lines));
    let defined = Defined::by(&text, document.language, None);
    let between = |above: Bulk, below: Bulk| {
        let top: Vec<&Definition<'_>> = reading
            .named()
            .iter()
            .filter(|named| named.parent.is_none())
            .collect();
        let near = if matches!(position, Some(Position::First | Position::Before)) {
            0
        } else {
            top.len()
        };
        gaps::between(document, &top, near, (above, below), true)
    };
    if matches!(position, Some(Position::First | Position::Before)) {
        let mut at = behind_start(document, lines).unwrap_or_else(|| head_end(document));
        let lead = document
            .language
            .and_then(|language| language.grammar.lead(bytes, None));
        if let Some(lead) = lead.filter(|lead| lead.end > at) {
            let end = end_of_lead(document, lead);
            let around = Gaps::around(document, end);
            let rest = Span::new(
                end.end,
                document
                    .lines()
                    .content(bytes, around.lines.1)
                    .end
                    .max(end.end),
            );
            let shares_line = !crate::text::is_blank(rest.of(bytes));
            match around.next.filter(|_| around.below > 0 && !shares_line) {
                // Behind the blank lines that are there.
                Some(next) => at = document.lines().start(next),
                None => {
                    let room = between(defined.bulk_below(), bulk_beginning(reading, around.next));
                    let foot = if shares_line || around.next.is_some() && around.below == 0 {
                        endings(document, at, room + usize::from(shares_line))
                    } else {
                        Vec::new()
                    };
                    let gap = between(Bulk::Slim, defined.bulk_above()).max(1);
                    let before = endings(document, at, 1 + gap);
                    return Insertion {
                        at: end.end,
                        before,
                        content: ready,
                        foot,
                        ..Insertion::default()
                    };
                }
            }
        }
        let around = Gaps::around(document, Span::at(at));
        let first = bulk_beginning(reading, Some(document.lines().line(at)));
        let gap = if around.lines.0 > document.lines().count() {
            0
        } else {
            between(defined.bulk_below(), first)
        };
        return Insertion {
            at,
            content: ready,
            after: endings(document, 0, 1 + gap),
            ..Insertion::default()
        };
    }
    let end = bytes.len();
    let trimmed = bytes.trim_ascii_end().len();
    let blank_lines = bytes
        .get(trimmed..)
        .unwrap_or_default()
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
        .saturating_sub(1);
    let number = document.lines().line(trimmed.saturating_sub(1));
    let last = bulk_ending(reading, Some(number));
    let apart = if ends_head(reading, number) || begins_table(document, &text) {
        1
    } else {
        0
    };
    let gap = between(last, defined.bulk_above())
        .max(apart)
        .saturating_sub(blank_lines);
    let ended = bytes.ends_with(b"\n");
    let before = endings(document, end, gap + usize::from(!ended));
    let after = if ended {
        endings(document, end, 1)
    } else {
        Vec::new()
    };
    Insertion {
        at: end,
        before,
        content: ready,
        after,
        ..Insertion::default()
    }
}

/// Returns the range of what has to stand first in a body: its docstring, or directives and their like.
fn lead_of(document: &Document, named: &Definition<'_>, body: Span) -> Option<Span> {
    let docstring = named
        .symbol
        .docstring
        .filter(|docstring| body.contains(*docstring));
    let lead = || {
        document
            .language
            .and_then(|language| language.grammar.lead(&document.bytes, Some(body)))
    };
    docstring.or_else(lead)
}

/// Returns what of the last line of `lead` belongs to it, a comment behind it included.
fn end_of_lead(document: &Document, lead: Span) -> Span {
    let start = document.line_start(document.lines().line(lead.end.saturating_sub(1)));
    document.widened(Span::new(start.min(lead.end), lead.end))
}

/// Says whether content for a file of TOML begins with the header of a table, which custom has a blank line above it.
fn begins_table(document: &Document, content: &[u8]) -> bool {
    let is_toml = document
        .language
        .is_some_and(|language| language.grammar.format() == Some(KeyFormat::Toml));
    is_toml && content.trim_ascii_start().starts_with(b"[")
}

/// Says whether a line ends what has to stand first in a file: in Go that is all that is no definition.
fn ends_head(reading: &Reading<'_>, number: usize) -> bool {
    let document = reading.document;
    let ends_there = |named: &Definition<'_>| {
        document
            .lines()
            .line(named.symbol.whole().end.saturating_sub(1))
            == number
    };
    let is_go = document
        .language
        .is_some_and(|language| language.name == crate::syntax::go::GO.name);
    is_go && !reading.named().iter().any(ends_there)
}

/// Returns where the text of a file begins: behind its byte-order mark, its front matter, its `#!` line and a coding
/// cookie.
fn head_end(document: &Document) -> usize {
    let bytes = &document.bytes;
    if let Some(end) = front_matter_end(document) {
        return end;
    }
    let head = head::of(bytes, document.language.map(|language| &language.habits));
    // A comment that documents the first definition is that one's.
    let first = document
        .outline()
        .symbols
        .iter()
        .map(|symbol| symbol.whole().start)
        .min();
    let is_of_first = first.is_some_and(|first| head.stated <= first && first < head.end);
    let end = if is_of_first { head.stated } else { head.end };
    let end = behind_extends(document).unwrap_or(end).max(end);
    if end == start_of_text(bytes) {
        return end;
    }
    // Behind the blank lines that are there.
    let blank = bytes[end..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    if end + blank < bytes.len() {
        document.line_start(document.lines().line(end + blank))
    } else {
        end
    }
}

/// Returns where the line after the `---` begins that a file of YAML begins with, where content goes that is a part of its first document:
/// not comments alone, and no document of its own.
fn behind_start(document: &Document, content: &[u8]) -> Option<usize> {
    let language = document.language?;
    if language.grammar.format() != Some(KeyFormat::Yaml) {
        return None;
    }
    let without_remark = |line: &[u8]| {
        let end = line.iter().position(|&byte| byte == b'#');
        let ends = |at: &usize| *at == 0 || line[at - 1].is_ascii_whitespace();
        let text = end.filter(ends).map_or(line, |at| &line[..at]);
        text.trim_ascii_end().to_vec()
    };
    let written: Vec<Vec<u8>> = content
        .split(|&byte| byte == b'\n')
        .map(without_remark)
        .filter(|line| !is_blank(line))
        .collect();
    if written.is_empty() || written.iter().any(|line| line.starts_with(b"---")) {
        return None;
    }
    let bytes = &document.bytes;
    let lines = document.lines();
    for number in 1..=lines.count() {
        let start = document.line_start(number);
        let line = without_remark(Span::new(start, lines.content(bytes, number).end).of(bytes));
        match line.as_slice() {
            b"---" => return Some(lines.whole(number).end).filter(|&end| end < bytes.len()),
            text if is_blank(text) || text.starts_with(b"%") => {}
            _ => return None,
        }
    }
    None
}

/// Returns where the line after the `{% extends %}` begins that a template begins with: engines want it first.
fn behind_extends(document: &Document) -> Option<usize> {
    let bytes = &document.bytes;
    let tag = Some(bytes)
        .filter(|_| jinja::is_template(&document.path))
        .and_then(|bytes| jinja::extends(bytes))?;
    Some(memchr::memchr(b'\n', &bytes[tag.end..]).map_or(bytes.len(), |at| tag.end + at + 1))
}

/// Returns where the front matter of a Markdown file ends, between two lines `---` or `+++` at its top.
fn front_matter_end(document: &Document) -> Option<usize> {
    let headings = document
        .language
        .is_some_and(|language| language.name == crate::syntax::markdown::MARKDOWN.name);
    let lines = document.lines();
    let text = |number: usize| {
        let line = Span::new(
            document.line_start(number),
            lines.content(&document.bytes, number).end,
        );
        line.of(&document.bytes).trim_ascii_end()
    };
    let fence = Some(text(1)).filter(|&first| headings && (first == b"---" || first == b"+++"))?;
    let close = (2..=lines.count()).find(|&number| text(number) == fence)?;
    Some(lines.whole(close).end)
}
