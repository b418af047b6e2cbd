//! Two blocks of lines laid side by side: which line is which, and how alike the blocks are.
//!
//! The score is twice what the paired lines share over all that there is, 1.0 for equal blocks. A line of words weighs
//! 1, a comment the half of it, one of braces alone a fifth, a blank one next to nothing.

use super::distance;
use super::folded::line_key;
use super::page::FoldedLine;
use crate::text::is_blank;

/// Least similarity over the lines of a block.
pub(super) const LEAST: f64 = 0.85;

/// Sorts of bytes that are told apart.
const SORTS: usize = 32;

/// How much less a pair of lines that are not equal holds.
const SLIPPERY: f64 = 0.1;

/// A line to be laid beside others.
#[derive(Clone, Debug)]
pub(super) struct MatchLine {
    /// What is compared.
    pub bytes: Vec<u8>,
    /// What tells equal lines.
    pub key: u64,
    /// How many bytes of each sort it has.
    sorts: [u8; SORTS],
    /// How much it counts.
    pub weight: f64,
}

impl MatchLine {
    /// Returns the line of `bytes` that `row` tells of.
    pub(super) fn of(bytes: &[u8], row: &FoldedLine) -> MatchLine {
        let line = row.span.of(bytes);
        let weight = match () {
            () if is_blank(line) => 0.02,
            () if is_comment(line) => 0.5,
            () if has_substance(line) => 1.0,
            () => 0.2,
        };
        MatchLine {
            bytes: line_key(line).into_owned(),
            key: row.key,
            sorts: sorts(line),
            weight,
        }
    }
}

/// Says whether a line is more than braces, blanks or the opening of a comment.
pub(super) fn has_substance(line: &[u8]) -> bool {
    line.iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80)
        .count()
        >= 3
}

/// Says whether nothing but a comment stands on a line, by the look of it.
pub(super) fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    [&b"# "[..], b"//", b"/*", b"* ", b"-- ", b"<!--"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Lines side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Alignment {
    /// (line of the text, line of the file, similarity), in order.
    pub pairs: Vec<(usize, usize, f64)>,
    /// How alike the blocks are.
    pub score: f64,
}

impl Alignment {
    /// Returns the first and the last line of the file.
    pub(super) fn extent(&self) -> Option<(usize, usize)> {
        Some((self.pairs.first()?.1, self.pairs.last()?.1))
    }
}

/// Returns how alike two lines are: 1 less the edit distance over the longer one's length; 0 for what shares too little.
pub(super) fn likeness(one: &MatchLine, other: &MatchLine) -> f64 {
    const LEAST_ALIKE: f64 = 0.4;
    const LONGEST: usize = 1 << 12;
    if one.key == other.key {
        return 1.0;
    }
    let longer = one.bytes.len().max(other.bytes.len());
    if longer > LONGEST || one.key == 0 || other.key == 0 {
        return 0.0;
    }
    let most = (longer as f64 * (1.0 - LEAST_ALIKE)) as usize;
    let near = || {
        let distance = distance::within(&one.bytes, &other.bytes, most)?;
        Some(1.0 - distance as f64 / longer as f64)
    };
    let alike = if least_distance(one, other) > most {
        None
    } else {
        near()
    };
    alike.unwrap_or_else(|| {
        if breaks_off(&one.bytes, &other.bytes) {
            LEAST_ALIKE
        } else {
            0.0
        }
    })
}

/// Says whether one line says, but for a few characters, what the other begins with: a quotation that breaks off.
fn breaks_off(one: &[u8], other: &[u8]) -> bool {
    const LEAST: usize = 6;
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short.len() >= LEAST && distance::within(short, &long[..short.len()], short.len() / 5).is_some()
}

/// Returns what the distance of two lines is at least: bytes that the one has more of than the other have to go.
fn least_distance(one: &MatchLine, other: &MatchLine) -> usize {
    let pairs = || one.sorts.iter().zip(&other.sorts);
    let gone: usize = pairs()
        .map(|(one, other)| usize::from(one.saturating_sub(*other)))
        .sum();
    let come: usize = pairs()
        .map(|(one, other)| usize::from(other.saturating_sub(*one)))
        .sum();
    gone.max(come)
}

fn sorts(line: &[u8]) -> [u8; SORTS] {
    let mut sorts = [0u8; SORTS];
    for byte in line
        .iter()
        .filter(|byte| byte.is_ascii() && !byte.is_ascii_whitespace())
    {
        let sort = &mut sorts[usize::from(*byte) % SORTS];
        *sort = sort.saturating_add(1);
    }
    sorts
}

/// Lays `text` beside the part of `file` that it is most like. The text is expected to begin `slack` lines into `file`,
/// or as many sooner or later, and so for each line of it.
pub(super) fn align(text: &[MatchLine], file: &[MatchLine], slack: usize) -> Alignment {
    let band = Band {
        width: 2 * slack + 2,
        lines: file.len(),
    };
    let mut best = vec![f64::NEG_INFINITY; text.len() * band.width];
    let mut step = vec![AlignStep::Start; text.len() * band.width];
    for at in 1..=text.len() {
        let line = &text[at - 1];
        for to in band.of(at) {
            // Ahead of the first line nothing is paired yet, wherever in the file.
            let before = |best: &[f64], at: usize, to: usize| match band.place(at, to) {
                _ if at == 0 => 0.0,
                Some(place) => best[place],
                None => f64::NEG_INFINITY,
            };
            // A line of the text that nothing stands for costs nothing here: it is missing in the score.
            let mut choice = (before(&best, at - 1, to), AlignStep::SkipText);
            if to > 0 {
                let stands = &file[to - 1];
                let alike = likeness(line, stands);
                // Equal lines hold the block in place: where neighbours are nearly alike, it would slip else.
                let held = if alike < 1.0 { alike - SLIPPERY } else { 1.0 };
                let gain = (line.weight + stands.weight) * held - LEAST * stands.weight;
                let paired = before(&best, at - 1, to - 1) + gain;
                if alike > 0.0 && paired > choice.0 {
                    choice = (paired, AlignStep::Pair(alike));
                }
                let skipped = before(&best, at, to - 1) - LEAST * stands.weight;
                if skipped > choice.0 {
                    choice = (skipped, AlignStep::SkipFile);
                }
            }
            if let Some(place) = band.place(at, to) {
                (best[place], step[place]) = choice;
            }
        }
    }
    let last = |to: usize| band.place(text.len(), to).map_or(0.0, |place| best[place]);
    let end = band
        .of(text.len())
        .max_by(|&one, &other| last(one).total_cmp(&last(other)));
    let steps = |at: usize, to: usize| {
        band.place(at, to)
            .map_or(AlignStep::Start, |place| step[place])
    };
    traced(text, file, steps, end.unwrap_or(0))
}

/// The part of a table of text lines by file lines in which an alignment may lie: a few columns around the diagonal. The rest of a
/// table for a long text would be most of the memory.
#[derive(Clone, Copy)]
struct Band {
    /// Columns of each row.
    width: usize,
    /// Lines of the file.
    lines: usize,
}

impl Band {
    /// Returns the columns of a row: how many lines of the file may be laid beside the first `at` lines of the text.
    fn of(self, at: usize) -> std::ops::RangeInclusive<usize> {
        at.saturating_sub(1)..=(at + self.width - 2).min(self.lines)
    }

    /// Returns where a cell of a row from 1 on is kept.
    fn place(self, at: usize, to: usize) -> Option<usize> {
        let row = at.checked_sub(1)?;
        (self.of(at).contains(&to)).then(|| row * self.width + to - row)
    }
}

/// Pairs comments at the ends of the text with those that stand next in the file: whatever they say, they are its ends.
fn add_outer_comments(
    text: &[MatchLine],
    file: &[MatchLine],
    pairs: &mut Vec<(usize, usize, f64)>,
) {
    let comments =
        |at: usize, to: usize| is_comment(&text[at].bytes) && is_comment(&file[to].bytes);
    while let Some(&(at, to, _)) = pairs
        .first()
        .filter(|&&(at, to, _)| at > 0 && to > 0 && comments(at - 1, to - 1))
    {
        pairs.insert(0, (at - 1, to - 1, likeness(&text[at - 1], &file[to - 1])));
    }
    let fits = |at: usize, to: usize| {
        at + 1 < text.len() && to + 1 < file.len() && comments(at + 1, to + 1)
    };
    while let Some(&(at, to, _)) = pairs.last().filter(|&&(at, to, _)| fits(at, to)) {
        pairs.push((at + 1, to + 1, likeness(&text[at + 1], &file[to + 1])));
    }
}

#[derive(Clone, Copy, Debug)]
enum AlignStep {
    Start,
    Pair(f64),
    SkipText,
    SkipFile,
}

fn traced(
    text: &[MatchLine],
    file: &[MatchLine],
    step: impl Fn(usize, usize) -> AlignStep,
    end: usize,
) -> Alignment {
    let (mut at, mut to) = (text.len(), end);
    let mut pairs = Vec::new();
    while at > 0 {
        match step(at, to) {
            AlignStep::Pair(alike) => {
                (at, to) = (at - 1, to - 1);
                pairs.push((at, to, alike));
            }
            AlignStep::SkipText => at -= 1,
            AlignStep::SkipFile => to -= 1,
            AlignStep::Start => break,
        }
    }
    pairs.reverse();
    add_outer_comments(text, file, &mut pairs);
    let shared: f64 = pairs
        .iter()
        .map(|&(at, to, alike)| (text[at].weight + file[to].weight) * alike)
        .sum();
    let weight = |lines: &[MatchLine]| lines.iter().map(|line| line.weight).sum::<f64>();
    let span = match (pairs.first(), pairs.last()) {
        (Some(first), Some(last)) => weight(&file[first.1..=last.1]),
        _ => 0.0,
    };
    let all = weight(text) + span;
    Alignment {
        pairs,
        score: if all > 0.0 { shared / all } else { 0.0 },
    }
}
