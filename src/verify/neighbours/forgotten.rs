//! First lines that are forgotten, told by how the code is laid out: a quotation goes from one block into the first line of the next, as deep
//! as it, and the content does not give that line back. What was below it would be in the block above. This holds what no statement is:
//! elements of JSX, methods of an object, tables of tests, the callbacks of a chain; and the clauses of a statement.
//!
//! Example: of `{⏎  in: 1,⏎},⏎{` only `{⏎  in: 2,` is given back: the rest of the second object would be a part of the first. So would what
//! is below `else:` run where the `if` above it holds.
//!
//! Who takes lines and gives nothing else means to join what is around them; and where a first line is left that has the words of both, the
//! two are meant to be one.
//!
//! Known limits: blocks are told by their indentation, so that what is laid out otherwise is not looked at. Whether a clause is meant to go
//! is not known where the first line of its statement changes.

use super::beside::begins_clause;
use super::changed::ChangedStatement;
use super::guard::Guard;
use super::joined::{has_own_words, is_anothers, opens_block};
use super::touched::Stroke;
use crate::text::Span;

/// A line that is neither blank nor a comment.
#[derive(Clone, Copy)]
struct CodeLine<'b> {
    start: usize,
    /// The blanks that it begins with.
    indentation: &'b [u8],
    /// What it says, without blanks at its ends.
    text: &'b [u8],
}

impl CodeLine<'_> {
    fn is_deeper(&self, than: &[u8]) -> bool {
        self.indentation.len() > than.len()
    }

    /// Says whether it may be the first line of a block: it ends with what opens one, or begins an element.
    fn opens(&self) -> bool {
        let is_element = self.text.starts_with(b"<") && !self.text.ends_with(b"/>");
        is_element || opens_block(self.text)
    }

    /// Returns what it says before what opens its block.
    fn beginning(&self) -> &[u8] {
        let is_end = |byte: &u8| !b"{([:>".contains(byte) && !byte.is_ascii_whitespace();
        let end = self.text.iter().rposition(is_end);
        &self.text[..end.map_or(0, |at| at + 1)]
    }

    fn span(&self) -> Span {
        let start = self.start + self.indentation.len();
        Span::new(start, start + self.text.len())
    }
}

/// The lines of one side that an edit takes or gives.
struct TouchedLines<'b> {
    lines: Vec<CodeLine<'b>>,
    /// The first line below them.
    next: Option<CodeLine<'b>>,
}

impl<'b> TouchedLines<'b> {
    /// Returns the lines of `span`, the first one from its beginning on; `None` where the last one goes on after it.
    fn of(span: Span, bytes: &'b [u8]) -> Option<TouchedLines<'b>> {
        let start = line_start(span.start, bytes);
        let rest = bytes.get(span.end..)?;
        let ends_line = bytes[..span.end].ends_with(b"\n")
            || rest
                .iter()
                .take_while(|&&byte| byte != b'\n')
                .all(u8::is_ascii_whitespace);
        ends_line.then(|| TouchedLines {
            lines: code_lines(start, &bytes[..span.end]).collect(),
            next: code_lines(span.end, bytes).next(),
        })
    }

    /// Returns, from the innermost outwards, the positions of the lines that the next one is in a block of.
    fn open(&self) -> Vec<usize> {
        let Some(next) = self.next else {
            return Vec::new();
        };
        let mut deepest = next.indentation;
        let mut found = Vec::new();
        for (at, line) in self.lines.iter().enumerate().rev() {
            if deepest.len() > line.indentation.len() {
                // What ends a text or a list there begins nothing.
                if line.opens() {
                    found.push(at);
                }
                deepest = line.indentation;
            }
        }
        found
    }

    /// Returns the lines that are as deep as `indentation`, or deeper, from the end on up to one that is not.
    fn beside(&self, indentation: &[u8]) -> &[CodeLine<'b>] {
        let above = self
            .lines
            .iter()
            .rposition(|line| line.indentation.len() < indentation.len());
        &self.lines[above.map_or(0, |at| at + 1)..]
    }
}

/// Returns the lines that begin a block right at `indentation`, of `lines` and the one `next` to them, with their positions.
fn headers<'b>(
    lines: &[CodeLine<'b>],
    next: Option<CodeLine<'b>>,
    indentation: &[u8],
) -> Vec<(usize, CodeLine<'b>)> {
    let below = lines.iter().skip(1).copied().map(Some).chain([next]);
    let both = lines.iter().copied().zip(below).enumerate();
    let is_header = |line: CodeLine, below: Option<CodeLine>| {
        line.indentation == indentation
            && line.opens()
            && below.is_some_and(|it| it.is_deeper(indentation))
    };
    both.filter(|(_, (line, below))| is_header(*line, *below))
        .map(|(at, (line, _))| (at, line))
        .collect()
}

/// Returns the first line of a block that an edit takes and does not give back, where the block above it would have what is below.
pub(super) fn forgotten(guard: &Guard, (old, new): (&[u8], &[u8])) -> Option<ChangedStatement> {
    let quoting = guard.sides.strokes().filter(|(was, now)| {
        !was.is_named && !was.span.is_empty() && !now.span.of(new).trim_ascii().is_empty()
    });
    quoting.into_iter().find_map(|stroke| {
        let taken = TouchedLines::of(stroke.0.span, old)?;
        let given = TouchedLines::of(stroke.1.span, new)?;
        let open = taken.open();
        open.iter().find_map(|&at| {
            let own = taken.lines[at];
            let heir = heir(guard, own, (&taken, &given), stroke, (old, new))?;
            Some(ChangedStatement::PassedOn(own.span(), heir))
        })
    })
}

/// Returns where the line begins that has what was below the line `own`, if that was quoted above `own` or is right above the edit.
fn heir(
    guard: &Guard,
    own: CodeLine<'_>,
    (taken, given): (&TouchedLines<'_>, &TouchedLines<'_>),
    (was, now): (Stroke, Stroke),
    (old, new): (&[u8], &[u8]),
) -> Option<usize> {
    // It is the last line of a header.
    if own.text.starts_with(b")") || own.text.starts_with(b"]") {
        return None;
    }
    let lines = taken.beside(own.indentation);
    let at = lines.iter().position(|it| it.start == own.start)?;
    let (lines, below) = lines.split_at(at);
    let written = given.beside(own.indentation);
    let headers = headers(written, given.next, own.indentation);
    if headers.is_empty() {
        let above = heir_above(own, lines, (taken, given), was.span.start, old)?;
        let is_meant = has_own_words(own.text, above.text, now.span.of(new));
        return (!is_meant).then(|| guard.moves.before(above.span().start));
    }
    given_heir(own, (lines, below), written, &headers)
}

/// Returns the first line of the block above the edit, where that goes on in all of the content; `lines` are those above `own`.
fn heir_above<'b>(
    own: CodeLine<'_>,
    lines: &[CodeLine<'_>],
    (taken, given): (&TouchedLines<'_>, &TouchedLines<'_>),
    start: usize,
    old: &'b [u8],
) -> Option<CodeLine<'b>> {
    let is_in_block = |line: &CodeLine| line.is_deeper(own.indentation);
    let above = code_lines_up(start, old)
        .find(|line| !line.is_deeper(own.indentation))
        .filter(|line| line.indentation == own.indentation)?;
    let ends_block = begins_clause(own.text) || own.text.starts_with(b"}");
    let is_ended = ends_block || lines.iter().any(|line| !is_in_block(line));
    let goes_on = is_ended
        && lines.first().is_some_and(is_in_block)
        && given.lines.iter().all(is_in_block)
        && given.next.as_ref().is_some_and(is_in_block);
    (goes_on && !is_part(&given.lines, &taken.lines)).then_some(above)
}

/// Returns where the last of the `headers` of the content begins, where that has what was below `own`, and is one of the `lines` above that.
fn given_heir(
    own: CodeLine<'_>,
    (lines, below): (&[CodeLine<'_>], &[CodeLine<'_>]),
    written: &[CodeLine<'_>],
    given_headers: &[(usize, CodeLine<'_>)],
) -> Option<usize> {
    let &(at, last) = given_headers.last()?;
    let is_clause = begins_clause(own.text);
    let is_end = own.text.starts_with(b"}");
    // Something as deep is below it: what is left is in nothing of the content.
    if written[at + 1..]
        .iter()
        .any(|line| !line.is_deeper(own.indentation))
    {
        return None;
    }
    let above = headers(lines, Some(own), own.indentation);
    // What was one line, and has a block now, is what it begins with.
    let beginning = last.beginning();
    let begins = |text: &[u8]| {
        let rest = text.strip_prefix(beginning);
        rest.is_some_and(|rest| {
            !rest
                .first()
                .is_some_and(|byte| byte.is_ascii_alphanumeric())
        })
    };
    let is_opened = |line: &&CodeLine| {
        line.indentation == own.indentation
            && begins(line.text)
            && !above.iter().any(|(_, it)| it.start == line.start)
    };
    let opened = lines.iter().filter(is_opened).count();
    if given_headers.len() > above.len() + opened {
        return None;
    }
    let has_body = at + 1 < written.len();
    if opened > 0 && has_body && !beginning.is_empty() && !begins(own.text) {
        return Some(last.span().start);
    }
    let brings_body = below.len() == 1 && has_body;
    let is_others = |(_, other): &(usize, CodeLine)| {
        if is_clause {
            return last.text == other.text;
        }
        // `function f({` and `}: Props) {` may be one line now.
        if is_end && unclosed(last.text) != unclosed(other.text) {
            return false;
        }
        let is_joined = last.text == own.text && own.text == other.text && {
            let body = lines.iter().skip_while(|line| line.start <= other.start);
            let given = &written[at + 1..];
            given
                .iter()
                .zip(body)
                .filter(|(one, other)| one.text == other.text)
                .count()
                == given.len()
        };
        !has_own_words(own.text, other.text, last.text)
            && is_anothers((last.text, own.text, other.text), brings_body && !is_joined)
    };
    above.iter().any(is_others).then(|| last.span().start)
}

/// Returns how many brackets a line opens more than it closes.
fn unclosed(line: &[u8]) -> isize {
    let of = |byte: &u8| match byte {
        b'(' | b'[' | b'{' => 1,
        b')' | b']' | b'}' => -1,
        _ => 0,
    };
    line.iter().map(of).sum()
}

/// Says whether the lines of `some` are lines of `all`, in their order.
fn is_part(some: &[CodeLine<'_>], all: &[CodeLine<'_>]) -> bool {
    let mut all = all.iter();
    some.iter().all(|line| all.any(|it| it.text == line.text))
}

/// Returns the lines of `bytes` from `start` on that say something.
fn code_lines(start: usize, bytes: &[u8]) -> impl Iterator<Item = CodeLine<'_>> {
    let mut at = start;
    let text = bytes.get(start..).unwrap_or_default();
    text.split_inclusive(|&byte| byte == b'\n')
        .filter_map(move |line| {
            let start = at;
            at += line.len();
            code_line(start, line)
        })
}

/// Returns the lines above the one of `offset` that say something, the last one first.
fn code_lines_up(offset: usize, bytes: &[u8]) -> impl Iterator<Item = CodeLine<'_>> {
    let mut end = line_start(offset, bytes);
    std::iter::from_fn(move || {
        let start = line_start(end.checked_sub(1)?, bytes);
        let line = Span::new(start, end);
        end = start;
        Some(line)
    })
    .filter_map(|line| code_line(line.start, line.of(bytes)))
}

fn code_line(start: usize, line: &[u8]) -> Option<CodeLine<'_>> {
    let indentation = line.len() - line.trim_ascii_start().len();
    let text = line.trim_ascii();
    let is_comment = text.starts_with(b"//") || text.starts_with(b"# ");
    (!text.is_empty() && !is_comment).then(|| CodeLine {
        start,
        indentation: &line[..indentation],
        text,
    })
}

/// Returns where the line of `offset` begins.
fn line_start(offset: usize, bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |at| at + 1)
}
