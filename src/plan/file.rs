//! Whole files, and the start and the end of one: what has to be first there stays first.

use super::content::{self, Bulk, ContentPlace, Defined, line_endings};
use super::definition::docstring::end_of_lead;
use super::edit::{EditKind, Insertion};
use super::gaps::{self, Gaps, bulk_beginning, bulk_ending, set_apart};
use super::lines::ends_line;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Indent, Position};
use crate::resolve::{Definition, Document, Reading};
use crate::syntax::html::is_html;
use crate::syntax::include_guard::{include_guard, past_includes};
use crate::syntax::keys::KeyFormat;
use crate::syntax::{head, jinja, markdown};
use crate::text::{BOM, LineEnding, Span, is_binary, is_blank, leading_blank};

/// Returns what a whole file becomes: its byte-order mark and line endings stay, unless it was binary.
pub(super) fn replace_whole_file(old: &[u8], content: &str) -> Vec<u8> {
    if is_binary(old) {
        return content.as_bytes().to_vec();
    }
    let mut new = Vec::new();
    if old.starts_with(BOM) && !content.as_bytes().starts_with(BOM) {
        new.extend_from_slice(BOM);
    }
    new.extend_from_slice(&LineEnding::at(old, 0).write(content.as_bytes()));
    new
}

fn start_of_text(bytes: &[u8]) -> usize {
    if bytes.starts_with(BOM) { BOM.len() } else { 0 }
}

/// At the start or the end of a file.
pub(super) fn insert_into_file(
    reading: &Reading<'_>,
    position: Option<Position>,
    content: &str,
    indent: Indent,
) -> Result<Vec<EditKind>, Diagnostic> {
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
    if !is_above
        && ends_in_text(document)
        && begins_text(content)
        && !content.trim_start().starts_with('<')
    {
        let message = format!(
            "{} ends outside of `<?php … ?>`: code would be text there",
            document.path
        );
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("name the definition that it is to come after: `symbol: …`, `position: after`"));
    }
    if is_above && front_matter_end(document).is_some() && has_front_matter(content) {
        let message = format!(
            "the content has front matter, and so has {}: below that it would be text",
            document.path
        );
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("name a key of the front matter that is there, and put the new ones beside it"));
    }
    let lines = moved_to_margin(document, content::end_in_line_break(content), indent)?;
    let ready = LineEnding::at(bytes, 0).write(&lines).into_owned();
    if bytes.len() == start_of_text(bytes) {
        let after = if ends_line(content) {
            b"\n".to_vec()
        } else {
            Vec::new()
        };
        return Ok(vec![EditKind::Insert(Insertion {
            at: bytes.len(),
            content: ready,
            after,
            ..Insertion::default()
        })]);
    }
    Ok(vec![EditKind::Insert(set_apart(
        document,
        insertion_at_edge(reading, position, &lines, ready),
    ))])
}

fn has_front_matter(content: &str) -> bool {
    markdown::front_matter(content.trim_start().as_bytes()).is_some()
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
fn moved_to_margin(
    document: &Document,
    lines: Vec<u8>,
    indent: Indent,
) -> Result<Vec<u8>, Diagnostic> {
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
    let fitted = content::fit_to_place(&lines, indent, &ContentPlace::of_lines(document, 0, b""))?;
    Ok(LineEnding::Lf.write(&fitted).into_owned())
}

fn insertion_at_edge(
    reading: &Reading<'_>,
    position: Option<Position>,
    lines: &[u8],
    ready: Vec<u8>,
) -> Insertion {
    let document = reading.document;
    let bytes = &document.bytes;
    let text = content::trim_to_block(&String::from_utf8_lossy(lines));
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
        gaps::blank_lines_of(document, &top, near, (above, below), true)
    };
    if matches!(position, Some(Position::First | Position::Before)) {
        // Of C a declaration as well.
        let defines = !defined.is_empty() || is_of_c(document) && !text.starts_with(b"#");
        let start = behind_start(document, lines).unwrap_or_else(|| head_end(document));
        let mut at = inside_guard(document, start, defines);
        let lead = document.language.and_then(|language| match defines {
            true => language.grammar.preamble(bytes),
            false => language.grammar.lead(bytes, None),
        });
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
                        line_endings(document, at, room + usize::from(shares_line))
                    } else {
                        Vec::new()
                    };
                    let gap = between(Bulk::Slim, defined.bulk_above()).max(1);
                    let before = line_endings(document, at, 1 + gap);
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
            after: line_endings(document, 0, 1 + gap),
            ..Insertion::default()
        };
    }
    if let Some(foot) = foot(document) {
        let is_directive = text.starts_with(b"#");
        let text = bytes[..foot].trim_ascii_end().len();
        let last = bulk_ending(reading, Some(document.lines().line(text.saturating_sub(1))));
        let least = usize::from(!is_directive);
        let gap = between(last, defined.bulk_above()).max(least);
        return Insertion {
            at: text,
            before: line_endings(document, text, 1 + gap),
            content: ready,
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
    let before = line_endings(document, end, gap + usize::from(!ended));
    let after = if ended {
        line_endings(document, end, 1)
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

/// Returns where code goes that is to be first in a header of C, from `start` on: in what keeps it from being read twice, and a definition
/// below the lines that include others.
fn inside_guard(document: &Document, start: usize, defines: bool) -> usize {
    if !is_of_c(document) {
        return start;
    }
    let bytes = &document.bytes;
    let guard = include_guard(bytes, start_of_text(bytes));
    let start = guard.map_or(start, |guard| guard.start.max(start));
    let end = match defines {
        true => past_includes(bytes, start),
        false => start,
    };
    if guard.is_none() && end == start {
        return start;
    }
    // Behind the blank lines that are there.
    let blanks = &bytes[end..];
    let blanks = blanks.len() - blanks.trim_ascii_start().len();
    if end + blanks < bytes.len() {
        document.line_start(document.lines().line(end + blanks))
    } else {
        end
    }
}

/// Returns where a line begins that has to be the last of the file: the end of what keeps a header from being read twice, the tag after which
/// PHP is text.
fn foot(document: &Document) -> Option<usize> {
    let bytes = &document.bytes;
    if is_of_c(document) {
        return include_guard(bytes, start_of_text(bytes))?.end;
    }
    let text = bytes.trim_ascii_end();
    let close = text.len().checked_sub(2)?;
    let line = memchr::memrchr(b'\n', text)? + 1;
    (is_php(document) && text[line..].trim_ascii() == b"?>").then_some(close)
}

/// Says whether a file of PHP ends outside of its tags, where code would be text.
fn ends_in_text(document: &Document) -> bool {
    let bytes = &document.bytes;
    let Some(close) = memchr::memmem::rfind(bytes, b"?>").filter(|_| is_php(document)) else {
        return false;
    };
    let rest = &bytes[close + 2..];
    memchr::memmem::find(rest, b"<?").is_none() && foot(document).is_none()
}

fn is_of_c(document: &Document) -> bool {
    let language = document.language;
    language.is_some_and(|language| ["C", "C++"].contains(&language.name))
}

fn is_php(document: &Document) -> bool {
    document
        .language
        .is_some_and(|language| language.name == "PHP")
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

/// Returns where the front matter of a page ends, in whatever language that is. YAML has none: there it is a document.
fn front_matter_end(document: &Document) -> Option<usize> {
    let is_yaml = document
        .language
        .is_some_and(|language| language.grammar.format() == Some(KeyFormat::Yaml));
    if is_yaml {
        return None;
    }
    let lines = document.lines();
    let text = |number: usize| {
        let line = lines.content(&document.bytes, number);
        line.of(&document.bytes).trim_ascii_end()
    };
    // One without a key is front matter as well.
    let is_empty = || lines.count() > 1 && text(1) == b"---" && text(2) == b"---";
    match markdown::front_matter(&document.bytes) {
        Some(front) => Some(front.end),
        None => is_empty().then(|| lines.whole(2).end),
    }
}
