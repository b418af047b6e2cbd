//! Markdown: what a page opens is closed by what closed it. A fence or a comment that the content leaves open would make code,
//! or nothing, of all that stands behind it; one that it closes too early sets free what was code.

use std::collections::{HashMap, HashSet};

use super::page::MovedSpans;
use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::plan::FileEdit;
use crate::syntax::markdown::{Enclosure, enclosures, may_enclose};
use crate::text::splice::Splices;
use crate::text::{Lines, Span};

/// Returns a refusal for the first block that would be closed by something else, or by nothing.
pub(super) fn check(edit: &FileEdit, before: &[u8], after: &[u8]) -> Option<Diagnostic> {
    let splices = edit
        .splices
        .as_ref()
        .filter(|splices| touches(splices, before, after))?;
    let (old, new) = (enclosures(before), enclosures(after));
    let kept = OldBlocks::of(&old, MovedSpans::of(Some(splices)));
    if let Some((one, what)) = new.iter().find_map(|one| Some((one, kept.wrong(one)?))) {
        return Some(refusal(edit, after, one.open, what));
    }
    let opened: HashSet<usize> = new.iter().map(|one| one.open.start).collect();
    let swallowed = kept
        .by_start
        .iter()
        .filter(|(start, _)| !opened.contains(start))
        .map(|(_, one)| one.open)
        .min();
    swallowed.map(|open| refusal(edit, before, open, "would no longer open anything"))
}

/// Says whether a line that an edit touches, before or after it, may open or close something.
fn touches(splices: &Splices, before: &[u8], after: &[u8]) -> bool {
    let (old_lines, new_lines) = (Lines::of(before), Lines::of(after));
    let whole = |lines: &Lines, bytes: &[u8], span: Span| {
        let start = lines.start(lines.line(span.start));
        let end = lines.content(bytes, lines.line(span.end)).end;
        may_enclose(Span::new(start, end.max(span.end)).of(bytes))
    };
    let mut pairs = splices.with_new_spans();
    pairs.any(|(splice, now)| {
        whole(&old_lines, before, splice.span) || whole(&new_lines, after, now)
    })
}

/// The blocks of the old page.
struct OldBlocks<'e> {
    moves: MovedSpans,
    /// Those whose first line no splice touches, by where it then begins.
    by_start: HashMap<usize, &'e Enclosure>,
    /// The others, in the order of the page.
    edited: Vec<&'e Enclosure>,
    /// Where what closed the others then stands, if no splice touches it.
    left_over: HashSet<usize>,
    /// One of the others was never closed.
    was_open: bool,
}

impl<'e> OldBlocks<'e> {
    fn of(old: &'e [Enclosure], moves: MovedSpans) -> OldBlocks<'e> {
        let mut kept = OldBlocks {
            moves,
            by_start: HashMap::new(),
            edited: Vec::new(),
            left_over: HashSet::new(),
            was_open: false,
        };
        for one in old {
            let Some(start) = kept.moves.start(one.open) else {
                kept.edited.push(one);
                match one.close {
                    Some(close) => kept.left_over.extend(kept.moves.start(close)),
                    None => kept.was_open = true,
                }
                continue;
            };
            kept.by_start.insert(start, one);
        }
        kept
    }

    /// Returns what is wrong with a block of the new page.
    fn wrong(&self, one: &Enclosure) -> Option<&'static str> {
        const OPEN: &str = "is never closed: all that follows would be part of it";
        const OTHERS: &str = "would be closed by what closes or opens something else";
        let Some(was) = self.by_start.get(&one.open.start) else {
            return match one.close {
                _ if !self.moves.touched(one.open) => Some("would open what it does not open now"),
                None => (!self.was_open).then_some(OPEN),
                Some(close) => {
                    let wrote = || self.moves.touched(close) && self.may_end(one.open, close);
                    let its = self.left_over.contains(&close.start) || wrote();
                    (!its).then_some(OTHERS)
                }
            };
        };
        match (was.close, one.close) {
            (None, None) => None,
            (Some(_), None) => Some(OPEN),
            (closed, Some(close)) => match closed.and_then(|closed| self.moves.start(closed)) {
                Some(kept) => (kept != close.start).then_some("would be closed ahead of its end"),
                None => {
                    let wrote = self.moves.touched(close)
                        && closed.is_none_or(|closed| self.moves.made(close, closed));
                    (!wrote).then_some(OTHERS)
                }
            },
        }
    }

    /// Says whether what an edit wrote may end the block that an edit begins at `open`: where that was a block before, it is put in
    /// the place of what ended that, and not further down, over what nobody named.
    fn may_end(&self, open: Span, close: Span) -> bool {
        let touched = |taken: Span| {
            let from = self
                .edited
                .partition_point(|was| was.open.end < taken.start);
            let near = self.edited[from..].iter();
            near.take_while(move |was| was.open.start <= taken.end)
        };
        let were = self.moves.sources(open).flat_map(touched);
        let mut were = were.map(|was| was.close).peekable();
        let ends = |was: Option<Span>| was.is_none_or(|was| self.moves.made(close, was));
        were.peek().is_none() || were.any(ends)
    }
}

fn refusal(edit: &FileEdit, bytes: &[u8], open: Span, what: &str) -> Diagnostic {
    let lines = Lines::of(bytes);
    let line = lines.line(open.start);
    let text = String::from_utf8_lossy(open.of(bytes));
    let sign: String = text
        .chars()
        .take_while(|letter| !letter.is_whitespace())
        .take(20)
        .collect();
    let message = format!("{}:{line}: {sign} {what}", edit.path);
    let text = String::from_utf8_lossy(lines.content(bytes, line).of(bytes)).into_owned();
    let excerpt = Excerpt {
        path: edit.path.clone(),
        line,
        column: lines.column(open.start),
        text,
    };
    let diagnostic = Diagnostic::new(Code::StructureLost, message)
        .showing(excerpt)
        .note("content closes what it opens, and nothing else");
    match edit
        .operation_at(open.start)
        .or_else(|| edit.claims.first().map(|&(_, operation)| operation))
    {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}
