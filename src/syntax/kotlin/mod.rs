//! Kotlin: `language` is what it is called and the tables of its grammar, `legible` what its grammar has not.

mod language;
mod legible;
#[cfg(test)]
mod tests;

pub(crate) use language::KOTLIN;
