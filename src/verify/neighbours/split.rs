//! What an edit puts in the middle of a statement, an element or a parameter is a part of that. Where it is one of its own instead,
//! and takes what comes after it, or leaves what comes before it to stand alone, the one that was there is cut in two.
//!
//! Example: after `const user = load()`, which goes on with `.then(parse)` on the next line, `const team = load()` takes that; and
//! `private log: Log,` above `private store: Store` takes the decorator above both.
//!
//! What gives back to the letter what it takes the place of, and goes on after that, is put after it: `if (a) {` that becomes `if (a) { b() } else if
//! (c) {` is in the middle of the block. What looks alike may be put before it or after it: what was there to the letter is there still.

use std::collections::{HashMap, HashSet};

use super::beside::ends_in_clause;
use super::changed::ChangedStatement;
use super::comments::is_no_code;
use super::falls;
use super::guard::Guard;
use super::tails;
use crate::text::Span;

/// What somebody who quotes or numbers takes and gives.
#[derive(Clone, Copy)]
struct QuotedChange {
    /// What begins before it in the old file is not taken.
    taken: Span,
    /// What is new in the content.
    given: Span,
    /// Where what is taken ends that the content does not repeat at its end.
    end: usize,
    /// What it gives back at the beginning of the content, and where it is there.
    header: Option<(Span, usize)>,
    /// The last lines of what is taken, which end the content, too, and where that ends.
    shared: (Span, usize),
}

impl QuotedChange {
    /// Returns what is new of content that repeats at its end, or at its beginning, what it takes the place of.
    fn of(was: Span, now: Span, (old, new): (&[u8], &[u8])) -> QuotedChange {
        let (taken, given) = (was.of(old), now.of(new));
        let repeated = taken.trim_ascii();
        let (mut start, mut end) = (now.start, now.end);
        let mut header = None;
        let is_again = !repeated.is_empty() && given.len() > taken.len();
        let ends_again = is_again && given.trim_ascii_end().ends_with(repeated);
        if ends_again {
            end = now.start + given.trim_ascii_end().len() - repeated.len();
        } else if is_again && given.trim_ascii_start().starts_with(repeated) {
            start = now.end - given.trim_ascii_start().len() + repeated.len();
            let from = was.end - taken.trim_ascii_start().len();
            header = Some((
                Span::new(from, from + repeated.len()),
                start - repeated.len(),
            ));
        }
        let shared = tails::lines_shared(taken, given);
        let taken_end = if ends_again {
            was.end - taken.trim_ascii_start().len()
        } else {
            was.end
        };
        QuotedChange {
            // What begins in the header is cut by what comes after it.
            taken: header.map_or(was, |(header, _)| Span::new(header.end, was.end)),
            header,
            given: Span::new(start, end),
            end: taken_end,
            shared: (Span::new(was.end - shared, was.end), now.end),
        }
    }
}

/// Says whether some content may be one of its own: it has a line break or a comma, or takes the place of a comment or a blank line.
pub(super) fn may_split(guard: &Guard, (old, new): (&[u8], &[u8])) -> bool {
    let mut quoted = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    quoted.any(|(was, now)| {
        let content = now.span.of(new);
        content.iter().any(|byte| matches!(byte, b'\n' | b','))
            || is_no_code(was.span.of(old)) && !is_no_code(content)
    })
}

/// Returns the first of the parts `before` that what somebody quoted or numbered is in the middle of, and that is two among `after`.
pub(super) fn split(
    guard: &Guard,
    (before, old): (&[Span], &[u8]),
    (after, new): (&[Span], &[u8]),
) -> Option<ChangedStatement> {
    let quoted = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    let changes: Vec<QuotedChange> = quoted
        .map(|(was, now)| QuotedChange::of(was.span, now.span, (old, new)))
        .collect();
    if changes.is_empty() {
        return None;
    }

    let whole: HashSet<Span> = after.iter().copied().collect();
    let mut ends: HashMap<usize, usize> = HashMap::new();
    let mut starts: HashMap<usize, Vec<usize>> = HashMap::new();
    for part in after {
        let longest = ends.entry(part.start).or_default();
        *longest = part.end.max(*longest);
        starts.entry(part.end).or_default().push(part.start);
    }
    before.iter().find_map(|part| {
        let kept = kept_in_header(part.start, &changes);
        let start = kept.unwrap_or_else(|| guard.moves.before(part.start));
        let end = guard.moves.after(part.end).max(start);
        let from = changes.partition_point(|change| change.taken.start <= part.start);
        let inside = changes[from..]
            .iter()
            .take_while(|change| change.taken.start < part.end);
        // Who quotes the first line of a clause may make a statement of it.
        let cuts = inside.filter(|change| {
            change.end < part.end
                && !whole.contains(&Span::new(start, end))
                && !ends_in_clause(change.taken.of(old))
                && !begins_again(part.start, change, |start| {
                    whole.contains(&Span::new(start, end))
                })
        });
        cuts.into_iter()
            .find_map(|QuotedChange { taken, given, .. }| {
                let head = *ends.get(&start)?;
                let tails = starts.get(&end)?;
                // What looks alike may have come before it or after it: it is still there.
                let is_again = |now: Span| now.of(new) == part.of(old);
                // Of a block whose header is above it, the same block below another is none.
                if is_again(Span::new(start, head))
                    || kept.is_none() && tails.iter().any(|tail| is_again(Span::new(*tail, end)))
                {
                    return None;
                }
                let came = tails
                    .iter()
                    .find(|tail| given.start <= **tail && **tail < given.end);
                let rest = unclosed(Span::new(taken.end.min(part.end), part.end).of(old));
                let is_parted = head <= given.start
                    || head <= given.end && has_words(rest) && !is_text(part.of(old));
                let is_shared = |heir: usize| {
                    guard.falls_through && falls::is_shared(Span::new(start, head), heir, new)
                };
                if let Some(heir) = came.filter(|heir| is_parted && !is_shared(**heir)) {
                    // A block is known by what is before it.
                    let header = first_of_line(part.start, old);
                    let heir_header = first_of_line(*heir, new);
                    let heir = heir_header.filter(|it| given.start <= *it).unwrap_or(*heir);
                    return Some(ChangedStatement::PassedOn(
                        Span::new(header.unwrap_or(part.start), part.end),
                        heir,
                    ));
                }
                let own = tails.iter().find(|tail| given.end <= **tail)?;
                (given.start < head && head <= given.end)
                    .then_some(ChangedStatement::Parted(*part, *own))
            })
    })
}

/// Says whether what begins at `offset` begins again, and as it was, in the lines that end the content as they ended the quotation.
fn begins_again(
    offset: usize,
    QuotedChange { shared, .. }: &QuotedChange,
    is_whole: impl Fn(usize) -> bool,
) -> bool {
    let (lines, end) = *shared;
    lines.start <= offset && offset < lines.end && is_whole(end - (lines.end - offset))
}

/// Returns where `offset` is in the new file, if the content gives back what it is in.
fn kept_in_header(offset: usize, changes: &[QuotedChange]) -> Option<usize> {
    let next = changes.partition_point(|change| change.taken.end <= offset);
    let (header, place) = changes.get(next)?.header?;
    let is_in = header.start <= offset && offset < header.end;
    is_in.then(|| place + (offset - header.start))
}

/// Returns the first word of the line of a block that begins at `offset`.
fn first_of_line(offset: usize, bytes: &[u8]) -> Option<usize> {
    let line = memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |at| at + 1);
    let blanks = bytes[line..offset]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    (bytes.get(offset) == Some(&b'{')).then_some(line + blanks.count())
}

/// Returns what is left of an element without the tag that closes it.
fn unclosed(rest: &[u8]) -> &[u8] {
    let is_closed = rest.ends_with(b">");
    let close = is_closed.then(|| memchr::memmem::rfind(rest, b"</"));
    close
        .flatten()
        .and_then(|at| rest.get(..at))
        .unwrap_or(rest)
}

fn has_words(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// Says whether it is a text in quotes, whose parts are nothing by themselves, and no key in quotes with something in brackets.
fn is_text(bytes: &[u8]) -> bool {
    let letters = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    letters < 3
        && !bytes.ends_with(b"}")
        && !bytes.ends_with(b"]")
        && bytes
            .get(letters)
            .is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'))
}
