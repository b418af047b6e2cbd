//! Skeleton × file → where each block is, where that is certain.
//!
//! Every account is looked at of how the file may have come from the template: which lines of the template stand in it, which
//! are gone, and where the others were typed. An account is as good as the lines of the template that it finds; lines that
//! are typed or gone cost nothing, as people type and delete as they like. *An end of a block is certain when it is in the same
//! place by the best account and by all that come near it.* A telling line more or less is far; a short one such as `}`,
//! which may have been typed anywhere, is near, unless it stands right beside a telling one; so is a single line that the
//! template renders on a condition, because somebody may have typed it where it was not.
//!
//! Where a part of the file is nothing but what the template renders, it is looked at a second time. There an account is as good
//! as it has few lines that only a hole which holds anything, or a person, can explain; each of those that the best account has
//! may be a person's, and one more. A hole whose own lines are known, such as a loop over `{{ field }}: str`, explains those.
//!
//! ```text
//! template            file
//! import os           import os            ← once here and there: `imports` begins behind it
//! {% block imports %}
//! import sys          import json          ← whatever it has become
//! {% endblock %}      import re
//! class Worker:       class Worker:        ← and ends ahead of this
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `graph` | the skeleton as places and steps: every way through is an account |
//! | `sides` | which lines of the file fit which lines of the template |
//! | `accounts` | how good the best accounts through each place are |
//! | `order` | what holds the end of a block in its place |
//! | `file` | the file's lines |
//!
//! Known limit: a line of the template that was deleted, and a line like it that somebody wrote where it could have stood,
//! cannot be told from a line that stayed.

mod accounts;
mod file;
mod graph;
mod order;
mod sides;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Range, RangeInclusive};

use super::skeleton::{Skeleton, SkeletonWeight};
use crate::text::{Lines, Span};
use accounts::{Accounts, Counts};
use file::FilledLines;
use graph::{BlockEnd, End, Graph, LinePlaces};
use order::{KnownLine, RowOrder};
use sides::TemplateAndFile;

/// Most pairs of a place in the template and a line of the file that are looked at.
const MOST_PAIRS: usize = 6_000_000;

/// What counts where people may have been at work: the lines of the template that are found.
const FOUND: Counts = Counts {
    telling: 30,
    beside: 21,
    short: 1,
    optional: 15,
    hidden: 0,
    held: 0,
    typed: Some(0),
    gone: Some(0),
};

/// The same, where a line that the template may have rendered in a hole is as good as one that it says outside of one.
const FOUND_IN_HOLES: Counts = Counts {
    hidden: 30,
    ..FOUND
};

/// The same for lines that tell: short ones beside them say nothing of which they are.
const TELLING: Counts = Counts {
    beside: 0,
    short: 0,
    ..FOUND
};

/// How far from the best account one may be and still be what happened.
const NEAR: i32 = 20;

/// The same for where a line stands, of several places where it could: it takes two other lines to tell them apart.
const WIDE: i32 = 35;

/// What counts where people may not have been at work.
const UNTOUCHED: Counts = Counts {
    telling: 0,
    beside: 0,
    short: 0,
    optional: 0,
    hidden: 0,
    held: -1,
    typed: None,
    gone: None,
};

/// What counts in such a file all the same: how little was done.
const HARDLY_TOUCHED: Counts = Counts {
    typed: Some(-1),
    gone: Some(-1),
    ..UNTOUCHED
};

/// Why it is not certain where a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// There is nothing to go by: the file and the template have no lines in common, or too many.
    Nothing,
    /// The template has several blocks of this name.
    Several,
    /// It may not have been rendered.
    Absent,
    /// Where it begins.
    Start,
    /// Where it ends.
    End,
    /// Where it begins and where it ends.
    Ends,
    /// Lines at its end stand left of all that the template has in it.
    Left,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Doubt::Nothing => {
                "no line of the template is in the file, or too much of both looks alike"
            }
            Doubt::Several => "the template has several blocks of this name",
            Doubt::Absent => "the template may have left it out",
            Doubt::Start => "it is not certain where it begins",
            Doubt::End => "it is not certain where it ends",
            Doubt::Ends => "it is not certain where it begins and ends",
            Doubt::Left => "it ends with lines further left than all that the template has in it",
        })
    }
}

/// Returns name and extent of each block, in the template's order, or why that is not certain. An extent is whole lines,
/// blank ones at its ends and the last line's ending left out; of a block that holds nothing, the place where its first
/// line would begin.
pub(super) fn align(skeleton: &Skeleton, bytes: &[u8]) -> Vec<(String, Result<Span, Doubt>)> {
    let lines = Lines::of(bytes);
    let file = FilledLines::of(bytes, &lines);
    let certain = Certain::of(skeleton, &file);
    let twins = skeleton.counts();
    let extent = |block: usize, name: &str| {
        if twins.get(name).is_some_and(|&count| count > 1) {
            return Err(Doubt::Several);
        }
        let certain = certain.as_ref().ok_or(Doubt::Nothing)?;
        let (start, end) = certain.ends(block)?;
        match start <= end && stays_inside(skeleton, certain, block, &file, start..end) {
            true => Ok(file.extent(start, end, &lines, bytes)),
            false => Err(Doubt::Left),
        }
    };
    let blocks = skeleton.blocks.iter().enumerate();
    blocks
        .map(|(block, name)| (name.clone(), extent(block, name)))
        .collect()
}

/// Where ends of blocks are, by all accounts.
#[derive(Default)]
struct Certain {
    ends: BTreeMap<(usize, bool), usize>,
    /// Blocks that are rendered by all accounts.
    there: Vec<bool>,
    /// Blocks whose ends are where nothing but the template's own lines stands.
    literal_ends: BTreeSet<usize>,
    /// What each line of the file is.
    known: Vec<KnownLine>,
}

impl Certain {
    fn of(skeleton: &Skeleton, file: &FilledLines<'_>) -> Option<Certain> {
        let graph = Graph::of(skeleton);
        graph
            .places
            .len()
            .checked_mul(file.texts.len() + 1)
            .filter(|&pairs| pairs <= MOST_PAIRS)?;
        let sides = TemplateAndFile::of(skeleton, file)?;
        let accounts = |counts: &Counts| Accounts::of(&graph, &sides, counts);
        let found = accounts(&FOUND).filter(|accounts| accounts.best() >= FOUND.telling)?;
        let mut certain = Certain {
            there: vec![false; skeleton.blocks.len()],
            ..Certain::default()
        };
        let all = [found, accounts(&FOUND_IN_HOLES)?];
        let telling = [
            accounts(&TELLING)?,
            accounts(&Counts {
                hidden: 30,
                ..TELLING
            })?,
        ];
        let (order, known) = (
            RowOrder::of(skeleton),
            known(&graph, &sides, &all, &telling),
        );
        let beside = |at: Option<usize>| {
            at.and_then(|at| known.get(at))
                .copied()
                .unwrap_or(KnownLine::Edge)
        };
        certain.learn(&graph, &all, NEAR, |number, mark, line| {
            order.is_held(
                number,
                mark.end,
                beside(line.checked_sub(1)),
                beside(Some(line)),
            )
        });
        for (places, lines) in stretches(&graph, &known) {
            certain.learn_untouched(
                &graph.between(*places.start(), *places.end()),
                &sides.between(lines.start, lines.end),
                lines.start,
            );
        }
        certain.known = known;
        Some(certain)
    }

    /// Adds what can be told of a part of the file that is nothing but what the template renders.
    fn learn_untouched(&mut self, graph: &Graph, sides: &TemplateAndFile, first: usize) {
        if Accounts::of(graph, sides, &UNTOUCHED).is_none() {
            return;
        }
        let Some(accounts) = Accounts::of(graph, sides, &HARDLY_TOUCHED) else {
            return;
        };
        let unexplained = -accounts.best();
        let mut part = Certain {
            there: vec![false; self.there.len()],
            ..Certain::default()
        };
        part.learn(graph, &[accounts], unexplained + 1, |_, _, _| true);
        for ((block, is_open), line) in part.ends {
            self.ends.insert((block, is_open), first + line);
            self.there[block] |= part.there[block];
            if unexplained == 0 && !is_open {
                self.literal_ends.insert(block);
            }
        }
    }

    /// Adds what all accounts within `margin` of the best agree on, where the file holds it.
    fn learn(
        &mut self,
        graph: &Graph,
        all: &[Accounts],
        margin: i32,
        is_held: impl Fn(usize, &BlockEnd, usize) -> bool,
    ) {
        for (number, mark) in graph.marks.iter().enumerate() {
            if let Some(line) = agreed(all, mark.place, margin)
                && is_held(number, mark, line)
            {
                self.ends.insert((mark.block, mark.end == End::Open), line);
            }
        }
        for (there, instead) in self.there.iter_mut().zip(&graph.instead) {
            *there |= !instead.iter().any(|place| is_possible(all, *place, margin));
        }
    }

    /// Returns the first line of a block, and the one behind it.
    fn ends(&self, block: usize) -> Result<(usize, usize), Doubt> {
        let end = |is_open: bool| self.ends.get(&(block, is_open)).copied();
        match (end(true), end(false)) {
            _ if self.there.get(block) != Some(&true) => Err(Doubt::Absent),
            (Some(start), Some(end)) => Ok((start, end)),
            (Some(_), None) => Err(Doubt::End),
            (None, Some(_)) => Err(Doubt::Start),
            (None, None) => Err(Doubt::Ends),
        }
    }
}

/// Returns the parts between lines that are known: their places, and the lines of the file.
fn stretches(graph: &Graph, known: &[KnownLine]) -> Vec<(RangeInclusive<usize>, Range<usize>)> {
    let mut stretches = Vec::new();
    let (mut place, mut first) = (0, 0);
    for (at, known) in known.iter().enumerate() {
        let KnownLine::Line(line) = known else {
            continue;
        };
        // The template has them in another order: there is no telling which of the two stayed.
        let holds = |line: &&LinePlaces| line.holds && line.ahead >= place;
        if let Some(line) = graph.lines.get(*line).filter(holds) {
            stretches.push((place..=line.ahead, first..at));
            (place, first) = (line.stands, at + 1);
        }
    }
    stretches.push((place..=graph.places.len() - 1, first..known.len()));
    stretches
}

/// Returns the only line ahead of which accounts are at `place` that are no more than `margin` from the best.
fn agreed(all: &[Accounts], place: usize, margin: i32) -> Option<usize> {
    let mut lines = all
        .iter()
        .flat_map(|accounts| accounts.lines(place, margin));
    let line = lines.next()?;
    lines.all(|other| other == line).then_some(line)
}

/// Says whether accounts lead through `place` that are no more than `margin` from the best.
fn is_possible(all: &[Accounts], place: usize, margin: i32) -> bool {
    all.iter()
        .any(|accounts| accounts.lines(place, margin).next().is_some())
}

/// Returns what each line of the file is: short ones by `all` accounts, others by those of `telling` lines.
fn known(
    graph: &Graph,
    sides: &TemplateAndFile,
    all: &[Accounts],
    telling: &[Accounts],
) -> Vec<KnownLine> {
    let mut known = vec![KnownLine::Other; sides.count];
    for (line, (places, (weight, _))) in graph.lines.iter().zip(&sides.hits).enumerate() {
        let accounts = match weight {
            SkeletonWeight::Short => all,
            SkeletonWeight::Telling | SkeletonWeight::Optional | SkeletonWeight::Doubtful => {
                telling
            }
        };
        let place = agreed(accounts, places.stands, WIDE)
            .filter(|_| !is_possible(accounts, places.gone, NEAR));
        let at = place
            .and_then(|behind| behind.checked_sub(1))
            .and_then(|at| known.get_mut(at));
        at.into_iter()
            .for_each(|known| *known = KnownLine::Line(line));
    }
    known
}

/// Says whether none of the lines up to, not including, `end` that stand behind all that is known to be the block's own stands left
/// of all that the template has in the block: then it may as well have been added behind what the block is part of.
fn stays_inside(
    skeleton: &Skeleton,
    certain: &Certain,
    block: usize,
    file: &FilledLines<'_>,
    lines: Range<usize>,
) -> bool {
    let (Some(Some(least)), Some(own)) =
        (skeleton.least_depths.get(block), skeleton.own.get(block))
    else {
        return true;
    };
    let is_own = |at: &usize| matches!(certain.known.get(*at), Some(KnownLine::Line(line)) if own.contains(line));
    let behind = lines
        .clone()
        .rev()
        .find(is_own)
        .map_or(lines.start, |at| at + 1);
    let depths = file.depths.get(behind..lines.end).unwrap_or_default();
    certain.literal_ends.contains(&block) || depths.iter().all(|depth| depth >= least)
}
