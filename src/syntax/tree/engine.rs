//! `TreeGrammar`: a language as tree-sitter and its folder describe it, and how a file of it is parsed.

use std::sync::OnceLock;

use tree_sitter::Tree;

use super::compiled::Compiled;
use super::parse::parse;
use super::tables::Tables;
use super::{errors, walk};
use crate::syntax::{Excess, Outline, SyntaxError};

/// How often a file is written another way, and read again: one end of a statement may hide the next.
const MOST_READINGS: usize = 3;

/// A language as tree-sitter and its folder describe it.
pub struct TreeGrammar {
    pub(super) tables: Tables,
    compiled: OnceLock<Option<Compiled>>,
}

impl TreeGrammar {
    /// Returns the grammar; its query is read when a file first needs it.
    pub const fn new(tables: Tables) -> TreeGrammar {
        TreeGrammar {
            tables,
            compiled: OnceLock::new(),
        }
    }

    /// Returns its tables, ready for use; `None` where this build leaves the language out.
    pub(super) fn compiled(&self) -> Option<&Compiled> {
        self.compiled
            .get_or_init(|| Compiled::new(&self.tables))
            .as_ref()
    }

    /// Parses `source`; `None` when that takes too much work, or this build leaves the language out.
    pub(super) fn parse(&self, source: &[u8]) -> Option<Tree> {
        if self
            .tables
            .unreadable
            .is_some_and(|unreadable| unreadable(source))
        {
            return None;
        }
        let language = &self.compiled()?.language;
        let mut tree = parse(language, source)?;
        let Some(legible) = self.tables.legible else {
            return Some(tree);
        };
        let mut read = std::borrow::Cow::Borrowed(source);
        for _ in 0..MOST_READINGS {
            let Some(text) = legible(&tree, &read) else {
                break;
            };
            let again = parse(language, &text)?;
            if errors::find_errors(&again, &text).len() > errors::find_errors(&tree, &read).len() {
                break;
            }
            (tree, read) = (again, text.into());
        }
        Some(tree)
    }

    pub(super) fn errors_in(&self, tree: Option<&Tree>, source: &[u8]) -> Vec<SyntaxError> {
        if self.tables.parser.lacking().is_some() {
            return Vec::new();
        }
        let Some(tree) = tree else {
            return vec![SyntaxError {
                offset: 0,
                message: "too intricate to parse".to_owned(),
            }];
        };
        let own = errors::find_errors(tree, source);
        match self.tables.early {
            Some(early) => early(tree, source, own),
            None => own,
        }
    }

    /// Returns the segments of a file with this tree, if it has one.
    pub(super) fn outline_of(&self, tree: Option<&Tree>, source: &[u8]) -> Outline {
        let Some(compiled) = self.compiled() else {
            return Outline::exceeding(Excess::LeftOut);
        };
        let read = tree
            .ok_or(Excess::Work)
            .and_then(|tree| walk::symbols(compiled, tree, source));
        match read {
            Ok(symbols) => Outline {
                symbols,
                sound: false,
                excess: None,
            },
            Err(excess) => Outline::exceeding(excess),
        }
    }
}
