//! Starlark, the language of the files of Bazel, Buck and Tilt.
//!
//! | file | holds |
//! |---|---|
//! | `language` | what it is called, and its grammar: Python's, with targets |

mod language;
#[cfg(test)]
mod tests;

pub(crate) use language::STARLARK;
