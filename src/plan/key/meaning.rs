//! What a configuration file says: keys, items and words, whatever they are laid out like.
//!
//! Two files mean the same when nobody who reads them could tell them apart: keys in their order (of TOML in any), words
//! to the letter, tags and anchors where they were. Every node knows which entry of the snapshot it was, so that what an
//! operation named is found again once others were carried out.

use crate::syntax::keys::{CollectionKind, KeyEntry, KeyFormat, KeySegment, Tree, ValueForm};
use crate::text::LineEnding;

/// A value with its key.
#[derive(Clone, Debug)]
pub struct KeyedValue {
    /// Its key; of an item and of a document nothing.
    pub key: Option<String>,
    /// Its number in the tree that it was read from.
    pub at: usize,
    /// Its number in the tree of the snapshot; what was added has none.
    pub origin: Option<usize>,
    /// What it goes away without: a TOML table that only what it holds is written of.
    pub implied: bool,
    says: Says,
    pub children: Vec<KeyedValue>,
}

/// A value without what it holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Says {
    anchor: String,
    tag: Vec<u8>,
    kind: ValueKind,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ValueKind {
    Map,
    List,
    /// To the letter.
    Word(Vec<u8>),
    /// A text that is laid out over several lines, in quotes or a block and so nothing but text, or without.
    Text(bool, String),
}

impl KeyedValue {
    /// Returns what all documents of a file say, as a list.
    pub fn of_file(tree: &Tree, bytes: &[u8]) -> KeyedValue {
        let children = tree
            .roots
            .iter()
            .filter_map(|&root| KeyedValue::of(tree, bytes, root))
            .collect();
        let says = Says {
            anchor: String::new(),
            tag: Vec::new(),
            kind: ValueKind::List,
        };
        KeyedValue {
            key: None,
            at: usize::MAX,
            origin: None,
            implied: false,
            says,
            children,
        }
    }

    /// Returns what an entry says, with all that it holds.
    pub fn of(tree: &Tree, bytes: &[u8], at: usize) -> Option<KeyedValue> {
        let entry = tree.get(at)?;
        let key = match &entry.step {
            KeySegment::Key(key) => Some(key.clone()),
            KeySegment::Item(_) => None,
        };
        let children = entry
            .children
            .iter()
            .filter_map(|&child| KeyedValue::of(tree, bytes, child))
            .collect();
        let implied = matches!(entry.form, ValueForm::Implied | ValueForm::Tables);
        Some(KeyedValue {
            key,
            at,
            origin: Some(at),
            implied,
            says: Says::of(entry, bytes),
            children,
        })
    }

    /// Returns the node as one that no entry of the snapshot is.
    pub fn added(mut self) -> KeyedValue {
        self.origin = None;
        self.children = self.children.into_iter().map(KeyedValue::added).collect();
        self
    }

    /// Gives the value another meaning; the key stays, and the anchor unless the new value has one.
    pub fn becomes(&mut self, value: KeyedValue) {
        let anchor = std::mem::take(&mut self.says.anchor);
        let value = value.added();
        (self.says, self.children, self.implied) = (value.says, value.children, value.implied);
        if self.says.anchor.is_empty() {
            self.says.anchor = anchor;
        }
    }

    /// Says whether the two mean the same.
    pub fn means(&self, other: &KeyedValue, format: KeyFormat) -> bool {
        self.difference(other, format).is_none()
    }

    /// Returns the way to the first node that is not the same in both.
    pub fn difference(&self, other: &KeyedValue, format: KeyFormat) -> Option<Vec<KeySegment>> {
        if self.says != other.says {
            return Some(Vec::new());
        }
        let (mine, theirs) = (self.in_order(format), other.in_order(format));
        for number in 0..mine.len().max(theirs.len()) {
            let (one, two) = (mine.get(number), theirs.get(number));
            let step = one.or(two).map(|node| node.step(number));
            let deeper = match (one, two) {
                (Some(one), Some(two)) if one.key == two.key => one.difference(two, format),
                _ => Some(Vec::new()),
            };
            if let Some(way) = deeper {
                return Some(step.into_iter().chain(way).collect());
            }
        }
        None
    }

    fn step(&self, number: usize) -> KeySegment {
        self.key
            .clone()
            .map_or(KeySegment::Item(number), KeySegment::Key)
    }

    /// Returns what it holds; in TOML keys are in no order.
    fn in_order(&self, format: KeyFormat) -> Vec<&KeyedValue> {
        let mut children: Vec<&KeyedValue> = self.children.iter().collect();
        if format == KeyFormat::Toml && self.says.kind == ValueKind::Map {
            children.sort_by(|one, other| one.key.cmp(&other.key));
        }
        children
    }

    /// Tells each node of this, which means the same as `known`, which entry of the snapshot it was.
    pub fn recognise(&mut self, known: &KeyedValue, format: KeyFormat) {
        self.origin = known.origin;
        if format == KeyFormat::Toml && self.says.kind == ValueKind::Map {
            for child in &mut self.children {
                if let Some(twin) = known.children.iter().find(|twin| twin.key == child.key) {
                    child.recognise(twin, format);
                }
            }
            return;
        }
        for (child, twin) in self.children.iter_mut().zip(&known.children) {
            child.recognise(twin, format);
        }
    }

    /// Returns the node that the last of these entries of the snapshot is, on the way from the top.
    pub fn find(&mut self, way: &[usize]) -> Option<&mut KeyedValue> {
        let mut node = self;
        for &origin in way {
            node = node
                .children
                .iter_mut()
                .find(|child| child.origin == Some(origin))?;
        }
        Some(node)
    }

    /// Takes up another node's entries at `place`; tables of TOML that are in both become one.
    pub fn take(&mut self, place: usize, new: Vec<KeyedValue>) {
        if self.children.is_empty() && matches!(self.says.kind, ValueKind::Word(_)) {
            let keyed = new.first().is_some_and(|node| node.key.is_some());
            self.says.kind = if keyed {
                ValueKind::Map
            } else {
                ValueKind::List
            };
        }
        let mut place = place.min(self.children.len());
        for node in new {
            let twin = self
                .children
                .iter()
                .position(|child| node.implied && child.key == node.key);
            let Some(twin) = twin.filter(|&twin| self.children[twin].says == node.says) else {
                self.children.insert(place, node);
                place += 1;
                continue;
            };
            let inner = &mut self.children[twin];
            let end = if twin < place {
                inner.children.len()
            } else {
                0
            };
            inner.take(end, node.children);
        }
    }

    /// Returns what its children at the end of the way say: of a list with one item on the way, that item.
    pub fn at_way(mut self, way: &[&KeySegment]) -> Option<KeyedValue> {
        for step in way {
            match step {
                KeySegment::Key(key) => {
                    self = self
                        .children
                        .into_iter()
                        .find(|child| child.key.as_ref() == Some(key))?;
                }
                KeySegment::Item(_) if self.says.kind == ValueKind::List => {
                    self = self.children.into_iter().next()?
                }
                // A header names no number.
                KeySegment::Item(_) => {}
            }
        }
        Some(self)
    }

    /// Says whether it is a list.
    pub fn is_list(&self) -> bool {
        self.says.kind == ValueKind::List
    }
}

impl Says {
    fn of(entry: &KeyEntry, bytes: &[u8]) -> Says {
        let anchor = entry
            .anchor
            .as_ref()
            .map(|anchor| anchor.name.clone())
            .unwrap_or_default();
        let tag = entry.tag.map_or(&b""[..], |tag| tag.of(bytes)).to_vec();
        let kind = match (entry.sort(), &entry.text) {
            (Some(CollectionKind::Map), _) => ValueKind::Map,
            (Some(CollectionKind::List), _) => ValueKind::List,
            (None, Some(text)) => {
                let quoted = matches!(
                    entry.value.of(bytes).first(),
                    Some(b'"' | b'\'' | b'|' | b'>')
                );
                ValueKind::Text(quoted, text.clone())
            }
            (None, None) => {
                ValueKind::Word(LineEnding::Lf.write(entry.value.of(bytes)).into_owned())
            }
        };
        Says { anchor, tag, kind }
    }
}
