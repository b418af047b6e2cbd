//! Content of YAML laid out as its place is: which line belongs to what is read off its entries, not off its columns.
//!
//! A step is what lies between a key and the entries below it. The `- ` of an item is none, whatever stands behind it, so
//! content of another step is laid anew by what holds what. What comes of that says what the content says, or its lines
//! just move, all alike.

use super::proof::say_the_same;
use super::site::EntryPlace;
use crate::diagnostic::Diagnostic;
use crate::manifest::Indent;
use crate::plan::content::{self, ContentPlace};
use crate::syntax::keys::{CollectionKind, KeyFormat, Tree, ValueForm};
use crate::syntax::yaml;
use crate::text::{LineEnding, Lines, Span, is_blank, leading_blank};

impl EntryPlace<'_> {
    /// Returns content as lines whose first begins in a line's first column.
    pub(super) fn fitted_lines(
        &self,
        text: &[u8],
        base: Vec<u8>,
        old: Option<Span>,
        indent: Indent,
    ) -> Result<Vec<u8>, Diagnostic> {
        self.fitted(text, base, old, indent, true)
    }

    /// Returns content whose first line goes on where something stands ahead of it.
    pub(super) fn fitted_behind(
        &self,
        text: &[u8],
        base: Vec<u8>,
        indent: Indent,
    ) -> Result<Vec<u8>, Diagnostic> {
        self.fitted(text, base, None, indent, false)
    }

    pub(super) fn fitted(
        &self,
        text: &[u8],
        base: Vec<u8>,
        old: Option<Span>,
        indent: Indent,
        fresh_line: bool,
    ) -> Result<Vec<u8>, Diagnostic> {
        if (self.format, indent) == (KeyFormat::Yaml, Indent::Auto) {
            return fitted(self, text, base, old, fresh_line);
        }
        let offset = old.map_or(self.entry.span.start, |old| old.start);
        let unit = content::unit_at(self.document, old.unwrap_or(Span::at(offset)), None);
        let place = ContentPlace {
            document: self.document,
            offset,
            base,
            unit,
            fresh_line,
            parent: None,
            old,
        };
        content::fit_to_place(text, indent, &place)
    }
}

/// Returns content that begins at `base`, on a line of its own or behind something.
pub(super) fn fitted(
    site: &EntryPlace<'_>,
    text: &[u8],
    base: Vec<u8>,
    old: Option<Span>,
    fresh_line: bool,
) -> Result<Vec<u8>, Diagnostic> {
    let offset = old.map_or(site.entry.span.start, |old| old.start);
    let place = ContentPlace {
        document: site.document,
        offset,
        base,
        unit: None,
        fresh_line,
        parent: None,
        old,
    };
    let moved = content::fit_to_place(text, Indent::Auto, &place)?;
    if old.is_some_and(|old| old.of(site.bytes()) == moved.as_slice()) {
        return Ok(moved);
    }
    if yaml::fragment(text).is_err() {
        return Ok(moved);
    }
    let relaid = in_the_steps_of(site, old, text);
    let lines = move_lines_alike(relaid.as_deref().unwrap_or(text), &place.base, fresh_line);
    Ok(LineEnding::at(site.bytes(), offset)
        .write(&lines)
        .into_owned())
}

/// Moves all lines alike: the first one to `base`, which stands there already unless the line is a fresh one.
fn move_lines_alike(text: &[u8], base: &[u8], fresh_line: bool) -> Vec<u8> {
    let blanks = |line: &[u8]| line.iter().take_while(|&&byte| byte == b' ').count();
    let mut lines = text.split(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let margin = blanks(first);
    let mut moved = if fresh_line {
        base.to_vec()
    } else {
        Vec::new()
    };
    moved.extend_from_slice(&first[margin..]);
    for line in lines {
        moved.push(b'\n');
        if !is_blank(line) || blanks(line) > margin {
            moved.extend_from_slice(base);
            moved.extend_from_slice(&line[blanks(line).min(margin)..]);
        }
    }
    moved
}

/// Returns the step from a key to what is below it: of lists and of mappings what the file shows most often.
pub(super) fn usual_step(site: &EntryPlace<'_>, sort: CollectionKind) -> usize {
    let known = steps_of_tree(site.tree, site.bytes(), site.document.lines());
    let own: Vec<usize> = known
        .iter()
        .filter(|step| step.sort == sort)
        .map(|step| step.width)
        .collect();
    let deep: Vec<usize> = known
        .iter()
        .map(|step| step.width)
        .filter(|&width| width > 0)
        .collect();
    most_frequent(&own)
        .or_else(|| most_frequent(&deep))
        .unwrap_or(site.step().len())
}

/// The step to what one entry holds.
struct EntryIndent {
    /// What holds it.
    at: usize,
    sort: CollectionKind,
    width: usize,
}

/// Returns the steps from keys to what is on the lines below them.
fn steps_of_tree(tree: &Tree, bytes: &[u8], lines: &Lines) -> Vec<EntryIndent> {
    let column = |offset: usize| offset - lines.start(lines.line(offset));
    let step = |(at, entry): (usize, &crate::syntax::keys::KeyEntry)| {
        let ValueForm::Block(sort) = entry.form else {
            return None;
        };
        let first = tree.get(*entry.children.first()?)?.span.start;
        let ahead = bytes.get(lines.start(lines.line(first))..first)?;
        let below = entry.parent.is_some()
            && lines.line(first) > lines.line(entry.span.start)
            && is_blank(ahead);
        let width = column(first)
            .checked_sub(column(entry.span.start))
            .filter(|_| below)?;
        Some(EntryIndent { at, sort, width })
    };
    tree.entries.iter().enumerate().filter_map(step).collect()
}

/// Returns the number that is there most often, the smaller of two that are as frequent.
fn most_frequent(numbers: &[usize]) -> Option<usize> {
    let count = |wanted: usize| numbers.iter().filter(|&&number| number == wanted).count();
    // Steps are few and small: more than this is no file that anybody indents.
    (0..=16)
        .filter(|&width| count(width) > 0)
        .max_by_key(|&width| (count(width), std::cmp::Reverse(width)))
}

/// Returns content of another step in the steps of its place; `None` where it has that one, several, or none.
fn in_the_steps_of(site: &EntryPlace<'_>, old: Option<Span>, text: &[u8]) -> Option<Vec<u8>> {
    let tree = yaml::fragment(text).ok()?;
    let lines = Lines::of(text);
    let own = steps_of_tree(&tree, text, &lines);
    let mut widths: Vec<usize> = own
        .iter()
        .map(|step| step.width)
        .filter(|&width| width > 0)
        .collect();
    widths.sort_unstable();
    widths.dedup();
    let [from] = widths[..] else { return None };
    let standing = steps_of_tree(site.tree, site.bytes(), site.document.lines());
    let deep = |inside: Option<Span>| {
        let there = |step: &&EntryIndent| {
            let holder = site.tree.get(step.at).map(|entry| entry.span);
            inside.is_none_or(|inside| holder.is_some_and(|holder| inside.contains(holder)))
        };
        most_frequent(
            &standing
                .iter()
                .filter(there)
                .map(|step| step.width)
                .filter(|&width| width > 0)
                .collect::<Vec<_>>(),
        )
    };
    let usual = deep(None);
    let to = old
        .and_then(|old| deep(Some(old)))
        .or(usual)
        .unwrap_or(site.step().len());
    if from == to || usual == Some(from) {
        return None;
    }
    let relaid = lay_anew(text, &tree, &lines, &own, (from, to));
    let reread = yaml::fragment(&relaid).ok()?;
    say_the_same(KeyFormat::Yaml, (&tree, text), (&reread, &relaid)).then_some(relaid)
}

/// Moves each line with the entry that it belongs to, and each entry with what holds it.
fn lay_anew(
    text: &[u8],
    tree: &Tree,
    lines: &Lines,
    steps: &[EntryIndent],
    (from, to): (usize, usize),
) -> Vec<u8> {
    let mut moves: Vec<isize> = vec![0; tree.entries.len()];
    let mut shifts: Vec<Option<isize>> = vec![None; lines.count() + 1];
    for (at, entry) in tree.entries.iter().enumerate() {
        let Some(holder) = entry.parent else { continue };
        let deeper = steps
            .binary_search_by_key(&holder, |step| step.at)
            .is_ok_and(|found| steps[found].width > 0);
        moves[at] = moves[holder]
            + if deeper {
                to as isize - from as isize
            } else {
                0
            };
        let line = lines.line(entry.span.start);
        if is_blank(
            text.get(lines.start(line)..entry.span.start)
                .unwrap_or_default(),
        ) {
            shifts[line] = Some(moves[at]);
        }
    }
    for (entry, shift) in tree.entries.iter().zip(&moves) {
        if !matches!(entry.form, ValueForm::Block(_)) && !entry.value.is_empty() {
            let (first, last) = (
                lines.line(entry.value.start),
                lines.line(entry.value.end - 1),
            );
            shifts[first + 1..=last]
                .iter_mut()
                .for_each(|line| *line = Some(*shift));
        }
    }
    let mut below = 0;
    let mut moved: Vec<Vec<u8>> = Vec::new();
    // Comments go with what stands below them.
    for line in (1..=lines.count()).rev() {
        below = shifts[line].unwrap_or(below);
        let content = text
            .get(lines.start(line)..lines.content(text, line).end)
            .unwrap_or_default();
        let indent = leading_blank(content).len();
        let blanks = indent.saturating_add_signed(below);
        moved.push([&vec![b' '; blanks], &content[indent..]].concat());
    }
    moved.reverse();
    moved.join(&b'\n')
}
