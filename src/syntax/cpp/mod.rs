//! C++: `language` is what it is called and the tables of its grammar, `access` who may use the members of a class.

mod access;
mod language;
#[cfg(test)]
mod tests;

pub(crate) use language::CPP;
