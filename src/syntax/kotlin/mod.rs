//! Kotlin: `language` is what it is called and the tables of its grammar, `legible` what its grammar has not, `early`
//! the errors that it does not find.

mod early;
mod language;
mod legible;
#[cfg(test)]
mod tests;

pub(crate) use language::KOTLIN;
