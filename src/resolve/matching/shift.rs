//! `IndentShift`: which indentation of a text is which of the place where it stands, learnt line by line, so that new lines
//! are moved as the old ones are.

use std::collections::BTreeMap;

use crate::text::indent::{LineRole, Unit};
use crate::text::leading_blank;

/// How indentation is translated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndentShift {
    /// What stands in the file for each indentation of the text.
    columns: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The text's unit and the file's, where they differ.
    units: Option<(Unit, Unit)>,
}

impl IndentShift {
    /// Returns the one shift that makes the second of each pair of the first, if there is one: all lines moved alike,
    /// or one unit of indentation written for another.
    pub fn uniform(pairs: &[(&[u8], &[u8])]) -> Option<IndentShift> {
        let common = |indents: &mut dyn Iterator<Item = &[u8]>| -> usize {
            let Some(first) = indents.next() else {
                return 0;
            };
            indents.fold(first.len(), |common, indent| {
                first[..common]
                    .iter()
                    .zip(indent)
                    .take_while(|(one, other)| one == other)
                    .count()
            })
        };
        let quoted = common(&mut pairs.iter().map(|pair| pair.0));
        let stands = common(&mut pairs.iter().map(|pair| pair.1));
        let beyond = || {
            pairs
                .iter()
                .map(|pair| (&pair.0[quoted..], &pair.1[stands..]))
        };
        let alike = beyond().all(|(quoted, stands)| quoted == stands);
        let units = if alike {
            None
        } else {
            Some(exchange(&beyond)?)
        };
        Some(IndentShift {
            units,
            ..IndentShift::learnt(pairs.iter().copied())
        })
    }

    /// Returns what most of the pairs say.
    pub fn learnt<'p>(pairs: impl Iterator<Item = (&'p [u8], &'p [u8])>) -> IndentShift {
        let mut counts: BTreeMap<&[u8], BTreeMap<&[u8], usize>> = BTreeMap::new();
        for (quoted, stands) in pairs {
            *counts.entry(quoted).or_default().entry(stands).or_default() += 1;
        }
        let most = |(quoted, stands): (&[u8], BTreeMap<&[u8], usize>)| {
            let most = stands.values().copied().max()?;
            let stands = stands.into_iter().find(|&(_, count)| count == most)?.0;
            Some((quoted.to_vec(), stands.to_vec()))
        };
        IndentShift {
            columns: counts.into_iter().filter_map(most).collect(),
            units: None,
        }
    }

    /// Returns it with what lies beyond the known columns written in the unit `to` instead of `from`.
    pub fn converting(self, from: Option<Unit>, to: Option<Unit>) -> IndentShift {
        let units = from.zip(to).filter(|(from, to)| from != to);
        IndentShift {
            units: self.units.or(units),
            ..self
        }
    }

    /// Returns `text` with the indentation of each line translated; lines inside a string keep theirs.
    pub fn applied(&self, text: &[u8], roles: &[LineRole]) -> Vec<u8> {
        let mut shifted = Vec::with_capacity(text.len());
        for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let indent = leading_blank(line);
            let rest = &line[indent.len()..];
            let stays =
                roles.get(number) == Some(&LineRole::Frozen) || rest.trim_ascii().is_empty();
            if stays {
                shifted.extend_from_slice(line);
            } else {
                shifted.extend(self.indent(indent));
                shifted.extend_from_slice(rest);
            }
        }
        shifted
    }

    /// Returns what stands in the file for one indentation.
    fn indent(&self, indent: &[u8]) -> Vec<u8> {
        if let Some(known) = self.columns.get(indent) {
            return known.clone();
        }
        let inner = self
            .columns
            .iter()
            .rev()
            .find(|(quoted, _)| indent.starts_with(quoted));
        if let Some((quoted, stands)) = inner {
            return [stands.as_slice(), &self.converted(&indent[quoted.len()..])].concat();
        }
        // Left of all that is known: what is missing to the nearest column is missing there, too.
        let outer = self
            .columns
            .iter()
            .find(|(quoted, _)| quoted.starts_with(indent));
        let Some((quoted, stands)) = outer else {
            return self.converted(indent);
        };
        let missing = self.converted(&quoted[indent.len()..]);
        let kept = stands.strip_suffix(missing.as_slice());
        kept.map_or_else(
            || stands[..stands.len().saturating_sub(missing.len())].to_vec(),
            <[u8]>::to_vec,
        )
    }

    fn converted(&self, blanks: &[u8]) -> Vec<u8> {
        let Some((from, to)) = self.units else {
            return blanks.to_vec();
        };
        let (count, rest) = steps_of(blanks, from);
        [&to.steps(count), rest].concat()
    }
}

/// Returns how many steps `blanks` begin with, and what is left.
fn steps_of(blanks: &[u8], unit: Unit) -> (usize, &[u8]) {
    let (lead, width) = match unit {
        Unit::Tab => (b'\t', 1),
        Unit::Spaces(width) => (b' ', width.max(1)),
    };
    let count = blanks.iter().take_while(|&&byte| byte == lead).count() / width;
    (count, &blanks[count * width..])
}

/// Returns the units that were exchanged, if that explains every pair.
fn exchange<'p, P: Iterator<Item = (&'p [u8], &'p [u8])>>(
    pairs: &dyn Fn() -> P,
) -> Option<(Unit, Unit)> {
    let units = || std::iter::once(Unit::Tab).chain((1..=8).rev().map(Unit::Spaces));
    let explains = |from: Unit, to: Unit| {
        pairs().all(|(quoted, stands)| {
            let ((count, rest), (stands_count, stands_rest)) =
                (steps_of(quoted, from), steps_of(stands, to));
            count == stands_count && rest == stands_rest
        })
    };
    let all = units().flat_map(|from| units().map(move |to| (from, to)));
    all.filter(|(from, to)| from != to)
        .find(|&(from, to)| explains(from, to))
}
