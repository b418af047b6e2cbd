//! Where in a file a block may stand: lines, or rare words, that both have vote for the line on which it would begin.
//!
//! One look at each line of the file and no comparison of lines, so that a file of 100,000 lines costs little.

use std::collections::HashMap;

use super::align::{MatchLine, has_substance};
use super::page::FoldedLine;
use crate::text::diff::words;

/// Most places that are looked at closely.
const MOST: usize = 12;

/// Least part of the votes for the likeliest place that another has to have.
const LEAST_VOTES: f64 = 0.3;

/// A key that stands in more lines of a file says nothing about where.
const MOST_COMMON: usize = 4096;

/// Returns the lines, counted from the first of `stands`, on which `text` might begin, likeliest first. Negative ones
/// begin ahead of it.
pub(super) fn beginnings(text: &[MatchLine], bytes: &[u8], stands: &[FoldedLine]) -> Vec<isize> {
    let slack = text.len() / 4 + 2;
    let mut votes = Votes::new(text.len(), stands.len());
    let mut wanted: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, line) in text
        .iter()
        .enumerate()
        .filter(|(_, line)| has_substance(&line.bytes))
    {
        wanted.entry(line.key).or_default().push(at);
    }
    let hits = stands
        .iter()
        .enumerate()
        .filter(|(_, row)| wanted.contains_key(&row.key))
        .map(|(to, row)| (row.key, to));
    votes.count(&wanted, hits);
    let found = votes.winners(slack);
    // Most of the lines are there as they were quoted: no need to look for words.
    let enough = (wanted.len() as f64 * 2.0 / 3.0).max(3.0);
    let sure =
        |winners: &[(isize, f64)]| winners.first().is_some_and(|&(_, votes)| votes >= enough);
    let winners = if sure(&found) {
        found
    } else {
        let mut votes = Votes::new(text.len(), stands.len());
        by_words(text, bytes, stands, &mut votes);
        let mut winners = votes.winners(slack);
        winners.extend(found);
        winners
    };
    winners.into_iter().map(|(start, _)| start).collect()
}

fn by_words(text: &[MatchLine], bytes: &[u8], stands: &[FoldedLine], votes: &mut Votes) {
    let mut wanted: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, line) in text.iter().enumerate() {
        for word in words(&line.bytes)
            .into_iter()
            .filter(|word| has_substance(word))
        {
            wanted.entry(word).or_default().push(at);
        }
    }
    // Most words of a file are no words of the text; a bit tells most of them.
    let bit = |word: &[u8]| {
        1u64 << ((word.len() * 7 + usize::from(word[0]) * 3 + usize::from(word[word.len() - 1]))
            % 64)
    };
    let mask = wanted.keys().fold(0, |mask, word| mask | bit(word));
    let mut hits: Vec<(&[u8], usize)> = Vec::new();
    for (to, row) in stands.iter().enumerate().filter(|(_, row)| row.key != 0) {
        let line = row.span.of(bytes);
        let mut start = None;
        for at in 0..=line.len() {
            let letter = line
                .get(at)
                .is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80);
            match (start, letter) {
                (None, true) => start = Some(at),
                (Some(from), false) => {
                    let word = &line[from..at];
                    if word.len() >= 3 && mask & bit(word) != 0 && wanted.contains_key(word) {
                        hits.push((word, to));
                    }
                    start = None;
                }
                _ => {}
            }
        }
    }
    votes.count(&wanted, hits.into_iter());
}

struct Votes {
    /// Votes for each line on which the text would begin, `ahead` lines ahead of the file's first to its last.
    votes: Vec<f64>,
    ahead: usize,
}

impl Votes {
    fn new(text: usize, stands: usize) -> Votes {
        Votes {
            votes: vec![0.0; text + stands + 1],
            ahead: text,
        }
    }

    /// Lets every key that both have vote; rare ones count twice.
    fn count<K: std::hash::Hash + Eq + Copy>(
        &mut self,
        wanted: &HashMap<K, Vec<usize>>,
        hits: impl Iterator<Item = (K, usize)>,
    ) {
        const MOST_LINES: usize = 4;
        let mut places: HashMap<K, Vec<usize>> = HashMap::new();
        for (key, to) in hits {
            let places = places.entry(key).or_default();
            if places.len() <= MOST_COMMON {
                places.push(to);
            }
        }
        for (key, places) in places
            .iter()
            .filter(|(_, places)| places.len() <= MOST_COMMON)
        {
            let weight = 1.0 + 1.0 / places.len() as f64;
            for at in wanted[key].iter().take(MOST_LINES) {
                for to in places {
                    self.votes[to + self.ahead - at] += weight;
                }
            }
        }
    }

    /// Returns the likeliest beginnings, apart from each other by more than `slack`, each with its votes and those of
    /// its neighbours: lines that are missing or too many move the rest of a block.
    fn winners(&self, slack: usize) -> Vec<(isize, f64)> {
        let mut sums = Vec::with_capacity(self.votes.len());
        let mut sum: f64 = self.votes.iter().take(slack).sum();
        for at in 0..self.votes.len() {
            sum += self.votes.get(at + slack).copied().unwrap_or(0.0);
            if let Some(gone) = at.checked_sub(slack + 1) {
                sum -= self.votes[gone];
            }
            sums.push(sum);
        }
        let mut taken: Vec<(usize, f64)> = Vec::new();
        let mut ranked: Vec<usize> = (0..sums.len()).filter(|&at| self.votes[at] > 0.0).collect();
        let better = |one: &usize, other: &usize| {
            sums[*other]
                .total_cmp(&sums[*one])
                .then(self.votes[*other].total_cmp(&self.votes[*one]))
                .then(one.cmp(other))
        };
        const LOOKED_AT: usize = MOST * 32;
        if ranked.len() > LOOKED_AT {
            ranked.select_nth_unstable_by(LOOKED_AT, better);
            ranked.truncate(LOOKED_AT);
        }
        ranked.sort_unstable_by(better);
        // A place with far fewer votes than the likeliest is no rival of it.
        let least = ranked.first().map_or(0.0, |&at| sums[at] * LEAST_VOTES);
        for at in ranked.into_iter().filter(|&at| sums[at] >= least) {
            if taken.len() < MOST && taken.iter().all(|&(other, _)| at.abs_diff(other) > slack) {
                taken.push((at, sums[at]));
            }
        }
        taken
            .into_iter()
            .map(|(at, votes)| (at as isize - self.ahead as isize, votes))
            .collect()
    }
}
