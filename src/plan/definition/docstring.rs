//! Docstrings, and comments in their place: put in, kept, and found in content.

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::Indent;
use crate::plan::content::{self, ContentPlace, line_endings, place_at};
use crate::plan::edit::{EditKind, Insertion};
use crate::resolve::{Definition, Document, Reading};
use crate::syntax::{DecorationKind, Language, head};
use crate::text::{BOM, LineEnding, Span, is_blank};

/// Returns the edit that gives a module this docstring, and the one that it has: where it has none, it comes after the comments at the
/// head of the file.
pub(crate) fn docstring_of_file(
    reading: &Reading<'_>,
    content: &str,
) -> Result<(EditKind, Vec<u8>), Diagnostic> {
    let document = reading.document;
    let bytes = &document.bytes;
    let language = document.language.filter(|language| language.habits.offside).ok_or_else(|| {
        Diagnostic::new(
            Code::Unsupported,
            format!("{} has no docstring: only a module of Python has one", document.path),
        )
        .note("comments at its head are edited by `text` or `lines`, or inserted with `position: first`")
    })?;
    check_docstring(Some(language), content.as_bytes())?;
    let ending = LineEnding::at(bytes, 0);
    let written = |text: &[u8]| ending.write(text).into_owned();
    let text = content.trim_ascii();
    if let Some(old) = first_docstring(language, bytes) {
        return Ok((
            EditKind::replace(old, written(text.as_bytes())),
            old.of(bytes).to_vec(),
        ));
    }
    if !document.errors().is_empty() {
        return Err(Diagnostic::new(
            Code::Unsupported,
            format!("{} does not parse", document.path),
        )
        .note("mend the file first, or insert the text with `position: first`"));
    }
    let at = head::of(bytes, Some(&language.habits)).end;
    let rest = bytes.get(at..).unwrap_or_default();
    let parts = if is_blank(rest.split(|&byte| byte == b'\n').next().unwrap_or_default()) {
        "\n"
    } else {
        "\n\n"
    };
    let is_line_start = at == 0 || bytes[..at] == *BOM || bytes[..at].ends_with(b"\n");
    let before = if is_line_start { "" } else { "\n" };
    let content = written(format!("{before}{text}{parts}").as_bytes());
    Ok((
        EditKind::Insert(Insertion {
            at,
            content,
            ..Insertion::default()
        }),
        Vec::new(),
    ))
}

/// Refuses content that is no documentation: of Python a string and nothing else, of other languages comments.
pub(crate) fn check_docstring(
    language: Option<&Language>,
    content: &[u8],
) -> Result<(), Diagnostic> {
    let Some(language) = language else {
        return Ok(());
    };
    let refuse = |way_out: &str| {
        Err(Diagnostic::new(Code::Unsupported, "the content is no docstring").note(way_out))
    };
    if language.habits.offside {
        // With the indentation that it is shown with.
        let content = content.trim_ascii_start();
        let is_whole = |span: Span| span.end >= content.trim_ascii_end().len();
        return match first_docstring(language, content) {
            Some(span) if is_whole(span) => Ok(()),
            _ => refuse("write it with its quotes: `\"\"\"…\"\"\"`"),
        };
    }
    let mut rest = 0;
    for comment in language.grammar.comments(content) {
        if !is_blank(content.get(rest..comment.start).unwrap_or_default()) {
            return refuse("write it as a comment");
        }
        rest = comment.end;
    }
    if is_blank(content.get(rest..).unwrap_or_default()) {
        Ok(())
    } else {
        refuse("write it as a comment")
    }
}

/// Returns the docstring that a module begins with.
pub fn first_docstring(language: &Language, source: &[u8]) -> Option<Span> {
    let lead = language.grammar.lead(source, None)?;
    let first = language
        .grammar
        .statements(source, None)?
        .into_iter()
        .next()?
        .span;
    let text = first.of(source).trim_ascii_start();
    let is_string = text
        .first()
        .is_some_and(|first| matches!(first, b'"' | b'\''))
        || matches!(text, [b'r' | b'R' | b'u' | b'U', b'"' | b'\'', ..]);
    (lead.contains(first) && is_string).then_some(first)
}

/// Returns the docstring that a body begins with, unless `content` brings one of its own.
pub(super) fn docstring_to_keep(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    body: Span,
    content: &[u8],
) -> Option<Span> {
    let docstring = named
        .symbol
        .docstring
        .filter(|docstring| body.contains(*docstring))?;
    let brought = reading
        .document
        .language?
        .grammar
        .statements(content, Some(named.symbol.kind))?;
    (!brought.first().is_some_and(|first| first.leads)).then_some(docstring)
}

/// Returns the docstring that a body begins with, with all up to the line of the statement after it, unless `content` brings
/// one of its own.
pub(super) fn kept_docstring(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    body: Span,
    content: &[u8],
) -> Option<Vec<u8>> {
    let document = reading.document;
    let docstring = docstring_to_keep(reading, named, body, content)?;
    let lines = document.lines();
    let last = lines.line(docstring.end.saturating_sub(1));
    let end = lines.content(&document.bytes, last).end;
    let behind = Span::new(docstring.end, end.max(docstring.end))
        .of(&document.bytes)
        .trim_ascii_start();
    // What else is on its line goes, but for a comment; one that ends the body is none of it, and stays anyway.
    if !(behind.is_empty() || behind.starts_with(b"#") && end <= body.end) {
        let own = Span::new(body.start, docstring.end).of(&document.bytes);
        return Some([own, &line_endings(document, docstring.start, 1)].concat());
    }

    let mut kept = Span::new(body.start, end).of(&document.bytes).to_vec();
    let rest = Span::new(end, body.end.max(end)).of(&document.bytes);
    let blanks = rest.iter().position(|byte| !byte.is_ascii_whitespace());
    let first = blanks.map(|at| memchr::memrchr(b'\n', &rest[..at]).map_or(0, |line| line + 1));
    match first {
        Some(first) => kept.extend_from_slice(&rest[..first]),
        None => kept.extend_from_slice(&line_endings(document, docstring.start, 1)),
    }
    Some(kept)
}

/// Returns the edits that put a comment above a definition and its decorators.
pub(crate) fn insert_comment_above(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
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
    let text = content::trim_to_block(content);
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
    let place = ContentPlace {
        fresh_line: true,
        ..place_at(reading, Span::at(start), Some(named))
    };
    let content = content::fit_to_place(&text, indent, &place)?;
    let beside = Some(document.widened(symbol.definition));
    Ok(vec![EditKind::Insert(Insertion {
        at: line,
        content,
        after: line_endings(document, line, 1),
        beside,
        ..Insertion::default()
    })])
}

/// Returns the edits that put the text that documents a variable on the lines below its assignment.
pub(crate) fn insert_text_below(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
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
    let place = ContentPlace {
        fresh_line: true,
        ..place_at(reading, Span::at(assignment.start), Some(named))
    };
    let content = content::fit_to_place(&content::trim_to_block(content), indent, &place)?;
    let before = line_endings(document, lines.start, 1);
    Ok(vec![EditKind::Insert(Insertion {
        at: lines.end,
        before,
        content,
        beside: Some(lines),
        ..Insertion::default()
    })])
}

/// Returns the range of what has to stand first in a body: its docstring, or directives and their like.
pub(crate) fn lead_of(document: &Document, named: &Definition<'_>, body: Span) -> Option<Span> {
    let docstring = named
        .symbol
        .docstring
        .filter(|docstring| body.contains(*docstring));
    let lead = || {
        document
            .language
            .and_then(|language| language.grammar.lead(&document.bytes, Some(body)))
    };
    docstring
        .or_else(lead)
        .or_else(|| call_of_parent(document, named, body))
}

/// Returns the `super(…)` that a constructor of JavaScript or TypeScript begins with: before it there is no `this`.
fn call_of_parent(document: &Document, named: &Definition<'_>, body: Span) -> Option<Span> {
    let language = document
        .language
        .filter(|_| named.symbol.name == "constructor")?;
    let statements = language.grammar.statements(&document.bytes, None)?;
    let first = statements.iter().find(|it| body.contains(it.span))?.span;
    first
        .of(&document.bytes)
        .starts_with(b"super(")
        .then_some(first)
}

/// Returns what of the last line of `lead` belongs to it, a comment behind it included.
pub(crate) fn end_of_lead(document: &Document, lead: Span) -> Span {
    let start = document.line_start(document.lines().line(lead.end.saturating_sub(1)));
    document.widened(Span::new(start.min(lead.end), lead.end))
}
