//! `similar`: the one place that is like the text, line by line, and clearly more so than any other.
//!
//! A block is found by the lines or rare words that it shares with the file (`index`), laid beside each such place
//! (`align`) and taken when it is at least 0.85 alike, its first and last line are there, no line of it opens a
//! definition of another name, and the runner-up is clearly less alike. Single lines go by their characters (`single`).

use std::collections::BTreeSet;

use super::align::{Alignment, LEAST, MatchLine, align, has_substance, is_comment};
use super::definitions::defined;
use super::difference::LineDifference;
use super::folded::line_key;
use super::layout::{depth_agrees, least_indentation};
use super::page::{FoldedLine, rows};
use super::{FoldedFile, Question, TextMatches, index, single};
use crate::manifest::MatchLevel;
use crate::resolve::Budget;
use crate::syntax::markdown::MARKDOWN;
use crate::text::{Span, is_blank, leading_blank};

/// How many times as much the runner-up has to differ from the text as the best does. Measured: `benches/matching`.
const AHEAD: f64 = 2.0;

/// Least part of the lines that has to be as quoted: a block of which every line differs a little is another one.
const LEAST_EQUAL: f64 = 0.5;

/// How alike two lines are that differ in a slip of the pen: half as good as equal ones.
const SLIPPED: f64 = 0.85;

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
pub fn find(
    page: &FoldedFile<'_>,
    question: &Question<'_>,
    allowance: &Budget,
) -> Option<TextMatches> {
    let found = |places: Vec<Span>, similarity| {
        Some(TextMatches {
            level: MatchLevel::Similar,
            places,
            similarity,
        })
    };
    let text = rows(question.text);
    let written: Vec<&FoldedLine> = text.iter().filter(|row| row.key != 0).collect();
    if let [only] = written.as_slice() {
        let line = only.span.of(question.text);
        let (places, similarity) = single_line(page, question, line, allowance)?;
        return found(places, similarity);
    }
    if !affords(page, &text, question, allowance) {
        return None;
    }
    if written
        .iter()
        .filter(|row| has_substance(row.span.of(question.text)))
        .count()
        < 2
    {
        return None;
    }
    let (first, stands) = page.rows_within(question.range);
    let lines = text_lines(&text, question.text);
    let candidates = candidates(&lines, page.bytes(), stands);
    let standing = TextAmongLines {
        text: &lines,
        page,
        stands,
        question,
    };
    let verdicts: Vec<MatchVerdict> = candidates
        .iter()
        .map(|candidate| standing.verdict(candidate))
        .collect();
    // What opens another definition is no rival, however like the text it is; whatever else is nearer is.
    let rivals = || {
        candidates
            .iter()
            .zip(&verdicts)
            .filter(|(_, verdict)| **verdict != MatchVerdict::DefinesAnother)
    };
    let (best, MatchVerdict::Fits) = rivals().next()? else {
        return None;
    };
    if best.score < LEAST {
        return None;
    }
    let span = |candidate: &Alignment| spanned(page, first, candidate, question);
    let others = || {
        rivals()
            .skip(1)
            .filter(|(other, verdict)| **verdict == MatchVerdict::Fits && apart(best, other))
    };
    let as_good = others()
        .filter(|(other, _)| best.score - other.score < 1e-9)
        .filter_map(|(other, _)| span(other));
    let mut places: Vec<Span> = as_good
        .chain(copies(best, page, first, stands, question))
        .chain(span(best))
        .collect();
    let clear = others()
        .all(|(other, _)| 1.0 - other.score >= AHEAD * (1.0 - best.score) || outdoes(best, other));
    if places.len() == 1 && !clear {
        return None;
    }
    places.sort();
    places.dedup();
    found(places, best.score)
}

/// Returns the place most like the text, however little that is, for whoever asks what was meant.
pub fn nearest(page: &FoldedFile<'_>, question: &Question<'_>, allowance: &Budget) -> Option<Near> {
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
        return Some(Near {
            span,
            similarity: near.similarity,
            pairs: vec![(at, first + near.row)],
        });
    }
    if !affords(page, &text, question, allowance) {
        return None;
    }
    let lines = text_lines(&text, question.text);
    let best = candidates(&lines, page.bytes(), stands)
        .into_iter()
        .next()
        .filter(|best| best.score >= LEAST_ALIKE)?;
    let span = spanned(page, first, &best, question)?;
    let pairs = best
        .pairs
        .iter()
        .map(|&(at, to, _)| (at, first + to))
        .collect();
    Some(Near {
        span,
        similarity: best.score,
        pairs,
    })
}

/// Takes the work of finding a block off what the batch may spend on guesses: a look at each line, and a closer one at
/// a few places.
fn affords(
    page: &FoldedFile<'_>,
    text: &[FoldedLine],
    question: &Question<'_>,
    allowance: &Budget,
) -> bool {
    const A_LOOK: usize = 20;
    const A_CELL: usize = 200;
    let (_, stands) = page.rows_within(question.range);
    let cells = text.len().saturating_mul(2 * slack(text.len()) + 1);
    allowance.affords_guess(stands.len().saturating_mul(A_LOOK) + cells.saturating_mul(A_CELL))
}

fn text_lines(text: &[FoldedLine], bytes: &[u8]) -> Vec<MatchLine> {
    text.iter().map(|row| MatchLine::of(bytes, row)).collect()
}

/// How many lines a block may have more or less, up to any line of it.
fn slack(lines: usize) -> usize {
    const MOST: usize = 24;
    (lines / 3 + 2).min(MOST)
}

/// Lays the text beside each place where it might stand; best first. File lines count from the first of `stands`.
fn candidates(text: &[MatchLine], bytes: &[u8], stands: &[FoldedLine]) -> Vec<Alignment> {
    let slack = slack(text.len());
    let laid = |start: isize| {
        let from = (start - slack as isize).clamp(0, stands.len() as isize) as usize;
        let to = (start + (text.len() + slack) as isize).clamp(from as isize, stands.len() as isize)
            as usize;
        let window: Vec<MatchLine> = stands[from..to]
            .iter()
            .map(|row| MatchLine::of(bytes, row))
            .collect();
        let mut alignment = align(text, &window, slack);
        for pair in &mut alignment.pairs {
            pair.1 += from;
        }
        alignment
    };
    let mut candidates: Vec<Alignment> = index::beginnings(text, bytes, stands)
        .into_iter()
        .map(laid)
        .collect();
    candidates.retain(|candidate| !candidate.pairs.is_empty());
    candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
    candidates
}

/// Says whether two places share less than half of the smaller one.
fn apart(one: &Alignment, other: &Alignment) -> bool {
    let (Some(one), Some(other)) = (one.extent(), other.extent()) else {
        return false;
    };
    let shared = (one.1.min(other.1) + 1).saturating_sub(one.0.max(other.0));
    shared * 2 < (one.1 - one.0 + 1).min(other.1 - other.0 + 1)
}

/// Says whether every line that is as quoted in the other place is so in this one, too, and two more are.
fn outdoes(one: &Alignment, other: &Alignment) -> bool {
    let equal = |place: &Alignment| -> BTreeSet<usize> {
        place
            .pairs
            .iter()
            .filter(|(.., alike)| *alike == 1.0)
            .map(|(at, ..)| *at)
            .collect()
    };
    let (one, other) = (equal(one), equal(other));
    one.is_superset(&other) && one.len() >= other.len() + 2
}

/// What speaks against a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatchVerdict {
    /// Nothing.
    Fits,
    /// A line of it opens a definition of another name than the text's does.
    DefinesAnother,
    /// It is not all of the text, or not the text alone, or not what the text speaks of.
    Doubtful,
}

/// A text and the lines among which it is to be found.
struct TextAmongLines<'s> {
    text: &'s [MatchLine],
    page: &'s FoldedFile<'s>,
    stands: &'s [FoldedLine],
    question: &'s Question<'s>,
}

impl TextAmongLines<'_> {
    fn verdict(&self, place: &Alignment) -> MatchVerdict {
        let doubtful = || {
            !(self.is_whole(place) && self.is_held(place) && self.is_as_deep(place))
                || self.contradicts(place)
        };
        match () {
            () if !self.defines_alike(place) => MatchVerdict::DefinesAnother,
            () if doubtful() => MatchVerdict::Doubtful,
            () => MatchVerdict::Fits,
        }
    }

    fn line(&self, to: usize) -> &[u8] {
        self.stands[to].span.of(self.page.bytes())
    }

    /// Says whether every line of the text stands there and every line of the place is in the text, blank ones and
    /// comments aside, the ends among them.
    fn is_whole(&self, place: &Alignment) -> bool {
        let (Some(begins), Some(ends)) = (place.pairs.first(), place.pairs.last()) else {
            return false;
        };
        let blank = |lines: &[MatchLine]| lines.iter().all(|line| line.key == 0);
        let ends_are_sure = blank(&self.text[..begins.0]) && blank(&self.text[ends.0 + 1..]);
        let (mut texts, mut files) = (
            vec![false; self.text.len()],
            vec![false; ends.1 - begins.1 + 1],
        );
        for &(at, to, _) in &place.pairs {
            (texts[at], files[to - begins.1]) = (true, true);
        }
        let code = self.lines_of_code() > 0;
        let counts = |line: &[u8]| !(is_blank(line) || code && is_comment(line));
        let quoted_alone = texts
            .iter()
            .zip(self.text)
            .any(|(paired, line)| !paired && counts(&line.bytes));
        let stays = |line: &[u8]| counts(line) || self.question.removes && !is_blank(line);
        let standing_alone = files
            .iter()
            .enumerate()
            .any(|(to, paired)| !paired && stays(self.line(begins.1 + to)));
        let (length, quoted) = (files.len(), texts.len());
        ends_are_sure
            && !quoted_alone
            && !standing_alone
            && length <= 2 * quoted
            && quoted <= 2 * length
    }

    /// Returns how many lines of the text are more than comments and braces.
    fn lines_of_code(&self) -> usize {
        self.text.iter().filter(|line| line.weight >= 1.0).count()
    }

    /// Says whether a line of the text opens a definition.
    fn defines(&self, at: usize) -> bool {
        defined(&self.text[at].bytes, is_markdown(self.question)).is_some()
    }

    /// Says whether enough lines are as quoted.
    fn is_held(&self, place: &Alignment) -> bool {
        let counts = |at: &usize| self.text[*at].weight >= 0.5;
        let pairs = || place.pairs.iter().filter(|(at, ..)| counts(at));
        let equal = pairs().filter(|(.., alike)| *alike == 1.0).count();
        let slipped = pairs()
            .filter(|(.., alike)| (SLIPPED..1.0).contains(alike))
            .count();
        let all = (0..self.text.len()).filter(counts).count();
        equal > 0 && equal as f64 + 0.5 * slipped as f64 >= LEAST_EQUAL * all as f64
    }

    /// Says whether it stands as deep as the text says.
    fn is_as_deep(&self, place: &Alignment) -> bool {
        let lines = self.question.text.split(|&byte| byte == b'\n');
        let stands = place.pairs.iter().map(|&(_, to, _)| self.line(to));
        depth_agrees(
            self.question,
            least_indentation(lines),
            least_indentation(stands),
        )
    }

    /// Says whether every line that opens a definition, in the text or in the place, is paired with one that opens a
    /// definition of the same name.
    fn defines_alike(&self, place: &Alignment) -> bool {
        let markdown = is_markdown(self.question);
        let quoted = |at: usize| defined(&self.text[at].bytes, markdown);
        let standing = |to: usize| defined(self.line(to), markdown);
        let Some((first, last)) = place.extent() else {
            return false;
        };
        let (mut texts, mut files) = (vec![false; self.text.len()], vec![false; last - first + 1]);
        for &(at, to, _) in &place.pairs {
            (texts[at], files[to - first]) = (true, true);
        }
        let unlike =
            |&(at, to, alike): &(usize, usize, f64)| alike < 1.0 && quoted(at) != standing(to);
        let alone_quoted = texts
            .iter()
            .enumerate()
            .any(|(at, paired)| !paired && quoted(at).is_some());
        let alone_standing = files
            .iter()
            .enumerate()
            .any(|(to, paired)| !paired && standing(first + to).is_some());
        !(place.pairs.iter().any(unlike) || alone_quoted || alone_standing)
    }

    /// Says whether the text speaks of something that the place does not, and the file knows: then the caller may have
    /// meant just that, and it stands somewhere else or is gone. A text of few lines has to differ in the spelling of
    /// its words alone; of a longer one some lines may say something else.
    fn contradicts(&self, place: &Alignment) -> bool {
        // Comments are remembered less well than the code that they stand beside.
        let code = self.lines_of_code() >= LEAST_CODE;
        let least = if code { 1.0 } else { 0.5 };
        let all = self.text.iter().filter(|line| line.weight >= least).count();
        let most = if all <= FEW {
            0
        } else {
            ((all as f64 * MOST_OTHER) as usize).max(1)
        };
        let markdown = is_markdown(self.question);
        let mut others = 0;
        let unequal = || place.pairs.iter().filter(|(.., alike)| *alike < 1.0);
        let of_code = unequal()
            .filter(|(at, ..)| self.text[*at].weight >= 1.0)
            .count();
        unequal().any(|&(at, to, _)| {
            let stands = line_key(self.line(to));
            let difference = LineDifference::between(&self.text[at].bytes, &stands);
            let counts = !(code && is_comment(&self.text[at].bytes));
            let known_slip = difference.is_known_slip(self.page, markdown);
            others += usize::from(counts && (!difference.is_spelling() || known_slip));
            others > most
                || known_slip && !difference.is_spelling()
                || self.defines(at) && (of_code > 1 || !difference.is_spelling())
                || difference.is_of_signs()
                || difference.is_of_numbers()
                || difference.is_known(self.page, markdown)
        })
    }
}

/// Most lines of a longer text that may differ in more than the spelling of words.
const MOST_OTHER: f64 = 0.3;

/// Lines of code that tell a block whatever its comments say.
const LEAST_CODE: usize = 3;

/// A text of so few lines of substance says little; what differs in it counts for more.
const FEW: usize = 5;

fn is_markdown(question: &Question<'_>) -> bool {
    question
        .language
        .is_some_and(|language| language.name == MARKDOWN.name)
}

/// Returns where else the very lines of a place stand: more places may be as good as were looked at.
fn copies<'c>(
    place: &'c Alignment,
    page: &'c FoldedFile<'_>,
    first: usize,
    stands: &'c [FoldedLine],
    question: &'c Question<'_>,
) -> impl Iterator<Item = Span> + 'c {
    let (from, to) = place.extent().unwrap_or_default();
    let here = stands.get(from..=to).unwrap_or_default();
    let same = move |rows: &[FoldedLine]| {
        rows.iter()
            .zip(here)
            .all(|(row, other)| row.key == other.key)
    };
    let places = stands
        .windows(here.len().max(1))
        .enumerate()
        .filter(move |(at, rows)| *at != from && same(rows));
    places.filter_map(move |(at, rows)| {
        let rows = page.rows().get(first + at..first + at + rows.len())?;
        Some(page.span_of(
            *rows.first()?,
            *rows.last()?,
            question.text.ends_with(b"\n"),
        ))
    })
}

fn spanned(
    page: &FoldedFile<'_>,
    first: usize,
    candidate: &Alignment,
    question: &Question<'_>,
) -> Option<Span> {
    let (from, to) = candidate.extent()?;
    let rows = page.rows();
    Some(page.span_of(
        *rows.get(first + from)?,
        *rows.get(first + to)?,
        question.text.ends_with(b"\n"),
    ))
}

/// Finds the line, or those that are as near as each other.
fn single_line(
    page: &FoldedFile<'_>,
    question: &Question<'_>,
    line: &[u8],
    allowance: &Budget,
) -> Option<(Vec<Span>, f64)> {
    if !single::says_enough(line) {
        return None;
    }
    let (_, stands) = page.rows_within(question.range);
    let near = single::nearest(line, page.bytes(), stands, single::FURTHEST, allowance)?;
    let (row, ended) = (stands[near.row], question.text.ends_with(b"\n"));
    let found = row.span.of(page.bytes());
    let markdown = is_markdown(question);
    let (quoted, standing) = (line_key(line), line_key(found));
    let difference = LineDifference::between(&quoted, &standing);
    if defined(line, markdown) != defined(found, markdown)
        || !depth_agrees(question, leading_blank(line), leading_blank(found))
        || !difference.is_spelling()
        || difference.is_of_numbers()
        || difference.is_known(page, markdown)
        || difference.is_known_slip(page, markdown)
        // Whoever deletes a line twice must not lose the one that is like it.
        || question.removes && difference.is_of_names()
    {
        return None;
    }
    let span = |row: FoldedLine| page.span_of(row, row, ended);
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
