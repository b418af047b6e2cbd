//! Ruby: `language` is what it is called and the tables of its grammar, `heredocs` finds those that its scanner does not survive.

mod heredocs;
mod language;
#[cfg(test)]
mod tests;

pub(crate) use language::RUBY;
