//! Ruby: `language` is what it is called and the tables of its grammar, `early` the errors that tree-sitter does
//! not find, `heredocs` finds those that its scanner does not survive, `access` who may call the methods of a class.

mod access;
mod early;
mod heredocs;
mod language;
#[cfg(test)]
mod tests;

pub(crate) use language::RUBY;
