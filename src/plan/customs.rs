//! What the formatters of a language have where a deletion leaves two lines next to each other, beside the larger of the two gaps:
//! an emptied block of braces, an emptied group of Go, the blank lines of Python after imports and below an `if`.
//!
//! Lines are 1-based; `previous` and `next` are the nearest ones around what goes that are not blank.

use crate::resolve::Document;
use crate::syntax::go::GO;
use crate::syntax::python::PYTHON;
use crate::text::indent::LineRole;
use crate::text::{Span, leading_blank};

/// Says whether Python's customs have one blank line between these two, whatever was between each and what is gone: ahead of a
/// definition below an `if` and its like, and after the imports, but for a definition.
pub(super) fn is_parted_by_one(document: &Document, previous: usize, next: usize) -> bool {
    if document
        .language
        .is_none_or(|language| language.name != PYTHON.name)
    {
        return false;
    }
    let lines = document.lines();
    let text = |line: usize| lines.content(&document.bytes, line).of(&document.bytes);
    let begins_with = |line: usize, words: &[&str]| {
        let text = text(line).trim_ascii_start();
        words.iter().any(|word| {
            text.strip_prefix(word.as_bytes())
                .is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
        })
    };
    let is_definition = text(next).trim_ascii_start().starts_with(b"@")
        || begins_with(next, &["def", "class", "async def"]);
    let is_inside = leading_blank(text(next)).len() > leading_blank(text(previous)).len();
    const FLOW: [&str; 12] = [
        "if",
        "elif",
        "else",
        "for",
        "while",
        "with",
        "try",
        "except",
        "finally",
        "case",
        "async for",
        "async with",
    ];
    if is_inside {
        return is_definition && begins_with(previous, &FLOW);
    }
    let opens = |line: &usize| !text(*line).starts_with(b" ") && !text(*line).starts_with(b"\t");
    let first = if text(previous).trim_ascii_end() == b")" {
        (1..previous).rev().find(opens).unwrap_or(previous)
    } else {
        previous
    };
    let is_import =
        leading_blank(text(first)).is_empty() && begins_with(first, &["import", "from"]);
    is_import && !is_definition && !text(next).starts_with(b"#")
}

/// Returns the lines of one of Go's groups (`const (`), the comment above it too, that nothing is left in between these lines.
pub(super) fn emptied_group(document: &Document, previous: usize, next: usize) -> Option<Span> {
    let lines = document.lines();
    let text = |line: usize| lines.content(&document.bytes, line).of(&document.bytes);
    let opens = matches!(
        text(previous).trim_ascii_end(),
        b"const (" | b"var (" | b"type ("
    );
    let is_group = document
        .language
        .is_some_and(|language| language.name == GO.name)
        && opens;
    if !is_group || text(next).trim_ascii_end() != b")" {
        return None;
    }
    let documents = |line: &usize| text(*line).starts_with(b"//");
    let first = (1..previous)
        .rev()
        .take_while(documents)
        .last()
        .unwrap_or(previous);
    Some(Span::new(
        lines.start(first),
        lines.content(&document.bytes, next).end,
    ))
}

/// Returns what is between the two braces at the end of one line and the start of the other, where all formatters but Go's have
/// them together if nothing is between them. One on a line of its own stays there.
pub(super) fn emptied_braces(document: &Document, previous: usize, next: usize) -> Option<Span> {
    let lines = document.lines();
    document
        .language
        .filter(|language| language.habits.body_opener == "{" && language.name != GO.name)?;
    let (header, foot) = (
        lines.content(&document.bytes, previous),
        lines.content(&document.bytes, next),
    );
    let opens = header.of(&document.bytes).trim_ascii_end();
    let closes = foot.of(&document.bytes).trim_ascii_start();
    let is_code = |line: usize| document.roles().get(line - 1) == Some(&LineRole::Code);
    let is_empty =
        opens.trim_ascii().len() > 1 && opens.ends_with(b"{") && closes.starts_with(b"}");
    let end = foot.end - closes.len();
    (is_empty && is_code(previous) && is_code(next))
        .then(|| Span::new(header.start + opens.len(), end))
}
