//! TOML: keys, tables and arrays of tables. Home of `toml_edit`, of which only the reading is used.
//!
//! `language.rs` is the language, `tree.rs` makes the entries, `edition.rs` tells the two editions of the language apart.

mod edition;
mod language;
mod tree;

pub use edition::newer;
pub use language::TOML;

pub(super) use tree::tree;
