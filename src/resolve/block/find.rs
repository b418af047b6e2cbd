//! Finding: the block that a selector names, with the nearest names if there is none.

use super::model::Block;
use crate::diagnostic::nearest;
use crate::manifest::{BlockSelector, SectionSelector, SymbolSelector};
use crate::resolve::lookup::Lookup;
use crate::resolve::named::Definition;
use crate::resolve::{Reading, section, symbol};

/// What a name turned out to be.
#[derive(Clone, Copy, Debug)]
pub enum BlockOrDefinition<'r, 'd> {
    /// A block.
    Block(&'r Block),
    /// What else goes by that name.
    Named(&'r Definition<'d>),
}

/// Returns what `selector` names in the file, or what was found instead.
pub fn find<'r, 'd>(
    reading: &'r Reading<'d>,
    selector: &BlockSelector,
) -> Lookup<BlockOrDefinition<'r, 'd>> {
    let list = &reading.blocks().list;
    let called = |name: &str| {
        list.iter()
            .filter(|block| block.name == name)
            .collect::<Vec<_>>()
    };
    let literal = called(&selector.name);
    match (literal.as_slice(), selector.split_index()) {
        (&[only], _) => return Lookup::Found(BlockOrDefinition::Block(only)),
        ([], Some((name, index))) => {
            if let Some(&nth) = index
                .checked_sub(1)
                .and_then(|at| called(name).get(at).copied())
                .as_ref()
            {
                return Lookup::Found(BlockOrDefinition::Block(nth));
            }
        }
        ([], None) => {}
        (several, _) => {
            let candidate =
                |block: &&'r Block| (block.address.clone(), BlockOrDefinition::Block(block));
            return Lookup::Ambiguous {
                candidates: several.iter().map(candidate).collect(),
            };
        }
    }
    match by_name(reading, selector) {
        Some(Lookup::Found(named)) => Lookup::Found(BlockOrDefinition::Named(named)),
        Some(Lookup::Ambiguous { candidates }) => Lookup::Ambiguous {
            candidates: candidates
                .into_iter()
                .map(|(address, named)| (address, BlockOrDefinition::Named(named)))
                .collect(),
        },
        Some(Lookup::Missing { nearest }) => Lookup::Missing {
            nearest: near(list, selector, nearest),
        },
        None => Lookup::Missing {
            nearest: near(list, selector, Vec::new()),
        },
    }
}

/// Looks for the definition or the section of that name.
fn by_name<'r, 'd>(
    reading: &'r Reading<'d>,
    selector: &BlockSelector,
) -> Option<Lookup<&'r Definition<'d>>> {
    reading.document.language?;
    let sections = reading
        .named()
        .iter()
        .any(|named| !crate::resolve::is_code(named.symbol.kind));
    if sections {
        let selector = SectionSelector::parse(&selector.name).ok()?;
        return Some(section::find(reading.named(), &selector));
    }
    let selector = SymbolSelector::parse(&selector.name).ok()?;
    Some(symbol::find(
        reading.register(),
        &selector,
        None,
        &reading.document.bytes,
    ))
}

/// Returns addresses that the caller may have meant: blocks spelled nearly so, then what else is.
fn near(list: &[Block], selector: &BlockSelector, others: Vec<String>) -> Vec<String> {
    const MOST: usize = 5;
    /// Longest name in bytes for which spellings are compared.
    const LONGEST: usize = 256;
    let name = selector
        .split_index()
        .map_or(selector.name.as_str(), |(name, _)| name);
    let comparable = list
        .iter()
        .map(|block| block.name.as_str())
        .filter(|name| name.len() <= LONGEST);
    let spelled = if name.len() <= LONGEST {
        nearest(name, comparable, MOST)
    } else {
        Vec::new()
    };
    let blocks = spelled
        .iter()
        .flat_map(|word| list.iter().filter(|block| block.name == **word));
    let mut addresses: Vec<String> = Vec::new();
    for address in blocks.map(|block| block.address.clone()).chain(others) {
        if addresses.len() < MOST && !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}
