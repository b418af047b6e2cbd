//! What comes before a quoted statement, and is not quoted itself, stays before it: decorators, attributes, words such as `pub` or
//! `export`, and comments that document it or that some tool obeys. Content that begins with something else and repeats the quoted line further down would give them to
//! that.
//!
//! Known limits: a statement is known again by its first line, or what of that comes before its value, parameters or body.

use super::changed::ChangedStatement;
use super::comments::is_no_code;
use super::guard::Guard;
use super::touched::Stroke;
use crate::syntax::{Statement, directives};
use crate::text::{Span, is_blank};

/// So many decorators of one statement are looked past.
const MOST_DECORATORS: usize = 16;

/// Returns the statements that come, with their first line, in the content of a splice, and whose prefix another would have.
pub(super) fn parted(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Vec<ChangedStatement> {
    let strokes = guard.sides.old.0.iter().zip(&guard.sides.new.0);
    let quoted = strokes.filter(|(was, _)| !was.is_named);
    let changed = quoted.filter_map(|(was, now)| {
        let at = first_word(was.span.start, old)?;
        let line = line_at(at, old);
        let (prefixed, is_commented) = match prefixed(was, at, before, old) {
            Some(prefixed) => (prefixed, false),
            None => (commented(was, at, before, old)?, true),
        };
        let first = first_word(now.span.start, new)?;
        let first_line = line_at(first, new);
        if first_line == line {
            return None;
        }
        let (own_head, is_other) = (head(line), head(first_line) != head(line));
        let is_again = |at: usize| {
            let found = line_at(at, new);
            begins_line(at, new) && (found == line || is_other && head(found) == own_head)
        };
        let again = beginning_within(after, Span::new(first + 1, now.span.end.max(first) + 1));
        let mut again = again.filter(|it| is_again(it.span.start) || is_again(it.decorated));
        let is_decorated = !is_commented && prefixed.decorated < prefixed.span.start;
        let own = is_decorated.then(|| guard.moves.after(prefixed.decorated));
        let parted = again.find(|it| own.is_none_or(|own| it.decorated != own))?;
        // With nothing but more comments between it is theirs still.
        let leads = || {
            // Its own decorators come between, too.
            parted.decorated <= first
                || beginning_within(after, Span::new(first, parted.span.start))
                    .next()
                    .is_none()
        };
        // Attributes are statements of Rust, and those in a row are of one thing.
        let is_of_one_row = || {
            let between = Span::new(first, parted.span.start.max(first)).of(new);
            let mut lines = between.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            line.starts_with(b"#[") && lines.all(|it| it.is_empty() || it.starts_with(b"#["))
        };
        if is_commented && (leads() || is_of_one_row()) {
            return None;
        }
        Some(ChangedStatement::Parted(prefixed.span, parted.span.start))
    });
    changed.collect()
}

/// Returns the statements that would have the comment of another, which an edit deletes, or puts content ahead of: a comment
/// that some tool obeys for what is right below it, or that documents that.
pub(super) fn handed_on(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Vec<ChangedStatement> {
    let strokes = guard.sides.old.0.iter().zip(&guard.sides.new.0);
    let handed_on = strokes
        .filter(|(was, _)| !was.is_named)
        .filter_map(|(was, now)| {
            let at = first_word(was.span.start, old)?;
            // What takes the place of a comment comes between as well.
            let is_insertion = is_no_code(was.span.of(old));
            let is_deletion = !is_insertion && is_blank(now.span.of(new));
            if !(is_insertion || is_deletion) || !begins_line(at, old) {
                return None;
            }
            let above = comment_for(at, old).filter(|above| above.end <= was.span.start)?;
            let owner = beginning_at(before, at)
                .or_else(|| beginning_at(before, past_comments(at, old)))?;
            // What cgo compiles goes with its import; whether both stay together is looked at elsewhere.
            let is_of_cgo = || is_deletion && line_at(at, old) == b"import \"C\"";
            if !is_directive_for_next(above, old)
                && !is_documentation_of(above, line_at(owner.span.start, old), old)
                && !is_of_cgo()
            {
                return None;
            }
            let first = first_word(now.span.start, new)?;
            let is_owner_whole = is_insertion || owner.span.end <= was.span.end;
            let is_right_below = is_blank(&new[..first])
                || comment_for(first, new).is_some_and(|it| it.of(new) == above.of(old));
            // A comment of its own does not take those above away from it.
            let heir = beginning_at(after, first).or_else(|| {
                beginning_at(after, past_comments(first, new)).filter(|_| is_deletion)
            })?;
            let is_another = is_deletion || heir.span.end <= now.span.end.max(first);
            // What decorates the owner comes between it and its documentation.
            let start = guard.moves.after(owner.span.start);
            let is_own = is_insertion
                && !is_directive_for_next(above, old)
                && beginning_at(after, start).is_some_and(|it| it.decorated <= first);
            if is_own {
                return None;
            }
            (is_owner_whole && is_right_below && is_another)
                .then_some(ChangedStatement::HandedOn(owner.span, heir.span.start))
        });
    handed_on.collect()
}

/// Says whether some content is put right below a comment that a tool obeys for what comes next, or that documents that by its form;
/// or takes away what it is for.
pub(super) fn may_hand_on(guard: &Guard, old: &[u8]) -> bool {
    let mut quoted = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    quoted.any(|(was, _)| {
        let above = first_word(was.span.start, old).and_then(|at| comment_for(at, old));
        above.is_some_and(|above| is_directive_for_next(above, old) || is_documentation(above, old))
    })
}

/// Returns the statements whose line ends in a comment that some tool obeys, which content of several lines would give to its last one.
pub(super) fn trailed(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Vec<ChangedStatement> {
    let trailed = guard
        .sides
        .strokes()
        .filter(|(was, _)| !was.is_named)
        .filter_map(|(was, now)| {
            let comment = line_at(was.span.end, old).trim_ascii_start();
            let is_for_line = directives::of_comment(comment).is_some()
                && !directives::is_border(comment)
                && !directives::is_for_next(comment);
            if !is_for_line {
                return None;
            }
            let own = old[line_start(was.span.end, old)..was.span.end].trim_ascii();
            let last = line_start(now.span.end, new);
            let above = new
                .get(line_start(now.span.start, new)..last)
                .unwrap_or_default();
            let is_above = above
                .split(|&byte| byte == b'\n')
                .any(|line| line.trim_ascii() == own);
            if own.is_empty() || new[last..now.span.end].trim_ascii() == own || !is_above {
                return None;
            }
            let ending = |statements: &[Statement], end: usize| {
                let from = statements.partition_point(|it| it.span.start < end);
                statements[..from]
                    .iter()
                    .rfind(|it| it.span.end >= end.saturating_sub(1))
                    .map(|it| it.span)
            };
            let heir = ending(after, now.span.end)?;
            Some(ChangedStatement::HandedOn(
                ending(before, was.span.end)?,
                heir.start,
            ))
        });
    trailed.collect()
}

/// Returns the statements whose first decorator, or the comment that is for them, a splice takes and gives again, to something
/// that comes with it.
pub(super) fn given_again(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Vec<ChangedStatement> {
    let given = guard.sides.strokes().filter_map(|(was, now)| {
        let from = before.partition_point(|it| it.span.start < was.span.end);
        let is_quoted =
            |it: &&Statement| was.span.start <= it.decorated && it.decorated < was.span.end;
        let came = || {
            beginning_within(
                after,
                Span::new(now.span.start, now.span.end.max(now.span.start)),
            )
        };
        let still = |it: &Statement| {
            let start = guard.moves.after(it.span.start);
            beginning_within(after, Span::new(start, start + 1)).next()
        };
        let top = |it: &Statement| it.decorated.min(it.span.start);
        // Decorators may be statements of their own.
        if let Some(owner) = before[from..].iter().take(MOST_DECORATORS).find(is_quoted) {
            let mark = line_at(owner.decorated, old);
            let has_mark = |it: &Statement| decorating_lines(it, new).any(|line| line == mark);
            let owner_now = still(owner).filter(|it| !has_mark(it))?;
            // What was decorated so above the quotation is so still.
            came().find(|it| has_mark(it) && now.span.start <= it.decorated)?;
            return Some(ChangedStatement::Redecorated(
                owner.span,
                owner_now.span.start,
            ));
        }
        let owner = before.get(from)?;
        let above = comment_for(top(owner), old).filter(|above| was.span.contains(*above))?;
        is_for(above, owner, old).then_some(())?;
        let has_mark = |it: &Statement| {
            comment_for(top(it), new).is_some_and(|it| it.of(new) == above.of(old))
        };
        still(owner).filter(|it| !has_mark(it))?;
        let heir = came().find(|it| has_mark(it))?;
        Some(ChangedStatement::HandedOn(owner.span, heir.span.start))
    });
    given.collect()
}

/// Returns the statements that would have the decorators of another, which is quoted with them: the content gives nothing but those back.
pub(super) fn decorated_anew(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Vec<ChangedStatement> {
    let quoted = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    let decorated = quoted.filter_map(|(was, now)| {
        let heir = after
            .get(after.partition_point(|it| it.span.start < now.span.end))
            .filter(|it| now.span.start <= it.decorated && it.decorated < now.span.end)?;
        let own = before
            .iter()
            .find(|it| guard.moves.after(it.span.start) == heir.span.start)
            .filter(|it| was.span.end <= it.decorated)?;
        let mark = line_at(heir.decorated, new);
        let is_owner = |it: &&Statement| {
            was.span.contains(it.span) && decorating_lines(it, old).any(|line| line == mark)
        };
        let owner = beginning_within(before, was.span).find(is_owner)?;
        let first_line = line_at(owner.span.start, old);
        let mut given = beginning_within(after, now.span);
        let is_given = given.any(|it| line_at(it.span.start, new) == first_line);
        (!is_given).then_some(ChangedStatement::Redecorated(own.span, heir.span.start))
    });
    decorated.collect()
}

/// Returns the statements that would have the documentation which the content of somebody who names a place ends with: in Rust it
/// is an attribute of whatever comes next.
pub(super) fn documented(
    guard: &Guard,
    before: &[Statement],
    (after, new): (&[Statement], &[u8]),
) -> Vec<ChangedStatement> {
    let given = guard
        .sides
        .strokes()
        .filter(|(was, _)| was.is_named)
        .filter_map(|(was, now)| {
            let content = now.span.of(new).trim_ascii_end();
            let end = now.span.start + content.len();
            let line = memchr::memrchr(b'\n', content)
                .map_or(content, |at| &content[at + 1..])
                .trim_ascii_start();
            let is_line = line.starts_with(b"///") && !line.starts_with(b"////");
            let is_block = || {
                let open = memchr::memmem::rfind(content, b"/*").map(|at| &content[at..]);
                content.ends_with(b"*/")
                    && open.is_some_and(|block| {
                        block.starts_with(b"/**") && !block.starts_with(b"/***")
                    })
            };
            if !(is_line || is_block()) {
                return None;
            }
            let came = beginning_within(after, Span::new(now.span.start, end)).last()?;
            let next = after
                .get(after.partition_point(|it| it.span.start < end))
                .filter(|_| came.span.end <= end)?;
            // What that has of its own comes after.
            let between = new.get(end..next.decorated).unwrap_or_default();
            let mut lines = between.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            let is_next = next.decorated >= now.span.end
                && lines.all(|line| line.is_empty() || line.starts_with(b"//"));
            let owner = before
                .get(before.partition_point(|it| it.span.start < was.span.end))
                .filter(|_| is_next)?;
            (guard.moves.after(owner.span.start) == next.span.start)
                .then_some(ChangedStatement::Redecorated(owner.span, next.span.start))
        });
    given.collect()
}

/// Returns the lines of the decorators of a statement.
fn decorating_lines<'b>(statement: &Statement, bytes: &'b [u8]) -> impl Iterator<Item = &'b [u8]> {
    let decorating = bytes
        .get(statement.decorated..statement.span.start)
        .unwrap_or_default();
    decorating
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
}

/// Returns where the first word is after the comments that begin at `at`.
fn past_comments(mut at: usize, bytes: &[u8]) -> usize {
    loop {
        let rest = &bytes[at..];
        let length = if rest.starts_with(b"//") || rest.starts_with(b"# ") {
            Some(line_at(at, bytes).len())
        } else if rest.starts_with(b"/*") {
            memchr::memmem::find(rest, b"*/").map(|end| end + 2)
        } else {
            None
        };
        match length.and_then(|length| first_word(at + length, bytes)) {
            Some(next) => at = next,
            None => return at,
        }
    }
}

/// Says whether the comment line at `above`, or one of those that it goes on from, is obeyed by some tool for what comes next.
fn is_directive_for_next(above: Span, bytes: &[u8]) -> bool {
    const MOST: usize = 20;
    let goes_on_from = |line: &Span| {
        let text = line.of(bytes);
        let is_line = text.starts_with(b"//") || text.starts_with(b"#");
        comment_above(line.start, bytes)
            .filter(|above| is_line && above.of(bytes).starts_with(&text[..1]))
    };
    let lines = std::iter::successors(Some(above), goes_on_from).take(MOST);
    lines
        .into_iter()
        .any(|line| directives::is_for_next(line.of(bytes)))
}

/// Returns the comment line right above the line of `at`, without its indentation.
pub(super) fn comment_above(at: usize, bytes: &[u8]) -> Option<Span> {
    let line = memchr::memrchr(b'\n', &bytes[..at])?;
    let above = memchr::memrchr(b'\n', &bytes[..line]).map_or(0, |start| start + 1);
    let start = first_word(above, bytes).filter(|start| *start < line)?;
    Some(Span::new(
        start,
        start + bytes[start..line].trim_ascii_end().len(),
    ))
}

/// Returns the comment line above the line of `at`: right above it, or over one blank line where its form says that it documents. What
/// stands first in the file speaks of that.
fn comment_for(at: usize, bytes: &[u8]) -> Option<Span> {
    let right_above = comment_above(at, bytes);
    if right_above.is_some() {
        return right_above;
    }
    let blank = memchr::memrchr(b'\n', &bytes[..at])?;
    let over = comment_above(blank, bytes)?;
    let opens = || memchr::memmem::rfind(&bytes[..over.end], b"/*").unwrap_or(over.start);
    let is_first = || is_blank(&bytes[..opens()]);
    (over.end < blank && is_documentation(over, bytes) && !is_first()).then_some(over)
}

/// Returns the statement whose first word that is quoted is at `at`, if decorators or other words of it come before the quotation.
fn prefixed<'s>(
    stroke: &Stroke,
    at: usize,
    statements: &'s [Statement],
    bytes: &[u8],
) -> Option<&'s Statement> {
    let here = beginning_within(statements, Span::new(at, at + 1))
        .find(|it| it.decorated < stroke.span.start);
    here.or_else(|| {
        // They may be on lines of their own.
        let begun = statements.partition_point(|it| it.span.start < at);
        let around = statements[begun.saturating_sub(MOST_DECORATORS)..begun].iter();
        let mut around = around.filter(|it| stroke.span.start > it.span.start && at < it.span.end);
        // After a bracket it is the first of several, as in `import (`.
        let is_prefix = |text: &[u8]| is_words(text) && !text.trim_ascii_end().ends_with(b"(");
        around.find(|it| is_prefix(&bytes[it.span.start..at]))
    })
}

/// Returns the statement whose first word that is quoted is at `at`, if a comment that belongs to it is right above the quotation:
/// one that some tool obeys, or that documents it.
fn commented<'s>(
    stroke: &Stroke,
    at: usize,
    statements: &'s [Statement],
    bytes: &[u8],
) -> Option<&'s Statement> {
    let above = comment_for(at, bytes).filter(|above| above.end <= stroke.span.start)?;
    beginning_at(statements, at).filter(|it| is_for(above, it, bytes))
}

/// Says whether the comment line at `above` belongs to the statement below it: some tool obeys it, or it documents that.
fn is_for(above: Span, statement: &Statement, bytes: &[u8]) -> bool {
    let comment = above.of(bytes);
    let is_directive = directives::of_comment(comment).is_some() && !directives::is_border(comment);
    is_directive || is_documentation_of(above, line_at(statement.span.start, bytes), bytes)
}

/// Says whether the comment line at `above` ends the documentation of what begins with `line`: by its form, or, as in Go,
/// since its first word is what that is called.
fn is_documentation_of(above: Span, line: &[u8], bytes: &[u8]) -> bool {
    if is_documentation(above, bytes) {
        return true;
    }
    let mut top = above;
    while let Some(next) =
        comment_above(top.start, bytes).filter(|it| it.of(bytes).starts_with(b"//"))
    {
        top = next;
    }
    let words = top.of(bytes).strip_prefix(b"// ").unwrap_or_default();
    let name = words
        .split(|byte| !is_of_name(byte))
        .next()
        .unwrap_or_default();
    !name.is_empty()
        && head(without_receiver(line))
            .split(|byte| !is_of_name(byte))
            .any(|word| word == name)
}

/// Says whether the comment line at `above` ends documentation by its form.
fn is_documentation(above: Span, bytes: &[u8]) -> bool {
    let comment = above.of(bytes);
    let open = || memchr::memmem::rfind(&bytes[..above.end], b"/*");
    comment.starts_with(b"///")
        || comment.ends_with(b"*/") && open().is_some_and(|open| bytes[open..].starts_with(b"/**"))
}

/// Returns a line of Go from the name of a method on.
fn without_receiver(line: &[u8]) -> &[u8] {
    let receiver = line
        .strip_prefix(b"func (")
        .and_then(|rest| Some(&rest[memchr::memchr(b')', rest)? + 1..]));
    receiver.map_or(line, <[u8]>::trim_ascii_start)
}

fn is_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

/// Returns the statement that begins at `at`, with its first decorator or itself.
fn beginning_at(statements: &[Statement], at: usize) -> Option<&Statement> {
    let from = statements.partition_point(|it| it.span.start < at);
    let mut near = statements[from..].iter().take(MOST_DECORATORS);
    near.find(|it| it.span.start == at || it.decorated == at)
}

fn beginning_within(statements: &[Statement], range: Span) -> impl Iterator<Item = &Statement> {
    let from = statements.partition_point(|it| it.span.start < range.start);
    statements[from..]
        .iter()
        .take_while(move |it| it.span.start < range.end)
}

/// Says whether `bytes` are words with blanks or line breaks after them, such as `pub(crate) ` or `public static `.
fn is_words(bytes: &[u8]) -> bool {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_() \t\r\n".contains(byte);
    bytes.last().is_some_and(u8::is_ascii_whitespace) && bytes.iter().all(is_of_word)
}

/// Returns where the first word at or after `offset` is.
pub(super) fn first_word(offset: usize, bytes: &[u8]) -> Option<usize> {
    let rest = bytes.get(offset..)?;
    Some(offset + rest.iter().position(|byte| !byte.is_ascii_whitespace())?)
}

/// Returns the rest of the line at `offset`, without blanks at its end.
pub(super) fn line_at(offset: usize, bytes: &[u8]) -> &[u8] {
    let rest = bytes.get(offset..).unwrap_or_default();
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    rest[..end].trim_ascii_end()
}

/// Returns what of a line comes before a value, parameters, a type or a body.
pub(super) fn head(line: &[u8]) -> &[u8] {
    let end = line
        .iter()
        .position(|byte| b"=({:,;".contains(byte))
        .unwrap_or(line.len());
    line[..end].trim_ascii_end()
}

pub(super) fn begins_line(offset: usize, bytes: &[u8]) -> bool {
    bytes[line_start(offset, bytes)..offset]
        .iter()
        .all(u8::is_ascii_whitespace)
}

fn line_start(offset: usize, bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |line| line + 1)
}
