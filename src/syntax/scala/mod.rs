//! Scala: `language` is what it is called and the tables of its grammar, `early` the errors that
//! tree-sitter does not find, `legible` what that does not know, `versions` what version 2 reads otherwise.

mod early;
mod language;
mod legible;
#[cfg(test)]
mod tests;
mod versions;

pub(crate) use language::SCALA;
