//! Syntax: the candidate parses. A file that was broken before may not get more broken.

use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::resolve::document::MAX_PARSED_BYTES;
use crate::snapshot::File;
use crate::syntax::{Language, SyntaxError, language_of};
use crate::text::{Lines, is_binary};

/// Most errors of one file that are listed.
const MOST_LISTED: usize = 5;

/// Adds the syntax errors that `after` has and `before` had not to `failures`; a file too large to judge is a notice.
pub fn check(
    edit: &FileEdit,
    before: Option<&File>,
    after: &File,
    failures: &mut Vec<Diagnostic>,
    notices: &mut Vec<Diagnostic>,
) {
    let path = &edit.path;
    let Some(language) = language_of(path) else { return };
    if is_binary(&after.bytes) || before.is_some_and(|before| before.bytes == after.bytes) {
        return;
    }
    if after.bytes.len() > MAX_PARSED_BYTES {
        let message = format!("the syntax of {path} was not checked: files up to {MAX_PARSED_BYTES} bytes are parsed");
        notices.push(Diagnostic::new(Code::TooLarge, message));
        return;
    }
    let errors = language.grammar.errors(&after.bytes);
    if errors.is_empty() {
        return;
    }
    let old = before.map(|before| language.grammar.errors(&before.bytes)).unwrap_or_default();
    if errors.len() <= old.len() && !breaks_new_line(&errors, &after.bytes, &old, before) {
        return;
    }
    let fresh = new_errors(&errors, &after.bytes, &old, before);
    failures.extend(fresh.into_iter().take(MOST_LISTED).map(|error| refusal(edit, language, error, &after.bytes)));
}

/// Returns the errors whose message and line the old file did not have; all of them when every one is known, because
/// then one of them stands there more often than before.
fn new_errors<'e>(
    errors: &'e [SyntaxError],
    bytes: &[u8],
    old: &[SyntaxError],
    before: Option<&File>,
) -> Vec<&'e SyntaxError> {
    let known: Vec<(&str, Vec<u8>)> = before
        .map(|before| {
            let lines = Lines::of(&before.bytes);
            old.iter().map(|error| (error.message.as_str(), line_text(&lines, &before.bytes, error))).collect()
        })
        .unwrap_or_default();
    let lines = Lines::of(bytes);
    let fresh: Vec<&SyntaxError> = errors
        .iter()
        .filter(|error| !known.contains(&(error.message.as_str(), line_text(&lines, bytes, error))))
        .collect();
    if fresh.is_empty() { errors.iter().collect() } else { fresh }
}

/// Says whether some error stands on a line where the old file had none like it, although there are no more errors.
/// One error may hide another, so an old error that merely moved is no new one: only its line's text counts.
fn breaks_new_line(errors: &[SyntaxError], bytes: &[u8], old: &[SyntaxError], before: Option<&File>) -> bool {
    let Some(before) = before else { return true };
    let (lines, old_lines) = (Lines::of(bytes), Lines::of(&before.bytes));
    let known: Vec<Vec<u8>> = old.iter().map(|error| line_text(&old_lines, &before.bytes, error)).collect();
    errors.iter().any(|error| !known.contains(&line_text(&lines, bytes, error)))
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
