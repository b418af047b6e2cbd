//! Configuration of sections and keys: `[section]`, `key = value`.
//!
//! | file | holds |
//! |---|---|
//! | `language` | what its three dialects are called, and their grammar |
//! | `reader` | bytes → sections and keys, by lines |

mod language;
mod reader;
#[cfg(test)]
mod tests;

pub(crate) use language::{GIT_CONFIG, INI, UNITS};
