//! `Selector`: an address as written. Parsing and `Display` are inverses.

use std::fmt;

/// Says where an operation acts.
#[derive(Clone, Debug)]
pub enum Selector {
    /// A definition by its qualified name.
    Symbol(SymbolSelector),
    /// A Markdown section by its heading.
    Section(SectionSelector),
    /// Literal text that occurs once.
    Text(String),
    /// A regular expression.
    Pattern(Pattern),
    /// Lines of the snapshot.
    Lines(LineRange),
}

/// A regular expression with the text it was made from and its flags.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As written.
    pub text: String,
    /// Compiled over bytes, with its flags and a size limit.
    pub regex: regex::bytes::Regex,
}

/// A qualified name: `Worker.process`, `*.process`, `Worker.value[2]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolSelector {
    /// Written with a leading `*.`: matches at any depth, the top included.
    pub any_depth: bool,
    /// The names from the outside in; never empty.
    pub components: Vec<SymbolComponent>,
}

/// One name of a qualified name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolComponent {
    /// The name.
    pub name: String,
    /// From 1: the n-th definition, in file order, that the address up to here names.
    pub index: Option<usize>,
}

/// One heading, or a list that walks down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSelector {
    /// From the outside in; never empty.
    pub path: Vec<HeadingSelector>,
}

/// One heading as written: `## Installation`, `Installation`, `## Installation[2]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadingSelector {
    /// Number of `#` markers; `None` when written without.
    pub level: Option<u8>,
    /// The heading's text, with an index still on it: a heading may really end in `[2]`, so that the literal title
    /// is tried first. `split_index` takes it off.
    pub title: String,
}

/// Lines of the snapshot, 1-based, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// First line.
    pub first: usize,
    /// Last line, at least `first`.
    pub last: usize,
}

impl HeadingSelector {
    /// Returns title and 1-based index when the title ends in `[n]`.
    pub fn split_index(&self) -> Option<(&str, usize)> {
        let (title, index) = self.title.strip_suffix(']')?.rsplit_once('[')?;
        let index = index.parse().ok().filter(|&index| index > 0)?;
        (!title.is_empty()).then_some((title.trim_end(), index))
    }
}

impl fmt::Display for SymbolSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.any_depth {
            f.write_str("*.")?;
        }
        for (at, component) in self.components.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            f.write_str(&component.name)?;
            if let Some(index) = component.index {
                write!(f, "[{index}]")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for HeadingSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(level) = self.level {
            write!(f, "{} ", "#".repeat(usize::from(level)))?;
        }
        f.write_str(&self.title)
    }
}
