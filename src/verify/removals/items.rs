//! Items of lists have numbers for names: the next one takes over the number of one that goes. What an item is now is told by
//! what it says.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::resolve::{Document, Named};
use crate::syntax::Kind;
use crate::text::diff;

/// Items that share so much are one, changed.
const LEAST_ALIKE: f64 = 0.7;

/// So many pairs of items are compared, of so many bytes; past that the first is the first.
const MOST_PAIRS: usize = 1000;
const MOST_BYTES: usize = 256 << 10;

/// Says whether the segment at this position is an item of a list, or in one.
pub fn is_in_item(at: usize, all: &[Named<'_>]) -> bool {
    let mut next = all.get(at);
    while let Some(segment) = next.filter(|segment| segment.symbol.kind == Kind::Key) {
        if is_item(segment) {
            return true;
        }
        next = segment.parent.and_then(|parent| all.get(parent));
    }
    false
}

fn is_item(named: &Named<'_>) -> bool {
    named.symbol.kind == Kind::Key && named.symbol.name.starts_with('[')
}

/// Returns the qualified name of each new segment, with the number of the old item in the place of its own where an item was
/// there before, and another that no old one has where it was not.
pub fn names((old_named, old): (&[Named<'_>], &Document), (new_named, new): (&[Named<'_>], &Document)) -> Vec<String> {
    let mut old_lists: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, named) in old_named.iter().enumerate().filter(|(_, named)| is_item(named)) {
        old_lists.entry(list_of(named)).or_default().push(at);
    }
    let mut new_lists: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for (at, named) in new_named.iter().enumerate().filter(|(_, named)| is_item(named)) {
        new_lists.entry(named.parent).or_default().push(at);
    }

    let mut names: Vec<String> = Vec::with_capacity(new_named.len());
    let mut of_items: HashMap<usize, String> = HashMap::new();
    for (at, named) in new_named.iter().enumerate() {
        let around = named.parent.and_then(|parent| Some((names.get(parent)?, new_named.get(parent)?)));
        let own = match (of_items.remove(&at), around) {
            (Some(name), _) => name,
            (None, Some((translated, parent))) => match named.qualified.strip_prefix(parent.qualified.as_str()) {
                Some(rest) => format!("{translated}{rest}"),
                None => named.qualified.clone(),
            },
            (None, None) => named.qualified.clone(),
        };
        // Those of a list at the top have nothing around them that would come first.
        for (list, key) in [(new_lists.remove(&Some(at)), own.as_str()), (new_lists.remove(&None), "")] {
            let Some(items) = list else { continue };
            let were = old_lists.get(key).map_or(&[][..], Vec::as_slice);
            let text = |named: &Named<'_>, document: &Document| {
                let lines = named.symbol.definition.of(&document.bytes).split(|&byte| byte == b'\n');
                lines.flat_map(|line| [line.trim_ascii(), b"\n"]).collect::<Vec<_>>().concat()
            };
            let old_texts: Vec<Vec<u8>> = were.iter().map(|&was| text(&old_named[was], old)).collect();
            let new_texts: Vec<Vec<u8>> = items.iter().map(|&item| text(&new_named[item], new)).collect();
            for (turn, (was, &item)) in paired(&old_texts, &new_texts).into_iter().zip(&items).enumerate() {
                let name = match was.and_then(|was| old_named.get(*were.get(was)?)) {
                    Some(was) => was.qualified.clone(),
                    None => format!("{key}[+{turn}]"),
                };
                if item == at { names.push(name) } else { drop(of_items.insert(item, name)) }
            }
        }
        if names.len() == at {
            names.push(own);
        }
    }
    names
}

/// Returns the qualified name of the list that an item is of: what comes before its number.
fn list_of<'n>(item: &'n Named<'_>) -> &'n str {
    item.qualified.rfind('[').map_or("", |at| &item.qualified[..at])
}

/// Returns for each new text which old one it is: the same, else the first that is much like it.
fn paired(old: &[Vec<u8>], new: &[Vec<u8>]) -> Vec<Option<usize>> {
    let mut same: HashMap<&[u8], VecDeque<usize>> = HashMap::new();
    for (at, text) in old.iter().enumerate() {
        same.entry(text).or_default().push_back(at);
    }
    let mut pairs: Vec<Option<usize>> =
        new.iter().map(|text| same.get_mut(text.as_slice()).and_then(VecDeque::pop_front)).collect();
    let taken: HashSet<usize> = pairs.iter().flatten().copied().collect();
    let mut left: Vec<usize> = (0..old.len()).filter(|at| !taken.contains(at)).collect();
    let unpaired = || pairs.iter().zip(new).filter(|(pair, _)| pair.is_none());
    let bytes: usize = left.iter().map(|&at| old[at].len()).chain(unpaired().map(|(_, text)| text.len())).sum();
    let are_few = left.len() * unpaired().count() <= MOST_PAIRS && bytes <= MOST_BYTES;
    let mut in_order = if are_few { Vec::new() } else { std::mem::take(&mut left) }.into_iter();
    for (pair, text) in pairs.iter_mut().zip(new).filter(|(pair, _)| pair.is_none()) {
        let alike = left.iter().position(|&was| diff::similarity(&old[was], text) >= LEAST_ALIKE);
        *pair = alike.map(|at| left.remove(at)).or_else(|| in_order.next());
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_told_by_what_they_say() {
        let check = |old: &[&str], new: &[&str], expected: &[Option<usize>]| {
            let texts = |side: &[&str]| side.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
            assert_eq!(paired(&texts(old), &texts(new)), expected, "{old:?} {new:?}");
        };
        check(&["a", "b", "c"], &["a", "c"], &[Some(0), Some(2)]);
        check(&["a", "b", "c"], &["c", "a", "b"], &[Some(2), Some(0), Some(1)]);
        check(&["a", "a"], &["a", "a", "a"], &[Some(0), Some(1), None]);
        let (checkout, newer) = ("uses: actions/checkout@v3\n", "uses: actions/checkout@v4\n");
        check(&[checkout, "run: x\n"], &[newer, "run: x\n"], &[Some(0), Some(1)]);
        check(
            &["name: Lint\nrun: make lint\n", "name: Test\nrun: make test\n"],
            &["name: Test\nrun: make test\n", "name: New\nrun: new\n"],
            &[Some(1), None],
        );
    }
}
