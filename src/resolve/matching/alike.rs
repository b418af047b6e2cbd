//! `similar`: the one place that is like the text, line by line, and clearly more so than any other.
//!
//! A block is found by the lines or rare words that it shares with the file (`index`), laid beside each such place
//! (`align`) and taken when it is at least 0.85 alike, its first and last line are there, no line of it opens a
//! definition of another name, and the runner-up is clearly less alike. Single lines go by their characters (`single`).

use super::align::{Alignment, LEAST, Line, align, has_substance};
use super::definitions::defined;
use super::page::{Row, rows};
use super::{Allowance, Found, Page, Question, depth_agrees, index, single};
use crate::manifest::MatchLevel;
use crate::syntax::markdown::MARKDOWN;
use crate::text::{Span, leading_blank};

/// How much less alike the runner-up has to be, for each part by which the best differs from the text.
const AHEAD: f64 = 2.0;
/// And how much less at least.
const AHEAD_BY: f64 = 0.04;
/// Two places that differ by less are as good as each other.
const AS_GOOD: f64 = 0.005;

/// A place that is like the text.
#[derive(Clone, Debug)]
pub struct Near {
    /// Its bytes; the last line's ending with them when the text ends with one.
    pub span: Span,
    /// How alike it is.
    pub similarity: f64,
    /// Lines of the text and of the file (from 0) that stand for each other, in order.
    pub pairs: Vec<(usize, usize)>,
}

/// Finds the place, or several that are as good as each other.
pub fn find(page: &Page<'_>, question: &Question<'_>, allowance: &Allowance) -> Option<Found> {
    let found = |places: Vec<Span>, similarity| Some(Found { level: MatchLevel::Similar, places, similarity });
    let text = rows(question.text);
    let written: Vec<&Row> = text.iter().filter(|row| row.key != 0).collect();
    if let [only] = written.as_slice() {
        let line = only.span.of(question.text);
        let (places, similarity) = single_line(page, question, line, allowance)?;
        return found(places, similarity);
    }
    if !affords(page, &text, question, allowance) {
        return None;
    }
    if written.iter().filter(|row| has_substance(row.span.of(question.text))).count() < 2 {
        return None;
    }
    let (first, stands) = page.rows_within(question.range);
    let lines = text_lines(&text, question.text);
    let candidates = candidates(&lines, page.bytes(), stands);
    let best = candidates.first()?;
    if best.score < LEAST || !whole(&lines, best, page.bytes(), stands, question) {
        return None;
    }
    let span = |candidate: &Alignment| spanned(page, first, candidate, question);
    let rivals = || candidates[1..].iter().filter(|other| apart(best, other));
    let as_good: Vec<Span> = rivals().filter(|other| best.score - other.score < AS_GOOD).filter_map(span).collect();
    if !as_good.is_empty() {
        let mut places: Vec<Span> = as_good.into_iter().chain(span(best)).collect();
        places.sort();
        places.dedup();
        return found(places, best.score);
    }
    let clear =
        rivals().all(|other| 1.0 - other.score >= AHEAD * (1.0 - best.score) && best.score - other.score >= AHEAD_BY);
    if !clear {
        return None;
    }
    found(vec![span(best)?], best.score)
}

/// Returns the place most like the text, however little that is, for whoever asks what was meant.
pub fn nearest(page: &Page<'_>, question: &Question<'_>, allowance: &Allowance) -> Option<Near> {
    const LEAST_ALIKE: f64 = 0.4;
    let text = rows(question.text);
    let (first, stands) = page.rows_within(question.range);
    let mut written = text.iter().enumerate().filter(|(_, row)| row.key != 0);
    let ended = question.text.ends_with(b"\n");
    if let (Some((at, only)), None) = (written.next(), written.next()) {
        let line = only.span.of(question.text);
        let near = single::nearest(line, page.bytes(), stands, 1.0 - LEAST_ALIKE, allowance)?;
        let row = stands[near.row];
        let span = page.span_of(row, row, ended);
        return Some(Near { span, similarity: near.similarity, pairs: vec![(at, first + near.row)] });
    }
    if !affords(page, &text, question, allowance) {
        return None;
    }
    let lines = text_lines(&text, question.text);
    let best = candidates(&lines, page.bytes(), stands).into_iter().next().filter(|best| best.score >= LEAST_ALIKE)?;
    let span = spanned(page, first, &best, question)?;
    let pairs = best.pairs.iter().map(|&(at, to, _)| (at, first + to)).collect();
    Some(Near { span, similarity: best.score, pairs })
}

/// Takes the work of finding a block off what the batch may spend on guesses: a look at each line, and a closer one at
/// a few places.
fn affords(page: &Page<'_>, text: &[Row], question: &Question<'_>, allowance: &Allowance) -> bool {
    const A_LOOK: usize = 20;
    const A_CELL: usize = 200;
    let (_, stands) = page.rows_within(question.range);
    let cells = text.len().saturating_mul(2 * slack(text.len()) + 1);
    allowance.affords_guess(stands.len().saturating_mul(A_LOOK) + cells.saturating_mul(A_CELL))
}

fn text_lines(text: &[Row], bytes: &[u8]) -> Vec<Line> {
    text.iter().map(|row| Line::of(bytes, row)).collect()
}

/// How many lines a block may have more or less, up to any line of it.
fn slack(lines: usize) -> usize {
    const MOST: usize = 24;
    (lines / 3 + 2).min(MOST)
}

/// Lays the text beside each place where it might stand; best first. File lines count from the first of `stands`.
fn candidates(text: &[Line], bytes: &[u8], stands: &[Row]) -> Vec<Alignment> {
    let slack = slack(text.len());
    let laid = |start: isize| {
        let from = (start - slack as isize).clamp(0, stands.len() as isize) as usize;
        let to = (start + (text.len() + slack) as isize).clamp(from as isize, stands.len() as isize) as usize;
        let window: Vec<Line> = stands[from..to].iter().map(|row| Line::of(bytes, row)).collect();
        let mut alignment = align(text, &window, slack);
        for pair in &mut alignment.pairs {
            pair.1 += from;
        }
        alignment
    };
    let mut candidates: Vec<Alignment> = index::beginnings(text, bytes, stands).into_iter().map(laid).collect();
    candidates.retain(|candidate| !candidate.pairs.is_empty());
    candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
    candidates
}

/// Says whether two places share less than half of the smaller one.
fn apart(one: &Alignment, other: &Alignment) -> bool {
    let (Some(one), Some(other)) = (one.extent(), other.extent()) else { return false };
    let shared = (one.1.min(other.1) + 1).saturating_sub(one.0.max(other.0));
    shared * 2 < (one.1 - one.0 + 1).min(other.1 - other.0 + 1)
}

/// Says whether the place is all of the text and nothing else: its ends are sure, it is not twice as long, no line
/// opens another definition than the text's does, and it stands as deep as the text says.
fn whole(text: &[Line], best: &Alignment, bytes: &[u8], stands: &[Row], question: &Question<'_>) -> bool {
    let (Some((first, last)), Some(begins), Some(ends)) = (best.extent(), best.pairs.first(), best.pairs.last()) else {
        return false;
    };
    let written = |lines: &[Line]| lines.iter().all(|line| line.key == 0);
    let (length, quoted) = (last - first + 1, text.len());
    let edges = written(&text[..begins.0]) && written(&text[ends.0 + 1..]);
    edges && length <= 2 * quoted && quoted <= 2 * length && defines_alike(text, best, bytes, stands, question) && {
        let texts = rows(question.text);
        best.pairs.iter().find(|pair| text[pair.0].key != 0).is_none_or(|&(at, to, _)| {
            let (quoted, stands) = (texts[at].span.of(question.text), stands[to].span.of(bytes));
            depth_agrees(question, leading_blank(quoted), leading_blank(stands))
        })
    }
}

/// Says whether every line that opens a definition, in the text or in the place, is paired with one that opens a
/// definition of the same name.
fn defines_alike(text: &[Line], best: &Alignment, bytes: &[u8], stands: &[Row], question: &Question<'_>) -> bool {
    let markdown = question.language.is_some_and(|language| language.name == MARKDOWN.name);
    let quoted = |at: usize| defined(&text[at].bytes, markdown);
    let standing = |to: usize| defined(stands[to].span.of(bytes), markdown);
    let pairs = best.pairs.iter().filter(|(.., alike)| *alike < 1.0);
    let unlike = pairs.clone().any(|&(at, to, _)| quoted(at) != standing(to));
    let Some((first, last)) = best.extent() else { return false };
    let lone_text =
        (0..text.len()).filter(|at| best.pairs.iter().all(|pair| pair.0 != *at)).any(|at| quoted(at).is_some());
    let lone_file =
        (first..=last).filter(|to| best.pairs.iter().all(|pair| pair.1 != *to)).any(|to| standing(to).is_some());
    !unlike && !lone_text && !lone_file
}

fn spanned(page: &Page<'_>, first: usize, candidate: &Alignment, question: &Question<'_>) -> Option<Span> {
    let (from, to) = candidate.extent()?;
    let rows = page.rows();
    Some(page.span_of(*rows.get(first + from)?, *rows.get(first + to)?, question.text.ends_with(b"\n")))
}

/// Finds the line, or those that are as near as each other.
fn single_line(
    page: &Page<'_>,
    question: &Question<'_>,
    line: &[u8],
    allowance: &Allowance,
) -> Option<(Vec<Span>, f64)> {
    if !single::says_enough(line) {
        return None;
    }
    let (_, stands) = page.rows_within(question.range);
    let near = single::nearest(line, page.bytes(), stands, single::FURTHEST, allowance)?;
    let (row, ended) = (stands[near.row], question.text.ends_with(b"\n"));
    let found = row.span.of(page.bytes());
    let markdown = question.language.is_some_and(|language| language.name == MARKDOWN.name);
    if defined(line, markdown) != defined(found, markdown)
        || !depth_agrees(question, leading_blank(line), leading_blank(found))
    {
        return None;
    }
    let span = |row: Row| page.span_of(row, row, ended);
    match near.next {
        Some((other, distance)) if distance == near.distance => {
            let mut places = vec![span(row), span(stands[other])];
            places.sort();
            Some((places, near.similarity))
        }
        Some((_, distance)) if distance < 2 * near.distance + 1 => None,
        _ => Some((vec![span(row)], near.similarity)),
    }
}
