//! `similar` for a single line: the one line that is nearest by its characters, if it is near and no other is nearly so.

use super::distance;
use super::folded::line_key;
use super::page::FoldedLine;
use crate::resolve::Budget;
use crate::text::diff::words;

/// Most of a line's characters that may differ.
pub(super) const FURTHEST: f64 = 0.3;

/// The lines nearest to a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearest {
    /// Which line, counted from the first that was looked at.
    pub row: usize,
    /// How many characters differ.
    pub distance: usize,
    /// How alike they are, 0 to 1.
    pub similarity: f64,
    /// The line next to it in likeness, and how many characters differ there.
    pub next: Option<(usize, usize)>,
}

/// Says whether a line says enough to be told from others that are nearly alike: `x = 1` does not.
pub(super) fn says_enough(line: &[u8]) -> bool {
    const LEAST_CHARACTERS: usize = 12;
    let words = words(line);
    line.iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count()
        >= LEAST_CHARACTERS
        && words
            .iter()
            .filter(|word| {
                word.iter()
                    .filter(|byte| byte.is_ascii_alphabetic())
                    .count()
                    >= 2
            })
            .count()
            >= 2
}

/// Returns the line of `rows` nearest to `line`, if less than `furthest` of its characters differ; `None` too when the
/// search costs more than there is left to spend.
pub(super) fn nearest(
    line: &[u8],
    bytes: &[u8],
    rows: &[FoldedLine],
    furthest: f64,
    allowance: &Budget,
) -> Option<Nearest> {
    const A_LOOK: usize = 10;
    const LONGEST: usize = 2000;
    let wanted = line_key(line);
    let characters: Vec<char> = String::from_utf8_lossy(&wanted).chars().collect();
    if characters.is_empty() || characters.len() > LONGEST {
        return None;
    }
    if !allowance.affords_guess(rows.len().saturating_mul(A_LOOK)) {
        return None;
    }
    let mask = mask(&wanted);
    let most = |longer: usize| (longer as f64 * furthest) as usize;
    let mut best: Option<(usize, usize, usize)> = None;
    let mut next: Option<(usize, usize)> = None;
    for (number, row) in rows.iter().enumerate().filter(|(_, row)| row.key != 0) {
        let line = row.span.of(bytes);
        // Neither length nor letters can differ more than the lines do. A line may be longer by white space alone.
        if line.len() > 4 * LONGEST || line.trim_ascii().len() * 2 < wanted.len() {
            continue;
        }
        // What is worse than the two best is of no interest.
        let limit = next
            .map_or(usize::MAX, |(_, distance)| distance)
            .min(most(characters.len().max(line.len())));
        if (mask ^ self::mask(line)).count_ones() as usize > 2 * limit + 4 {
            continue;
        }
        let key = line_key(line);
        let stands: Vec<char> = String::from_utf8_lossy(&key).chars().collect();
        let limit = limit.min(most(characters.len().max(stands.len())));
        if !allowance.affords_guess(stands.len() * (2 * limit + 1).min(characters.len())) {
            return None;
        }
        let Some(distance) = distance::within(&characters, &stands, limit) else {
            continue;
        };
        match best {
            Some((_, nearest, _)) if distance >= nearest => {
                if next.is_none_or(|(_, other)| distance < other) {
                    next = Some((number, distance));
                }
            }
            before => {
                next = before.map(|(row, distance, _)| (row, distance)).or(next);
                best = Some((number, distance, stands.len()));
            }
        }
    }
    let (row, distance, length) = best?;
    let similarity = 1.0 - distance as f64 / characters.len().max(length) as f64;
    Some(Nearest {
        row,
        distance,
        similarity,
        next,
    })
}

/// Returns a bit for each sort of byte that a line has; an edit changes two of them at most.
fn mask(line: &[u8]) -> u64 {
    line.iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .fold(0, |mask, byte| mask | 1 << (byte & 63))
}
