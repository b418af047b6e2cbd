//! Branches of a template: text, tags and values beside an edit are in the branches that they were in. An `{% else %}` put into the
//! middle of a branch takes the rest of that along; so does a `{% block b %}` that begins where the content has given back
//! `{% block a %}` and ended it.
//!
//! A branch begins with the tag above it, and is known by that: one that no edit takes, or one that an edit takes and gives again to the
//! letter. What is put around something by both its ends, or taken from around it, changes no other branch; a tag that is taken
//! alone hands over what it held. An `{% else %}` that is taken at the end of something else was forgotten.

use std::collections::{HashMap, HashSet};

use crate::syntax::jinja::TagGroup;
use crate::text::Span;
use crate::text::splice::Splices;

/// So many places whose branches differ are looked at: each takes as long as they are deep.
const MOST_COMPARED: usize = 200;

/// What an edit takes out of its branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// The tag that the branch begins with, in the old file.
    pub(super) branch: Span,
    /// Where what is taken out begins in the old file.
    pub(super) at: usize,
    /// Where it is in the new file.
    pub(super) now: usize,
}

/// One side: its tags that belong together, and its text.
pub(super) type TagsAndText<'a> = (&'a [TagGroup], &'a [u8]);

/// Returns the first thing right below an edit that is in another branch of `new` than it was in.
pub(super) fn cut(
    splices: &Splices,
    (old, was): TagsAndText,
    (new, is): TagsAndText,
) -> Option<Cut> {
    let names = TagNames::of(splices, (old, was), (new, is));
    let mut chains = HashMap::new();
    let before = Branches::of(old, |tag| names.of_old(tag), &mut chains);
    let after = Branches::of(new, |tag| names.of_new(tag), &mut chains);
    let moves = splices.moves();
    let next = names.taken.iter().skip(1).map(|span| span.start);
    let gaps = names
        .taken
        .iter()
        .zip(next.chain([was.len()]))
        .map(|(taken, next)| Span::new(taken.end, next));
    let differing = gaps.filter_map(|gap| {
        let at = before.first_held(gap, was)?;
        let now = moves.after(at);
        let (from, to) = (before.at(at), after.at(now));
        (before.chain(from) != after.chain(to)).then_some((gap, at, now, from, to))
    });
    differing
        .take(MOST_COMPARED)
        .find_map(|(gap, at, now, from, to)| {
            let there: HashSet<TagName> = after.up(to).filter_map(|branch| branch.name).collect();
            let lost = |branch: &&Branch| branch.name.is_some_and(|name| !there.contains(&name));
            let is_cut = |branch: &&Branch| {
                let end = before.end(branch, at, was.len());
                !names.is_taken_away(end)
                    && !is_shared(
                        &after,
                        branch,
                        (gap.start, end.start),
                        (gap, names.written_to(gap.start)),
                        (was, is),
                    )
            };
            let cut = before.up(from).filter(lost).find(is_cut);
            let branch = cut.or_else(|| {
                let branch = before.branches.get(from?)?;
                let holder = after.branches.get(to?)?;
                let is_left = matches!(holder.name, Some(TagName::Left(_)));
                let is_forgotten = names.is_forgotten(branch.tag, gap.start, was);
                (is_left && is_forgotten).then_some(branch)
            })?;
            Some(Cut {
                branch: branch.tag,
                at,
                now,
            })
        })
}

/// Says whether what is left of `branch` on the line of the edit is still the end of it, as `</p>` is where `x</p>{% else %}<p>y` takes the place of
/// `x`.
fn is_shared(
    after: &Branches,
    branch: &Branch,
    (from, to): (usize, usize),
    (gap, written): (Span, Span),
    (was, is): (&[u8], &[u8]),
) -> bool {
    let rest = was.get(from..to).unwrap_or_default().trim_ascii();
    let parting = || {
        let found = after
            .branches
            .iter()
            .find(|it| it.name == branch.name && it.name.is_some())?;
        let group = after.groups.get(found.group)?;
        group
            .tags
            .iter()
            .find(|tag| tag.start > found.tag.start)
            .filter(|tag| written.contains(**tag))
    };
    to <= gap.end
        && !rest.contains(&b'\n')
        && parting().is_some_and(|tag| is[..tag.start].trim_ascii_end().ends_with(rest))
}

/// How a tag is known in both files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TagName {
    /// No edit touches it; by its place in the new file.
    Left(usize),
    /// A splice takes it and gives it again; by the number of the splice, and the place of the first such tag in the old file.
    Given(usize, usize),
}

/// What the tags of both files are called.
struct TagNames {
    taken: Vec<Span>,
    written: Vec<Span>,
    old: HashMap<Span, TagName>,
    new: HashMap<Span, TagName>,
    /// The splices that take more tags than they give.
    shrinking: HashSet<usize>,
}

impl TagNames {
    fn of(splices: &Splices, (old, was): TagsAndText, (new, is): TagsAndText) -> TagNames {
        let taken: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
        let written: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
        let moves = splices.moves();
        let mut names = TagNames {
            old: HashMap::new(),
            new: HashMap::new(),
            shrinking: HashSet::new(),
            taken,
            written,
        };
        let mut counts: HashMap<usize, isize> = HashMap::new();
        let mut quoted: HashMap<(usize, &[u8]), TagName> = HashMap::new();
        for tag in tags(old) {
            match touching(tag, &names.taken) {
                None => drop(names.old.insert(tag, TagName::Left(moves.after(tag.start)))),
                Some(at) => {
                    *counts.entry(at).or_default() += 1;
                    quoted
                        .entry((at, tag.of(was)))
                        .or_insert(TagName::Given(at, tag.start));
                }
            }
        }
        let mut given = HashSet::new();
        for tag in tags(new) {
            match touching(tag, &names.written) {
                None => drop(names.new.insert(tag, TagName::Left(tag.start))),
                Some(at) => {
                    *counts.entry(at).or_default() -= 1;
                    if let Some(name) = quoted.get(&(at, tag.of(is))) {
                        names.new.insert(tag, *name);
                        given.insert(*name);
                    }
                }
            }
        }
        for tag in tags(old) {
            let name = touching(tag, &names.taken).and_then(|at| quoted.get(&(at, tag.of(was))));
            if let Some(name) = name.filter(|name| given.contains(name)) {
                names.old.insert(tag, *name);
            }
        }
        names.shrinking = counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(at, _)| at)
            .collect();
        names
    }

    fn of_old(&self, tag: Span) -> Option<TagName> {
        self.old.get(&tag).copied()
    }

    fn of_new(&self, tag: Span) -> Option<TagName> {
        self.new.get(&tag).copied()
    }

    /// Says whether an edit takes a tag of the old file, and gives none for it.
    fn is_taken_away(&self, tag: Span) -> bool {
        !self.old.contains_key(&tag)
            && touching(tag, &self.taken).is_some_and(|at| self.shrinking.contains(&at))
    }

    /// Says whether an edit takes a tag at the end of something else, right above `below`, and gives none for it. Who takes the tag alone
    /// means it.
    fn is_forgotten(&self, tag: Span, below: usize, was: &[u8]) -> bool {
        let taken = touching(tag, &self.taken).and_then(|at| self.taken.get(at));
        taken.is_some_and(|taken| {
            let ahead = Span::new(taken.start, tag.start.max(taken.start));
            let after = Span::new(tag.end.min(below), below);
            let is_blank = |span: Span| span.of(was).trim_ascii().is_empty();
            taken.end == below && self.is_taken_away(tag) && !is_blank(ahead) && is_blank(after)
        })
    }

    /// Returns what the splice gives that ends at `end` of the old file.
    fn written_to(&self, end: usize) -> Span {
        let past = self.taken.partition_point(|span| span.end <= end);
        past.checked_sub(1)
            .and_then(|at| self.written.get(at))
            .copied()
            .unwrap_or(Span::at(end))
    }
}

fn tags(groups: &[TagGroup]) -> impl Iterator<Item = Span> {
    groups.iter().flat_map(|group| &group.tags).copied()
}

/// Returns which of `ranges`, in order, reaches into a tag.
fn touching(tag: Span, ranges: &[Span]) -> Option<usize> {
    let from = ranges.partition_point(|range| range.end <= tag.start);
    let reaches = |range: &Span| range.overlaps(tag);
    let near = ranges
        .get(from..)?
        .iter()
        .take_while(|range| range.start < tag.end);
    near.enumerate()
        .find(|(_, range)| reaches(range))
        .map(|(at, _)| from + at)
}

/// What is between a tag and the next one of its group.
struct Branch {
    /// The tag that it begins with.
    tag: Span,
    group: usize,
    name: Option<TagName>,
    /// The branch around it.
    outer: Option<usize>,
    /// All that are known around it and it itself, as a number.
    chain: usize,
}

/// The branches of one file.
struct Branches<'a> {
    groups: &'a [TagGroup],
    branches: Vec<Branch>,
    /// From which offset on which one is the innermost.
    begun: Vec<(usize, Option<usize>)>,
    /// The tags, in order, and whether each opens something.
    tags: Vec<(Span, bool)>,
}

impl<'a> Branches<'a> {
    fn of(
        groups: &'a [TagGroup],
        name: impl Fn(Span) -> Option<TagName>,
        chains: &mut HashMap<(usize, TagName), usize>,
    ) -> Branches<'a> {
        // What parts something, and is in nothing, is a group of its own.
        let paired = groups
            .iter()
            .enumerate()
            .filter(|(_, group)| group.tags.len() > 1);
        let mut tags: Vec<(Span, usize)> = paired
            .flat_map(|(at, group)| group.tags.iter().map(move |tag| (*tag, at)))
            .collect();
        tags.sort_unstable();
        let mut found = Branches {
            groups,
            branches: Vec::new(),
            begun: Vec::new(),
            tags: Vec::new(),
        };
        let mut innermost: Option<usize> = None;
        for (tag, group) in tags {
            let ends = groups
                .get(group)
                .and_then(|group| Some((*group.tags.first()?, *group.tags.last()?)));
            let is_opener = ends.is_some_and(|(opener, _)| opener == tag);
            found.tags.push((tag, is_opener));
            let outer = if is_opener {
                innermost
            } else {
                innermost
                    .and_then(|at| found.branches.get(at))
                    .and_then(|branch| branch.outer)
            };
            innermost = if ends.is_some_and(|(_, closer)| closer == tag) {
                outer
            } else {
                let name = name(tag);
                let around = found.chain(outer);
                // None at all is 0.
                let next = chains.len() + 1;
                let chain = match name {
                    Some(name) => *chains.entry((around, name)).or_insert(next),
                    None => around,
                };
                found.branches.push(Branch {
                    tag,
                    group,
                    name,
                    outer,
                    chain,
                });
                Some(found.branches.len() - 1)
            };
            found.begun.push((tag.end, innermost));
        }
        found
    }

    /// Returns where the first thing is in `gap` that a branch may hold: something that is shown, or a tag that opens something.
    fn first_held(&self, gap: Span, text: &[u8]) -> Option<usize> {
        let mut at = gap.start;
        loop {
            at += shown(text.get(at..gap.end)?)?;
            let next = self.tags.partition_point(|(tag, _)| tag.end <= at);
            match self.tags.get(next).filter(|(tag, _)| tag.start <= at) {
                Some((tag, is_opener)) if !is_opener || tag.start < at => at = tag.end,
                _ => return Some(at),
            }
        }
    }

    /// Returns the innermost branch at `offset`.
    fn at(&self, offset: usize) -> Option<usize> {
        let past = self.begun.partition_point(|(from, _)| *from <= offset);
        self.begun.get(past.checked_sub(1)?)?.1
    }

    fn chain(&self, branch: Option<usize>) -> usize {
        branch
            .and_then(|at| self.branches.get(at))
            .map_or(0, |branch| branch.chain)
    }

    /// Returns a branch and those around it.
    fn up(&self, innermost: Option<usize>) -> impl Iterator<Item = &Branch> {
        let at = |at: Option<usize>| self.branches.get(at?);
        std::iter::successors(at(innermost), move |branch| at(branch.outer))
    }

    /// Returns the tag that ends a branch which `offset` is in.
    fn end(&self, branch: &Branch, offset: usize, end: usize) -> Span {
        self.groups
            .get(branch.group)
            .and_then(|group| group.tags.iter().find(|tag| tag.start >= offset))
            .copied()
            .unwrap_or(Span::at(end))
    }
}

/// Returns where the first thing is in `text` that is neither a blank nor a comment of a template.
fn shown(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        at += rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let rest = text.get(at..)?;
        let close: &[u8] = if rest.starts_with(b"{#") && !rest.starts_with(b"{{") {
            b"#}"
        } else if rest.starts_with(b"{{!")
            || rest.starts_with(b"{{/*")
            || rest.starts_with(b"{{- /*")
        {
            b"}}"
        } else {
            return Some(at);
        };
        let Some(end) = memchr::memmem::find(rest, close) else {
            return Some(at);
        };
        at += end + close.len();
    }
}
