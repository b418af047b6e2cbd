//! Lines, and what is put on lines of their own or into a line.

use super::content::{self, ContentPlace, line_endings};
use super::edit::{EditKind, Insertion};
use super::own_line;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Position, Scoped, Selector};
use crate::resolve::{Document, Reading, Target};
use crate::syntax::markdown::MARKDOWN;
use crate::text::{LineEnding, Span, leading_blank};

pub(super) fn replace_lines(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    if content.is_empty() {
        return Ok(vec![super::remove::delete_bare_lines(target.span)]);
    }
    let document = reading.document;
    let standing = target.span.of(&document.bytes);
    let first_text = standing
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(0);
    let base = document.indentation(target.span.start + first_text);
    let stays =
        indent == Indent::Auto && document.keeps_blanks(document.lines().line(target.span.start));
    let indent = if stays { Indent::Keep } else { indent };
    let place = ContentPlace {
        old: Some(target.span),
        ..ContentPlace::of_lines(document, target.span.start, base)
    };
    Ok(vec![EditKind::replace(
        target.span,
        content::fit_to_place(&content::end_in_line_break(content), indent, &place)?,
    )])
}

/// Returns the edits that put `content` beside a range of a line: on lines of its own when it is made of lines.
pub(super) fn insert_beside_text(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
    if ends_line(content) {
        return insert_line(reading, target, position, content, indent);
    }
    insert_in_line(reading, target, position, content)
}

/// Says whether content beside a text or a pattern, found at `span`, goes on in its line.
pub(super) fn is_in_line(
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
pub(super) fn means_line(
    reading: &Reading<'_>,
    span: Span,
    position: Position,
    content: &str,
) -> bool {
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

pub(super) fn ends_line(content: &str) -> bool {
    content.ends_with('\n')
}

/// Right at the match, in its line.
fn insert_in_line(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
) -> Result<Vec<EditKind>, Diagnostic> {
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
    Ok(vec![EditKind::Insert(Insertion {
        at,
        content,
        ..Insertion::default()
    })])
}

/// On lines of its own, beside the lines of the target.
pub(super) fn insert_line(
    reading: &Reading<'_>,
    target: &Target<'_, '_>,
    position: Position,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
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
    let place = ContentPlace::of_lines(document, whole.start, &depth);
    let behind = if position == Position::Before {
        first
    } else {
        last + 1
    };
    let stays = indent == Indent::Auto && document.keeps_blanks(behind);
    let indent = if stays { Indent::Keep } else { indent };
    let lines = content::end_in_line_break(content);
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
        content::fit_to_place(&lines, indent, &place)?
    };
    let ending = line_endings(document, whole.start, 1);
    Ok(vec![EditKind::Insert(if position == Position::Before {
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
    })])
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
