//! Shrinking: a file that would keep few of its lines was most likely not meant to lose the others.

use std::collections::{BTreeMap, HashMap};

use crate::manifest::{AllowRemove, Operation, Selector, Verb};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::text::Lines;
use crate::text::splice::Splice;

/// Files of fewer lines are seen at a glance.
const FEWEST_LINES: usize = 100;

/// A file that keeps less of its lines than this share, in percent, has shrunk.
const LEAST_KEPT: usize = 40;

/// The lines that a file loses.
#[derive(Clone, Debug)]
pub(super) struct Shrunk {
    path: RepoPath,
    /// How many lines it had.
    total: usize,
    /// How many of them each operation takes and does not write again.
    lost: BTreeMap<usize, usize>,
}

/// Returns the lines that the edit takes from `old`, if they are so many that it matters.
pub(super) fn shrunk(edit: &FileEdit, old: &Document) -> Option<Shrunk> {
    let splices = edit.splices.as_ref()?;
    let lines = old.lines();
    let total = lines.count();
    let is_many =
        |lost: usize| total >= FEWEST_LINES && (total - lost.min(total)) * 100 < total * LEAST_KEPT;
    let covered = |splice: &Splice| lines.filled_by(splice.span, &old.bytes).len();
    if !is_many(splices.iter().map(covered).sum()) {
        return None;
    }

    let mut lost: BTreeMap<usize, usize> = BTreeMap::new();
    for splice in splices.iter() {
        let Some(operation) = edit.claimant(splice.span) else {
            continue;
        };
        *lost.entry(operation).or_default() += lost_lines(splice, lines, &old.bytes);
    }
    is_many(lost.values().sum()).then(|| Shrunk {
        path: edit.path.clone(),
        total,
        lost,
    })
}

impl Shrunk {
    /// Returns how much of the file those of `operations` take that do not say by name what goes, if that is too much:
    /// the first of them, and a sentence.
    pub(super) fn unasked(&self, operations: &[Operation]) -> Option<(usize, String)> {
        let names_none =
            |(at, _): &(&usize, &usize)| operations.get(**at).is_some_and(names_nothing);
        let by: Vec<(&usize, &usize)> = self.lost.iter().filter(names_none).collect();
        let lost: usize = by.iter().map(|(_, lost)| **lost).sum();
        let operation = by.first().map(|(at, _)| **at)?;
        let kept = self.total - lost.min(self.total);
        let sentence = || {
            format!(
                "{} would lose {} of {} lines",
                self.path,
                grouped(lost),
                grouped(self.total)
            )
        };
        (kept * 100 < self.total * LEAST_KEPT).then(|| (operation, sentence()))
    }
}

/// Says whether an operation takes bytes that nothing names, and does not allow that whatever it takes goes.
fn names_nothing(operation: &Operation) -> bool {
    // What moves is named, and is elsewhere then.
    if matches!(operation.verb, Verb::Move { .. }) {
        return false;
    }
    let is_delete = matches!(operation.verb, Verb::Delete { .. });
    let by_bytes = operation
        .scoped()
        .is_none_or(|scoped| match scoped.selector {
            Selector::Pattern(_) => true,
            Selector::Text(_) | Selector::Lines(_) => !is_delete,
            Selector::Symbol(_)
            | Selector::Section(_)
            | Selector::Block(_)
            | Selector::Element(_)
            | Selector::Key(_) => false,
        });
    by_bytes && operation.allow_remove != AllowRemove::Everything
}

/// Returns how many whole lines the splice takes and does not write again, whatever their indentation.
fn lost_lines(splice: &Splice, lines: &Lines, bytes: &[u8]) -> usize {
    let mut written: HashMap<&[u8], usize> = HashMap::new();
    for line in splice.bytes.split(|&byte| byte == b'\n') {
        *written.entry(line.trim_ascii()).or_default() += 1;
    }
    let is_lost = |number: &usize| match written
        .get_mut(lines.content(bytes, *number).of(bytes).trim_ascii())
    {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    lines.filled_by(splice.span, bytes).filter(is_lost).count()
}

/// Returns a number with its thousands apart: `29,984`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_groups_of_three() {
        assert_eq!(
            [7, 999, 1000, 29_984, 1_234_567].map(grouped),
            ["7", "999", "1,000", "29,984", "1,234,567"]
        );
    }
}
