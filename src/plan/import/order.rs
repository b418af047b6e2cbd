//! In what order a file has its imports and the names in them: read off what is there, isort's orders first.

use std::cmp::Ordering;

use super::sections::ImportLine;
use crate::syntax::python::ImportStatement;

/// An order of the lines of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineOrder {
    forms: FormOrder,
    letters: LetterOrder,
    nearest_first: bool,
}

/// Which of `import x` and `from x import y` comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormOrder {
    PlainFirst,
    Mixed,
    FromFirst,
}

/// How words are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterOrder {
    /// CONSTANTS, Classes, functions, each in either case.
    ByType,
    /// In either case.
    Folded,
    /// Capitals first.
    Plain,
}

impl LineOrder {
    const ALL: [LineOrder; 12] = {
        let forms = [
            FormOrder::PlainFirst,
            FormOrder::Mixed,
            FormOrder::FromFirst,
        ];
        let letters = [LetterOrder::Folded, LetterOrder::Plain];
        let first = LineOrder {
            forms: FormOrder::PlainFirst,
            letters: LetterOrder::Folded,
            nearest_first: false,
        };
        let mut all = [first; 12];
        let mut at = 0;
        while at < 12 {
            all[at] = LineOrder {
                forms: forms[at / 4],
                letters: letters[at / 2 % 2],
                nearest_first: at % 2 == 1,
            };
            at += 1;
        }
        all
    };

    /// Returns how two statements follow each other.
    pub(super) fn compare(self, one: &ImportStatement, other: &ImportStatement) -> Ordering {
        let rank = |it: &ImportStatement| match (self.forms, it.from.is_some()) {
            (FormOrder::Mixed, _) => 0,
            (FormOrder::PlainFirst, is_from) => usize::from(is_from),
            (FormOrder::FromFirst, is_from) => usize::from(!is_from),
        };
        let dots = |it: &ImportStatement| {
            let dots = it.origin().dots;
            // All relative ones come after the others, whatever the order among them.
            match (dots, self.nearest_first) {
                (0, _) => 0,
                (dots, true) => dots,
                (dots, false) => usize::MAX - dots,
            }
        };
        let module = |it: &ImportStatement| it.origin().parts.join(".");
        let name =
            |it: &ImportStatement| it.names.first().map_or(String::new(), |name| name.words());
        rank(one)
            .cmp(&rank(other))
            .then_with(|| dots(one).cmp(&dots(other)))
            .then_with(|| self.letters.compare(&module(one), &module(other)))
            .then_with(|| one.from.is_some().cmp(&other.from.is_some()))
            .then_with(|| match one.from.is_some() && other.from.is_some() {
                true => self.letters.compare(&name(one), &name(other)),
                false => Ordering::Equal,
            })
    }

    fn holds(self, lines: &[ImportLine<'_>]) -> bool {
        lines
            .windows(2)
            .all(|pair| self.compare(pair[0].statement, pair[1].statement) != Ordering::Greater)
    }

    /// Returns the order that `lines` are in but for some of them that are elsewhere.
    pub(super) fn nearly(
        lines: &[ImportLine<'_>],
        sections: &[Vec<ImportLine<'_>>],
    ) -> Option<LineOrder> {
        let breaks = |order: &LineOrder| {
            let pairs = lines.windows(2);
            pairs
                .filter(|pair| {
                    order.compare(pair[0].statement, pair[1].statement) == Ordering::Greater
                })
                .count()
        };
        let votes = |order: &LineOrder| sections.iter().filter(|it| order.holds(it)).count();
        let best = LineOrder::ALL.into_iter().rev();
        let best = best.max_by_key(|order| (std::cmp::Reverse(breaks(order)), votes(order)))?;
        (breaks(&best) * 5 <= lines.len()).then_some(best)
    }

    /// Returns before which of `lines` a statement comes: where the fewest are on the wrong side of it, the last such place.
    pub(super) fn turn(self, lines: &[ImportLine<'_>], statement: &ImportStatement) -> usize {
        let wrong = |at: usize| {
            let is = |line: &&ImportLine<'_>, wrong: Ordering| {
                self.compare(line.statement, statement) == wrong
            };
            let before = lines[..at]
                .iter()
                .filter(|line| is(line, Ordering::Greater));
            let after = lines[at..].iter().filter(|line| is(line, Ordering::Less));
            before.count() + after.count()
        };
        (0..=lines.len())
            .rev()
            .min_by_key(|at| wrong(*at))
            .unwrap_or(lines.len())
    }

    /// Returns the order that `lines` are in; of several the one that most of `sections` are in.
    pub(super) fn of(
        lines: &[ImportLine<'_>],
        sections: &[Vec<ImportLine<'_>>],
    ) -> Option<LineOrder> {
        let votes = |order: &LineOrder| {
            let sorted = sections.iter().filter(|section| order.holds(section));
            sorted.map(|section| section.len() - 1).sum::<usize>()
        };
        let fitting = LineOrder::ALL.iter().filter(|order| order.holds(lines));
        // Of equals the first: that is what tools do unless they are told otherwise.
        fitting.copied().rev().max_by_key(votes)
    }
}

impl LetterOrder {
    const ALL: [LetterOrder; 3] = [LetterOrder::ByType, LetterOrder::Folded, LetterOrder::Plain];

    /// Returns how two words follow each other.
    pub(super) fn compare(self, one: &str, other: &str) -> Ordering {
        match self {
            LetterOrder::Plain => one.cmp(other),
            LetterOrder::Folded => natural(&one.to_lowercase(), &other.to_lowercase()),
            LetterOrder::ByType => kind(one)
                .cmp(&kind(other))
                .then_with(|| natural(&one.to_lowercase(), &other.to_lowercase())),
        }
    }

    fn holds(self, words: &[&str]) -> bool {
        words
            .windows(2)
            .all(|pair| self.compare(pair[0], pair[1]) != Ordering::Greater)
    }

    /// Returns the order that `words` are in; of several the one that most of the other lists of the file are in.
    pub(super) fn of(words: &[&str], lists: &[Vec<&str>]) -> Option<LetterOrder> {
        let votes = |order: &LetterOrder| lists.iter().filter(|list| order.holds(list)).count();
        let fitting = LetterOrder::ALL.iter().filter(|order| order.holds(words));
        fitting.copied().rev().max_by_key(votes)
    }
}

/// Returns the turn of a name as isort has it by its letters: constants, classes, all else.
fn kind(name: &str) -> usize {
    let has_capital = name.chars().any(char::is_uppercase);
    match () {
        () if name.len() > 1 && has_capital && !name.chars().any(char::is_lowercase) => 0,
        () if name.chars().next().is_some_and(char::is_uppercase) => 1,
        () => 2,
    }
}

/// Compares with numbers as numbers: `a2` is before `a10`.
fn natural(one: &str, other: &str) -> Ordering {
    let (mut ones, mut others) = (pieces(one).into_iter(), pieces(other).into_iter());
    loop {
        return match (ones.next(), others.next()) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(one), Some(other)) => {
                let numbers = (one.parse::<u64>(), other.parse::<u64>());
                let order = match numbers {
                    (Ok(one), Ok(other)) => one.cmp(&other),
                    _ => one.cmp(other),
                };
                if order == Ordering::Equal {
                    continue;
                }
                order
            }
        };
    }
}

/// Returns a word in pieces that are digits and pieces that are none.
fn pieces(word: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest
            .find(|it: char| it.is_ascii_digit() != is_digit)
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        found.push(piece);
        rest = after;
    }
    found
}
