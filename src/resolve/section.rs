//! Finds a Markdown section by its heading, and gives each section the address that finds it again.
//!
//! A heading is looked for three times, and the first that finds anything decides: its title to the letter, its title
//! loosely (runs of white space alike, a closing `#` overlooked), and, when it ends in `[n]`, the n-th of those that
//! its title without `[n]` finds loosely. A title that really ends in `[2]` is thus always found as it stands.
//!
//! Invariant: an address parses to a selector that finds its section and no other.

use std::collections::BTreeMap;

use super::lookup::Lookup;
use super::named::Named;
use crate::diagnostic::nearest;
use crate::manifest::{HeadingSelector, SectionSelector};
use crate::syntax::{Kind, Symbol};

/// Returns the one section that `selector` names among `named`, or what was found instead.
///
/// Of a list, each heading is looked for inside of the sections that the one ahead of it found, at any depth.
pub fn find<'n, 'a>(named: &'n [Named<'a>], selector: &SectionSelector) -> Lookup<&'n Named<'a>> {
    let mut pool = sections(named);
    let mut found = Vec::new();
    for heading in &selector.path {
        found = matching(named, &pool, heading);
        if found.is_empty() {
            return Lookup::Missing { nearest: near(named, &pool, heading) };
        }
        pool = inside(named, &found);
    }
    match found[..] {
        [] => Lookup::Missing { nearest: Vec::new() },
        [only] => Lookup::Found(&named[only]),
        _ => Lookup::Ambiguous { candidates: found.iter().map(|&at| (named[at].address(), &named[at])).collect() },
    }
}

fn sections(named: &[Named<'_>]) -> Vec<usize> {
    (0..named.len()).filter(|&at| named[at].symbol.kind == Kind::Section).collect()
}

/// Returns the sections inside of any of `around`, at any depth. Parents stand ahead of their children.
fn inside(named: &[Named<'_>], around: &[usize]) -> Vec<usize> {
    let mut marked = vec![false; named.len()];
    let mut found = Vec::new();
    for at in sections(named) {
        let within = named[at].parent.is_some_and(|parent| marked[parent]);
        if within {
            found.push(at);
        }
        marked[at] = within || around.binary_search(&at).is_ok();
    }
    found
}

/// Returns those of `pool` that the heading names, in file order.
fn matching(named: &[Named<'_>], pool: &[usize], heading: &HeadingSelector) -> Vec<usize> {
    let of_level = |at: &usize| heading.level.is_none_or(|level| level == named[*at].symbol.level);
    let fitting = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        pool.iter().copied().filter(of_level).filter(|&at| fits(&named[at].symbol.name)).collect()
    };
    let literal = fitting(&|name| name == heading.title);
    if !literal.is_empty() {
        return literal;
    }
    let loose = fitting(&|name| words(name).eq(words(&heading.title)));
    if !loose.is_empty() {
        return loose;
    }
    let Some((title, index)) = split_index(heading) else { return Vec::new() };
    fitting(&|name| words(name).eq(words(title))).get(index - 1).copied().into_iter().collect()
}

/// Returns title and 1-based index of a heading that ends in `[n]`. With markers the title may be empty, as headings may.
fn split_index(heading: &HeadingSelector) -> Option<(&str, usize)> {
    let untitled = || {
        let digits = heading.title.strip_prefix('[')?.strip_suffix(']')?;
        let index = digits.parse().ok().filter(|&index: &usize| index > 0)?;
        heading.level.map(|_| ("", index))
    };
    heading.split_index().or_else(untitled)
}

/// Returns the words of a title as loose comparison sees them.
fn words(title: &str) -> impl Iterator<Item = &str> {
    let apart = |character: char| character.is_whitespace() || character.is_control();
    let open = title.trim_end_matches(apart).trim_end_matches('#');
    let closed = open.is_empty() || open.ends_with(apart);
    (if closed { open } else { title }).split(apart).filter(|word| !word.is_empty())
}

/// Returns what two headings have in common when one address without `[n]` would mean both.
pub(super) fn key(section: &Symbol) -> String {
    heading(section.level, &words(&section.name).collect::<Vec<_>>().join(" "))
}

/// Returns the address of a section, the `index`-th of `taken[key]` with its key.
pub(super) fn address(section: &Symbol, index: usize, taken: &BTreeMap<String, usize>) -> String {
    let key = key(section);
    let untitled = words(&section.name).next().is_none();
    if !untitled && taken.get(&key).is_none_or(|&twins| twins < 2) {
        let pasteable = !section.name.contains(char::is_control);
        return if pasteable { heading(section.level, &section.name) } else { key };
    }
    // A title may stand in the file that reads like this address; a number with zeros in front reads the same.
    let numbered = |zeros: usize| format!("{key}[{:0>1$}{index}]", "", zeros);
    (0..taken.len()).map(numbered).find(|address| !taken.contains_key(address)).unwrap_or_else(|| numbered(taken.len()))
}

fn heading(level: u8, title: &str) -> String {
    format!("{} {title}", "#".repeat(usize::from(level)))
}

/// Returns addresses that the caller may have meant: the same title elsewhere or at another level, titles spelled nearly
/// so, titles that hold this one; those of `pool` ahead of the others.
fn near(named: &[Named<'_>], pool: &[usize], heading: &HeadingSelector) -> Vec<String> {
    const MOST: usize = 5;
    /// Longest title in bytes for which spellings are compared; the comparison takes time for each pair of letters.
    const LONGEST: usize = 256;
    let title = split_index(heading).map_or(heading.title.as_str(), |(title, _)| title);
    let mut near: Vec<usize> = Vec::new();
    for pool in [pool, &sections(named)] {
        let name = |at: &usize| named[*at].symbol.name.as_str();
        near.extend(pool.iter().filter(|at| words(name(at)).eq(words(title))));
        if title.len() <= LONGEST {
            let comparable = pool.iter().map(name).filter(|name| name.len() <= LONGEST);
            let spelled = nearest(title, comparable, MOST);
            near.extend(spelled.iter().flat_map(|word| pool.iter().filter(|at| name(at) == *word)));
        }
        near.extend(pool.iter().filter(|at| holds(name(at), title)));
    }
    let mut addresses: Vec<String> = Vec::new();
    for at in near {
        let address = named[at].address();
        if addresses.len() < MOST && !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

/// Says whether one title holds the words of the other, in a row.
fn holds(name: &str, title: &str) -> bool {
    let fold = |text: &str| format!(" {} ", words(text).collect::<Vec<_>>().join(" ").to_lowercase());
    let (name, title) = (fold(name), fold(title));
    let (short, long) = if name.len() < title.len() { (name, title) } else { (title, name) };
    short.len() > 4 && long.contains(&short)
}
