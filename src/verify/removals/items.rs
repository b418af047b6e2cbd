//! Items of lists have numbers for names: the next one takes over the number of one that goes. What an item is now is told by
//! what it says.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use crate::resolve::{Definition, Document};
use crate::syntax::SegmentKind;
use crate::text::splice::Splices;
use crate::text::{Span, diff};

/// Items that share so much are one, changed.
const LEAST_ALIKE: f64 = 0.7;

/// What tells them apart is shorter, and may share less.
const LEAST_TOLD_ALIKE: f64 = 0.5;

/// Keys by which people tell the items of a list apart, the surest first.
const TELLING: [&str; 7] = ["id", "name", "key", "title", "uses", "repo", "path"];

/// So many pairs of items are compared, of so many bytes; past that the first is the first.
const MOST_PAIRS: usize = 1000;
const MOST_BYTES: usize = 256 << 10;

/// Says whether the segment at this position is an item of a list, or in one.
pub(super) fn is_in_item(at: usize, all: &[Definition<'_>]) -> bool {
    let mut next = all.get(at);
    while let Some(segment) = next.filter(|segment| segment.symbol.kind == SegmentKind::Key) {
        if is_item(segment) {
            return true;
        }
        next = segment.parent.and_then(|parent| all.get(parent));
    }
    false
}

fn is_item(named: &Definition<'_>) -> bool {
    named.symbol.kind == SegmentKind::Key && named.symbol.name.starts_with('[')
}

/// Returns the qualified name of each new segment, with the number of the old item in the place of its own where an item was
/// there before, and another that no old one has where it was not.
pub(super) fn names(
    (old_named, old): (&[Definition<'_>], &Document),
    (new_named, new): (&[Definition<'_>], &Document),
    splices: &Splices,
) -> Vec<String> {
    // An item that an edit stays inside of is the same, whatever it says now; not the one ahead of it, where its own dash went.
    let mut edited: HashMap<usize, usize> = HashMap::new();
    for (splice, written) in splices.with_new_spans() {
        let (was, now) = (said(old, splice.span), said(new, written));
        let begins_in = |named: &[Definition<'_>], at: usize, span: Span| {
            named
                .get(at)
                .is_some_and(|item| span.start <= item.symbol.definition.start)
        };
        let pairs = around(new_named, now)
            .into_iter()
            .zip(around(old_named, was));
        edited.extend(pairs.filter(|&(now, was)| {
            begins_in(new_named, now, written) == begins_in(old_named, was, splice.span)
        }));
    }
    let mut old_lists: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, named) in old_named
        .iter()
        .enumerate()
        .filter(|(_, named)| is_item(named))
    {
        old_lists.entry(list_of(named)).or_default().push(at);
    }
    // By what they are inside of, and what comes between that and the number: `bin` of a `[[bin]]` of TOML.
    let mut new_lists: HashMap<Option<usize>, BTreeMap<&str, Vec<usize>>> = HashMap::new();
    for (at, named) in new_named
        .iter()
        .enumerate()
        .filter(|(_, named)| is_item(named))
    {
        let around = named
            .parent
            .and_then(|parent| new_named.get(parent))
            .map_or("", |parent| &parent.qualified);
        let list = list_of(named);
        let between = list.strip_prefix(around).unwrap_or(list);
        new_lists
            .entry(named.parent)
            .or_default()
            .entry(between)
            .or_default()
            .push(at);
    }

    let (old_told, new_told) = (told_by(old_named, old), told_by(new_named, new));
    let mut names: Vec<String> = Vec::with_capacity(new_named.len());
    let mut of_items: HashMap<usize, String> = HashMap::new();
    for (at, named) in new_named.iter().enumerate() {
        let around = named
            .parent
            .and_then(|parent| Some((names.get(parent)?, new_named.get(parent)?)));
        let own = match (of_items.remove(&at), around) {
            (Some(name), _) => name,
            (None, Some((translated, parent))) => {
                match named.qualified.strip_prefix(parent.qualified.as_str()) {
                    Some(rest) => format!("{translated}{rest}"),
                    None => named.qualified.clone(),
                }
            }
            (None, None) => named.qualified.clone(),
        };
        // Those of a list at the top have nothing around them that would come first.
        let mut lists: Vec<(String, Vec<usize>)> = Vec::new();
        for (inside, around) in [(Some(at), own.as_str()), (None, "")] {
            let found = new_lists.remove(&inside).into_iter().flatten();
            lists.extend(found.map(|(between, items)| (format!("{around}{between}"), items)));
        }
        for (key, items) in lists {
            let were = old_lists.get(key.as_str()).map_or(&[][..], Vec::as_slice);
            let old_items: Vec<Item> = were
                .iter()
                .map(|&was| Item::of(was, old_named, old, &old_told))
                .collect();
            let new_items: Vec<Item> = items
                .iter()
                .map(|&item| Item::of(item, new_named, new, &new_told))
                .collect();
            let turns: HashMap<usize, usize> = were
                .iter()
                .enumerate()
                .map(|(turn, &was)| (was, turn))
                .collect();
            let known = items
                .iter()
                .map(|item| turns.get(edited.get(item)?).copied())
                .collect();
            for (turn, (was, &item)) in paired(&old_items, &new_items, known)
                .into_iter()
                .zip(&items)
                .enumerate()
            {
                let name = match was.and_then(|was| old_named.get(*were.get(was)?)) {
                    Some(was) => was.qualified.clone(),
                    None => format!("{key}[+{turn}]"),
                };
                if item == at {
                    names.push(name)
                } else {
                    drop(of_items.insert(item, name))
                }
            }
        }
        if names.len() == at {
            names.push(own);
        }
    }
    names
}

/// Says whether an item goes, and a splice that begins with its dash writes keys there of the item ahead of it.
pub(super) fn is_merged(
    (was, old): (&Definition<'_>, &Document),
    (new_named, new): (&[Definition<'_>], &Document),
    splices: &Splices,
) -> bool {
    let start = was.symbol.definition.start;
    if !is_item(was) {
        return false;
    }
    splices.with_new_spans().any(|(splice, written)| {
        let first = |span: Span, document: &Document| {
            let blanks = span
                .of(&document.bytes)
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace());
            span.start + blanks.count()
        };
        let (begun, begins) = (first(splice.span, old), first(written, new));
        let at = new_named.partition_point(|named| named.symbol.definition.start < begins);
        let key = new_named
            .get(at)
            .filter(|key| key.symbol.definition.start == begins && begins < written.end);
        let around = key
            .filter(|key| !is_item(key))
            .and_then(|key| new_named.get(key.parent?));
        splice.span.contains(Span::at(start))
            && begun == start
            && around.is_some_and(|around| {
                is_item(around) && around.symbol.definition.start < written.start
            })
    })
}

/// Returns `span` without the dash and the blanks of an item.
fn said(document: &Document, span: Span) -> Span {
    let text = span.of(&document.bytes);
    let start = text
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace() || **byte == b'-')
        .count();
    Span::new(
        span.start + start,
        span.start + text.trim_ascii_end().len().max(start),
    )
}

/// Returns the items that hold all of `span`, from the outermost in.
fn around(named: &[Definition<'_>], span: Span) -> Vec<usize> {
    let before = named.partition_point(|named| named.symbol.definition.start <= span.start);
    let mut next = before.checked_sub(1);
    let mut found = Vec::new();
    while let Some((at, segment)) = next.and_then(|at| Some((at, named.get(at)?))) {
        if is_item(segment) && segment.symbol.definition.contains(span) {
            found.push(at);
        }
        next = segment.parent;
    }
    found.reverse();
    found
}

/// Returns the qualified name of the list that an item is of: what comes before its number.
fn list_of<'n>(item: &'n Definition<'_>) -> &'n str {
    item.qualified
        .rfind('[')
        .map_or("", |at| &item.qualified[..at])
}

/// What an item says.
struct Item<'d> {
    /// Its lines without their indentation.
    text: Vec<u8>,
    /// The key, its place in `TELLING`, that tells it from others, and its value.
    told_by: Option<(usize, &'d [u8])>,
}

impl<'d> Item<'d> {
    fn of(
        at: usize,
        named: &[Definition<'_>],
        document: &Document,
        told_by: &HashMap<usize, (usize, &'d [u8])>,
    ) -> Item<'d> {
        let definition = named
            .get(at)
            .map(|named| named.symbol.definition.of(&document.bytes))
            .unwrap_or_default();
        let lines = definition.split(|&byte| byte == b'\n');
        let text = lines
            .flat_map(|line| [line.trim_ascii(), b"\n"])
            .collect::<Vec<_>>()
            .concat();
        Item {
            text,
            told_by: told_by.get(&at).copied(),
        }
    }

    /// Says whether it may be `other`, changed.
    fn is_like(&self, other: &Item<'_>) -> bool {
        let is_told = match (self.told_by, other.told_by) {
            (Some((key, value)), Some((other_key, other_value))) if key == other_key => {
                diff::similarity(value, other_value) >= LEAST_TOLD_ALIKE
            }
            _ => true,
        };
        is_told && diff::similarity(&self.text, &other.text) >= LEAST_ALIKE
    }
}

/// Returns what tells each item from others, by the item's position.
fn told_by<'d>(
    named: &[Definition<'_>],
    document: &'d Document,
) -> HashMap<usize, (usize, &'d [u8])> {
    let mut found: HashMap<usize, (usize, &[u8])> = HashMap::new();
    for key in named
        .iter()
        .filter(|named| named.symbol.kind == SegmentKind::Key)
    {
        let Some(parent) = key
            .parent
            .filter(|&parent| named.get(parent).is_some_and(is_item))
        else {
            continue;
        };
        let Some(rank) = TELLING.iter().position(|name| *name == key.symbol.name) else {
            continue;
        };
        if found.get(&parent).is_none_or(|(known, _)| rank < *known) {
            let value = key
                .symbol
                .body
                .unwrap_or(key.symbol.definition)
                .of(&document.bytes);
            found.insert(parent, (rank, value.trim_ascii()));
        }
    }
    found
}

/// Returns for each new item which old one it is: the one that is `known`, the same, or else the first that is much like it.
fn paired(old: &[Item<'_>], new: &[Item<'_>], known: Vec<Option<usize>>) -> Vec<Option<usize>> {
    let mut same: HashMap<&[u8], VecDeque<usize>> = HashMap::new();
    let is_known: HashSet<usize> = known.iter().flatten().copied().collect();
    for (at, item) in old
        .iter()
        .enumerate()
        .filter(|(at, _)| !is_known.contains(at))
    {
        same.entry(&item.text).or_default().push_back(at);
    }
    let mut pairs: Vec<Option<usize>> = new
        .iter()
        .zip(known)
        .map(|(item, known)| known.or_else(|| same.get_mut(item.text.as_slice())?.pop_front()))
        .collect();
    let taken: HashSet<usize> = pairs.iter().flatten().copied().collect();
    let mut left: Vec<usize> = (0..old.len()).filter(|at| !taken.contains(at)).collect();
    let unpaired = || pairs.iter().zip(new).filter(|(pair, _)| pair.is_none());
    let bytes: usize = left
        .iter()
        .map(|&at| old[at].text.len())
        .chain(unpaired().map(|(_, it)| it.text.len()))
        .sum();
    let are_few = left.len() * unpaired().count() <= MOST_PAIRS && bytes <= MOST_BYTES;
    let mut in_order = if are_few {
        Vec::new()
    } else {
        std::mem::take(&mut left)
    }
    .into_iter();
    for (pair, item) in pairs.iter_mut().zip(new).filter(|(pair, _)| pair.is_none()) {
        let alike = left.iter().position(|&was| item.is_like(&old[was]));
        *pair = alike.map(|at| left.remove(at)).or_else(|| in_order.next());
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_told_by_what_they_say() {
        let check = |old: &[&'static str], new: &[&'static str], expected: &[Option<usize>]| {
            let item = |text: &&'static str| {
                let name = text
                    .strip_prefix("name: ")
                    .and_then(|rest| rest.lines().next());
                Item {
                    text: text.as_bytes().to_vec(),
                    told_by: name.map(|name| (1, name.as_bytes())),
                }
            };
            let items = |side: &[&'static str]| side.iter().map(item).collect::<Vec<_>>();
            assert_eq!(
                paired(&items(old), &items(new), vec![None; new.len()]),
                expected,
                "{old:?} {new:?}"
            );
        };
        check(&["a", "b", "c"], &["a", "c"], &[Some(0), Some(2)]);
        check(
            &["a", "b", "c"],
            &["c", "a", "b"],
            &[Some(2), Some(0), Some(1)],
        );
        check(&["a", "a"], &["a", "a", "a"], &[Some(0), Some(1), None]);
        let (checkout, newer) = ("uses: actions/checkout@v3\n", "uses: actions/checkout@v4\n");
        check(
            &[checkout, "run: x\n"],
            &[newer, "run: x\n"],
            &[Some(0), Some(1)],
        );
        check(
            &[
                "name: Lint\nrun: make lint\n",
                "name: Test\nrun: make test\n",
            ],
            &["name: Test\nrun: make test\n", "name: New\nrun: new\n"],
            &[Some(1), None],
        );
        check(
            &["name: Lint\nrun: npm run lint\n"],
            &["name: Deploy\nrun: npm run deploy\n"],
            &[None],
        );
        check(
            &["name: Lint\nrun: npm run lint\n"],
            &["name: Lint all\nrun: npm run lint\n"],
            &[Some(0)],
        );
    }
}
