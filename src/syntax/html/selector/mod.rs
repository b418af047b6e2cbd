//! `CssSelector`: a CSS selector as written, and the elements that it matches. Home of the `selectors` engine, the one of
//! Servo and Firefox: `css_selector.rs` asks it, `engine.rs` answers its questions by way of `values.rs` and `references.rs`, and
//! `writing.rs` writes what it reads.
//!
//! Names of elements and attributes match in any case, ids and classes to the letter. A value matches as it is written in
//! the file and with its character references resolved, so that `[title="caf&eacute;"]` and `[title="café"]` find the same.
//! Pseudo-classes that a file cannot answer (`:hover`) and pseudo-elements are refused when the selector is read.
//!
//! Known limit: `:has()`, `~` and descendants are bounded by a number of steps; a selector past them is `Exhausted`, never slow.

mod css_selector;
mod engine;
mod references;
#[cfg(test)]
mod tests;
mod values;
mod writing;

pub use css_selector::{CssSelector, Exhausted};

pub(crate) use writing::{identifier, string};

pub(super) use references::{resolved, resolved_text};
pub(super) use values::class_words;
