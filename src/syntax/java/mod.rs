//! Java: `language` is what it is called and the tables of its grammar, `early` finds the errors that tree-sitter does not,
//! `legible` writes what it cannot read in another way.

mod early;
mod language;
mod legible;
#[cfg(test)]
mod tests;

pub use language::JAVA;
