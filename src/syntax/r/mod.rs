//! R: `language` is what it is called and the tables of its grammar.

mod language;
#[cfg(test)]
mod tests;

pub(crate) use language::R;
