//! The edited file, read again: every entry but those that were asked for holds what it held.

use super::Site;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::edit::{Edit, What};
use crate::plan::overlap;
use crate::syntax::keys::{Step, Tree};

/// What was asked for.
pub enum Change {
    /// The site's value.
    Replaced,
    /// The site is gone.
    Deleted,
    /// Entries inside of the site.
    Added {
        /// The place of the first among those that the site holds.
        position: usize,
        /// What they are called; of items only how many there are counts.
        steps: Vec<Step>,
    },
}

/// An entry that holds no others, by its way and its bytes.
type Leaf = (Vec<Step>, Vec<u8>);

/// Refuses edits that would change any entry but those that `change` names. A file that does not parse afterwards is for
/// the syntax check to refuse, which names the place.
pub fn check(site: &Site<'_>, edits: &[What], change: &Change) -> Result<(), Diagnostic> {
    let own: Vec<Edit> = edits.iter().map(|what| Edit { operation: 0, what: what.clone() }).collect();
    let splices = overlap::compose(site.document, &own, &[]).map_err(|mut clashes| {
        clashes.pop().unwrap_or_else(|| Diagnostic::new(Code::Unsupported, "the edit gets in its own way"))
    })?;
    let after = splices.apply(site.bytes());
    let Ok(new) = site.format.tree(&after) else { return Ok(()) };
    let (before, now) = (leaves(site.tree, site.bytes()), leaves(&new, &after));
    let path = way(site.tree, site.at);
    let (before, now) = match change {
        Change::Replaced => {
            if !now.iter().any(|(way, _)| way.starts_with(&path))
                && !before.iter().all(|(way, _)| !way.starts_with(&path))
            {
                return Err(changed(site, &path));
            }
            (outside(before, &path), outside(now, &path))
        }
        Change::Deleted => {
            let holder = &path[..path.len().saturating_sub(1)];
            let rest = before.into_iter().filter(|(way, _)| !way.starts_with(&path));
            let rest = rest.map(|(way, bytes)| (moved_up(way, &path, 1), bytes)).collect();
            (without(rest, holder), without(now, holder))
        }
        Change::Added { position, steps } => {
            let added = |way: &[Step]| match way.get(path.len()) {
                Some(Step::Item(number)) if way.starts_with(&path) => {
                    (*position..position + steps.len()).contains(number)
                }
                Some(step) if way.starts_with(&path) => steps.contains(step),
                Some(_) | None => false,
            };
            let mut first = path.clone();
            first.push(Step::Item(*position));
            let rest = now.into_iter().filter(|(way, _)| !added(way));
            let rest = rest.map(|(way, bytes)| (moved_up(way, &first, steps.len()), bytes)).collect();
            (without(before, &path), without(rest, &path))
        }
    };
    compare(site, before, now)
}

fn compare(site: &Site<'_>, mut before: Vec<Leaf>, mut now: Vec<Leaf>) -> Result<(), Diagnostic> {
    before.sort();
    now.sort();
    if before == now {
        return Ok(());
    }
    let differs = before.iter().find(|leaf| now.binary_search(leaf).is_err());
    let differs = differs.or_else(|| now.iter().find(|leaf| before.binary_search(leaf).is_err()));
    Err(changed(site, differs.map_or(&[][..], |(way, _)| way)))
}

fn changed(site: &Site<'_>, way: &[Step]) -> Diagnostic {
    let mut address = String::new();
    // The first step is the document's number.
    way.iter().skip(1).for_each(|step| step.write_to(&mut address));
    let message = format!("the edit would change `{}` of {} too", shown(&address), site.document.path);
    Diagnostic::new(Code::InventoryChanged, message)
        .note("a quote or a bracket in the content may not be closed, or it holds more than one entry")
}

/// Returns the way to an entry with its document's number ahead.
fn way(tree: &Tree, at: usize) -> Vec<Step> {
    let mut way: Vec<Step> = tree.upwards(at).filter_map(|at| Some(tree.get(at)?.step.clone())).collect();
    way.reverse();
    way
}

fn leaves(tree: &Tree, bytes: &[u8]) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    let mut open: Vec<(usize, Vec<Step>)> = tree.roots.iter().map(|&root| (root, Vec::new())).collect();
    while let Some((at, mut way)) = open.pop() {
        let Some(entry) = tree.get(at) else { continue };
        way.push(entry.step.clone());
        if entry.children.is_empty() {
            let properties = entry.anchor.as_ref().map_or("", |anchor| anchor.name.as_str());
            let value = if entry.regions.is_empty() { entry.value.of(bytes) } else { b"" };
            leaves.push((way, [properties.as_bytes(), b" ", value].concat()));
        } else {
            open.extend(entry.children.iter().map(|&child| (child, way.clone())));
        }
    }
    leaves
}

fn outside(leaves: Vec<Leaf>, path: &[Step]) -> Vec<Leaf> {
    leaves.into_iter().filter(|(way, _)| !way.starts_with(path)).collect()
}

fn without(leaves: Vec<Leaf>, path: &[Step]) -> Vec<Leaf> {
    leaves.into_iter().filter(|(way, _)| way != path).collect()
}

/// Returns a way as it is once `count` items are gone, the first of them at `gone`.
fn moved_up(mut way: Vec<Step>, gone: &[Step], count: usize) -> Vec<Step> {
    let Some((Step::Item(first), holder)) = gone.split_last() else { return way };
    if way.starts_with(holder)
        && let Some(Step::Item(number)) = way.get_mut(holder.len())
        && *number >= *first
    {
        *number = number.saturating_sub(count);
    }
    way
}
