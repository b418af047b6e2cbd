//! What is code beside an edit is no comment afterwards: a comment that the content opens ends in the content, or where nothing follows.
//!
//! Example: with `retries: 4, // was 2` in the place of `retries: 2,` the rest of that line would be a part of the comment.

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::plan::FileEdit;
use crate::syntax::Habits;
use crate::text::splice::{Splice, Splices};
use crate::text::{Span, is_blank};

/// Returns the first bytes beside `splices` that are code in `old` and a part of a comment in `new`; `comments` finds those of a file.
pub(super) fn swallowed(
    (guard, edit): (&Guard, &FileEdit),
    splices: &Splices,
    habits: &Habits,
    (old, new): (&[u8], &[u8]),
    comments: impl Fn(bool) -> Vec<Span>,
) -> Option<ChangedStatement> {
    let may_go_on = |written: Span| {
        goes_on_in_line(written, new, habits) || leaves_open(written.of(new), habits)
    };
    let written: Vec<Span> = splices
        .with_new_spans()
        .map(|(_, written)| written)
        .collect();
    if !written.iter().any(|written| may_go_on(*written)) {
        return None;
    }
    // What of each new comment goes on after the content in which it begins, in the old file.
    let mut found = Vec::new();
    // Who writes both its ends means what is between them. So do two operations where the one that ends it opens none of its own;
    // a comment that lasts as long as its line ends there whoever wrote the rest of that.
    let begin = |comment: &Span| {
        splices
            .with_new_spans()
            .find(|(_, written)| written.contains(Span::at(comment.start)))
    };
    let is_ended = |comment: &Span| {
        let ends = |written: &Span| written.start < comment.end && comment.end <= written.end;
        splices
            .with_new_spans()
            .filter(|(_, written)| ends(written))
            .any(|(splice, written)| {
                let is_own = |(first, _): (&Splice, Span)| {
                    edit.claimant(first.span) == edit.claimant(splice.span)
                };
                written.start <= comment.start
                    || begin(comment).is_some_and(is_own)
                    || is_in_brackets(comment.of(new), habits)
                        && may_end_one(written.of(new), habits)
            })
    };
    for comment in comments(true)
        .into_iter()
        .filter(|comment| !is_ended(comment))
    {
        if splices.with_new_spans().any(|(splice, written)| {
            written.contains(Span::at(comment.start))
                && comments_out(splice.span.of(old), written.of(new), habits)
                && !parts_line(splice.span, old)
        }) {
            continue;
        }
        let holding = |(_, written): &(_, Span)| {
            written.contains(Span::at(comment.start)) && written.end < comment.end
        };
        let Some((splice, written)) = splices.with_new_spans().find(holding) else {
            continue;
        };
        let next = splices
            .iter()
            .find(|next| next.span.start > splice.span.end)
            .map_or(old.len(), |next| next.span.start);
        let end = (splice.span.end + comment.end - written.end).min(next);
        found.push(Span::new(splice.span.end, end.max(splice.span.end)));
    }
    if found.iter().all(|more| is_blank(more.of(old))) {
        return None;
    }
    let were = comments(false);
    let code = |more: &Span| {
        let mut at = more.start;
        for comment in were.iter().filter(|comment| comment.overlaps(*more)) {
            if !is_blank(Span::new(at, comment.start.max(at)).of(old)) {
                break;
            }
            at = at.max(comment.end);
        }
        let rest = Span::new(at.min(more.end), more.end).of(old);
        // What parts it from others is not what is missed.
        let is_parting = |byte: &u8| byte.is_ascii_whitespace() || b";,".contains(byte);
        let first = rest.iter().position(|byte| !is_parting(byte))?;
        let last = rest.iter().rposition(|byte| !is_parting(byte))?;
        let start = at + first;
        Some(Span::new(start, at + last + 1))
    };
    // A comment that another one begins before, and ends with it, is no comment of its own: the end of the content's is missing.
    let ended_by = |more: &Span| {
        let mut inside = were.iter().filter(|comment| more.contains(**comment));
        inside
            .find(|comment| comment.end == more.end && is_in_brackets(comment.of(old), habits))
            .copied()
    };
    found
        .iter()
        .find_map(|more| code(more).or_else(|| ended_by(more)))
        .map(|span| ChangedStatement::Commented(span, guard.moves.after(span.start)))
}

/// Returns what is in or after a comment of `old` that the edit takes the end of, and that goes on to the end of another one in `new`.
///
/// Example: `/** One. */` without its `*/` takes up everything up to the end of the documentation of the next definition.
pub(super) fn run_together(
    guard: &Guard,
    splices: &Splices,
    habits: &Habits,
    old: &[u8],
    comments: impl Fn(bool) -> Vec<Span>,
) -> Option<ChangedStatement> {
    if !splices
        .iter()
        .any(|splice| may_end_one(splice.span.of(old), habits))
    {
        return None;
    }
    let written: Vec<(Span, Span)> = splices
        .with_new_spans()
        .map(|(splice, written)| (splice.span, written))
        .collect();
    let takes_end = |comment: &Span| {
        let last = comment.end.saturating_sub(1);
        let at = written.partition_point(|(taken, _)| taken.end <= last);
        written
            .get(at)
            .filter(|(taken, _)| comment.start < taken.start && taken.start <= last)
            .copied()
    };
    let were = comments(false);
    let cut: Vec<(Span, (Span, Span))> = were
        .iter()
        .filter_map(|was| Some((*was, takes_end(was)?)))
        .collect();
    if cut.is_empty() {
        return None;
    }

    let are = comments(true);
    cut.into_iter().find_map(|(was, (taken, written))| {
        let place = guard.moves.before(was.start);
        let now = are
            .iter()
            .find(|now| now.start == place && now.end > written.end)?;
        let more = Span::new(
            taken.end,
            (taken.end + now.end - written.end).min(old.len()),
        );
        // Who takes the beginning of the next comment, too, makes one of both.
        let next = were
            .iter()
            .find(|next| more.contains(Span::at(next.start)) && next.start < more.end)?;
        Some(ChangedStatement::Commented(
            *next,
            guard.moves.after(next.start),
        ))
    })
}

/// Says whether content puts nothing but the mark of a comment before what it takes the place of: that is to be one, with its line.
fn comments_out(taken: &[u8], content: &[u8], habits: &Habits) -> bool {
    let rest = |mark: &&str| {
        content
            .trim_ascii()
            .strip_prefix(mark.as_bytes())
            .map(<[u8]>::trim_ascii)
    };
    habits
        .line_comments
        .iter()
        .filter_map(rest)
        .any(|rest| rest == taken.trim_ascii())
}

/// Says whether what is taken is parted from code on the rest of its line: that is none of it.
fn parts_line(taken: Span, old: &[u8]) -> bool {
    let rest = old.get(taken.end..).unwrap_or_default();
    let rest = rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())].trim_ascii();
    let is_parting = |byte: &u8| matches!(byte, b',' | b';');
    let ends = taken
        .of(old)
        .trim_ascii_end()
        .last()
        .is_some_and(is_parting);
    let after = if ends { rest } else { rest.trim_ascii_start() };
    let begins = after.first().is_some_and(is_parting);
    let further = after
        .iter()
        .skip_while(|byte| is_parting(byte))
        .any(|byte| !byte.is_ascii_whitespace());
    (ends || begins) && further
}

/// Returns the first line of content for a place in a comment of one line that would be code: the comment ends with its line.
pub(super) fn left(
    guard: &Guard,
    habits: &Habits,
    (old, new): (&[u8], &[u8]),
    comments: impl Fn(bool) -> Vec<Span>,
) -> Option<ChangedStatement> {
    let is_mark = |line: &[u8]| {
        habits
            .line_comments
            .iter()
            .any(|mark| line.starts_with(mark.as_bytes()))
    };
    let further = |written: Span| {
        let at = memchr::memchr(b'\n', written.of(new))?;
        let mut offset = written.start + at + 1;
        for line in new[offset..written.end].split_inclusive(|&byte| byte == b'\n') {
            let text = line.trim_ascii();
            if !text.is_empty() && !is_mark(text) {
                let start = offset + line.len() - line.trim_ascii_start().len();
                return Some(Span::new(start, start + text.len()));
            }
            offset += line.len();
        }
        None
    };
    let may_be_in_one = |taken: Span| {
        let line = memchr::memrchr(b'\n', &old[..taken.start]).map_or(0, |at| at + 1);
        habits
            .line_comments
            .iter()
            .any(|mark| memchr::memmem::find(&old[line..taken.start], mark.as_bytes()).is_some())
    };
    let quoted = guard
        .sides
        .strokes()
        .filter(|(was, _)| !was.is_named && may_be_in_one(was.span));
    let found: Vec<(Span, Span)> = quoted
        .filter_map(|(was, now)| Some((was.span, further(now.span)?)))
        .collect();
    if found.is_empty() {
        return None;
    }
    let were = comments(false);
    let is_in_one = |taken: Span| {
        let at = were.partition_point(|comment| comment.start < taken.start);
        let comment = at.checked_sub(1).and_then(|at| were.get(at));
        comment.is_some_and(|comment| {
            taken.start < comment.end && taken.end <= comment.end && is_mark(comment.of(old))
        })
    };
    found
        .into_iter()
        .find(|(taken, _)| is_in_one(*taken))
        .map(|(_, line)| ChangedStatement::Appeared(line))
}

/// Says whether a comment that lasts as long as its line may begin in the last line of `written`, with code after it.
fn goes_on_in_line(written: Span, new: &[u8], habits: &Habits) -> bool {
    let content = written.of(new);
    let last = memchr::memrchr(b'\n', content).map_or(content, |at| &content[at + 1..]);
    let rest = new.get(written.end..).unwrap_or_default();
    let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let has = |mark: &&str| memchr::memmem::find(last, mark.as_bytes()).is_some();
    !is_blank(rest) && habits.line_comments.iter().any(has)
}

/// Says whether a comment in brackets may begin in `content` that does not end there.
fn leaves_open(content: &[u8], habits: &Habits) -> bool {
    habits.block_comments.iter().any(|(open, close)| {
        let begun = memchr::memmem::rfind(content, open.as_bytes());
        begun.is_some_and(|at| {
            memchr::memmem::find(&content[at + open.len()..], close.as_bytes()).is_none()
        })
    })
}

/// Says whether a comment has a sign at its end.
fn is_in_brackets(comment: &[u8], habits: &Habits) -> bool {
    habits
        .block_comments
        .iter()
        .any(|(open, _)| comment.starts_with(open.as_bytes()))
}

/// Says whether a comment in brackets that begins before `taken` may end in it.
fn may_end_one(taken: &[u8], habits: &Habits) -> bool {
    habits.block_comments.iter().any(|(open, close)| {
        let end = memchr::memmem::find(taken, close.as_bytes());
        end.is_some_and(|end| memchr::memmem::find(&taken[..end], open.as_bytes()).is_none())
    })
}

/// Says whether `text` is nothing but comments, in some language, or blank.
pub(super) fn is_no_code(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let mut lines = text.split(|&byte| byte == b'\n');
    text.starts_with(b"/*") && text.ends_with(b"*/")
        || lines.all(|line| is_blank(line) || begins_comment(line))
}

/// Says whether a text begins with a comment, in some language.
pub(super) fn begins_comment(text: &[u8]) -> bool {
    const SIGNS: [&[u8]; 6] = [b"#", b"//", b"/*", b"--", b";", b"%"];
    let text = text.trim_ascii_start();
    // An attribute of Rust or PHP is none.
    SIGNS.iter().any(|sign| text.starts_with(sign)) && !text.starts_with(b"#[")
}
