//! TypeScript, and TSX, which is a grammar of its own because `<T>x` means two things.

mod language;
#[cfg(test)]
mod tests;

pub use language::{DECLARATIONS, TSX, TYPESCRIPT};
