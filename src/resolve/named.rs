//! `Named`: a segment with its qualified name and the address that is its alone. `Register`: all those of a file.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::section;
use crate::syntax::{Kind, Outline, Symbol};

/// A segment of an outline, with everything that its address is made of.
#[derive(Clone, Debug)]
pub struct Named<'a> {
    /// The segment.
    pub symbol: &'a Symbol,
    /// Qualified name without indices; of a section, its heading with markers.
    pub qualified: String,
    /// Each component of the qualified name, with the 1-based position of the segment it names among those of the
    /// same qualified name.
    pub components: Vec<(&'a str, usize)>,
    /// 1-based position among the segments of the same qualified name, in file order.
    pub index: usize,
    /// How many segments have this qualified name.
    pub twins: usize,
    /// Position of the segment around it in the flattened list.
    pub parent: Option<usize>,
    /// Where that is not the qualified name.
    address: Option<String>,
}

impl Named<'_> {
    /// Returns the address within the file: the qualified name, with `[n]` when it is not alone.
    pub fn address(&self) -> String {
        self.address.clone().unwrap_or_else(|| self.qualified.clone())
    }

    /// Returns the same as it stands here.
    pub(super) fn address_within(&self) -> &str {
        self.address.as_deref().unwrap_or(&self.qualified)
    }
}

/// Every segment of a file, and which of them go by a name.
#[derive(Debug)]
pub struct Register<'a> {
    all: Vec<Named<'a>>,
    by_name: OnceLock<HashMap<&'a str, Vec<usize>>>,
}

impl<'a> Register<'a> {
    /// Returns the register of `outline`.
    pub fn of(outline: &'a Outline) -> Register<'a> {
        Register { all: flatten(outline), by_name: OnceLock::new() }
    }

    /// Returns all in file order, parents ahead of their children.
    pub fn all(&self) -> &[Named<'a>] {
        &self.all
    }

    /// Sorts them by name, which pays where many names will be looked for.
    pub fn sort_by_name(&self) {
        self.by_name.get_or_init(|| {
            let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
            for (at, named) in self.all.iter().enumerate() {
                by_name.entry(&named.symbol.name).or_default().push(at);
            }
            by_name
        });
    }

    /// Returns those whose own name is `name`, in file order.
    pub fn called(&self, name: &str) -> Vec<&Named<'a>> {
        match self.by_name.get() {
            Some(by_name) => by_name.get(name).into_iter().flatten().filter_map(|&at| self.all.get(at)).collect(),
            None => self.all.iter().filter(|named| named.symbol.name == name).collect(),
        }
    }
}

/// Returns every segment of `outline` in file order, parents ahead of their children.
pub fn flatten(outline: &Outline) -> Vec<Named<'_>> {
    let mut flat: Vec<Named<'_>> = Vec::new();
    // Children are pushed in reverse, so that the stack hands them out in file order without recursion.
    let mut stack: Vec<(&Symbol, Option<usize>)> = outline.symbols.iter().rev().map(|symbol| (symbol, None)).collect();
    // Of each key the number under which it is counted.
    let mut seen: HashMap<section::Key<'_>, usize> = HashMap::new();
    let mut counts: Vec<usize> = Vec::new();
    let mut numbers: Vec<usize> = Vec::new();
    while let Some((symbol, parent)) = stack.pop() {
        let around = parent.and_then(|at| flat.get(at)).filter(|_| is_code(symbol.kind));
        let qualified = qualified(symbol, around);
        let number = *seen.entry(key(symbol, &qualified)).or_insert_with(|| {
            counts.push(0);
            counts.len() - 1
        });
        counts[number] += 1;
        numbers.push(number);
        let index = counts[number];
        let ahead = around.map_or(&[][..], |around| &around.components);
        let mut components = Vec::with_capacity(ahead.len() + 2);
        components.extend_from_slice(ahead);
        components.extend(symbol.owner.iter().map(|owner| (owner.as_str(), 1)));
        components.push((symbol.name.as_str(), index));
        let at = flat.len();
        flat.push(Named { symbol, qualified, components, index, twins: 1, parent, address: None });
        stack.extend(symbol.children.iter().rev().map(|child| (child, Some(at))));
    }
    for (named, number) in flat.iter_mut().zip(numbers) {
        named.twins = counts[number];
        named.address = match named.twins {
            1 if named.symbol.kind == Kind::Section && section::is_plain(&named.symbol.name) => None,
            _ if named.symbol.kind == Kind::Section => {
                Some(section::address(named.symbol, named.index, named.twins, &seen))
            }
            1 => None,
            _ => Some(format!("{}[{}]", named.qualified, named.index)),
        };
    }
    flat
}

/// Says whether segments of this kind are found by `symbol`, and named from the outside in.
pub fn is_code(kind: Kind) -> bool {
    !matches!(kind, Kind::Section | Kind::Element | Kind::Key)
}

/// Returns the qualified name of `symbol`, which is defined in `around`.
fn qualified(symbol: &Symbol, around: Option<&Named<'_>>) -> String {
    if symbol.kind == Kind::Section {
        return section::heading(symbol.level, &symbol.name);
    }
    if let Some(address) = &symbol.address {
        return address.clone();
    }
    let around = around.map_or("", |around| &around.qualified);
    let owner = symbol.owner.as_deref().unwrap_or_default();
    let mut qualified = String::with_capacity(around.len() + owner.len() + symbol.name.len() + 2);
    qualified.push_str(around);
    if symbol.owner.is_some() {
        push_name(&mut qualified, owner);
    }
    push_name(&mut qualified, &symbol.name);
    qualified
}

/// Returns what `symbol` shares with those that it must be told from by `[n]`.
fn key<'a>(symbol: &'a Symbol, qualified: &str) -> section::Key<'a> {
    match symbol.kind {
        Kind::Section => section::key(symbol),
        _ if *qualified == symbol.name => (0, Cow::Borrowed(&symbol.name)),
        _ => (0, Cow::Owned(qualified.to_owned())),
    }
}

fn push_name(qualified: &mut String, name: &str) {
    if !qualified.is_empty() {
        qualified.push('.');
    }
    qualified.push_str(name);
}
