//! Finds a definition by its qualified name.

use super::lookup::Lookup;
use super::named::{Definition, Register, is_code, matches};
use super::overload;
use crate::diagnostic::nearest;
use crate::manifest::SymbolSelector;
use crate::syntax::SegmentKind;

/// Returns the one segment that `selector` names or describes in `register`, that of `source`, narrowed to `kind`, or what was
/// found instead.
pub fn find<'r, 'a>(
    register: &'r Register<'a>,
    selector: &SymbolSelector,
    kind: Option<SegmentKind>,
    source: &[u8],
) -> Lookup<&'r Definition<'a>> {
    let last = selector
        .components
        .last()
        .map_or("", |component| component.name.as_str());
    let mut found = register.called(last);
    found.retain(|candidate| {
        is_code(candidate.symbol.kind)
            && kind.is_none_or(|kind| kind == candidate.symbol.kind)
            && matches(candidate, selector)
    });
    if found.is_empty() {
        found = overload::described(register, selector, kind, source);
    }
    // A method that hands out a field goes by the name of both.
    let is_numbered = selector
        .components
        .last()
        .is_some_and(|last| last.index.is_some());
    if !is_numbered && found.iter().any(|candidate| !candidate.symbol.component) {
        found.retain(|candidate| !candidate.symbol.component);
    }
    match found[..] {
        [] => Lookup::Missing {
            nearest: near_names(register.all(), selector),
        },
        [only] => Lookup::Found(only),
        _ => Lookup::Ambiguous {
            candidates: found
                .into_iter()
                .map(|candidate| (candidate.address(), candidate))
                .collect(),
        },
    }
}

/// Returns the same name at another depth first, then names spelled nearly so, as addresses.
fn near_names(named: &[Definition<'_>], selector: &SymbolSelector) -> Vec<String> {
    const MOST: usize = 5;
    let code = || {
        named
            .iter()
            .filter(|candidate| is_code(candidate.symbol.kind))
    };
    // As other languages and tools write it: `A::f`, `A#f`, `f()`.
    let written = selector.to_string();
    let plain = written
        .strip_suffix("()")
        .unwrap_or(&written)
        .replace("::", ".")
        .replace('#', ".");
    let meant = code()
        .filter(|candidate| plain != written && candidate.qualified == plain)
        .map(Definition::address);
    let last = selector
        .components
        .last()
        .map_or("", |component| component.name.as_str());
    let namesakes = code()
        .filter(|candidate| candidate.symbol.name == last)
        .map(Definition::address);
    let mut near: Vec<String> = meant.chain(namesakes).take(MOST).collect();
    let written: Vec<&str> = selector
        .components
        .iter()
        .map(|component| component.name.as_str())
        .collect();
    let whole = nearest(
        &written.join("."),
        code().map(|candidate| candidate.qualified.as_str()),
        MOST,
    );
    let names = nearest(
        last,
        code().map(|candidate| candidate.symbol.name.as_str()),
        MOST,
    );
    let of_names = names
        .iter()
        .flat_map(|name| code().filter(move |candidate| candidate.symbol.name == **name))
        .map(Definition::address);
    let of_whole = whole
        .iter()
        .flat_map(|name| code().filter(move |candidate| candidate.qualified == **name))
        .map(Definition::address);
    for address in of_whole.chain(of_names).collect::<Vec<_>>() {
        if !near.contains(&address) {
            near.push(address);
        }
    }
    near.truncate(MOST);
    near
}
