//! The edited file, read again: what was asked for stands at its address, and all else says what it said.

use super::meaning::Node;
use super::{Planned, Site};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::edit::{Deletion, Edit, Insertion, What};
use crate::plan::overlap;
use crate::resolve::Document;
use crate::syntax::keys::{KeyFormat, KeySegment, Tree};
use crate::syntax::toml;

/// What an operation asks for, in entries of one tree.
#[derive(Clone, Debug)]
pub enum Change {
    /// The entry has another value.
    Replaced {
        /// The entry.
        at: usize,
        /// What its value says then.
        value: Node,
    },
    /// The entry is gone.
    Deleted {
        /// The entry.
        at: usize,
    },
    /// Entries inside of one.
    Added {
        /// What holds them.
        holder: usize,
        /// The place of the first among those that the holder has.
        place: usize,
        /// What they are called and say.
        new: Vec<Node>,
    },
}

impl Change {
    /// Returns the entry that the change is of: what changes, or what holds what is new.
    pub fn at(&self) -> usize {
        match self {
            Change::Replaced { at, .. } | Change::Deleted { at } => *at,
            Change::Added { holder, .. } => *holder,
        }
    }

    /// Returns when the change is made: what goes away is there for others to stand beside until then.
    pub fn turn(&self) -> (u8, std::cmp::Reverse<usize>) {
        match self {
            Change::Replaced { .. } => (0, std::cmp::Reverse(0)),
            Change::Added { .. } => (1, std::cmp::Reverse(0)),
            // From the bottom up, so that the last of several is the first in the file.
            Change::Deleted { at } => (2, std::cmp::Reverse(*at)),
        }
    }

    /// Makes `file` say what the change asks for. `tree` is the one that the change is in.
    pub fn make(&self, file: &mut Node, tree: &Tree) {
        let way = way_to(tree, self.at());
        match self {
            Change::Replaced { value, .. } => {
                if let Some(node) = file.find(&way) {
                    node.becomes(value.clone());
                }
            }
            Change::Added { place, new, .. } => {
                // Ahead of the entry that stood there, behind what came there before.
                let next = tree
                    .get(self.at())
                    .and_then(|holder| holder.children.get(*place))
                    .copied();
                if let Some(node) = file.find(&way) {
                    let place = node
                        .children
                        .iter()
                        .position(|child| next.is_some() && child.origin == next);
                    let place = place.unwrap_or(node.children.len());
                    node.take(place, new.iter().cloned().map(Node::added).collect());
                }
            }
            Change::Deleted { .. } => remove(file, &way),
        }
    }
}

/// Returns the entries on the way from a document to the entry.
pub fn way_to(tree: &Tree, at: usize) -> Vec<usize> {
    let mut way: Vec<usize> = tree.upwards(at).collect();
    way.reverse();
    way
}

/// Takes a node away, and what was written of nothing but it.
fn remove(file: &mut Node, way: &[usize]) {
    let Some((last, around)) = way.split_last() else {
        return;
    };
    let Some(holder) = file.find(around) else {
        return;
    };
    holder.children.retain(|child| child.origin != Some(*last));
    if holder.children.is_empty() && holder.implied {
        remove(file, around);
    }
}

/// Returns the edits of one operation, or others that make of the file what they are to make of it; refuses where there are none.
pub fn proved(site: &Site<'_>, planned: Planned) -> Result<Planned, Diagnostic> {
    let Planned { edits, change } = planned;
    if let Some(why) = edited(site.document, &edits)
        .ok()
        .and_then(|after| newer(site, &after))
    {
        let message = format!("the content is of TOML 1.1, and the file is not: {why}");
        return Err(Diagnostic::new(Code::SyntaxError, message)
            .note("write it as TOML 1.0 has it; `text`, `pattern` and `lines` take it as it is"));
    }
    if holds(site, &edits, &change) {
        return Ok(Planned { edits, change });
    }
    if site.format == KeyFormat::Yaml {
        // Blank lines may be those of a block of text above, which also says a line ending less where the file ends in it
        // without one.
        let bare: Vec<What> = edits.iter().cloned().map(without_gap).collect();
        let ended = |edits: &[What]| {
            let end = Insertion {
                at: site.bytes().len(),
                content: site.ending(),
                ..Insertion::default()
            };
            edits
                .iter()
                .cloned()
                .chain([What::Insert(end)])
                .collect::<Vec<_>>()
        };
        for other in [ended(&edits), ended(&bare), bare] {
            if holds(site, &other, &change) {
                return Ok(Planned {
                    edits: other,
                    change,
                });
            }
        }
    }
    check(site, &edits, &change)?;
    Ok(Planned { edits, change })
}

/// Says why `after` is of TOML 1.1, which not every reader knows, where the file is not.
pub fn newer(site: &Site<'_>, after: &[u8]) -> Option<&'static str> {
    let newer = |bytes: &[u8]| std::str::from_utf8(bytes).ok().and_then(toml::newer);
    if site.format != KeyFormat::Toml {
        return None;
    }
    newer(after).filter(|_| newer(site.bytes()).is_none())
}

fn without_gap(what: What) -> What {
    match what {
        What::DeleteLines(deletion) => What::DeleteLines(Deletion {
            mends_gap: false,
            ..deletion
        }),
        What::Replace(_) | What::Insert(_) => what,
    }
}

/// Refuses edits that would make anything else of the file than `change` asks for. A file that does not parse afterwards is
/// for the syntax check to refuse, which names the place.
fn check(site: &Site<'_>, edits: &[What], change: &Change) -> Result<(), Diagnostic> {
    let after = edited(site.document, edits)?;
    let Ok(new) = site.format.tree(&after) else {
        return Ok(());
    };
    let wanted = wanted(site.tree, site.bytes(), [change]);
    let now = Node::of_file(&new, &after);
    wanted
        .difference(&now, site.format)
        .map_or(Ok(()), |way| Err(changed(site.document, &way, change)))
}

/// Returns what a file is to say once all changes are made: values first, what goes away last.
pub fn wanted<'c>(
    tree: &Tree,
    bytes: &[u8],
    changes: impl IntoIterator<Item = &'c Change>,
) -> Node {
    let mut changes: Vec<&Change> = changes.into_iter().collect();
    changes.sort_by_key(|change| change.turn());
    let mut file = Node::of_file(tree, bytes);
    changes
        .iter()
        .for_each(|change| change.make(&mut file, tree));
    file
}

/// Returns the file that the edits make.
fn edited(document: &Document, edits: &[What]) -> Result<Vec<u8>, Diagnostic> {
    let own: Vec<Edit> = edits
        .iter()
        .map(|what| Edit {
            operation: 0,
            what: what.clone(),
        })
        .collect();
    let splices = overlap::compose(document, &own, &[]).map_err(|mut clashes| {
        clashes
            .pop()
            .unwrap_or_else(|| Diagnostic::new(Code::Unsupported, "the edit gets in its own way"))
    })?;
    Ok(splices.apply(&document.bytes))
}

/// Says whether the edits make of the file what the change asks for.
fn holds(site: &Site<'_>, edits: &[What], change: &Change) -> bool {
    let parses = edited(site.document, edits).is_ok_and(|after| site.format.tree(&after).is_ok());
    parses && check(site, edits, change).is_ok()
}

/// Refuses what would make something else of the file at `way`.
pub fn changed(document: &Document, way: &[KeySegment], change: &Change) -> Diagnostic {
    let mut address = String::new();
    // The first step is the document's number.
    way.iter()
        .skip(1)
        .for_each(|step| step.write_to(&mut address));
    let place = if address.is_empty() {
        "the top".to_owned()
    } else {
        format!("`{}`", shown(&address))
    };
    let message = format!(
        "the edit would make something else of {place} in {}",
        document.path
    );
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message);
    match change {
        Change::Deleted { .. } => {
            diagnostic.note("`text`, `pattern` and `lines` delete what stands there to the letter")
        }
        Change::Replaced { .. } | Change::Added { .. } => diagnostic
            .note("the content seems to leave a quote or a bracket open, or its lines cannot stand there as they are"),
    }
}

/// Says whether two texts of the format say the same.
pub fn say_the_same(format: KeyFormat, one: (&Tree, &[u8]), other: (&Tree, &[u8])) -> bool {
    Node::of_file(one.0, one.1).means(&Node::of_file(other.0, other.1), format)
}
