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
//! - What remains of a text in `|`, `>`, or quotes, whose first line is quoted stays with that, too, and a text that something is put in the
//!   middle of keeps what is below it.
//! - As many keys hold it as before. An item of a list that is quoted and forgotten does not give what is below it to another.
//!
//! Known limits: a key that gets another name is a key of the content, whatever its name was; who quotes all that is below it moves it.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::joined::is_anothers;
use crate::resolve::Document;
use crate::syntax::keys::{KeyEntry, KeySegment, Tree, ValueForm};
use crate::syntax::yaml::{self, TemplateInsertion};
use crate::syntax::{SegmentKind, Symbol};
use crate::text::Span;
use crate::text::splice::Splices;

/// So many lines of a document tell it from others.
const LINES_OF_A_DOCUMENT: usize = 6;

/// The way from the top to a holder: names of keys, `None` for an item of a list.
type HolderPath = Vec<Option<String>>;

/// What holds an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Holder {
    /// Where its key, its heading, or the header of its table, begins.
    start: usize,
    path: HolderPath,
    /// It is the header of a table.
    is_table: bool,
}

impl Holder {
    /// Returns its first line, and the one below where that only begins it: `[[bin]]`, `-`, `- |`. Of a document the first ones: it has its
    /// kind and name there.
    fn first_lines<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        let rest = bytes.get(self.start..).unwrap_or_default();
        let first = rest.split(|&byte| byte == b'\n').next();
        let item = first.and_then(|line| line.trim_ascii().strip_prefix(b"-"));
        let is_start = rest.starts_with(b"[[") || item.is_some_and(is_bare);
        let count = match self.path[..] {
            [None] => LINES_OF_A_DOCUMENT,
            _ if is_start => 2,
            _ => 1,
        };
        let end = memchr::memchr_iter(b'\n', rest).nth(count - 1);
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    }

    /// Says whether both are in the same, or are tables, which are beside one another whatever their names.
    fn is_beside(&self, other: &Holder) -> bool {
        self.is_table && other.is_table || self.around() == other.around()
    }

    /// Returns the way to what holds it.
    fn around(&self) -> &[Option<String>] {
        &self.path[..self.path.len().saturating_sub(1)]
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

    /// Returns what of the span that `holder` begins in comes after its first `lines`, without blanks around it.
    fn rest_after<'b>(&self, holder: &Holder, lines: &[u8], bytes: &'b [u8]) -> &'b [u8] {
        let past = self.0.partition_point(|span| span.end <= holder.start);
        let end = self.0.get(past).map_or(0, |span| span.end);
        let rest = bytes.get(holder.start + lines.len()..end);
        rest.unwrap_or_default().trim_ascii()
    }
}

/// The entries of one file, with what holds each.
struct HeldEntries<'t> {
    tree: &'t Tree,
    /// Where the header of each table of TOML begins, with the table's number.
    headers: BTreeMap<usize, usize>,
    /// Where entries begin, with the innermost that begins there: a dotted key is several.
    starts: BTreeMap<usize, usize>,
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
        let entries = tree.entries.iter().enumerate();
        let starts = entries.map(|(at, entry)| (entry.span.start, at)).collect();
        HeldEntries {
            tree,
            headers,
            starts,
        }
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
            .filter_map(|(at, _)| self.holder(at))
            .collect();
        holders.extend(header.map(|(&start, &table)| Holder {
            start,
            path: self.path(table),
            is_table: true,
        }));
        holders.reverse();
        holders
    }

    /// Returns the entry `at` as what holds others.
    fn holder(&self, at: usize) -> Option<Holder> {
        let start = self.tree.get(at)?.span.start;
        Some(Holder {
            start,
            path: self.path(at),
            is_table: self.headers.contains_key(&start),
        })
    }

    /// Returns what holds that which is in the value of the entry `at`, from the outside in.
    fn holders_within(&self, at: usize) -> Option<Vec<Holder>> {
        let mut holders = self.holders(at);
        holders.push(self.holder(at)?);
        Some(holders)
    }

    /// Returns what holds that which is below the entry that `line` begins, from the outside in.
    fn holders_of_line(&self, line: Span) -> Option<Vec<Holder>> {
        let entries = self.tree.entries.iter().enumerate();
        let (at, _) = entries
            .filter(|(_, entry)| {
                entry.parent.is_some() && line.contains(Span::at(entry.span.start))
            })
            .max_by_key(|(_, entry)| entry.span.start)?;
        self.holders_within(at)
    }

    /// Returns the last entry that begins before `place`.
    fn last_before(&self, place: usize) -> Option<usize> {
        self.starts.range(..place).next_back().map(|(_, at)| *at)
    }

    /// Returns what holds the word at `place`, which may begin an entry, from the outside in.
    fn holders_at(&self, place: usize) -> Option<Vec<Holder>> {
        let goes_on = |at: &usize| {
            let entry = self.tree.get(*at);
            entry.is_some_and(|entry| entry.parent.is_some() && place < entry.span.end)
        };
        let at = self.tree.upwards(self.last_before(place)?).find(goes_on)?;
        self.holders_within(at)
    }

    /// Returns the entry whose value is a text of several lines, with the word at `place` below its first one, and more than the end of it.
    fn text_at(&self, place: usize, bytes: &[u8]) -> Option<usize> {
        let at = self.last_before(place)?;
        let entry = self.tree.get(at)?;
        let rest = Span::new(place, entry.value.end.max(place)).of(bytes);
        let above = Span::new(entry.span.start, place).of(bytes);
        let is_of_text = |byte: &u8| !matches!(byte, b'"' | b'\'') && !byte.is_ascii_whitespace();
        let is_text = entry.parent.is_some()
            && matches!(entry.form, ValueForm::Text | ValueForm::Plain)
            && entry.value.start <= place
            && above.contains(&b'\n')
            && rest.iter().any(is_of_text);
        is_text.then_some(at)
    }

    /// Returns the document that holds the entry `at`.
    fn document(&self, at: usize) -> Option<Holder> {
        let root = self.tree.upwards(at).last()?;
        Some(Holder {
            start: self.tree.get(root)?.span.start,
            path: vec![None],
            is_table: false,
        })
    }

    /// Returns the documents that begin in `spans`.
    fn documents_in(&self, spans: &EditedSpans) -> Vec<Holder> {
        let roots = self
            .tree
            .roots
            .iter()
            .filter_map(|root| self.document(*root));
        roots.filter(|root| spans.hold(root.start)).collect()
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
            .filter_map(|(at, _)| self.holder(at))
            .collect()
    }
}

/// Returns an entry beside the edit that would be in another one than it is in, or a text whose last lines would be another's.
pub(super) fn moved(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Option<ChangedStatement> {
    let lines = (&old.bytes[..], &new.bytes[..]);
    let sides = KeySides::of(guard, splices, (old, new), lines)?;
    sides.moved_entry().or_else(|| sides.passed_text())
}

/// Returns what held a tag beside the edit, on a line of its own in a template of YAML, whose place in the file another key has: the entries
/// that the tag brings would be that one's. The documents are read without their tags, `lines` are the bytes with them.
pub(super) fn moved_tag(
    guard: &Guard,
    splices: &Splices,
    read: (&Document, &Document),
    lines: (&[u8], &[u8]),
) -> Option<ChangedStatement> {
    KeySides::of(guard, splices, read, lines)?.moved_tag()
}

/// Both sides of an edit that quotes keys.
struct KeySides<'a> {
    edited: Edited<'a>,
    before: HeldEntries<'a>,
    after: HeldEntries<'a>,
    /// What begins in what the edit takes.
    quoted: Vec<Holder>,
    /// What begins in what it gives.
    given: Vec<Holder>,
    lines: (&'a [u8], &'a [u8]),
}

impl<'a> KeySides<'a> {
    fn of(
        guard: &'a Guard,
        splices: &Splices,
        (old, new): (&'a Document, &'a Document),
        lines: (&'a [u8], &'a [u8]),
    ) -> Option<KeySides<'a>> {
        let (Some(Ok(tree)), Some(Ok(new_tree))) = (old.keys(), new.keys()) else {
            return None;
        };
        let edited = Edited::of(guard, splices);
        let before = HeldEntries::of(tree, lines.0);
        let quoted = before.beginning_in(&edited.taken);
        let after = HeldEntries::of(new_tree, lines.1);
        let given = after.beginning_in(&edited.written);
        Some(KeySides {
            edited,
            before,
            after,
            quoted,
            given,
            lines,
        })
    }

    fn moved_entry(&self) -> Option<ChangedStatement> {
        // What only comes makes others of its neighbours' names, which the inventory tells.
        if self.quoted.is_empty() {
            return None;
        }
        let (edited, before, after) = (&self.edited, &self.before, &self.after);
        let is_beside =
            |start: &usize| !edited.taken.hold(*start) && !before.headers.contains_key(start);
        let mut beside = before.starts.iter().filter(|(start, _)| is_beside(start));
        let quoted = before.documents_in(&edited.taken);
        let given = after.documents_in(&edited.written);
        beside.find_map(|(&was_at, &at)| {
            let start = edited.guard.moves.after(was_at);
            let at_now = *after.starts.get(&start)?;
            let (was, is) = (before.holders(at), after.holders(at_now));
            if !edited.is_left_alike(&was, &is) {
                let entry = before.tree.get(at);
                let span = entry.map_or(Span::at(was_at), |entry| entry.span);
                return Some(ChangedStatement::Moved(span, start));
            }
            if is.is_empty() && !was.is_empty() {
                // Of a table that is forgotten the keys would be those of the whole file.
                return Some(ChangedStatement::Moved(Span::at(was_at), start));
            }
            self.displaced(&was, &is).or_else(|| {
                let (was, is) = (before.document(at)?, after.document(at_now)?);
                edited.exchanged((&[was], &[is]), (&quoted, &given), self.lines)
            })
        })
    }

    /// Returns the entry whose value is a text that goes on below an edit, where what is below would be another's: of what is quoted above it,
    /// or of what the content brings into its middle. A header that the content ends with is meant to have it.
    fn passed_text(&self) -> Option<ChangedStatement> {
        let (edited, before, after) = (&self.edited, &self.before, &self.after);
        edited.taken.0.iter().find_map(|taken| {
            let rest = self.rest_below(*taken)?;
            let at = before.text_at(rest, self.lines.0)?;
            let own = before.holder(at)?;
            let was = before.holders_within(at)?;
            let is = after.holders_at(edited.guard.moves.after(rest))?;
            if edited.is_left_alike(&was, &is) {
                return self.displaced(&was, &is);
            }
            let heir = is.last()?;
            let line = heir.first_lines(self.lines.1);
            let is_meant = || {
                !edited.written.hold(heir.start)
                    || edited
                        .written
                        .rest_after(heir, line, self.lines.1)
                        .is_empty()
            };
            let is_passed_on = edited.taken.hold(own.start) || !is_meant();
            is_passed_on.then(|| own.passed_on(heir))
        })
    }

    /// Returns the first word after `taken` that is left.
    fn rest_below(&self, taken: Span) -> Option<usize> {
        let old = self.lines.0;
        let is_word = |at: &usize| old.get(*at).is_some_and(|byte| !byte.is_ascii_whitespace());
        let mut words = (taken.end..old.len()).filter(is_word);
        words.find(|at| !self.edited.taken.hold(*at))
    }

    fn moved_tag(&self) -> Option<ChangedStatement> {
        if self.quoted.is_empty() {
            return None;
        }
        let (edited, (old, new)) = (&self.edited, self.lines);
        let now: HashMap<usize, TemplateInsertion> = yaml::brought(new)
            .into_iter()
            .map(|it| (it.tag.start, it))
            .collect();
        let tags = yaml::brought(old);
        let mut beside = tags.iter().filter(|it| !edited.taken.hold(it.tag.start));
        beside.find_map(|tag| {
            let is = now.get(&edited.guard.moves.after(tag.tag.start))?;
            let was = self.before.holders_of_line(tag.owner?)?;
            let is = self.after.holders_of_line(is.owner?)?;
            self.displaced(&was, &is)
        })
    }

    fn displaced(&self, was: &[Holder], is: &[Holder]) -> Option<ChangedStatement> {
        let entries = (&self.quoted[..], &self.given[..]);
        self.edited.displaced((was, is), entries, self.lines)
    }
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
            is_table: false,
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

    /// Returns the holder that is quoted, and that what it holds would leave for another.
    fn displaced(
        &self,
        (was, is): (&[Holder], &[Holder]),
        (quoted, given): (&[Holder], &[Holder]),
        lines: (&[u8], &[u8]),
    ) -> Option<ChangedStatement> {
        self.robbed((was, is), (quoted, given))
            .or_else(|| self.forgotten(was, is, quoted))
            .or_else(|| self.flattened(was, is))
            .or_else(|| self.exchanged((was, is), (quoted, given), lines))
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

    /// Returns the holder that is quoted and not given back, where one that is rather another gets what it held: of a list, of documents, of
    /// the keys beside one another.
    fn exchanged(
        &self,
        (was, is): (&[Holder], &[Holder]),
        (quoted, given): (&[Holder], &[Holder]),
        (old, new): (&[u8], &[u8]),
    ) -> Option<ChangedStatement> {
        let taken = was.iter().filter(|holder| self.taken.hold(holder.start));
        let written = is.iter().filter(|holder| self.written.hold(holder.start));
        taken.zip(written).find_map(|(own, heir)| {
            let is_beside = |holder: &Holder| holder.is_beside(own);
            let count = |all: &[Holder]| all.iter().filter(|it| is_beside(it)).count();
            if !is_beside(heir) || count(given) >= count(quoted) {
                return None;
            }
            let (line, own_line) = (heir.first_lines(new), own.first_lines(old));
            let brings_body = self.taken.rest_after(own, own_line, old).is_empty()
                && !self.written.rest_after(heir, line, new).is_empty();
            let is_others = |other: &Holder| {
                let other_line = other.first_lines(old);
                // Who gives back what is quoted of the one above joins the two.
                let is_joined = own_line == other_line
                    && self
                        .taken
                        .rest_after(other, other_line, old)
                        .starts_with(self.written.rest_after(heir, line, new));
                let lines = (line, own_line, other_line);
                is_beside(other)
                    && other.start < own.start
                    && is_anothers(lines, brings_body && !is_joined)
            };
            quoted.iter().any(is_others).then(|| own.passed_on(heir))
        })
    }
}

/// Says whether an item's first line only begins it: it has no words, or but a tag before the sign of a text.
fn is_bare(item: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let value = item.trim_ascii();
    let sign = value.rsplit(|&byte| byte == b' ').next();
    let has_sign = sign.is_some_and(|sign| matches!(sign.first(), Some(b'|' | b'>')));
    !value.iter().any(is_word) || value.starts_with(b"!") && has_sign
}

/// Returns an entry beside the edit that would be none any more: a part of a text.
pub(super) fn gone(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Option<ChangedStatement> {
    let (Some(Ok(tree)), Some(Ok(new_tree))) = (old.keys(), new.keys()) else {
        return None;
    };
    let taken = EditedSpans(splices.iter().map(|splice| splice.span).collect());
    let now: HashSet<usize> = new_tree
        .entries
        .iter()
        .map(|entry| entry.span.start)
        .collect();
    let mut beside = tree
        .entries
        .iter()
        .filter(|entry| entry.parent.is_some() && !taken.hold(entry.span.start));
    let start = beside.find_map(|entry| {
        let start = guard.moves.after(entry.span.start);
        (!now.contains(&start)).then_some(start)
    })?;
    let rest = new.bytes.get(start..)?;
    let line = rest.split(|&byte| byte == b'\n').next()?.trim_ascii_end();
    Some(ChangedStatement::Continued(Span::new(
        start,
        start + line.len(),
    )))
}

/// Returns an entry of front matter beside the edit that would be text of the page: with a line `---` too many the front matter ends above it.
pub(super) fn fenced_out(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Option<ChangedStatement> {
    let front = old.front_matter()?;
    splices
        .iter()
        .find(|splice| splice.span.start < front.bytes.len())?;
    let Some(Ok(tree)) = front.keys() else {
        return None;
    };
    let taken = EditedSpans(splices.iter().map(|splice| splice.span).collect());
    let end = new.front_matter().map_or(0, |front| front.bytes.len());
    tree.entries.iter().find_map(|entry| {
        let start = guard.moves.after(entry.span.start);
        let is_out = entry.parent.is_some() && !taken.hold(entry.span.start) && start >= end;
        is_out.then_some(ChangedStatement::Lost(entry.span, start))
    })
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
        // The document begins where its first key does.
        let holder = after.entries.get(given.parent?)?;
        holder.parent?;
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
