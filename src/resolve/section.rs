//! Finds a Markdown section by its heading.

use super::lookup::Lookup;
use super::named::Named;
use crate::manifest::{HeadingSelector, SectionSelector};
use crate::syntax::Kind;

/// Returns the one section that `selector` names among `named`, or what was found instead.
pub fn find<'n, 'a>(named: &'n [Named<'a>], selector: &SectionSelector) -> Lookup<&'n Named<'a>> {
    let mut found: Vec<usize> = Vec::new();
    for (depth, heading) in selector.path.iter().enumerate() {
        let inside = |at: &usize| depth == 0 || found.iter().any(|&around| is_inside(named, *at, around));
        let pool: Vec<usize> =
            (0..named.len()).filter(|&at| named[at].symbol.kind == Kind::Section).filter(inside).collect();
        found = matching(named, &pool, heading);
    }
    match found.as_slice() {
        [] => Lookup::Missing { nearest: Vec::new() },
        [only] => Lookup::Found(&named[*only]),
        several => {
            Lookup::Ambiguous { candidates: several.iter().map(|&at| (named[at].address(), &named[at])).collect() }
        }
    }
}

fn matching(named: &[Named<'_>], pool: &[usize], heading: &HeadingSelector) -> Vec<usize> {
    let of_title = |title: &str| -> Vec<usize> {
        let fits = |at: &&usize| {
            let symbol = named[**at].symbol;
            heading.level.is_none_or(|level| level == symbol.level) && symbol.name == title
        };
        pool.iter().filter(fits).copied().collect()
    };
    let literal = of_title(&heading.title);
    match heading.split_index() {
        Some((title, index)) if literal.is_empty() => of_title(title).get(index - 1).copied().into_iter().collect(),
        _ => literal,
    }
}

fn is_inside(named: &[Named<'_>], at: usize, around: usize) -> bool {
    let mut parent = named[at].parent;
    while let Some(up) = parent {
        if up == around {
            return true;
        }
        parent = named[up].parent;
    }
    false
}
