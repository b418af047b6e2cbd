//! JSON, and its relatives with comments and trailing commas. Home of `jsonc-parser`.
//!
//! A file is read as loosely as JSON5 allows (`tree`), so that keys are found in whatever some tool accepts; what is an error
//! (`errors`) depends on the file's name: a `.json` file holds JSON to the letter (`letter`), but for those that are known to hold
//! comments (`language`).
//!
//! Known limit: a `.json` file that is not JSON to the letter is judged by the first thing in it that is not.

mod errors;
mod language;
mod letter;
mod tree;

pub use language::{JSON, JSONC, has_comments_by_custom};

pub(crate) use tree::tree;
