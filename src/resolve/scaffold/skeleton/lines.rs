//! Text, line breaks and tags → the lines of a skeleton.

use std::collections::HashMap;

use super::atoms::{Atom, Tag, atoms, trimmed};
use super::{Line, Skeleton, SkeletonItem, SkeletonWeight, is_sure};
use crate::syntax::jinja::RenderEvent;
use crate::text::leading_blank;

/// Least letters and digits on a line that can be told without its neighbours: `}` and `pass` stand anywhere.
const LEAST_ALONE: usize = 6;

/// Least letters and digits on a line with values: with fewer it would fit too much.
const LEAST_BESIDE_VALUES: usize = 1;

/// Returns the skeleton of what `events` render.
pub(crate) fn skeleton(events: &[RenderEvent]) -> Skeleton {
    let (atoms, blocks) = atoms(events);
    let (least_depths, own) = (vec![None; blocks.len()], vec![0..0; blocks.len()]);
    let mut building = Building {
        skeleton: Skeleton {
            blocks,
            least_depths,
            own,
            ..Skeleton::default()
        },
        items: Vec::new(),
        open: Vec::new(),
        choices: Vec::new(),
        pieces: vec![Vec::new()],
        gap: None,
        glued: false,
        moved: false,
    };
    for atom in atoms {
        match atom {
            Atom::Text(text) => building
                .pieces
                .last_mut()
                .into_iter()
                .for_each(|last| last.extend(&text)),
            Atom::Value => building.pieces.push(Vec::new()),
            Atom::Unknown(lines) => building.gap.get_or_insert_default().extend(lines),
            Atom::Newline => building.end_line(),
            Atom::Tag(_, tag) => building.tag(tag),
        }
    }
    building.end_line();
    let mut skeleton = Skeleton {
        items: building.items,
        ..building.skeleton
    };
    weigh(&mut skeleton);
    skeleton
}

struct Building {
    skeleton: Skeleton,
    items: Vec<SkeletonItem>,
    /// The blocks that are open.
    open: Vec<usize>,
    /// The choices that are open: what stands ahead of each, its branches so far, and whether a branch began behind text.
    choices: Vec<(Vec<SkeletonItem>, Vec<Vec<SkeletonItem>>, bool)>,
    /// Of the line that is being read.
    pieces: Vec<Vec<u8>>,
    /// Something unknown stands on it: these lines among others.
    gap: Option<Vec<Line>>,
    /// A tag stands behind text. Where rendering drops the line break behind a tag, as it may, the next line goes on behind
    /// that text, and one that begins with a value would swallow it.
    glued: bool,
    /// A tag stands behind blanks, or ahead of the text on its line: what stands behind it may be further in or out.
    moved: bool,
}

impl Building {
    fn end_line(&mut self) {
        if self.put_line(false) {
            (self.glued, self.moved) = (false, false);
        }
    }

    fn tag(&mut self, tag: Tag) {
        let has_text = self.pieces.iter().any(|piece| !piece.is_empty());
        let at_start = !has_text && !self.moved;
        self.glued |= self.put_line(true);
        self.moved = !at_start || self.moved;
        match tag {
            Tag::Open(block) => {
                self.items.push(SkeletonItem::Open(block));
                self.open.push(block);
                let first = self.skeleton.lines.len();
                self.skeleton
                    .own
                    .get_mut(block)
                    .into_iter()
                    .for_each(|own| *own = first..first);
            }
            Tag::Close(block) => {
                self.items.push(SkeletonItem::Close(block));
                self.open.pop();
                let behind = self.skeleton.lines.len();
                self.skeleton
                    .own
                    .get_mut(block)
                    .into_iter()
                    .for_each(|own| own.end = behind);
            }
            Tag::Fork => {
                self.choices
                    .push((std::mem::take(&mut self.items), Vec::new(), self.glued))
            }
            Tag::Or => {
                if let Some((_, branches, glued)) = self.choices.last_mut() {
                    branches.push(std::mem::take(&mut self.items));
                    self.glued |= *glued;
                    *glued = self.glued;
                }
            }
            Tag::Join => {
                if let Some((ahead, mut branches, glued)) = self.choices.pop() {
                    branches.push(std::mem::replace(&mut self.items, ahead));
                    self.glued |= glued;
                    self.items.push(SkeletonItem::Choice(branches));
                }
            }
            // What repeats has become a gap.
            Tag::Loop | Tag::EndLoop => {}
        }
    }

    /// Ends the line, at a tag or at its end. Says whether anything stands on it.
    fn put_line(&mut self, at_tag: bool) -> bool {
        let pieces = std::mem::replace(&mut self.pieces, vec![Vec::new()]);
        let gap = std::mem::take(&mut self.gap);
        let depth = pieces.first().map_or(0, |first| leading_blank(first).len());
        let pieces = trimmed(pieces);
        let doubtful = self.glued || at_tag;
        let line = Line {
            pieces,
            depth: Some(depth).filter(|_| !self.moved),
            weight: SkeletonWeight::Telling,
            doubtful,
        };
        let ends = [
            line.pieces.first().filter(|_| self.glued),
            line.pieces.last().filter(|_| at_tag),
        ];
        let has_values = line.pieces.len() > 1;
        let swallows = ends.into_iter().flatten().any(Vec::is_empty);
        let values_only = has_values && (swallows || line.substance() < LEAST_BESIDE_VALUES);
        // Too little to tell where it is, but enough to tell that it may be the template's: `"""{{ purpose }}"""`.
        let has_marks = !swallows && line.pieces.iter().any(|piece| !piece.is_empty());
        let own = || {
            has_marks
                .then(|| Line {
                    weight: SkeletonWeight::Optional,
                    ..line.clone()
                })
                .into_iter()
                .collect()
        };
        if let Some(lines) = gap.or(values_only.then(own)) {
            self.items
                .push(SkeletonItem::Gap(self.skeleton.hidden.len()));
            self.skeleton.hidden.push(lines);
            true
        } else if has_values || line.literal().is_some_and(|text| !text.is_empty()) {
            self.items
                .push(SkeletonItem::Line(self.skeleton.lines.len()));
            self.skeleton.lines.push(line);
            for block in &self.open {
                if let Some(least) = self.skeleton.least_depths.get_mut(*block) {
                    *least = Some(least.map_or(depth, |least| least.min(depth)));
                }
            }
            true
        } else {
            false
        }
    }
}

/// Weighs the lines.
fn weigh(skeleton: &mut Skeleton) {
    let alike = alike(skeleton);
    let mut weights = vec![SkeletonWeight::Telling; skeleton.lines.len()];
    optional(&skeleton.items, false, &mut weights, &alike);
    for (line, weight) in skeleton.lines.iter_mut().zip(weights) {
        line.weight = if line.substance() < LEAST_ALONE {
            SkeletonWeight::Short
        } else {
            weight
        };
    }
}

/// Says of each line whether there is another like it.
fn alike(skeleton: &Skeleton) -> Vec<bool> {
    let mut counts: HashMap<&[Vec<u8>], usize> = HashMap::new();
    for line in skeleton
        .lines
        .iter()
        .chain(skeleton.hidden.iter().flatten())
    {
        *counts.entry(&line.pieces).or_insert(0) += 1;
    }
    skeleton
        .lines
        .iter()
        .map(|line| {
            counts
                .get(line.pieces.as_slice())
                .is_some_and(|&count| count > 1)
        })
        .collect()
}

/// Finds the lines that may not be rendered: those of a choice that may come to nothing, and others in a choice that are like
/// one elsewhere.
fn optional(
    items: &[SkeletonItem],
    is_within: bool,
    weights: &mut [SkeletonWeight],
    alike: &[bool],
) {
    for item in items {
        match item {
            SkeletonItem::Line(line) => {
                if let (true, Some(weight)) = (is_within, weights.get_mut(*line)) {
                    *weight = SkeletonWeight::Optional;
                }
            }
            SkeletonItem::Choice(branches) => {
                let is_sure = is_sure(branches);
                for branch in branches {
                    let twins = branch.iter().any(
                        |item| matches!(item, SkeletonItem::Line(line) if alike.get(*line) == Some(&true)),
                    );
                    optional(branch, is_within || !is_sure || twins, weights, alike);
                }
            }
            SkeletonItem::Gap(_) | SkeletonItem::Open(_) | SkeletonItem::Close(_) => {}
        }
    }
}
