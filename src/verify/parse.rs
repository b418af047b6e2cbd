//! Syntax: the candidate parses. A file that was broken before may not get more broken.

use std::collections::HashSet;

use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::resolve::document::MAX_PARSED_BYTES;
use crate::snapshot::File;
use crate::syntax::{Language, SyntaxError};
use crate::text::splice::Splices;
use crate::text::{Lines, is_binary};

/// Most errors of one file that are listed.
const MOST_LISTED: usize = 5;

/// Adds the syntax errors that `after` has and `before` had not to `failures`; a file too large to judge is a notice.
pub fn check(
    edit: &FileEdit,
    before: Option<&File>,
    after: &Document,
    failures: &mut Vec<Diagnostic>,
    notices: &mut Vec<Diagnostic>,
) {
    let path = &edit.path;
    let Some(language) = after.language else { return };
    if is_binary(&after.bytes) || before.is_some_and(|before| before.bytes == after.bytes) {
        return;
    }
    if after.bytes.len() > MAX_PARSED_BYTES {
        let message = format!("the syntax of {path} was not checked: files up to {MAX_PARSED_BYTES} bytes are parsed");
        notices.push(Diagnostic::new(Code::TooLarge, message));
        return;
    }
    // The inventory will want to know what is in it.
    match (before, &edit.splices, &edit.outline) {
        (Some(before), Some(splices), Some(outline)) if edit.moved_from.is_none() => {
            after.reread(&before.bytes, outline, splices);
        }
        (_, Some(_), _) => after.read_both(),
        (_, None, _) => {}
    }
    let errors = after.errors();
    if errors.is_empty() {
        return;
    }
    let old = before.map(|before| language.grammar.errors(&before.bytes)).unwrap_or_default();
    let known = Known::of(edit, before, &old);
    let lines = Lines::of(&after.bytes);
    let fresh: Vec<&SyntaxError> = errors.iter().filter(|error| !known.has(error, &lines, &after.bytes)).collect();
    if errors.len() <= old.len() && errors.iter().all(|error| known.has_like(error, &lines, &after.bytes)) {
        return;
    }
    // Every one is known, and still there are more: one of them stands there more often than before.
    let fresh = if fresh.is_empty() { errors.iter().collect() } else { fresh };
    failures.extend(fresh.into_iter().take(MOST_LISTED).map(|error| refusal(edit, language, error, &after.bytes)));
}

/// The errors that the old file had.
struct Known<'e> {
    /// By the text of their lines.
    lines: Vec<(&'e str, Vec<u8>)>,
    /// By where they now must stand: on the one line of a minified page every edit changes the text of the line.
    places: HashSet<(&'e str, usize)>,
}

impl<'e> Known<'e> {
    fn of(edit: &FileEdit, before: Option<&File>, old: &'e [SyntaxError]) -> Known<'e> {
        let bytes = before.map_or(&b""[..], |before| &before.bytes);
        let lines = Lines::of(bytes);
        Known {
            lines: old.iter().map(|error| (error.message.as_str(), line_text(&lines, bytes, error))).collect(),
            places: old
                .iter()
                .filter_map(|error| Some((error.message.as_str(), moved(error.offset, edit.splices.as_ref())?)))
                .collect(),
        }
    }

    /// Says whether the old file had the error: there, or with the same message on a line of the same text.
    fn has(&self, error: &SyntaxError, lines: &Lines, bytes: &[u8]) -> bool {
        let text = line_text(lines, bytes, error);
        self.stood_there(error) || self.lines.iter().any(|(message, line)| *message == error.message && *line == text)
    }

    /// Says whether the old file had the error there, or any on a line of the same text. One error may hide another, so
    /// where there are no more errors than before, an old one that merely reads otherwise is no new one.
    fn has_like(&self, error: &SyntaxError, lines: &Lines, bytes: &[u8]) -> bool {
        let text = line_text(lines, bytes, error);
        self.stood_there(error) || self.lines.iter().any(|(_, line)| *line == text)
    }

    fn stood_there(&self, error: &SyntaxError) -> bool {
        self.places.contains(&(error.message.as_str(), error.offset))
    }
}

/// Returns where an offset of the old file stands in the new one; `None` when a splice took it.
fn moved(offset: usize, splices: Option<&Splices>) -> Option<usize> {
    let Some(splices) = splices else { return Some(offset) };
    let is_taken = splices.iter().any(|splice| splice.span.start <= offset && offset < splice.span.end);
    (!is_taken).then(|| splices.moves().behind(offset))
}

fn line_text(lines: &Lines, bytes: &[u8], error: &SyntaxError) -> Vec<u8> {
    lines.content(bytes, lines.line(error.offset.min(bytes.len()))).of(bytes).trim_ascii().to_vec()
}

fn refusal(edit: &FileEdit, language: &Language, error: &SyntaxError, bytes: &[u8]) -> Diagnostic {
    let path = &edit.path;
    let lines = Lines::of(bytes);
    let offset = error.offset.min(bytes.len());
    let (line, column) = (lines.line(offset), lines.column(offset));
    let text = String::from_utf8_lossy(lines.content(bytes, line).of(bytes)).into_owned();
    let message = format!("{path}:{line}:{column}: {} ({})", error.message, language.name);
    let diagnostic = Diagnostic::new(Code::SyntaxError, message);
    let diagnostic = diagnostic.showing(Excerpt { path: path.clone(), line, column, text });
    match edit.operation_at(offset) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}
