//! C: `language` is what it is called and the tables of its grammar, `variables` those that are declared with their type.

mod language;
#[cfg(test)]
mod tests;
mod variables;

pub(crate) use language::{C, SWITCHES};
pub(crate) use variables::typed_variables;
