//! A skeleton as a graph of places: each way through it is one account of how the file came to be.
//!
//! An account says of each line of the template which line of the file it is, or that it is gone, and of every other line
//! of the file between which lines of the template it was typed. Lines are never typed between a line of the template and
//! the end of a block beside it on the block's outer side: those are the block's by definition.

use super::super::skeleton::{Skeleton, SkeletonItem};

/// Places and the steps between them, in order: a step leads from an earlier place to a later one.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The places.
    pub places: Vec<TemplatePlace>,
    /// The ends of blocks, each with its place.
    pub marks: Vec<BlockEnd>,
    /// For each block, the places of the branches that are not taken where it is rendered.
    pub instead: Vec<Vec<usize>>,
    /// How many choices are open while it is made.
    choices: usize,
    /// For each line of the template, its places.
    pub lines: Vec<LinePlaces>,
}

/// The places of a line of the template.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinePlaces {
    /// Right ahead of it.
    pub ahead: usize,
    /// Right behind it, where it stands.
    pub stands: usize,
    /// Where it would stand, when it is gone.
    pub gone: usize,
    /// It holds what is between it and another: it is in no choice, and no hole beside it could have rendered it just as well.
    pub holds: bool,
}

/// An end of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockEnd {
    /// The block.
    pub block: usize,
    /// Which of its ends.
    pub end: End,
    /// Where it is.
    pub place: usize,
}

/// One of the two ends of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// `{% block %}`
    Open,
    /// `{% endblock %}`
    Close,
}

/// A place in the template.
#[derive(Clone, Debug, Default)]
pub(super) struct TemplatePlace {
    /// The places ahead of it, and what stands between.
    pub from: Vec<(usize, TemplateStep)>,
    /// Which lines may stand here.
    pub holds: Holds,
    /// What stands ahead of it in the file does not stand beside what is behind it in the template.
    pub breaks: bool,
    /// It is asked whether the file's account leads through here.
    pub is_asked: bool,
}

/// What stands between two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TemplateStep {
    /// Nothing.
    Nothing,
    /// A line of the template that is gone.
    Gone,
    /// The line of this number.
    Line(usize),
}

/// Which lines of the file may stand at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Holds {
    /// None.
    #[default]
    None,
    /// What was typed.
    Typed,
    /// What this gap of the template renders.
    Gap(usize),
}

/// What stands beside a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BesidePlace {
    Edge,
    Line,
    Gap,
    Open,
    Close,
}

impl Graph {
    /// Returns the graph of `skeleton`. The first place is its beginning, the last its end.
    pub(super) fn of(skeleton: &Skeleton) -> Graph {
        let mut graph = Graph {
            instead: vec![Vec::new(); skeleton.blocks.len()],
            lines: vec![LinePlaces::default(); skeleton.lines.len()],
            ..Graph::default()
        };
        let start = graph.place(Holds::None, &[]);
        let end = graph.sequence(
            &skeleton.items,
            start,
            &[BesidePlace::Edge],
            &[BesidePlace::Edge],
        );
        graph.apart(Holds::None, &[(end, TemplateStep::Nothing)]);
        graph
    }

    /// Returns the part of it from one place to another that every way leads through. The lines have no places there.
    pub(super) fn between(&self, first: usize, last: usize) -> Graph {
        let inside = |place: usize| (first..=last).contains(&place);
        let moved = |place: &TemplatePlace| {
            let from = place.from.iter().filter(|(from, _)| inside(*from));
            TemplatePlace {
                from: from.map(|(from, step)| (from - first, *step)).collect(),
                ..*place
            }
        };
        let mut part = Graph {
            places: self.places[first..=last].iter().map(moved).collect(),
            ..Graph::default()
        };
        let marks = self.marks.iter().filter(|mark| inside(mark.place));
        part.marks = marks
            .map(|mark| BlockEnd {
                place: mark.place - first,
                ..*mark
            })
            .collect();
        let inner = |places: &Vec<usize>| {
            places
                .iter()
                .filter(|place| inside(**place))
                .map(|place| place - first)
                .collect()
        };
        part.instead = self.instead.iter().map(inner).collect();
        part
    }

    fn place(&mut self, holds: Holds, from: &[(usize, TemplateStep)]) -> usize {
        self.places.push(TemplatePlace {
            from: from.to_vec(),
            holds,
            breaks: false,
            is_asked: false,
        });
        self.places.len() - 1
    }

    /// Adds a place at which what is ahead does not stand beside what is behind.
    fn apart(&mut self, holds: Holds, from: &[(usize, TemplateStep)]) -> usize {
        self.places.push(TemplatePlace {
            from: from.to_vec(),
            holds,
            breaks: true,
            is_asked: false,
        });
        self.places.len() - 1
    }

    /// Adds a place of which it is asked whether the file's account leads through it.
    fn asked(&mut self, at: usize) -> usize {
        self.places.push(TemplatePlace {
            from: vec![(at, TemplateStep::Nothing)],
            holds: Holds::None,
            breaks: true,
            is_asked: true,
        });
        self.places.len() - 1
    }

    /// Adds `items` behind the place `at`; returns the place behind them.
    fn sequence(
        &mut self,
        items: &[SkeletonItem],
        mut at: usize,
        ahead: &[BesidePlace],
        behind: &[BesidePlace],
    ) -> usize {
        for number in 0..=items.len() {
            let (before, after) = items.split_at(number);
            // In a choice, each of the branches has the places at its ends.
            let beside_choice = [before.last(), after.first()]
                .iter()
                .flatten()
                .any(|item| matches!(item, SkeletonItem::Choice(_)));
            if !beside_choice {
                let (ahead, behind) = (
                    last_of(before, ahead, FARTHEST),
                    first_of(after, behind, FARTHEST),
                );
                let typed = ahead
                    .iter()
                    .any(|&one| behind.iter().any(|&other| may_be_typed(one, other)));
                at = self.place(
                    if typed { Holds::Typed } else { Holds::None },
                    &[(at, TemplateStep::Nothing)],
                );
            }
            let Some(item) = after.first() else { continue };
            at = match item {
                SkeletonItem::Line(line) => {
                    let stands = self.place(Holds::None, &[(at, TemplateStep::Line(*line))]);
                    let gone = self.apart(Holds::Typed, &[(at, TemplateStep::Gone)]);
                    for place in [stands, gone] {
                        self.places[place].is_asked = true;
                    }
                    let places = LinePlaces {
                        ahead: at,
                        stands,
                        gone,
                        holds: self.choices == 0 && !beside_gap(before, &after[1..]),
                    };
                    self.lines
                        .get_mut(*line)
                        .into_iter()
                        .for_each(|line| *line = places);
                    self.place(
                        Holds::None,
                        &[
                            (stands, TemplateStep::Nothing),
                            (gone, TemplateStep::Nothing),
                        ],
                    )
                }
                SkeletonItem::Gap(gap) => {
                    self.apart(Holds::Gap(*gap), &[(at, TemplateStep::Nothing)])
                }
                SkeletonItem::Open(block) => self.mark(*block, End::Open, at),
                SkeletonItem::Close(block) => self.mark(*block, End::Close, at),
                SkeletonItem::Choice(branches) => {
                    let (ahead, behind) = (
                        last_of(before, ahead, FARTHEST),
                        first_of(&after[1..], behind, FARTHEST),
                    );
                    self.choice(branches, at, &ahead, &behind)
                }
            };
        }
        at
    }

    fn mark(&mut self, block: usize, end: End, at: usize) -> usize {
        let place = self.asked(at);
        self.marks.push(BlockEnd { block, end, place });
        place
    }

    fn choice(
        &mut self,
        branches: &[Vec<SkeletonItem>],
        at: usize,
        ahead: &[BesidePlace],
        behind: &[BesidePlace],
    ) -> usize {
        self.choices += 1;
        let mut entries = Vec::new();
        let mut exits = Vec::new();
        for branch in branches {
            let entry = self.asked(at);
            entries.push(entry);
            exits.push((
                self.sequence(branch, entry, ahead, behind),
                TemplateStep::Nothing,
            ));
        }
        self.choices -= 1;
        for (taken, branch) in branches.iter().enumerate() {
            let others = || {
                entries
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != taken)
                    .map(|(_, entry)| *entry)
            };
            for block in blocks_of(branch) {
                self.instead
                    .get_mut(block)
                    .into_iter()
                    .for_each(|instead| instead.extend(others()));
            }
        }
        self.apart(Holds::None, &exits)
    }
}

/// Says whether nothing but ends of blocks stands between a hole and what is between the two.
fn beside_gap(before: &[SkeletonItem], after: &[SkeletonItem]) -> bool {
    let is_mark =
        |item: &&SkeletonItem| matches!(item, SkeletonItem::Open(_) | SkeletonItem::Close(_));
    let nearest = [
        before
            .iter()
            .rev()
            .take(FARTHEST)
            .find(|item| !is_mark(item)),
        after.iter().take(FARTHEST).find(|item| !is_mark(item)),
    ];
    nearest
        .into_iter()
        .flatten()
        .any(|item| matches!(item, SkeletonItem::Gap(_)))
}

/// Says whether a line may have been typed between the two, and be neither's.
fn may_be_typed(ahead: BesidePlace, behind: BesidePlace) -> bool {
    !matches!(
        (ahead, behind),
        (BesidePlace::Line, BesidePlace::Open) | (BesidePlace::Close, BesidePlace::Line)
    )
}

fn blocks_of(items: &[SkeletonItem]) -> Vec<usize> {
    let mut found = Vec::new();
    for item in items {
        match item {
            SkeletonItem::Open(block) => found.push(*block),
            SkeletonItem::Choice(branches) => branches
                .iter()
                .for_each(|branch| found.extend(blocks_of(branch))),
            SkeletonItem::Line(_) | SkeletonItem::Gap(_) | SkeletonItem::Close(_) => {}
        }
    }
    found
}

/// Most choices in a row, or in each other, that are looked through for what stands beside a place.
const FARTHEST: usize = 16;

/// Returns what may stand at the end of `items`; where there are none, what stands ahead of them.
fn last_of(items: &[SkeletonItem], ahead: &[BesidePlace], farthest: usize) -> Vec<BesidePlace> {
    match items.split_last() {
        None => ahead.to_vec(),
        Some((SkeletonItem::Choice(_), _)) if farthest == 0 => vec![BesidePlace::Edge],
        Some((SkeletonItem::Choice(branches), before)) => {
            let ahead = last_of(before, ahead, farthest - 1);
            joined(
                branches
                    .iter()
                    .map(|branch| last_of(branch, &ahead, farthest - 1)),
            )
        }
        Some((item, _)) => vec![beside(item)],
    }
}

/// Returns what may stand at the beginning of `items`; where there are none, what stands behind them.
fn first_of(items: &[SkeletonItem], behind: &[BesidePlace], farthest: usize) -> Vec<BesidePlace> {
    match items.split_first() {
        None => behind.to_vec(),
        Some((SkeletonItem::Choice(_), _)) if farthest == 0 => vec![BesidePlace::Edge],
        Some((SkeletonItem::Choice(branches), after)) => {
            let behind = first_of(after, behind, farthest - 1);
            joined(
                branches
                    .iter()
                    .map(|branch| first_of(branch, &behind, farthest - 1)),
            )
        }
        Some((item, _)) => vec![beside(item)],
    }
}

fn joined(found: impl Iterator<Item = Vec<BesidePlace>>) -> Vec<BesidePlace> {
    let mut all: Vec<BesidePlace> = Vec::new();
    for beside in found.flatten() {
        if !all.contains(&beside) {
            all.push(beside);
        }
    }
    all
}

fn beside(item: &SkeletonItem) -> BesidePlace {
    match item {
        SkeletonItem::Line(_) => BesidePlace::Line,
        SkeletonItem::Gap(_) | SkeletonItem::Choice(_) => BesidePlace::Gap,
        SkeletonItem::Open(_) => BesidePlace::Open,
        SkeletonItem::Close(_) => BesidePlace::Close,
    }
}
