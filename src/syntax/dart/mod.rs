//! Dart: `language` is what it is called and the tables of its grammar, `early` the errors that tree-sitter does not
//! find.

mod early;
mod language;
#[cfg(test)]
mod tests;

pub(crate) use language::DART;
