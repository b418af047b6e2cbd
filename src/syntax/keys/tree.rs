//! `Tree`: the entries of a configuration file with the places of their keys and values, and the address of each.

use crate::text::Span;

/// The entries of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Parents before their children; those that `roots` names are whole documents.
    pub entries: Vec<KeyEntry>,
    /// The documents.
    pub roots: Vec<usize>,
}

/// A key with its value, an item of a list, or a whole document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// What it is called by what holds it.
    pub step: KeySegment,
    /// What holds it.
    pub parent: Option<usize>,
    /// What it holds, in file order.
    pub children: Vec<usize>,
    /// The key as written, the last one of a dotted key; of an item its marker `-`; `None` where nothing is written.
    pub key: Option<Span>,
    /// From the key (or the table's header, the item's marker) to the end of the value; comments excluded.
    pub span: Span,
    /// Where the value may begin: after the colon, the sign or the marker, and after an anchor and a tag.
    pub lead: usize,
    /// The value without its anchor and tag; empty when none is written.
    pub value: Span,
    /// Comment lines directly above, in file order.
    pub comments: Vec<Span>,
    /// How the value is written.
    pub form: ValueForm,
    /// The tag that the value has, if any.
    pub tag: Option<Span>,
    /// Of a scalar that is written over several lines of YAML: what it says, which its indentation is no part of.
    pub text: Option<String>,
    /// The anchor that the value has, if any.
    pub anchor: Option<Anchor>,
    /// Of an alias: the name of its anchor.
    pub alias: Option<String>,
    /// Of a table: each range that it is written in, all it holds included. Elsewhere empty.
    pub regions: Vec<Span>,
    /// What is so odd about how it is written that it is only read.
    pub odd: Option<&'static str>,
}

/// One step of the way to an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeySegment {
    /// A key.
    Key(String),
    /// A position, from 0.
    Item(usize),
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// A word, a number, a string.
    Plain,
    /// A block of text, `|` or `>`.
    Text,
    /// In brackets, with commas.
    Flow(CollectionKind),
    /// One entry a line, by indentation.
    Block(CollectionKind),
    /// A table below its header, or the top of a file.
    Table,
    /// A table that only what it holds is written of: `a` of `[a.b]`.
    Implied,
    /// Tables below headers in double brackets.
    Tables,
    /// `*name`.
    Alias,
    /// Not written.
    Nothing,
}

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionKind {
    /// Keys.
    Map,
    /// Items.
    List,
}

/// A name for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Without its `&`.
    pub name: String,
    /// Where `*name` stands for it.
    pub aliases: Vec<Span>,
}

impl KeyEntry {
    /// Returns all of it; of a table whose parts are apart, the first of them.
    pub fn whole(&self) -> Span {
        if self.odd.is_some() {
            self.regions.first().copied().unwrap_or(self.span)
        } else {
            self.span
        }
    }

    /// Returns an entry that nothing is known of but its place.
    pub fn new(step: KeySegment, parent: Option<usize>, span: Span) -> KeyEntry {
        KeyEntry {
            step,
            parent,
            children: Vec::new(),
            key: None,
            span,
            lead: span.start,
            value: span,
            comments: Vec::new(),
            form: ValueForm::Plain,
            tag: None,
            text: None,
            anchor: None,
            alias: None,
            regions: Vec::new(),
            odd: None,
        }
    }

    /// Returns what its value is made of, when it holds entries.
    pub fn sort(&self) -> Option<CollectionKind> {
        match self.form {
            ValueForm::Flow(sort) | ValueForm::Block(sort) => Some(sort),
            ValueForm::Table | ValueForm::Implied => Some(CollectionKind::Map),
            ValueForm::Tables => Some(CollectionKind::List),
            ValueForm::Plain | ValueForm::Text | ValueForm::Alias | ValueForm::Nothing => None,
        }
    }

    /// Returns the value with its tag.
    pub fn tagged(&self) -> Span {
        self.tag
            .filter(|tag| tag.end <= self.value.start)
            .map_or(self.value, |tag| tag.cover(self.value))
    }

    /// Returns where the entry begins, its comments included.
    pub fn start(&self) -> usize {
        self.comments.first().map_or(self.span.start, |comment| {
            comment.start.min(self.span.start)
        })
    }
}

impl Tree {
    /// Adds an entry to what holds it and returns its number.
    pub fn push(&mut self, entry: KeyEntry) -> usize {
        let at = self.entries.len();
        match entry.parent.and_then(|parent| self.entries.get_mut(parent)) {
            Some(parent) => parent.children.push(at),
            None => self.roots.push(at),
        }
        self.entries.push(entry);
        at
    }

    /// Returns the entry with this number.
    pub fn get(&self, at: usize) -> Option<&KeyEntry> {
        self.entries.get(at)
    }

    /// Returns the entries that hold `at`, from itself to its document.
    pub fn upwards(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(at), |&at| self.get(at)?.parent)
    }

    /// Returns the way to an entry from the top of its document; in a file of several documents the document's number
    /// comes first.
    pub fn path(&self, at: usize) -> Vec<&KeySegment> {
        let mut path: Vec<&KeySegment> = self
            .upwards(at)
            .filter_map(|at| self.get(at))
            .filter(|entry| entry.parent.is_some() || self.roots.len() > 1)
            .map(|entry| &entry.step)
            .collect();
        path.reverse();
        path
    }

    /// Returns the entry's address within the file, as a selector writes it.
    pub fn address(&self, at: usize) -> String {
        let mut address = String::new();
        for step in self.path(at) {
            step.write_to(&mut address);
        }
        address
    }

    /// Returns the entries inside `at`, itself first.
    pub fn within(&self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            found.push(at);
            open.extend(
                self.get(at)
                    .map_or(&[][..], |entry| &entry.children)
                    .iter()
                    .rev(),
            );
        }
        found
    }

    /// Returns the tree of a text that is `shift` bytes further on.
    pub fn shifted(mut self, shift: usize) -> Tree {
        if shift == 0 {
            return self;
        }
        for entry in &mut self.entries {
            entry.lead += shift;
            let aliases = entry
                .anchor
                .iter_mut()
                .flat_map(|anchor| &mut anchor.aliases);
            let spans = [&mut entry.span, &mut entry.value].into_iter();
            for span in spans
                .chain(&mut entry.key)
                .chain(&mut entry.tag)
                .chain(&mut entry.comments)
                .chain(&mut entry.regions)
                .chain(aliases)
            {
                *span = span.shifted(shift);
            }
        }
        self
    }
}

impl KeySegment {
    /// Writes the step after those that `address` holds.
    pub fn write_to(&self, address: &mut String) {
        match self {
            KeySegment::Item(number) => address.push_str(&format!("[{number}]")),
            KeySegment::Key(key) => {
                if !address.is_empty() {
                    address.push('.');
                }
                if is_bare(key) {
                    address.push_str(key)
                } else {
                    quote(key, address)
                }
            }
        }
    }
}

/// Says whether a key can be written in an address without quotes.
pub fn is_bare(key: &str) -> bool {
    let outer_white = key.trim() != key || key.is_empty();
    !outer_white
        && !key.contains(|odd: char| matches!(odd, '.' | '[' | ']' | '"') || odd.is_control())
}

/// Writes a key in quotes, with JSON's escapes.
pub fn quote(key: &str, address: &mut String) {
    address.push('"');
    for character in key.chars() {
        match character {
            '"' | '\\' => address.extend(['\\', character]),
            '\n' => address.push_str("\\n"),
            '\t' => address.push_str("\\t"),
            '\r' => address.push_str("\\r"),
            odd if odd.is_control() => address.push_str(&format!("\\u{:04x}", u32::from(odd))),
            plain => address.push(plain),
        }
    }
    address.push('"');
}
