//! A statement without braces below a header that takes just one: what content puts after it, as deep as it, looks as if it stood in
//! the same block, and stands after it.
//!
//! Example: of `if (!x)⏎  return null;`, with `log();⏎return null;` in the place of the return, nothing but `log();` is conditional.
//!
//! Known limits: depth is told by the first column of a line, and a header by what it ends with.

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::tails::words;
use super::touched::Touched;
use crate::syntax::Statement;
use crate::text::Span;

/// A statement that others may follow.
#[derive(Clone, Copy)]
struct Begun {
    statement: Statement,
    /// Where the last one in it ends, if there is one.
    last: Option<usize>,
    /// A header takes it alone.
    is_lone: bool,
    /// It ends with one that a header takes alone.
    ends_lone: bool,
}

/// Returns the first statement that came with some content, and follows at their depth one that a header takes alone; the header is
/// not of the content.
pub(super) fn followed(new: &Touched, statements: &[Statement], bytes: &[u8]) -> Option<Span> {
    let mut open: Vec<Begun> = Vec::new();
    for &statement in statements {
        let mut previous: Option<Begun> = None;
        while let Some(closed) = open.pop_if(|begun| begun.statement.depth >= statement.depth) {
            if let Some(outer) = open.last_mut() {
                let ends_it = closed.statement.span.end == outer.statement.span.end;
                outer.ends_lone = closed.is_lone || closed.ends_lone && ends_it;
                outer.last = Some(closed.statement.span.end);
            }
            previous = Some(closed).filter(|closed| closed.statement.depth == statement.depth);
        }
        if let Some(header) = previous.filter(|previous| previous.ends_lone)
            && came_after(&header.statement, &statement, new, bytes)
        {
            return Some(statement.span);
        }

        let is_lone = open.last().is_some_and(|outer| {
            let from = outer.last.unwrap_or(outer.statement.span.start);
            let until = statement.decorated.min(statement.span.start);
            is_header(bytes.get(from..until).unwrap_or_default())
                && bytes.get(statement.span.start) != Some(&b'{')
        });
        open.push(Begun {
            statement,
            last: None,
            is_lone,
            ends_lone: false,
        });
    }
    None
}

/// Returns the first statement, beside the edits, whose header is quoted and gone, so that nothing but what is around both is a condition of
/// it. Content that has the words of the header makes one of two.
///
/// Example: of `for (;;) {⏎  if (!ok)` only `for (;;) {` is given back: the `continue` below would run always.
pub(super) fn unguarded(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Option<ChangedStatement> {
    let mut strokes: Vec<(Span, Span)> = guard
        .sides
        .strokes()
        .filter(|(was, _)| !was.is_named)
        .map(|(was, now)| (was.span, now.span))
        .collect();
    strokes.sort_by_key(|(was, _)| was.start);
    let headed_before = headed(before, old);
    let stroke_of = |header: Span| {
        let next = strokes.partition_point(|(was, _)| was.start <= header.start);
        strokes.get(next.checked_sub(1)?).copied()
    };
    let lost: Vec<(&Headed, (Span, Span))> = headed_before
        .iter()
        .filter_map(|it| {
            let stroke = stroke_of(it.header)?;
            let until = it.statement.span.start;
            let is_quoted = it.header.start < stroke.0.end && stroke.0.end <= until;
            let is_beside = it.is_else && stroke.0.end <= it.header.start;
            (is_quoted || is_beside).then_some((it, stroke))
        })
        .collect();
    if lost.is_empty() {
        return None;
    }
    let headed_after = headed(after, new);
    lost.into_iter().find_map(|(it, (was, now))| {
        let place = guard.moves.after(it.statement.span.start);
        let is_there = after.iter().any(|it| it.span.start == place);
        let then = headed_after
            .iter()
            .find(|it| it.statement.span.start == place);
        let is_lost = if was.end <= it.header.start {
            // An `else` that goes to another `if`.
            let is_first = |offset: usize, within: Span, bytes: &[u8]| {
                let ahead = Span::new(within.start, offset.max(within.start)).of(bytes);
                within.start <= offset && ahead.trim_ascii().is_empty()
            };
            let begins = now.of(new).trim_ascii_start().starts_with(b"if");
            let is_another = |then: &&Headed| {
                then.is_else
                    && !is_first(then.owner, now, new)
                    && first_line(then.owner, new) != first_line(it.owner, old)
            };
            begins && is_first(it.owner, was, old) && then.filter(is_another).is_some()
        } else {
            let written = words(now.of(new));
            // What is said above the header as well says nothing of it.
            let above = words(Span::new(was.start, it.header.start).of(old));
            let mut own = words(it.header.of(old));
            own.retain(|word| !KEYWORDS.contains(word) && !above.contains(word));
            let is_meant = !own.is_empty() && own.iter().all(|word| written.contains(word));
            // What was in an `else` may get a condition of its own, but not that of its `if`.
            let is_same_condition =
                |then: &Headed| first_line(then.owner, new) == first_line(it.owner, old);
            let is_there_still = then.is_some_and(|then| {
                let is_kept = !it.is_else || then.is_else || !is_same_condition(then);
                it.headers <= then.headers && is_kept
            });
            !is_there_still && !is_meant
        };
        (is_there && is_lost).then_some(ChangedStatement::Lost(it.statement.span, place))
    })
}

/// Words of headers that say nothing of their conditions.
const KEYWORDS: [&[u8]; 8] = [
    b"if", b"else", b"for", b"while", b"do", b"case", b"default", b"foreach",
];

/// Returns the line of `offset` from there on, without the brace that it may end with.
fn first_line(offset: usize, bytes: &[u8]) -> &[u8] {
    let rest = &bytes[offset..];
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let line = rest[..end].trim_ascii_end();
    line.strip_suffix(b"{").unwrap_or(line).trim_ascii_end()
}

/// A statement that a header takes alone, or the first one below a label of a case.
struct Headed {
    statement: Statement,
    header: Span,
    /// How many such headers are around it, one in the other.
    headers: usize,
    /// Where the statement begins whose header it is.
    owner: usize,
    /// Whether the header is `else`, or `else if (…)` on one line, which are one header.
    is_else: bool,
}

/// Returns every statement that a header takes alone, and the first ones below a label of a case.
fn headed(statements: &[Statement], bytes: &[u8]) -> Vec<Headed> {
    /// A statement, the end of the last one in it, the headers around it, and whether it goes on with an `else` on its line.
    type Open = (Statement, Option<usize>, usize, bool);
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    for &statement in statements {
        while let Some((closed, ..)) = open.pop_if(|(begun, ..)| begun.depth >= statement.depth) {
            if let Some((_, last, ..)) = open.last_mut() {
                *last = Some(closed.span.end);
            }
        }
        let (mut headers, mut goes_on) = (0, false);
        let beyond = open.len().checked_sub(2).and_then(|at| open.get(at));
        if let Some((outer, last, around, is_of_else)) = open.last() {
            let from = last.unwrap_or(outer.span.start);
            let until = statement.decorated.min(statement.span.start);
            let text = bytes.get(from..until).unwrap_or_default();
            let blanks = text.len() - text.trim_ascii_start().len();
            let header = Span::new(from + blanks, until.max(from + blanks));
            let takes_it = is_header(text) || is_label(text);
            if takes_it && bytes.get(statement.span.start) != Some(&b'{') {
                let says_else = text.trim_ascii_start().starts_with(b"else");
                let is_first = last.is_none();
                headers = around + usize::from(!(*is_of_else && is_first));
                let ahead = Span::new(header.start, statement.span.start).of(bytes);
                goes_on = ahead.trim_ascii() == b"else" && !ahead.contains(&b'\n');
                // In some grammars an `else` is a clause of its own.
                let is_clause = header.start == outer.span.start && says_else;
                let owner = beyond.filter(|_| is_clause).map_or(outer, |(it, ..)| it);
                found.push(Headed {
                    statement,
                    header,
                    headers,
                    owner: owner.span.start,
                    is_else: says_else || *is_of_else && is_first,
                });
            }
        }
        open.push((statement, None, headers, goes_on));
    }
    found
}

/// Says whether `text` is the label of a case.
fn is_label(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.ends_with(b":") && (text.starts_with(b"case") || text.starts_with(b"default"))
}

/// Says whether `statement` is of content that `header` is not of, and is deeper than that on a line of its own.
fn came_after(header: &Statement, statement: &Statement, new: &Touched, bytes: &[u8]) -> bool {
    let mut contents = new
        .at(statement.span)
        .filter(|stroke| !stroke.span.is_empty());
    let is_content = contents.any(|stroke| {
        stroke.span.contains(statement.span) && header.span.start < stroke.span.start
    });
    is_content
        && depth(header.span.start, bytes).is_some_and(|of_header| {
            let own = depth(statement.span.start, bytes);
            own.is_some_and(|own| own > of_header) && begins_line(statement.span.start, bytes)
        })
}

/// Says whether `text` ends as what takes one statement does: with conditions in parentheses, or with a word of its own.
fn is_header(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let ends_in_word = |word: &[u8]| {
        let rest = text.strip_suffix(word);
        rest.is_some_and(|rest| {
            rest.last()
                .is_none_or(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))
        })
    };
    text.ends_with(b")") || ends_in_word(b"else") || ends_in_word(b"do") || ends_in_word(b"yield")
}

/// Returns how many blanks are at the beginning of the line of `offset`; nothing where tabs and spaces are mixed.
fn depth(offset: usize, bytes: &[u8]) -> Option<usize> {
    let start = memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |at| at + 1);
    let line = &bytes[start..];
    let blanks = line
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let is_alike = line[..blanks].windows(2).all(|two| two[0] == two[1]);
    is_alike.then_some(blanks)
}

fn begins_line(offset: usize, bytes: &[u8]) -> bool {
    let start = memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |at| at + 1);
    bytes[start..offset].iter().all(u8::is_ascii_whitespace)
}
