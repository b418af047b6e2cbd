//! Syntax: the candidate parses. A file that was broken before may not get more broken. Where the grammar finds errors in correct files as
//! well, one of its errors refuses an edit only if brackets no longer pair either; else it is a warning.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::brackets;
use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::resolve::document::MAX_PARSED_BYTES;
use crate::snapshot::File;
use crate::syntax::{GrammarGaps, Language, SyntaxError};
use crate::text::digest::Digest;
use crate::text::splice::{OffsetShift, Splices};
use crate::text::{Lines, Span, is_binary, is_blank};

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
    let Some(language) = after.language else {
        return;
    };
    if is_binary(&after.bytes) || before.is_some_and(|before| before.bytes == after.bytes) {
        return;
    }
    if after.bytes.len() > MAX_PARSED_BYTES {
        let message = format!(
            "the syntax of {path} was not checked: files up to {MAX_PARSED_BYTES} bytes are parsed"
        );
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
    let marked = before.filter(|before| conflicts(&before.bytes) > 0);
    let marked = marked.filter(|before| conflicts(&after.bytes) <= conflicts(&before.bytes));
    let unmarked = marked.map(|_| language.grammar.errors(&without_markers(&after.bytes)));
    let errors = unmarked.as_deref().unwrap_or(errors);
    let old = match (marked, before) {
        (Some(marked), _) => language.grammar.errors(&without_markers(&marked.bytes)),
        // Nothing may be no JSON, and is no broken one either.
        (None, Some(before)) if is_blank(&before.bytes) => Vec::new(),
        (None, Some(before)) => language.grammar.errors(&before.bytes),
        (None, None) => Vec::new(),
    };
    // Where a reader goes on after an error is another place with a comment more.
    if !old.is_empty() && before.is_some_and(|before| leaves_code(edit, before, after, language)) {
        return;
    }
    let known = OldErrors::of(edit, before, &old);
    let lines = LineTexts::of(&after.bytes);
    let is_known = |error: &SyntaxError| known.has(error, &lines);
    let fresh: Vec<&SyntaxError> = errors.iter().filter(|error| !is_known(error)).collect();
    let is_no_worse = |error: &SyntaxError| {
        known.has_like(error, &lines)
            || took_the_place_of_another(error, edit, before, (&old, errors))
    };
    if errors.len() <= old.len() && errors.iter().all(is_no_worse) {
        return;
    }
    // Every one is known, and still there are more: one of them stands there more often than before.
    let fresh = if fresh.is_empty() {
        errors.iter().collect()
    } else {
        fresh
    };
    let was_read = old.is_empty();
    let old = before.map_or(&b""[..], |before| &before.bytes);
    let may_be_right = match language.grammar.gaps() {
        None => false,
        // Of a file that was read whole, what nobody wrote is read still.
        Some(GrammarGaps::Forms) if was_read && !are_written(&fresh, edit, &after.bytes) => false,
        Some(_) => {
            let certain = language.grammar.certain_errors(&after.bytes);
            !fresh.iter().any(|error| certain.contains(error))
                && brackets::pair_as_before(edit, old, &after.bytes, &language.habits)
        }
    };
    let told = fresh
        .into_iter()
        .take(MOST_LISTED)
        .map(|error| refusal(edit, language, error, &after.bytes));
    if may_be_right {
        let unsure = "what reads it here does not know all of the language, so that this may be right; let the compiler judge";
        notices.extend(told.map(|error| error.note(unsure)));
    } else {
        failures.extend(told);
    }
}

/// Says whether all of the errors are on lines that the edit wrote.
fn are_written(errors: &[&SyntaxError], edit: &FileEdit, new: &[u8]) -> bool {
    let Some(splices) = &edit.splices else {
        return true;
    };
    // Where lines went, none was written.
    let is_gap = |span: Span| {
        span.is_empty() && (span.start == 0 || new.get(span.start - 1) == Some(&b'\n'))
    };
    let written: Vec<Span> = splices
        .with_new_spans()
        .filter(|(_, span)| !is_gap(*span))
        .map(|(_, span)| brackets::lines_around(new, span))
        .collect();
    errors.iter().all(|error| {
        let at = written.partition_point(|lines| lines.end < error.offset);
        written
            .get(at)
            .is_some_and(|lines| lines.start <= error.offset)
    })
}

/// What begins the lines that `git merge` leaves where two sides changed the same.
const MARKERS: [&[u8]; 4] = [b"<<<<<<< ", b"||||||| ", b"=======", b">>>>>>> "];

/// Returns how many conflicts are marked.
fn conflicts(bytes: &[u8]) -> usize {
    usize::from(bytes.starts_with(b"<<<<<<< "))
        + memchr::memmem::find_iter(bytes, b"\n<<<<<<< ").count()
}

/// Returns the file with blanks in the place of the lines that mark a merge conflict: what is between them is still code, and
/// one conflict resolved leaves the others.
fn without_markers(bytes: &[u8]) -> Vec<u8> {
    let is_marker = |line: &[u8]| {
        let text = line.trim_ascii_end();
        MARKERS
            .iter()
            .any(|marker| text.starts_with(marker) && (*marker != b"=======" || text == *marker))
    };
    let mut masked = bytes.to_vec();
    for line in masked
        .split_mut(|&byte| byte == b'\n')
        .filter(|line| is_marker(line))
    {
        line.fill(b' ');
    }
    masked
}

/// Says whether the lines that the edit wrote, and that an error is on, have no more errors than those they took the place of.
fn took_the_place_of_another(
    error: &SyntaxError,
    edit: &FileEdit,
    before: Option<&File>,
    (old, new): (&[SyntaxError], &[SyntaxError]),
) -> bool {
    let (Some(splices), Some(before), Some(after)) = (&edit.splices, before, &edit.after) else {
        return false;
    };
    let lines_of = |bytes: &[u8], span: Span| {
        let from = bytes
            .get(..span.start)
            .and_then(|head| memchr::memrchr(b'\n', head))
            .map_or(0, |at| at + 1);
        let rest = bytes.get(span.end..).unwrap_or_default();
        Span::new(
            from,
            span.end + memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
        )
    };
    let count = |errors: &[SyntaxError], lines: Span| {
        errors
            .iter()
            .filter(|error| lines.start <= error.offset && error.offset <= lines.end)
            .count()
    };
    let mut written = splices.with_new_spans().map(|(splice, new)| {
        (
            lines_of(&before.bytes, splice.span),
            lines_of(&after.bytes, new),
        )
    });
    written.any(|(was, now)| {
        now.start <= error.offset && error.offset <= now.end && count(new, now) <= count(old, was)
    })
}

/// Says whether an edit adds and takes away nothing but lines of comments and empty ones.
fn leaves_code(edit: &FileEdit, before: &File, after: &Document, language: &Language) -> bool {
    let (old, new) = (&before.bytes[..], &after.bytes[..]);
    let is_code = |line: &&[u8]| {
        let marks = language.habits.line_comments;
        let is_comment = marks.iter().any(|mark| line.starts_with(mark.as_bytes()));
        !line.is_empty() && (!is_comment || line.ends_with(b"\\"))
    };
    let code = |bytes: &'_ [u8], span: Span| -> Vec<Vec<u8>> {
        let lines = span
            .of(bytes)
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii);
        lines.filter(is_code).map(<[u8]>::to_vec).collect()
    };
    let is_same = |(was, now): (Span, Span)| code(old, was) == code(new, now);
    let lines_of = |bytes: &[u8], span: Span| {
        let start = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[span.end..]);
        Span::new(start, end.map_or(bytes.len(), |at| span.end + at))
    };
    edit.splices.as_ref().is_some_and(|splices| {
        splices
            .with_new_spans()
            .all(|(splice, now)| is_same((lines_of(old, splice.span), lines_of(new, now))))
    })
}

/// The errors that the old file had.
struct OldErrors<'e> {
    /// By their messages and the text of their lines.
    lines: HashSet<(&'e str, u64)>,
    /// The texts of those lines.
    texts: HashSet<u64>,
    /// By where they now must stand: on the one line of a minified page every edit changes the text of the line.
    places: HashSet<(&'e str, usize)>,
}

impl<'e> OldErrors<'e> {
    fn of(edit: &FileEdit, before: Option<&File>, old: &'e [SyntaxError]) -> OldErrors<'e> {
        let bytes = before.map_or(&b""[..], |before| &before.bytes);
        let lines = LineTexts::of(bytes);
        let moves = edit.splices.as_ref().map(Splices::moves);
        let moved = |error: &SyntaxError| match (&edit.splices, &moves) {
            (Some(splices), Some(moves)) => moved(error.offset, splices, moves),
            _ => Some(error.offset),
        };
        OldErrors {
            lines: old
                .iter()
                .map(|error| (error.message.as_str(), lines.text(error)))
                .collect(),
            texts: old.iter().map(|error| lines.text(error)).collect(),
            places: old
                .iter()
                .filter_map(|error| Some((error.message.as_str(), moved(error)?)))
                .collect(),
        }
    }

    /// Says whether the old file had the error: there, or with the same message on a line of the same text.
    fn has(&self, error: &SyntaxError, lines: &LineTexts<'_>) -> bool {
        let is_on_line = || self.lines.contains(&(&error.message, lines.text(error)));
        self.stood_there(error) || is_on_line()
    }

    /// Says whether the old file had the error there, or any on a line of the same text. One error may hide another, so
    /// where there are no more errors than before, an old one that merely reads otherwise is no new one.
    fn has_like(&self, error: &SyntaxError, lines: &LineTexts<'_>) -> bool {
        self.stood_there(error) || self.texts.contains(&lines.text(error))
    }

    fn stood_there(&self, error: &SyntaxError) -> bool {
        self.places
            .contains(&(error.message.as_str(), error.offset))
    }
}

/// The lines of a file, each as a number that its text has: a long one may have thousands of errors.
struct LineTexts<'b> {
    bytes: &'b [u8],
    lines: Lines,
    known: RefCell<HashMap<usize, u64>>,
}

impl<'b> LineTexts<'b> {
    fn of(bytes: &'b [u8]) -> LineTexts<'b> {
        LineTexts {
            bytes,
            lines: Lines::of(bytes),
            known: RefCell::default(),
        }
    }

    /// Returns the number for the text of the line that an error is on, without the blanks around it.
    fn text(&self, error: &SyntaxError) -> u64 {
        let line = self.lines.line(error.offset.min(self.bytes.len()));
        let digest = || {
            Digest::of(
                self.lines
                    .content(self.bytes, line)
                    .of(self.bytes)
                    .trim_ascii(),
            )
        };
        *self.known.borrow_mut().entry(line).or_insert_with(digest)
    }
}

/// Returns where an offset of the old file stands in the new one; `None` when a splice took it.
fn moved(offset: usize, splices: &Splices, moves: &OffsetShift) -> Option<usize> {
    let is_taken = splices
        .near(Span::at(offset))
        .any(|splice| splice.span.start <= offset && offset < splice.span.end);
    (!is_taken).then(|| moves.after(offset))
}

fn refusal(edit: &FileEdit, language: &Language, error: &SyntaxError, bytes: &[u8]) -> Diagnostic {
    let path = &edit.path;
    let lines = Lines::of(bytes);
    let offset = error.offset.min(bytes.len());
    let (line, column) = (lines.line(offset), lines.column(offset));
    let text = String::from_utf8_lossy(lines.content(bytes, line).of(bytes)).into_owned();
    let message = format!(
        "{path}:{line}:{column}: {} ({})",
        error.message, language.name
    );
    let diagnostic = Diagnostic::new(Code::SyntaxError, message);
    let diagnostic = diagnostic.showing(Excerpt {
        path: path.clone(),
        line,
        column,
        text,
    });
    match edit.operation_at(offset) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}
