//! The query of a language: patterns of nodes, read from its `segments.scm` and matched against a tree.
//!
//! The language of these patterns is a part of tree-sitter's own, and means what it means there: `docs/add-a-language.md` lists the part.
//! Tree-sitter's compiler for it is not used, for it goes through all states of the parser to find out which patterns can never match and
//! where one can be given up: half a second for Swift, in each process that looks at one file. Here a pattern is looked up by the kind of
//! node that it begins with, and tried at such nodes alone.
//!
//! | file | holds |
//! |---|---|
//! | `pattern` | what is read: patterns, by the numbers of a language |
//! | `reader` | text → patterns |
//! | `matcher` | patterns and a tree → matches |

mod matcher;
mod pattern;
mod reader;
#[cfg(test)]
mod tests;

pub(super) use matcher::{CapturedNode, find_matches};
pub(super) use pattern::PatternSet;
pub(super) use reader::read_query;
