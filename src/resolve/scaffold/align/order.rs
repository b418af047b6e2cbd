//! The template's lines, holes and ends of blocks in a row, the branches of each choice one behind the other.
//!
//! Says what holds the end of a block in its place: the line right beside it on the outer side, or, where blocks meet, the
//! lines on both sides. Lines that may not have been rendered hold nothing and are passed by.

use super::super::skeleton::{Skeleton, SkeletonItem, is_sure};
use super::graph::End;

/// The row.
#[derive(Debug, Default)]
pub(super) struct RowOrder {
    parts: Vec<RowPart>,
    /// For each end of a block, in order, its position.
    marks: Vec<usize>,
    choices: usize,
}

#[derive(Debug)]
struct RowPart {
    what: PartKind,
    /// The choices around it, whether something is rendered whichever branch is taken, and the branch.
    branches: Vec<(usize, bool, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartKind {
    Line(usize),
    Gap,
    Mark,
}

/// What a line of the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KnownLine {
    /// Nothing: the file begins or ends here.
    Edge,
    /// This line of the template.
    Line(usize),
    /// Not the template's, or there is no telling.
    Other,
}

/// Most parts of the row that are passed by.
const FARTHEST: usize = 1000;

impl RowOrder {
    /// Returns the row of `skeleton`.
    pub(super) fn of(skeleton: &Skeleton) -> RowOrder {
        let mut order = RowOrder::default();
        order.add(&skeleton.items, &mut Vec::new());
        order
    }

    fn add(&mut self, items: &[SkeletonItem], branches: &mut Vec<(usize, bool, usize)>) {
        for item in items {
            let what = match item {
                SkeletonItem::Line(line) => PartKind::Line(*line),
                SkeletonItem::Gap(_) => PartKind::Gap,
                SkeletonItem::Open(_) | SkeletonItem::Close(_) => {
                    self.marks.push(self.parts.len());
                    PartKind::Mark
                }
                SkeletonItem::Choice(each) => {
                    let choice = self.choices;
                    self.choices += 1;
                    for (number, branch) in each.iter().enumerate() {
                        branches.push((choice, is_sure(each), number));
                        self.add(branch, branches);
                        branches.pop();
                    }
                    continue;
                }
            };
            self.parts.push(RowPart {
                what,
                branches: branches.clone(),
            });
        }
    }

    /// Says whether what the file has right ahead and right behind holds the end of a block, the `mark`-th of all.
    pub(super) fn is_held(
        &self,
        mark: usize,
        end: End,
        ahead: KnownLine,
        behind: KnownLine,
    ) -> bool {
        let Some(&at) = self.marks.get(mark) else {
            return false;
        };
        let (before, after) = self.parts.split_at(at);
        let Some((own, after)) = after.split_first() else {
            return false;
        };
        let up = |passes: bool| leads_to(before.iter().rev(), own, passes, ahead);
        let down = |passes: bool| leads_to(after.iter(), own, passes, behind);
        let outer = match end {
            End::Open => up(false) && ahead != KnownLine::Edge,
            End::Close => down(false) && behind != KnownLine::Edge,
        };
        outer || up(true) && down(true)
    }
}

/// Says whether `wanted` is the first of `parts` that is rendered where `own` is; of a choice that is rendered whichever branch is
/// taken, the first of a branch.
fn leads_to<'p>(
    parts: impl Iterator<Item = &'p RowPart>,
    own: &RowPart,
    passes_marks: bool,
    wanted: KnownLine,
) -> bool {
    let mut others: Option<(usize, usize)> = None;
    for (passed, part) in parts.enumerate() {
        if passed == FARTHEST {
            return false;
        }
        let place = part
            .branches
            .get(own.shared(part))
            .map(|&(choice, _, branch)| (choice, branch));
        if let Some((choice, branch)) = others {
            match place {
                Some((same, another)) if same == choice && another == branch => continue,
                Some((same, _)) if same == choice => {}
                Some(_) | None => return false,
            }
        }
        match part.what {
            PartKind::Line(line) if part.is_rendered_beside(own) => {
                if wanted == KnownLine::Line(line) {
                    return true;
                }
                let Some(place) = place else { return false };
                others = Some(place);
            }
            PartKind::Mark if !passes_marks && !part.is_instead_of(own) => return false,
            // What is there may be the hole's, and what was there gone.
            PartKind::Gap if !part.is_instead_of(own) => return false,
            PartKind::Line(_) | PartKind::Gap | PartKind::Mark => {}
        }
    }
    others.is_none() && wanted == KnownLine::Edge
}

impl RowPart {
    /// Says whether it is rendered in another branch than `own` is.
    fn is_instead_of(&self, own: &RowPart) -> bool {
        let mut pairs = self.branches.iter().zip(&own.branches);
        pairs
            .find(|(one, other)| one != other)
            .is_some_and(|(one, other)| one.0 == other.0)
    }

    /// Returns how many branches the two share.
    fn shared(&self, other: &RowPart) -> usize {
        self.branches
            .iter()
            .zip(&other.branches)
            .take_while(|(one, other)| one == other)
            .count()
    }

    /// Says whether it is rendered for certain where `own` is.
    fn is_rendered_beside(&self, own: &RowPart) -> bool {
        !self.is_instead_of(own)
            && self
                .branches
                .iter()
                .skip(self.shared(own))
                .all(|(_, is_sure, _)| *is_sure)
    }
}
