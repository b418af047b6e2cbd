//! Skeleton × file → where each block is, where that is certain.
//!
//! An end of a block stands right behind the template's own line ahead of it, or right ahead of the one behind it. Which line
//! of the file that is has to be beyond doubt. A line that stands once in the template and once in the file is found; between
//! two that are found, a line that stands once between them on both sides is found too. A short line such as `}` has to stand as
//! deep as in the template and next to another that is found: it may have been typed anywhere. What is out of order is not
//! found.
//!
//! Where two blocks meet, or one begins in another, without a line of the template between them, the lines of both sides have
//! to stand next to each other in the file.
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
//! Known limit: a line of the template that was deleted, and a line like it that somebody wrote where it could have stood,
//! cannot be told from a line that stayed.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::skeleton::{Item, Skeleton, counts};
use crate::text::{Lines, Span, is_blank, leading_blank};

/// Most pairs of lines, one of the template and one of the file, that are looked at.
const MOST_COMPARED: usize = 4_000_000;

/// Most lines of the template that are looked at to see whether one is like another.
const MOST_TWINS: usize = 1000;

/// How often lines are looked for between those that are found.
const ROUNDS: usize = 4;

/// Returns name and extent of each block whose both ends are certain, in the template's order. An extent is whole lines,
/// blank ones at its ends and the last line's ending left out; of a block that holds nothing, the place where its first
/// line would begin.
pub fn align(skeleton: &Skeleton, bytes: &[u8]) -> Vec<(String, Span)> {
    let lines = Lines::of(bytes);
    let file = File::of(bytes, &lines);
    let Some(found) = Found::of(skeleton, &file) else { return Vec::new() };
    let mut starts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
    for border in borders(skeleton) {
        let met = found.met(&border);
        let (first, last) = (border.markers.first(), border.markers.last());
        for marker in &border.markers {
            match marker {
                Item::Open(block) => {
                    let ahead = || found.outside(border.ahead.filter(|_| first == Some(marker))?, Way::Up);
                    starts.extend(met.or_else(|| Some(ahead()? + 1)).map(|at| (*block, at)));
                }
                Item::Close(block) => {
                    let behind = || found.outside(border.behind.filter(|_| last == Some(marker))?, Way::Down);
                    ends.extend(met.or_else(behind).map(|at| (*block, at)));
                }
                Item::Line(_) | Item::Gap(_) => {}
            }
        }
    }
    let twins = counts(skeleton);
    let single = |name: &str| twins.get(name).is_some_and(|&count| count == 1);
    let extents = skeleton.blocks.iter().enumerate().filter_map(|(block, name)| {
        let (&start, &end) = (starts.get(&block)?, ends.get(&block)?);
        let certain = start <= end && single(name) && file.keeps_depth(skeleton.least_depths.get(block)?, start, end);
        certain.then(|| (name.clone(), file.extent(start, end, &lines, bytes)))
    });
    extents.collect()
}

/// The lines of a file that are not blank.
struct File<'b> {
    texts: Vec<&'b [u8]>,
    /// The 1-based number of each.
    numbers: Vec<usize>,
    /// How many blanks each begins with.
    depths: Vec<usize>,
}

impl<'b> File<'b> {
    fn of(bytes: &'b [u8], lines: &Lines) -> File<'b> {
        let mut file = File { texts: Vec::new(), numbers: Vec::new(), depths: Vec::new() };
        for number in 1..=lines.count() {
            let text = lines.content(bytes, number).of(bytes);
            let text = if number == 1 { text.strip_prefix(crate::text::BOM).unwrap_or(text) } else { text };
            if !is_blank(text) {
                file.texts.push(text.trim_ascii());
                file.numbers.push(number);
                file.depths.push(leading_blank(text).len());
            }
        }
        file
    }

    /// Says whether none of the lines from `start` up to, not including, `end` stands left of all that the template has in
    /// the block: then it may as well have been added behind what the block is part of.
    fn keeps_depth(&self, depth: &Option<usize>, start: usize, end: usize) -> bool {
        let depths = self.depths.get(start..end).unwrap_or_default();
        depth.is_none_or(|least| depths.iter().all(|&depth| depth >= least))
    }

    /// Returns the bytes of the lines from `start` up to, not including, `end`.
    fn extent(&self, start: usize, end: usize, lines: &Lines, bytes: &[u8]) -> Span {
        let number = |at: usize| self.numbers.get(at).copied();
        match (number(start), end.checked_sub(1).and_then(number)) {
            (Some(first), Some(last)) if start < end => Span::new(lines.start(first), lines.content(bytes, last).end),
            _ => Span::at(start.checked_sub(1).and_then(number).map_or(0, |ahead| lines.whole(ahead).end)),
        }
    }
}

/// A run of ends of blocks, and the lines of the template right ahead of it and right behind it.
struct Border {
    ahead: Option<usize>,
    markers: Vec<Item>,
    behind: Option<usize>,
    /// Nothing of the template stands ahead of it, or behind it.
    at_edge: (bool, bool),
}

fn borders(skeleton: &Skeleton) -> Vec<Border> {
    let items = &skeleton.items;
    let is_marker = |item: &Item| matches!(item, Item::Open(_) | Item::Close(_));
    let line = |at: Option<usize>| match at.and_then(|at| items.get(at)) {
        Some(Item::Line(line)) => Some(*line),
        Some(Item::Gap(_) | Item::Open(_) | Item::Close(_)) | None => None,
    };
    let mut borders = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let markers: Vec<Item> = items[at..].iter().copied().take_while(is_marker).collect();
        let next = at + markers.len();
        if !markers.is_empty() {
            let ahead = line(at.checked_sub(1));
            borders.push(Border { ahead, behind: line(Some(next)), markers, at_edge: (at == 0, next == items.len()) });
        }
        at = next + 1;
    }
    borders
}

/// Which line of the file each line of the template is, where that is certain.
struct Found<'s> {
    skeleton: &'s Skeleton,
    file: &'s File<'s>,
    places: Vec<Option<usize>>,
}

impl<'s> Found<'s> {
    fn of(skeleton: &'s Skeleton, file: &'s File<'s>) -> Option<Found<'s>> {
        let sides = Sides::of(skeleton, file)?;
        let witnesses: Vec<Option<usize>> = (0..skeleton.lines.len()).map(|line| sides.once(line)).collect();
        let mut places = vec![None; skeleton.lines.len()];
        for _ in 0..ROUNDS {
            let room = Room::between(&places);
            let next: Vec<Option<usize>> =
                (0..places.len()).map(|line| places[line].or_else(|| sides.place(line, &room, &places))).collect();
            // What cannot be told without a neighbour may still say that another is out of order.
            let known: Vec<Option<usize>> =
                next.iter().zip(&witnesses).map(|(place, witness)| place.or(*witness)).collect();
            let next: Vec<Option<usize>> =
                in_order(known).into_iter().zip(next).map(|(kept, place)| place.filter(|_| kept.is_some())).collect();
            if next == places {
                break;
            }
            places = next;
        }
        Some(Found { skeleton, file, places })
    }

    fn place(&self, line: usize) -> Option<usize> {
        self.places.get(line).copied().flatten()
    }

    /// Returns the line of the file that the template's `line` at a border is. One that might stand anywhere has to stand next
    /// to what the template has on the far side of it: on the near side is what people write.
    fn outside(&self, line: usize, far: Way) -> Option<usize> {
        let at = self.place(line)?;
        if self.skeleton.lines.get(line)?.stands_alone() {
            return Some(at);
        }
        let (next, beside) = match far {
            Way::Up => (line.checked_sub(1)?, at.checked_sub(1)?),
            Way::Down => (line + 1, at + 1),
        };
        (self.place(next) == Some(beside)).then_some(at)
    }

    /// Returns the line of the file ahead of which a border stands, when the lines of both its sides are found next to each
    /// other.
    fn met(&self, border: &Border) -> Option<usize> {
        let ahead = || self.outside(border.ahead?, Way::Up).map(|at| at + 1);
        let behind = || self.outside(border.behind?, Way::Down);
        match border.at_edge {
            (true, _) => behind().filter(|&at| at == 0),
            (_, true) => ahead().filter(|&at| at == self.file.texts.len()),
            (false, false) => ahead().filter(|&at| behind() == Some(at)),
        }
    }
}

/// Up or down the lines.
#[derive(Clone, Copy)]
enum Way {
    Up,
    Down,
}

/// Leaves out what is not in the same order on both sides, the one as well as the other.
fn in_order(places: Vec<Option<usize>>) -> Vec<Option<usize>> {
    let room = Room::between(&places);
    let fits = |(line, place): (usize, Option<usize>)| {
        place.filter(|&place| room.of(line).is_some_and(|(from, to)| from <= place && place < to))
    };
    places.iter().copied().enumerate().map(fits).collect()
}

/// Where a line can stand, going by those that are found.
struct Room {
    /// For each line of the template: the place behind the last of those ahead of it.
    from: Vec<usize>,
    /// The first place of those behind it.
    to: Vec<usize>,
    /// The lines of the template between which nothing is found, from the one behind the last that is.
    first: Vec<usize>,
    /// Up to the next that is found.
    last: Vec<usize>,
}

impl Room {
    fn between(places: &[Option<usize>]) -> Room {
        let (mut from, mut to) = (Vec::new(), vec![usize::MAX; places.len()]);
        let (mut first, mut last) = (Vec::new(), vec![places.len(); places.len()]);
        let (mut highest, mut start) = (0, 0);
        for (line, place) in places.iter().enumerate() {
            from.push(highest);
            first.push(start);
            if let Some(place) = place {
                (highest, start) = (highest.max(place + 1), line + 1);
            }
        }
        let (mut lowest, mut end) = (usize::MAX, places.len());
        for (line, place) in places.iter().enumerate().rev() {
            (to[line], last[line]) = (lowest, end);
            if let Some(place) = place {
                (lowest, end) = (lowest.min(*place), line);
            }
        }
        Room { from, to, first, last }
    }

    fn of(&self, line: usize) -> Option<(usize, usize)> {
        Some((*self.from.get(line)?, *self.to.get(line)?)).filter(|(from, to)| from < to)
    }
}

/// Which lines of the file fit which lines of the template.
struct Sides<'s> {
    skeleton: &'s Skeleton,
    file: &'s File<'s>,
    /// For each line of the template, the lines of the file that fit.
    hits: Vec<Vec<usize>>,
    /// For each line of the file, the lines of the template that it fits.
    back: Vec<Vec<usize>>,
    /// For each line that a gap may hold, the numbers of lines ahead of such gaps.
    hidden: HashMap<&'s [u8], Vec<usize>>,
}

impl<'s> Sides<'s> {
    /// Compares the two; `None` where so much is alike that nothing could be told apart.
    fn of(skeleton: &'s Skeleton, file: &'s File<'s>) -> Option<Sides<'s>> {
        let mut at: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (number, text) in file.texts.iter().enumerate() {
            at.entry(text).or_default().push(number);
        }
        let mut left = MOST_COMPARED;
        let mut hits: Vec<Vec<usize>> = Vec::new();
        for line in &skeleton.lines {
            let literal = line.literal().map(|text| at.get(text).map_or(&[][..], Vec::as_slice));
            left = left.checked_sub(literal.map_or(file.texts.len(), <[usize]>::len))?;
            hits.push(match literal {
                Some(numbers) => numbers.to_vec(),
                None => (0..file.texts.len()).filter(|&number| line.fits(file.texts[number])).collect(),
            });
        }
        let mut back = vec![Vec::new(); file.texts.len()];
        for (line, found) in hits.iter().enumerate() {
            found.iter().for_each(|&number| back[number].push(line));
        }
        let mut hidden: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (lines, ahead) in &skeleton.hidden {
            lines.iter().for_each(|line| hidden.entry(line).or_default().push(*ahead));
        }
        Some(Sides { skeleton, file, hits, back, hidden })
    }

    /// Returns the only line of the file that the template's `line` can be, in the room that others leave it.
    fn place(&self, line: usize, room: &Room, places: &[Option<usize>]) -> Option<usize> {
        let hits = self.hits.get(line)?;
        let (from, to) = room.of(line)?;
        let hits = within(hits, &(from..to));
        let told = self.skeleton.lines.get(line)?;
        // A `}` further in does not close what this one does.
        let any_depth = told.stands_alone() || hits.len() == 1;
        let as_deep = |at: &&usize| any_depth || self.file.depths.get(**at) == Some(&told.depth);
        let mut fitting = hits.iter().filter(as_deep);
        let at = *fitting.next().filter(|_| fitting.next().is_none())?;
        let around = *room.first.get(line)?..*room.last.get(line)?;
        let is_twin = |other: &usize| any_depth || self.skeleton.lines[*other].depth == told.depth;
        let alike = within(&self.back[at], &around);
        let mut others = alike.iter().filter(|&&other| other != line);
        if alike.len() > MOST_TWINS || others.any(is_twin) || self.is_hidden(at, &around) {
            return None;
        }
        (told.stands_alone() || self.has_neighbour(line, at, places)).then_some(at)
    }

    /// Returns the line of the file that `line` fits when the two fit no others, and there is enough on them.
    fn once(&self, line: usize) -> Option<usize> {
        let &[at] = self.hits.get(line)?.as_slice() else { return None };
        (self.back[at].len() == 1 && self.skeleton.lines.get(line)?.has_substance()).then_some(at)
    }

    /// Says whether the file's line at `at` may come from a gap somewhere in `around`.
    fn is_hidden(&self, at: usize, around: &Range<usize>) -> bool {
        let gaps = self.file.texts.get(at).and_then(|text| self.hidden.get(text));
        gaps.is_some_and(|gaps| !within(gaps, &(around.start..around.end + 1)).is_empty())
    }

    /// Says whether the line of the template ahead or behind is found right ahead or behind.
    fn has_neighbour(&self, line: usize, at: usize, places: &[Option<usize>]) -> bool {
        let is = |line: Option<usize>, at: Option<usize>| {
            let found = line.and_then(|line| places.get(line)).copied().flatten();
            found.is_some() && found == at
        };
        is(line.checked_sub(1), at.checked_sub(1)) || is(line.checked_add(1), at.checked_add(1))
    }
}

/// Returns those of the sorted `numbers` that are in `range`.
fn within<'n>(numbers: &'n [usize], range: &Range<usize>) -> &'n [usize] {
    let end = numbers.partition_point(|&number| number < range.end);
    numbers.get(numbers.partition_point(|&number| number < range.start)..end).unwrap_or_default()
}
