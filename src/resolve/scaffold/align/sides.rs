//! Which lines of the file fit which lines of the template.

use std::collections::HashMap;

use super::super::skeleton::{Line, Skeleton, SkeletonWeight};
use super::file::FilledLines;

/// The two sides beside each other.
pub(super) struct TemplateAndFile {
    /// How many lines the file has.
    pub count: usize,
    /// For each line of the template, its weight and the lines of the file that fit, in order.
    pub hits: Vec<(SkeletonWeight, Vec<usize>)>,
    /// For each gap, the lines of the file that it may hold as the template tells, in order.
    pub hidden: Vec<Vec<usize>>,
}

impl TemplateAndFile {
    /// Compares the two; `None` where that is too much.
    pub(super) fn of(skeleton: &Skeleton, file: &FilledLines<'_>) -> Option<TemplateAndFile> {
        let mut at: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (number, text) in file.texts.iter().enumerate() {
            at.entry(text).or_default().push(number);
        }
        let mut left = MOST_COMPARED;
        let mut fitting = |line: &Line| -> Option<Vec<usize>> {
            let literal = line
                .literal()
                .map(|text| at.get(text).map_or(&[][..], Vec::as_slice));
            left = left.checked_sub(literal.map_or(file.texts.len(), <[usize]>::len))?;
            Some(match literal {
                Some(numbers) => numbers.to_vec(),
                None => (0..file.texts.len())
                    .filter(|&number| line.fits(file.texts[number]))
                    .collect(),
            })
        };
        let mut hits = Vec::new();
        let doubtful = skeleton.lines.iter().filter(|line| line.doubtful).count();
        doubtful
            .checked_mul(file.texts.len())
            .filter(|&pairs| pairs <= MOST_COMPARED)?;
        for line in &skeleton.lines {
            let mut found = fitting(line)?;
            let weight = if line.doubtful && is_part(line, file) {
                SkeletonWeight::Doubtful
            } else {
                line.weight
            };
            // A `}` further in does not close what this one does.
            if let (SkeletonWeight::Short, Some(depth)) = (weight, line.depth) {
                found.retain(|&number| file.depths.get(number) == Some(&depth));
            }
            hits.push((weight, found));
        }
        let mut hidden = Vec::new();
        for lines in &skeleton.hidden {
            let mut found = Vec::new();
            for line in lines {
                found.extend(fitting(line)?);
            }
            found.sort_unstable();
            found.dedup();
            hidden.push(found);
        }
        Some(TemplateAndFile {
            count: file.texts.len(),
            hits,
            hidden,
        })
    }

    /// Returns what there is of it between the lines `from` and `to` of the file.
    pub(super) fn between(&self, from: usize, to: usize) -> TemplateAndFile {
        let part = |hits: &Vec<usize>| -> Vec<usize> {
            let first = hits.partition_point(|&hit| hit < from);
            let last = hits.partition_point(|&hit| hit < to);
            hits[first..last].iter().map(|hit| hit - from).collect()
        };
        TemplateAndFile {
            count: to - from,
            hits: self
                .hits
                .iter()
                .map(|(weight, hits)| (*weight, part(hits)))
                .collect(),
            hidden: self.hidden.iter().map(part).collect(),
        }
    }
}

/// Says whether a line of the file holds the line and more: rendering made it one with another, as it seems.
fn is_part(line: &Line, file: &FilledLines<'_>) -> bool {
    let Some(longest) = line.pieces.iter().max_by_key(|piece| piece.len()) else {
        return false;
    };
    let finder = memchr::memmem::Finder::new(longest);
    file.texts
        .iter()
        .any(|text| !line.fits(text) && finder.find(text).is_some())
}

/// Most pairs of lines, one of the template and one of the file, that are looked at.
const MOST_COMPARED: usize = 4_000_000;
