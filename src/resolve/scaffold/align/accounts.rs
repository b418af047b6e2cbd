//! How well the accounts that lead through a place explain the file, by the best of them.
//!
//! Two sweeps, one from each end, over places × lines: what the best way from the beginning to here comes to, and what
//! the best way from here to the end does.

use super::super::skeleton::SkeletonWeight;
use super::graph::{Graph, Holds, TemplateStep};
use super::sides::TemplateAndFile;

/// What each part of an account counts. What is `None` may not be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    /// A line that tells.
    pub telling: i32,
    /// A short line right beside a telling one, or beside another that is.
    pub beside: i32,
    /// A short line elsewhere.
    pub short: i32,
    /// A line that may not have been rendered.
    pub optional: i32,
    /// A line that a gap may hold, as the template tells.
    pub hidden: i32,
    /// A line that a gap may hold, as it may any.
    pub held: i32,
    /// A line that was typed.
    pub typed: Option<i32>,
    /// A line of the template that is gone.
    pub gone: Option<i32>,
}

/// The accounts of a file.
pub(super) struct Accounts {
    /// What the best of them comes to.
    best: i32,
    /// For each place that is asked about and each line, what the best comes to that is at the place ahead of that line.
    through: Vec<Vec<i32>>,
}

impl Accounts {
    /// Weighs the accounts; `None` where there is none.
    pub(super) fn of(graph: &Graph, sides: &TemplateAndFile, counts: &Counts) -> Option<Accounts> {
        let forth = Sweep {
            graph,
            sides,
            counts,
            is_back: false,
        }
        .run();
        let back = Sweep {
            graph,
            sides,
            counts,
            is_back: true,
        }
        .run();
        let best = forth
            .last()?
            .free
            .last()
            .copied()
            .filter(|&best| best > NEVER / 2)?;
        let through = forth
            .iter()
            .zip(back.iter().rev())
            .map(|(forth, back)| met(forth, back))
            .collect();
        Some(Accounts { best, through })
    }

    /// Returns what the best of them comes to.
    pub(super) fn best(&self) -> i32 {
        self.best
    }

    /// Returns the lines ahead of which accounts are at `place` that come to no less than `margin` below the best.
    pub(super) fn lines(&self, place: usize, margin: i32) -> impl Iterator<Item = usize> {
        let row = self.through.get(place).map_or(&[][..], Vec::as_slice);
        let least = self.best - margin;
        row.iter()
            .enumerate()
            .filter(move |(_, count)| **count >= least)
            .map(|(line, _)| line)
    }
}

/// What no account comes to.
const NEVER: i32 = i32::MIN / 4;

/// For each line of the file, what the best comes to of the accounts that are at a place ahead of it.
#[derive(Clone, Debug, Default)]
struct AccountRow {
    /// With nothing to go by.
    free: Vec<i32>,
    /// Right behind a telling line, short ones between them or not.
    behind: Vec<i32>,
    /// Having said that a telling line comes right after short ones.
    ahead: Vec<i32>,
}

/// Returns what the best comes to for each line, where the two sweeps meet: a way that says that a telling line comes next goes
/// with those that come from one.
fn met(forth: &AccountRow, back: &AccountRow) -> Vec<i32> {
    let sums = |forth: &[i32], back: &[i32]| -> Vec<i32> {
        forth
            .iter()
            .zip(back.iter().rev())
            .map(|(forth, back)| forth + back)
            .collect()
    };
    let mut best = sums(&forth.free, &back.free);
    let others = [
        (&forth.free, &back.behind),
        (&forth.behind, &back.free),
        (&forth.behind, &back.behind),
        (&forth.ahead, &back.behind),
        (&forth.behind, &back.ahead),
    ];
    for (forth, back) in others {
        raise(&mut best, &sums(forth, back), 0);
    }
    best
}

struct Sweep<'g> {
    graph: &'g Graph,
    sides: &'g TemplateAndFile,
    counts: &'g Counts,
    /// From the end to the beginning: the last place comes first and the last line.
    is_back: bool,
}

impl Sweep<'_> {
    /// Returns the rows of the places in the order of the sweep; only those that are asked about, and the last, are kept.
    fn run(&self) -> Vec<AccountRow> {
        let places = &self.graph.places;
        let steps = self.steps();
        let mut uses = vec![0usize; places.len()];
        steps
            .iter()
            .flatten()
            .for_each(|(from, _)| uses[*from] += 1);
        let mut rows: Vec<AccountRow> = Vec::with_capacity(places.len());
        for (at, steps) in steps.iter().enumerate() {
            let mut row = self.empty();
            if at == 0 {
                row.free[0] = 0;
            }
            for (from, step) in steps {
                self.step(&rows[*from], *step, &mut row);
            }
            for (from, _) in steps {
                uses[*from] -= 1;
                if uses[*from] == 0 && !self.is_kept(*from) {
                    rows[*from] = AccountRow::default();
                }
            }
            self.settle(at, &mut row);
            rows.push(row);
        }
        rows
    }

    /// Returns the number that the place at `at` of the sweep has in the graph, or the other way round.
    fn number(&self, at: usize) -> usize {
        if self.is_back {
            self.graph.places.len() - 1 - at
        } else {
            at
        }
    }

    fn is_kept(&self, at: usize) -> bool {
        self.graph.places[self.number(at)].is_asked
    }

    fn steps(&self) -> Vec<Vec<(usize, TemplateStep)>> {
        let mut steps = vec![Vec::new(); self.graph.places.len()];
        for (to, place) in self.graph.places.iter().enumerate() {
            for (from, step) in &place.from {
                let (from, to) = (self.number(*from), self.number(to));
                let (from, to) = if self.is_back { (to, from) } else { (from, to) };
                steps[to].push((from, *step));
            }
        }
        steps
    }

    fn empty(&self) -> AccountRow {
        let row = vec![NEVER; self.sides.count + 1];
        AccountRow {
            free: row.clone(),
            behind: row.clone(),
            ahead: row,
        }
    }

    fn step(&self, from: &AccountRow, step: TemplateStep, to: &mut AccountRow) {
        match step {
            TemplateStep::Nothing => {
                raise(&mut to.free, &from.free, 0);
                raise(&mut to.behind, &from.behind, 0);
                raise(&mut to.ahead, &from.ahead, 0);
            }
            TemplateStep::Gone => {
                if let Some(gone) = self.counts.gone {
                    raise(&mut to.free, &from.free, gone);
                    raise(&mut to.free, &from.behind, gone);
                }
            }
            TemplateStep::Line(line) => {
                let Some((weight, hits)) = self.sides.hits.get(line) else {
                    return;
                };
                for &hit in hits {
                    let at = if self.is_back {
                        self.sides.count - 1 - hit
                    } else {
                        hit
                    };
                    self.line(from, *weight, at, to);
                }
            }
        }
    }

    /// Takes the line at `at`.
    fn line(&self, from: &AccountRow, weight: SkeletonWeight, at: usize, to: &mut AccountRow) {
        let (free, behind, ahead) = (from.free[at], from.behind[at], from.ahead[at]);
        let put = |row: &mut Vec<i32>, count: i32| row[at + 1] = row[at + 1].max(count);
        match weight {
            SkeletonWeight::Telling => put(
                &mut to.behind,
                free.max(behind).max(ahead) + self.counts.telling,
            ),
            SkeletonWeight::Short => {
                put(&mut to.free, free + self.counts.short);
                put(&mut to.behind, behind + self.counts.beside);
                put(&mut to.ahead, free.max(ahead) + self.counts.beside);
            }
            SkeletonWeight::Doubtful => put(&mut to.free, free.max(behind)),
            SkeletonWeight::Optional => put(&mut to.free, free.max(behind) + self.counts.optional),
        }
    }

    /// Lets the row of the place at `at` hold what it may.
    fn settle(&self, at: usize, row: &mut AccountRow) {
        let Some(place) = self.graph.places.get(self.number(at)) else {
            return;
        };
        if place.breaks {
            let behind = std::mem::replace(&mut row.behind, vec![NEVER; self.sides.count + 1]);
            raise(&mut row.free, &behind, 0);
            row.ahead.fill(NEVER);
        }
        let (count, hidden) = match place.holds {
            Holds::None => return,
            Holds::Typed => (self.counts.typed, &[][..]),
            Holds::Gap(gap) => (
                Some(self.counts.held),
                self.sides.hidden.get(gap).map_or(&[][..], Vec::as_slice),
            ),
        };
        let Some(count) = count else { return };
        for at in 0..self.sides.count {
            let line = if self.is_back {
                self.sides.count - 1 - at
            } else {
                at
            };
            let is_hidden = !hidden.is_empty() && hidden.binary_search(&line).is_ok();
            let count = if is_hidden { self.counts.hidden } else { count };
            row.free[at + 1] = row.free[at + 1].max(row.free[at].max(row.behind[at]) + count);
        }
    }
}

/// Raises what `row` has to what `from` has and `more`.
fn raise(row: &mut [i32], from: &[i32], more: i32) {
    for (row, from) in row.iter_mut().zip(from) {
        *row = (*row).max(from + more);
    }
}
