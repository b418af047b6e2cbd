//! JavaScript, JSX included.
//!
//! | file | holds |
//! |---|---|
//! | `language` | what it is called, and the tables of its grammar |
//! | `reader` | oxc, which reads a file as engines do |
//! | `early` | what engines refuse before they run anything |
//! | `naming` | its names, by its scopes |
//! | `directives` | statements that have to be first |
//! | `legible` | what tree-sitter cannot read, written another way |
//! | `newer`, `line_ends`, `change` | where that is to be done, and how |

mod change;
pub(super) mod directives;
pub(super) mod early;
mod language;
pub(super) mod legible;
mod line_ends;
pub(super) mod naming;
mod newer;
mod reader;
#[cfg(test)]
mod tests;

pub use language::JAVASCRIPT;

pub(crate) use language::{AROUND_VALUES, HABITS, SWITCHES};
