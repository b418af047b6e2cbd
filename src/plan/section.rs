//! Sections of Markdown: replaced, and text or a section put inside of one. What is put beside a section is
//! `definition::insert`.

use super::content::{self, line_endings};
use super::edit::{EditKind, Insertion, Nesting, delete_lines};
use super::gaps::{Gaps, set_apart};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Part, Position};
use crate::resolve::{Definition, Document, Reading, Target};
use crate::syntax::markdown::{self, MARKDOWN, MarkdownBlockKind};
use crate::text::{LineEnding, Span, leading_blank};

/// Replaces a section or a part of it; the blank lines around it stay.
pub(super) fn replace_section(
    document: &Document,
    named: &Definition<'_>,
    target: &Target<'_, '_>,
    part: Option<Part>,
    content: &str,
) -> Result<Vec<EditKind>, Diagnostic> {
    let block = content::trim_to_block(content);
    let ending = LineEnding::at(&document.bytes, target.span.start);
    let ready = ending.write(&block).into_owned();
    let heading = named.symbol.signature;
    let brings_heading = document.language.is_some_and(|language| {
        let outline = language.grammar.outline(&block);
        outline
            .symbols
            .first()
            .is_some_and(|first| first.definition.start == 0)
    });
    Ok(match part {
        None | Some(Part::Whole) if brings_heading => vec![EditKind::replace(target.span, ready)],
        None | Some(Part::Whole) => match named.symbol.body {
            Some(body) => replaced_or_deleted(Span::new(body.start, target.span.end), ready),
            None => insert_below_heading(document, heading, ready),
        },
        Some(Part::Heading) if !brings_heading => {
            return Err(Diagnostic::new(Code::Unsupported, "the content is no heading").note(
                "write it with its markers (`## Usage`); without a heading the text would fall to the section above",
            ));
        }
        Some(Part::Code(_)) if !block.is_empty() => {
            return super::fence::replace_fence(document, target.span, &block);
        }
        Some(_) if target.span.is_empty() => insert_below_heading(document, heading, ready),
        Some(_) => replaced_or_deleted(target.span, ready),
    })
}

fn replaced_or_deleted(span: Span, ready: Vec<u8>) -> Vec<EditKind> {
    if ready.is_empty() {
        vec![delete_lines(span)]
    } else {
        vec![EditKind::replace(span, ready)]
    }
}

/// Puts text below a heading that has none, a blank line apart from it and from what follows.
fn insert_below_heading(document: &Document, heading: Span, ready: Vec<u8>) -> Vec<EditKind> {
    if ready.is_empty() {
        return Vec::new();
    }
    let before = line_endings(document, heading.start, 2);
    let follows = super::gaps::Gaps::around(document, heading);
    let foot = if follows.next.is_some() && follows.below == 0 {
        line_endings(document, heading.start, 1)
    } else {
        Vec::new()
    };
    vec![EditKind::Insert(Insertion {
        at: heading.end,
        before,
        content: ready,
        foot,
        ..Insertion::default()
    })]
}

/// Text at the start or the end of a section; an item or a row in its list or table, where one is there.
pub(super) fn insert_into_section(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    position: Position,
    content: &str,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    check_has_no_own_heading(named, content)?;
    if let Some(insertion) = continue_list_or_table(document, named, position, content) {
        return Ok(vec![EditKind::Insert(insertion)]);
    }
    let ready = LineEnding::at(&document.bytes, named.symbol.definition.start)
        .write(&content::trim_to_block(content))
        .into_owned();
    // A heading above the section's own text would take that: content with headings goes below it.
    let own = || markdown::own(&document.bytes, named.symbol).filter(|_| has_headings(&ready));
    let at = match position {
        Position::First => own().map_or(named.symbol.signature.end, |own| own.end),
        _ => markdown::halves::with_anchors(&document.bytes, named.symbol.definition).end,
    };
    let line = document.widened(Span::at(at)).end.max(at);
    let around = Gaps::around(document, Span::at(at));
    let foot = if position == Position::First && around.next.is_some() && around.below == 0 {
        line_endings(document, at, 1)
    } else {
        Vec::new()
    };
    Ok(vec![EditKind::Insert(set_apart(
        document,
        Insertion {
            at: line,
            before: line_endings(document, at, 2),
            content: ready,
            foot,
            ..Insertion::default()
        },
    ))])
}

/// Refuses content for the inside of a section that begins with its heading, which would be there twice.
fn check_has_no_own_heading(named: &Definition<'_>, content: &str) -> Result<(), Diagnostic> {
    let block = content::trim_to_block(content);
    let outline = MARKDOWN.grammar.fragment_outline(&block, None);
    let first = outline.symbols.first();
    let is_own = first.is_some_and(|first| {
        first.definition.start == 0
            && first.level == named.symbol.level
            && first.name == named.symbol.name
    });
    if !is_own {
        return Ok(());
    }
    let message = format!(
        "the content begins with the heading `{}`, and would be put inside of its section",
        shown(&named.symbol.name)
    );
    Err(Diagnostic::new(Code::Unsupported, message)
        .note("give only what is to be below the heading; `replace` gives the whole section anew"))
}

fn has_headings(content: &[u8]) -> bool {
    !MARKDOWN
        .grammar
        .fragment_outline(content, None)
        .symbols
        .is_empty()
}

/// Returns how content goes on in the list or the table that a section begins or ends with: items of the same sort, without a
/// blank line where the list has none, and rows.
fn continue_list_or_table(
    document: &Document,
    named: &Definition<'_>,
    position: Position,
    content: &str,
) -> Option<Insertion> {
    let bytes = &document.bytes;
    let text = content::trim_to_block(content);
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let sort = if first.starts_with(b"|") {
        MarkdownBlockKind::Table
    } else {
        MarkdownBlockKind::List
    };
    if sort == MarkdownBlockKind::List && list_marker(first).is_none() {
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
    if sort == MarkdownBlockKind::List && (list_marker(opener) != list_marker(first) || is_loose) {
        return None;
    }
    let lines = [&*base, &super::quoted::on_lines_of(&text, &base)].concat();
    let content = LineEnding::at(bytes, block.start)
        .write(&lines)
        .into_owned();
    let ending = line_endings(document, block.start, 1);
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
fn list_marker(line: &[u8]) -> Option<u8> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = *line.get(digits)?;
    let is_sign = if digits == 0 {
        b"-*+".contains(&sign)
    } else {
        b".)".contains(&sign)
    };
    (is_sign && line.get(digits + 1).is_some_and(u8::is_ascii_whitespace)).then_some(sign)
}
