//! `Named`: a segment with its qualified name and the address that is its alone. `Register`: all those of a file.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::heading;
use crate::manifest::SymbolSelector;
use crate::syntax::{Outline, SegmentKind, Symbol};

/// A segment of an outline, with everything that its address is made of.
#[derive(Clone, Debug)]
pub struct Definition<'a> {
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

impl Definition<'_> {
    /// Returns the address within the file: the qualified name, with `[n]` when it is not alone.
    pub fn address(&self) -> String {
        self.address
            .clone()
            .unwrap_or_else(|| self.qualified.clone())
    }

    /// Returns the same as it stands here.
    pub(super) fn address_within(&self) -> &str {
        self.address.as_deref().unwrap_or(&self.qualified)
    }
}

/// Every segment of a file, and which of them go by a name.
#[derive(Debug)]
pub struct Register<'a> {
    all: Vec<Definition<'a>>,
    by_name: OnceLock<HashMap<&'a str, Vec<usize>>>,
}

impl<'a> Register<'a> {
    /// Returns the register of `outline`.
    pub fn of(outline: &'a Outline) -> Register<'a> {
        Register {
            all: flatten(outline),
            by_name: OnceLock::new(),
        }
    }

    /// Returns all in file order, parents ahead of their children.
    pub fn all(&self) -> &[Definition<'a>] {
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
    pub fn called(&self, name: &str) -> Vec<&Definition<'a>> {
        match self.by_name.get() {
            Some(by_name) => by_name
                .get(name)
                .into_iter()
                .flatten()
                .filter_map(|&at| self.all.get(at))
                .collect(),
            None => self
                .all
                .iter()
                .filter(|named| named.symbol.name == name)
                .collect(),
        }
    }
}

/// Returns every segment of `outline` in file order, parents ahead of their children.
pub fn flatten(outline: &Outline) -> Vec<Definition<'_>> {
    let mut flat = in_file_order(outline);
    // Of each key the number under which it is counted.
    let mut seen: HashMap<heading::HeadingKey<'_>, usize> = HashMap::with_capacity(flat.len());
    let mut counts: Vec<usize> = Vec::with_capacity(flat.len());
    let mut places: Vec<(usize, usize)> = Vec::with_capacity(flat.len());
    for named in &flat {
        let number = *seen.entry(key(named)).or_insert(counts.len());
        if number == counts.len() {
            counts.push(0);
        }
        counts[number] += 1;
        places.push((number, counts[number]));
    }
    let address = |(named, &(number, index)): (&Definition<'_>, &(usize, usize))| match counts
        [number]
    {
        1 if named.symbol.kind == SegmentKind::Section && heading::is_plain(&named.symbol.name) => {
            None
        }
        twins if named.symbol.kind == SegmentKind::Section => {
            Some(heading::address(named.symbol, index, twins, &seen))
        }
        1 => None,
        _ => Some(format!("{}[{index}]", named.qualified)),
    };
    let addresses: Vec<Option<String>> = flat.iter().zip(&places).map(address).collect();
    for (at, ((number, index), address)) in places.into_iter().zip(addresses).enumerate() {
        let (ahead, rest) = flat.split_at_mut(at);
        let Some(named) = rest.first_mut() else { break };
        let around = named_around(ahead, named.parent).filter(|_| is_code(named.symbol.kind));
        let outer = around.map_or(&[][..], |around| &around.components);
        // An owner may be several names with dots between: `namespace A.B.C`.
        let owner = named.symbol.owner.as_deref();
        let owners = || owner.into_iter().flat_map(|owner| owner.split('.'));
        named
            .components
            .reserve_exact(outer.len() + owners().count() + 1);
        named.components.extend_from_slice(outer);
        named.components.extend(owners().map(|owner| (owner, 1)));
        named.components.push((&named.symbol.name, index));
        (named.index, named.twins, named.address) = (index, counts[number], address);
    }
    flat
}

/// Returns the segments with their qualified names and nothing else of what tells them apart.
fn in_file_order(outline: &Outline) -> Vec<Definition<'_>> {
    let mut flat: Vec<Definition<'_>> = Vec::with_capacity(count(&outline.symbols));
    // Children are pushed in reverse, so that the stack hands them out in file order without recursion.
    let mut stack: Vec<(&Symbol, Option<usize>)> = outline
        .symbols
        .iter()
        .rev()
        .map(|symbol| (symbol, None))
        .collect();
    while let Some((symbol, parent)) = stack.pop() {
        let around = named_around(&flat, parent).filter(|_| is_code(symbol.kind));
        let qualified = qualified(symbol, around);
        let at = flat.len();
        flat.push(Definition {
            symbol,
            qualified,
            components: Vec::new(),
            index: 1,
            twins: 1,
            parent,
            address: None,
        });
        stack.extend(symbol.children.iter().rev().map(|child| (child, Some(at))));
    }
    flat
}

/// Returns the innermost of `parent` and those around it that what is inside is named after.
pub(crate) fn named_around<'n, 'a>(
    all: &'n [Definition<'a>],
    parent: Option<usize>,
) -> Option<&'n Definition<'a>> {
    let mut around = all.get(parent?)?;
    while !around.symbol.names_inside {
        around = all.get(around.parent?)?;
    }
    Some(around)
}

/// Returns how many segments these are with all inside of them.
fn count(symbols: &[Symbol]) -> usize {
    let mut stack: Vec<&[Symbol]> = vec![symbols];
    let mut count = 0;
    while let Some(symbols) = stack.pop() {
        count += symbols.len();
        stack.extend(
            symbols
                .iter()
                .map(|symbol| &*symbol.children)
                .filter(|children| !children.is_empty()),
        );
    }
    count
}

/// Says whether segments of this kind are found by `symbol`, and named from the outside in.
pub fn is_code(kind: SegmentKind) -> bool {
    !matches!(
        kind,
        SegmentKind::Section | SegmentKind::Element | SegmentKind::Key
    )
}

/// Returns the qualified name of `symbol`, which is defined in `around`.
fn qualified(symbol: &Symbol, around: Option<&Definition<'_>>) -> String {
    if symbol.kind == SegmentKind::Section {
        return heading::heading(symbol.level, &symbol.name);
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

/// Returns what a segment shares with those that it must be told from by `[n]`.
fn key<'n>(named: &'n Definition<'_>) -> heading::HeadingKey<'n> {
    match named.symbol.kind {
        SegmentKind::Section => heading::key(named.symbol),
        _ => (0, Cow::Borrowed(&named.qualified)),
    }
}

fn push_name(qualified: &mut String, name: &str) {
    if !qualified.is_empty() {
        qualified.push('.');
    }
    qualified.push_str(name);
}

/// Says whether the candidate's qualified name is the selector's, each `[n]` counted among the candidate's namesakes.
pub(super) fn matches(candidate: &Definition<'_>, selector: &SymbolSelector) -> bool {
    let wanted = &selector.components;
    let have = &candidate.components;
    if have.len() < wanted.len() || (!selector.any_depth && have.len() != wanted.len()) {
        return false;
    }
    have[have.len() - wanted.len()..]
        .iter()
        .zip(wanted)
        .all(|((name, index), want)| {
            *name == want.name && want.index.is_none_or(|wanted| wanted == *index)
        })
}
