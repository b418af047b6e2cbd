//! The blank lines around segments: what stands there, and what an insertion or a deletion should leave.

use super::content::{Bulk, line_endings};
use super::edit::Insertion;
use crate::resolve::{Definition, Document, Reading};
use crate::syntax::Habits;
use crate::syntax::markdown::{self, leaves};
use crate::text::splice::{Splice, Splices};
use crate::text::{Span, is_blank};

/// The blank lines on both sides of a range of whole lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gaps {
    /// Number of blank lines directly above.
    pub above: usize,
    /// Number of blank lines directly below.
    pub below: usize,
    /// 1-based number of the first line with content above, if any.
    pub previous: Option<usize>,
    /// 1-based number of the first line with content below, if any.
    pub next: Option<usize>,
    /// 1-based first and last line of the range.
    pub lines: (usize, usize),
}

impl Gaps {
    /// Measures around `span` of `document`.
    pub(super) fn around(document: &Document, span: Span) -> Gaps {
        let lines = document.lines();
        let bytes = &document.bytes;
        let first = lines.line(span.start);
        let last = if span.is_empty() {
            first
        } else {
            lines.line(span.end - 1)
        };
        let blank = |number: usize| is_blank(lines.content(bytes, number).of(bytes));
        let has_bom_only =
            |number: usize| number == 1 && lines.content(bytes, 1).of(bytes) == crate::text::BOM;
        let previous = (1..first)
            .rev()
            .find(|&number| !blank(number) && !has_bom_only(number));
        let next = (last + 1..=lines.count()).find(|&number| !blank(number));
        Gaps {
            above: first - 1 - previous.unwrap_or(0),
            below: next.unwrap_or(lines.count() + 1) - last - 1,
            previous,
            next,
            lines: (first, last),
        }
    }
}

/// Returns how many blank lines belong between two neighbours that want `above` and `below`, among `siblings` in file
/// order: what the pair nearest to position `near` shows, else the language's custom.
pub(super) fn blank_lines_of(
    document: &Document,
    siblings: &[&Definition<'_>],
    near: usize,
    bulks: (Bulk, Bulk),
    top: bool,
) -> usize {
    let roomy = bulks.0 == Bulk::Bulky || bulks.1 == Bulk::Bulky;
    let mut pairs: Vec<(usize, usize)> = siblings
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| {
            pair.iter()
                .any(|named| Bulk::of(named.symbol) == Bulk::Bulky)
                == roomy
        })
        .filter_map(|(at, pair)| {
            let [upper, lower] = pair else { return None };
            Some((
                at.abs_diff(near).min((at + 1).abs_diff(near)),
                blank_lines(document, upper, lower)?,
            ))
        })
        .collect();
    pairs.sort_by_key(|&(distance, _)| distance);
    match pairs.first() {
        Some(&(_, observed)) => observed,
        None if !roomy => 0,
        None => document
            .language
            .map_or(0, |language| customary_blank_lines(&language.habits, top)),
    }
}

/// Returns the language's custom between blocks.
pub(super) fn customary_blank_lines(habits: &Habits, top: bool) -> usize {
    if top {
        habits.blank_lines_top
    } else {
        habits.blank_lines_nested
    }
}

/// Returns the number of lines between two siblings when all of them are blank.
fn blank_lines(
    document: &Document,
    upper: &Definition<'_>,
    lower: &Definition<'_>,
) -> Option<usize> {
    let (end, start) = (upper.symbol.whole().end, lower.symbol.whole().start);
    let between = document.bytes.get(end..start)?;
    let lines = document.lines();
    let apart = lines
        .line(start)
        .checked_sub(lines.line(end.saturating_sub(1)))?;
    (is_blank(between) && apart > 0).then(|| apart - 1)
}

/// Returns the siblings of `named`, itself included, in file order, with its position.
pub(super) fn siblings<'r, 'd>(
    reading: &'r Reading<'d>,
    named: &Definition<'_>,
) -> (Vec<&'r Definition<'d>>, usize) {
    let all: Vec<&Definition<'d>> = reading
        .named()
        .iter()
        .filter(|other| other.parent == named.parent)
        .collect();
    let near = all
        .iter()
        .position(|other| std::ptr::eq(other.symbol, named.symbol))
        .unwrap_or(0);
    (all, near)
}

/// Returns the children of `named` in file order.
pub(super) fn children<'r, 'd>(
    reading: &'r Reading<'d>,
    named: &Definition<'_>,
) -> Vec<&'r Definition<'d>> {
    let parent_of = |other: &Definition<'d>| {
        reading
            .parent(other)
            .map(|parent| std::ptr::from_ref(parent.symbol))
    };
    let all = reading.named().iter();
    all.filter(|other| parent_of(other) == Some(std::ptr::from_ref(named.symbol)))
        .collect()
}

/// Returns how much room what ends on a line wants: the outermost segment that does.
pub(super) fn bulk_ending(reading: &Reading<'_>, number: Option<usize>) -> Bulk {
    bulk_where(reading, number, |whole| {
        whole.end.saturating_sub(1).max(whole.start)
    })
}

/// Returns how much room what begins on a line wants: the outermost segment that does.
pub(super) fn bulk_beginning(reading: &Reading<'_>, number: Option<usize>) -> Bulk {
    bulk_where(reading, number, |whole| whole.start)
}

fn bulk_where(reading: &Reading<'_>, number: Option<usize>, edge: impl Fn(Span) -> usize) -> Bulk {
    let lines = reading.document.lines();
    let on_line = |named: &&Definition<'_>| number == Some(lines.line(edge(named.symbol.whole())));
    reading
        .named()
        .iter()
        .find(on_line)
        .map_or(Bulk::Slim, |named| Bulk::of(named.symbol))
}

/// Returns the insertion with a blank line above or below it where a page needs one: without, a paragraph or a list goes on in what
/// comes next, and a `---` makes a heading of what is above it.
pub(super) fn set_apart(document: &Document, insertion: Insertion) -> Insertion {
    if !document.language.is_some_and(markdown::is_markdown) {
        return insertion;
    }
    let at = insertion.at;
    let ending = line_endings(document, at, 1);
    let with = |above: bool, below: bool| {
        let mut insertion = insertion.clone();
        if above {
            insertion.before.splice(0..0, ending.iter().copied());
        }
        if below {
            insertion.after.extend_from_slice(&ending);
        }
        insertion
    };
    let disturbs = |insertion: &Insertion| {
        let Insertion {
            head,
            before,
            content,
            after,
            foot,
            ..
        } = insertion;
        let Ok(splices) = Splices::new(vec![Splice::new(
            Span::at(at),
            [head, before, content, after, foot]
                .map(Vec::as_slice)
                .concat(),
        )]) else {
            return false;
        };
        let new = splices.apply(&document.bytes);
        !leaves::disturbed(&document.bytes, &new, &splices, |_| leaves::Naming::Named).is_empty()
    };
    let ways = [(false, false), (true, false), (false, true), (true, true)];
    let undisturbing = ways
        .into_iter()
        .map(|(above, below)| with(above, below))
        .find(|it| !disturbs(it));
    undisturbing.unwrap_or(insertion)
}
