//! Keys of YAML and TOML, and sections of Markdown, that move: what nobody quoted stays in what holds it.
//!
//! - What the edit leaves alone goes on to hold it, and nothing else does that the edit leaves alone. A key that the content gives back
//!   less deep would take all along that is below it.
//! - A key that is quoted and given back, by the same way from the top, goes on to hold it. A table put below the first lines of the
//!   one that holds it would take the rest of that.
//! - A key that was quoted beside the one that holds it does not get it. Where the last line of a quotation is forgotten, what is below that
//!   would be in the key above. This is held for sections, too; a heading may get another level.
//!
//! Example: with `steps:` in the place of `    steps:`, at the end of a job, the steps that nobody quoted are the workflow's.
//!
//! So does a key that it gives back deeper, below a neighbour without a value: it would be the value of that.
//!
//! Example: with `    logs:` in the place of `  logs:`, below `  data:`, a volume would be an option of another one.
//!
//! - As many keys hold it as before. An item of a list that is quoted and forgotten does not give what is below it to another.
//!
//! Known limits: a key that gets another name is a key of the content, whatever its name was; who quotes all that is below it moves it.

use std::collections::{BTreeMap, HashMap};

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::tails::words_kept;
use crate::resolve::Document;
use crate::syntax::keys::{KeyEntry, KeySegment, Tree, ValueForm};
use crate::syntax::{SegmentKind, Symbol};
use crate::text::Span;
use crate::text::splice::Splices;

/// The way from the top to a holder: names of keys, `None` for an item of a list.
type HolderPath = Vec<Option<String>>;

/// What holds an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Holder {
    /// Where its key, its heading, or the header of its table, begins.
    start: usize,
    path: HolderPath,
}

impl Holder {
    /// Returns its first line, and the one below where that only begins it: `[[bin]]`, `-`.
    fn first_lines<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        let rest = bytes.get(self.start..).unwrap_or_default();
        let line_end = |from: usize| {
            let after = rest.get(from..).unwrap_or_default();
            memchr::memchr(b'\n', after).map_or(rest.len(), |at| from + at)
        };
        let first = line_end(0);
        let is_start = rest.starts_with(b"[[") || rest[..first].trim_ascii() == b"-";
        let end = if is_start && first < rest.len() {
            line_end(first + 1)
        } else {
            first
        };
        rest.get(..end).unwrap_or_default()
    }

    /// Says that what remains of it would be `heir`'s.
    fn passed_on(&self, heir: &Holder) -> ChangedStatement {
        ChangedStatement::PassedOn(Span::new(self.start, self.start), heir.start)
    }
}

/// The spans that an edit takes, or gives, in order.
struct EditedSpans(Vec<Span>);

impl EditedSpans {
    fn hold(&self, at: usize) -> bool {
        let past = self.0.partition_point(|span| span.end <= at);
        self.0.get(past).is_some_and(|span| span.start <= at)
    }
}

/// The entries of one file, with what holds each.
struct HeldEntries<'t> {
    tree: &'t Tree,
    /// Where the header of each table of TOML begins, with the table's number.
    headers: BTreeMap<usize, usize>,
}

impl<'t> HeldEntries<'t> {
    fn of(tree: &'t Tree, bytes: &[u8]) -> HeldEntries<'t> {
        let mut headers = BTreeMap::new();
        for (at, entry) in tree.entries.iter().enumerate() {
            let begins = entry.regions.iter().map(|region| region.start);
            for start in begins.chain([entry.span.start]) {
                let is_table = matches!(entry.form, ValueForm::Table | ValueForm::Implied);
                if is_table && entry.parent.is_some() && bytes.get(start) == Some(&b'[') {
                    // Children come after their parents: the last one is what the header names in full.
                    headers.insert(start, at);
                }
            }
        }
        HeldEntries { tree, headers }
    }

    fn path(&self, at: usize) -> HolderPath {
        let mut path: HolderPath = self
            .tree
            .upwards(at)
            .filter_map(|at| self.tree.get(at))
            .map(|entry| match &entry.step {
                KeySegment::Key(name) => Some(name.clone()),
                KeySegment::Item(_) => None,
            })
            .collect();
        path.reverse();
        path
    }

    /// Returns what holds the entry `at`, from the outside in. A table is one with all of its header's names.
    fn holders(&self, at: usize) -> Vec<Holder> {
        let start = self.tree.get(at).map_or(0, |entry| entry.span.start);
        let header = self.headers.range(..=start).next_back();
        let table = header.map(|(_, table)| *table);
        let mut holders: Vec<Holder> = self
            .tree
            .upwards(at)
            .skip(1)
            .take_while(|at| Some(*at) != table)
            .filter_map(|at| Some((at, self.tree.get(at)?)))
            .filter(|(_, entry)| entry.parent.is_some())
            .map(|(at, entry)| Holder {
                start: entry.span.start,
                path: self.path(at),
            })
            .collect();
        holders.extend(header.map(|(&start, &table)| Holder {
            start,
            path: self.path(table),
        }));
        holders.reverse();
        holders
    }

    /// Returns where entries begin, with the innermost that begins there: a dotted key is several.
    fn innermost(&self) -> HashMap<usize, usize> {
        let entries = self.tree.entries.iter().enumerate();
        entries.map(|(at, entry)| (entry.span.start, at)).collect()
    }

    /// Returns the entries that begin in `spans`.
    fn beginning_in(&self, spans: &EditedSpans) -> Vec<Holder> {
        let entries = self.tree.entries.iter().enumerate();
        entries
            .filter(|(at, entry)| {
                let is_implied = self
                    .headers
                    .get(&entry.span.start)
                    .is_some_and(|table| table != at);
                entry.parent.is_some() && !is_implied && spans.hold(entry.span.start)
            })
            .map(|(at, entry)| Holder {
                start: entry.span.start,
                path: self.path(at),
            })
            .collect()
    }
}

/// Returns an entry beside the edit that would be in another one than it is in.
pub(super) fn moved(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Option<ChangedStatement> {
    let (Some(Ok(tree)), Some(Ok(new_tree))) = (old.keys(), new.keys()) else {
        return None;
    };
    let edited = Edited::of(guard, splices);
    let (before, after) = (
        HeldEntries::of(tree, &old.bytes),
        HeldEntries::of(new_tree, &new.bytes),
    );
    let quoted = before.beginning_in(&edited.taken);
    // What only comes makes others of its neighbours' names, which the inventory tells.
    if quoted.is_empty() {
        return None;
    }
    let given = after.beginning_in(&edited.written);
    let now = after.innermost();
    let mut beside: Vec<(usize, usize)> = before.innermost().into_iter().collect();
    beside.retain(|(start, _)| !edited.taken.hold(*start) && !before.headers.contains_key(start));
    beside.sort_unstable();
    beside.into_iter().find_map(|(was_at, at)| {
        let start = guard.moves.after(was_at);
        let (was, is) = (before.holders(at), after.holders(*now.get(&start)?));
        if !edited.is_left_alike(&was, &is) {
            let span = tree.get(at).map_or(Span::at(was_at), |entry| entry.span);
            return Some(ChangedStatement::Moved(span, start));
        }
        edited
            .robbed((&was, &is), (&quoted, &given))
            .or_else(|| edited.forgotten(&was, &is, &quoted))
            .or_else(|| edited.flattened(&was, &is))
            .or_else(|| {
                let lines = (&old.bytes[..], &new.bytes[..]);
                edited.exchanged((&was, &is), (&quoted, &given), lines)
            })
    })
}

/// Returns a section beside the edit that would be in one that was quoted beside the one that it is in.
pub(super) fn moved_section(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Option<ChangedStatement> {
    let edited = Edited::of(guard, splices);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    add_sections(&old.outline().symbols, &[], &mut before);
    let quoted: Vec<Holder> = before
        .iter()
        .filter(|(section, _)| edited.taken.hold(section.start))
        .map(|(section, _)| section.clone())
        .collect();
    if quoted.is_empty() {
        return None;
    }
    add_sections(&new.outline().symbols, &[], &mut after);
    let now: HashMap<usize, Vec<Holder>> = after
        .into_iter()
        .map(|(section, holders)| (section.start, holders))
        .collect();
    let beside = before
        .iter()
        .filter(|(section, _)| !edited.taken.hold(section.start));
    beside.into_iter().find_map(|(section, was)| {
        let is = now.get(&guard.moves.after(section.start))?;
        edited.forgotten(was, is, &quoted)
    })
}

/// Adds each section with what holds it, from the outside in.
fn add_sections(symbols: &[Symbol], holders: &[Holder], found: &mut Vec<(Holder, Vec<Holder>)>) {
    for symbol in symbols
        .iter()
        .filter(|symbol| symbol.kind == SegmentKind::Section)
    {
        let above = holders.last().map_or(&[][..], |holder| &holder.path);
        let section = Holder {
            start: symbol.definition.start,
            path: [above, &[Some(symbol.name.clone())]].concat(),
        };
        let within = [holders, std::slice::from_ref(&section)].concat();
        found.push((section, holders.to_vec()));
        add_sections(&symbol.children, &within, found);
    }
}

/// What an edit takes and gives.
struct Edited<'g> {
    guard: &'g Guard,
    taken: EditedSpans,
    written: EditedSpans,
}

impl<'g> Edited<'g> {
    fn of(guard: &'g Guard, splices: &Splices) -> Edited<'g> {
        Edited {
            guard,
            taken: EditedSpans(splices.iter().map(|splice| splice.span).collect()),
            written: EditedSpans(splices.with_new_spans().map(|(_, span)| span).collect()),
        }
    }

    /// Says whether those holders that the edit leaves alone are the same.
    fn is_left_alike(&self, was: &[Holder], is: &[Holder]) -> bool {
        let left = was.iter().filter(|holder| !self.taken.hold(holder.start));
        let others = is.iter().filter(|holder| !self.written.hold(holder.start));
        left.map(|holder| self.guard.moves.after(holder.start))
            .eq(others.map(|holder| holder.start))
    }

    /// Returns the holder that is quoted and given back, there or below a new key, without what it held.
    fn robbed(
        &self,
        (was, is): (&[Holder], &[Holder]),
        (quoted, given): (&[Holder], &[Holder]),
    ) -> Option<ChangedStatement> {
        let is_given_back = |holder: &Holder| {
            let name = holder.path.last();
            given.iter().any(|it| {
                let is_new = || !has_path(quoted, &it.path);
                let has_name = name.is_some_and(Option::is_some) && it.path.last() == name;
                it.path == holder.path || has_name && is_new()
            })
        };
        let is_in_one = |holder: &Holder| {
            let name = holder.path.last();
            is.iter().any(|it| {
                it.path == holder.path || self.written.hold(it.start) && it.path.last() == name
            })
        };
        let heir = is.last()?;
        was.iter()
            .filter(|holder| self.taken.hold(holder.start))
            .find(|holder| is_given_back(holder) && !is_in_one(holder))
            .map(|holder| holder.passed_on(heir))
    }

    /// Returns the holder that is quoted and not given back, where another that was quoted gets what it held.
    fn forgotten(
        &self,
        was: &[Holder],
        is: &[Holder],
        quoted: &[Holder],
    ) -> Option<ChangedStatement> {
        let is_old = |holder: &&Holder| {
            self.written.hold(holder.start)
                && has_path(quoted, &holder.path)
                && !has_path(was, &holder.path)
        };
        let heir = is.iter().find(is_old)?;
        let mut outwards = was.iter().rev();
        let last = outwards.find(|holder| self.taken.hold(holder.start))?;
        Some(last.passed_on(heir))
    }

    /// Returns the innermost holder that is quoted, where fewer come in its place: one of them was forgotten.
    fn flattened(&self, was: &[Holder], is: &[Holder]) -> Option<ChangedStatement> {
        let count = |holders: &[Holder], spans: &EditedSpans| {
            holders.iter().filter(|it| spans.hold(it.start)).count()
        };
        let is_fewer = count(was, &self.taken) > count(is, &self.written);
        let mut outwards = was.iter().rev();
        let last = outwards
            .find(|holder| self.taken.hold(holder.start))
            .filter(|_| is_fewer)?;
        Some(last.passed_on(is.last()?))
    }

    /// Returns the item of a list that is quoted and not given back, where one that is more like another gets what it held.
    fn exchanged(
        &self,
        (was, is): (&[Holder], &[Holder]),
        (quoted, given): (&[Holder], &[Holder]),
        (old, new): (&[u8], &[u8]),
    ) -> Option<ChangedStatement> {
        let taken = was.iter().filter(|holder| self.taken.hold(holder.start));
        let written = is.iter().filter(|holder| self.written.hold(holder.start));
        let is_item = |holder: &Holder| holder.path.last() == Some(&None);
        taken.zip(written).find_map(|(item, heir)| {
            let siblings = |all: &[Holder]| all.iter().filter(|it| it.path == item.path).count();
            if !is_item(item) || item.path != heir.path || siblings(given) >= siblings(quoted) {
                return None;
            }
            let line = heir.first_lines(new);
            let kept = |other: &Holder| words_kept(line, other.first_lines(old));
            let own = kept(item);
            let is_nearer = |other: &Holder| {
                other.path == item.path && other.start != item.start && kept(other) > own
            };
            quoted.iter().any(is_nearer).then(|| item.passed_on(heir))
        })
    }
}

fn has_path(holders: &[Holder], path: &HolderPath) -> bool {
    holders.iter().any(|holder| holder.path == *path)
}

/// Returns the key of the content that would be the value of a neighbour which has none, and was a key beside it.
pub(super) fn sunk(guard: &Guard, old: &Document, new: &Document) -> Option<ChangedStatement> {
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else {
        return None;
    };
    let first = |tree: &'_ Tree, span: Span| {
        let in_span = |entry: &&KeyEntry| {
            matches!(entry.step, KeySegment::Key(_))
                && span.start <= entry.span.start
                && entry.span.start < span.end
        };
        tree.entries
            .iter()
            .filter(in_span)
            .min_by_key(|entry| entry.span.start)
            .cloned()
    };
    let strokes = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    let mut sunk = strokes.filter_map(|(was, now)| {
        let (own, given) = (first(before, was.span)?, first(after, now.span)?);
        let holder = after.entries.get(given.parent?)?;
        let is_empty = |entry: &&KeyEntry| {
            entry.form == ValueForm::Nothing
                && entry.parent == own.parent
                && entry.span.end <= was.span.start
                && guard.moves.after(entry.span.start) == holder.span.start
        };
        let was_empty = before.entries.iter().any(|entry| is_empty(&entry));
        (own.step == given.step && was_empty).then_some(ChangedStatement::Continued(given.span))
    });
    sunk.next()
}
