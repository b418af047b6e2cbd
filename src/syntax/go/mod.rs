//! Go: `language` is what it is called and the tables of its grammar, `constants` finds the constants that repeat the line
//! above, `early` the errors that tree-sitter does not, `line_ends` where statements run into each other.

mod constants;
mod early;
mod language;
mod line_ends;
#[cfg(test)]
mod tests;

pub use language::GO;
