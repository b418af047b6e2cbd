//! `Planned`: the edits of one entry, and what they are to make of it.

use super::meaning::KeyedValue;
use crate::plan::edit::EditKind;
use crate::syntax::keys::Tree;

/// The edits of one operation, and what they are to make of the file.
pub struct Planned {
    /// The edits.
    pub edits: Vec<EditKind>,
    /// What they come to.
    pub change: KeyChange,
}

/// What an operation does to its target.
#[derive(Clone, Debug)]
pub struct TargetEdits {
    /// The edits.
    pub edits: Vec<EditKind>,
    /// What they come to in the entries of a configuration file, if the target is one.
    pub change: Option<KeyChange>,
}

impl From<Planned> for TargetEdits {
    fn from(planned: Planned) -> TargetEdits {
        TargetEdits {
            edits: planned.edits,
            change: Some(planned.change),
        }
    }
}

impl From<Vec<EditKind>> for TargetEdits {
    fn from(edits: Vec<EditKind>) -> TargetEdits {
        TargetEdits {
            edits,
            change: None,
        }
    }
}

/// What an operation asks for, in entries of one tree.
#[derive(Clone, Debug)]
pub enum KeyChange {
    /// The entry has another value.
    Replaced {
        /// The entry.
        at: usize,
        /// What its value says then.
        value: KeyedValue,
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
        new: Vec<KeyedValue>,
    },
}

impl KeyChange {
    /// Returns the entry that the change is of: what changes, or what holds what is new.
    pub fn at(&self) -> usize {
        match self {
            KeyChange::Replaced { at, .. } | KeyChange::Deleted { at } => *at,
            KeyChange::Added { holder, .. } => *holder,
        }
    }

    /// Returns when the change is made: what goes away is there for others to stand beside until then.
    pub fn turn(&self) -> (u8, std::cmp::Reverse<usize>) {
        match self {
            KeyChange::Replaced { .. } => (0, std::cmp::Reverse(0)),
            KeyChange::Added { .. } => (1, std::cmp::Reverse(0)),
            // From the bottom up, so that the last of several is the first in the file.
            KeyChange::Deleted { at } => (2, std::cmp::Reverse(*at)),
        }
    }

    /// Makes `file` say what the change asks for. `tree` is the one that the change is in.
    pub fn make(&self, file: &mut KeyedValue, tree: &Tree) {
        let way = way_to(tree, self.at());
        match self {
            KeyChange::Replaced { value, .. } => {
                if let Some(node) = file.find(&way) {
                    node.becomes(value.clone());
                }
            }
            KeyChange::Added { place, new, .. } => {
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
                    node.take(place, new.iter().cloned().map(KeyedValue::added).collect());
                }
            }
            KeyChange::Deleted { .. } => remove_from_tree(file, &way),
        }
    }
}

/// Returns the entries on the way from a document to the entry.
pub(super) fn way_to(tree: &Tree, at: usize) -> Vec<usize> {
    let mut way: Vec<usize> = tree.upwards(at).collect();
    way.reverse();
    way
}

/// Takes a node away, and what was written of nothing but it.
fn remove_from_tree(file: &mut KeyedValue, way: &[usize]) {
    let Some((last, around)) = way.split_last() else {
        return;
    };
    let Some(holder) = file.find(around) else {
        return;
    };
    holder.children.retain(|child| child.origin != Some(*last));
    if holder.children.is_empty() && holder.implied {
        remove_from_tree(file, around);
    }
}
