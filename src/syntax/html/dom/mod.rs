//! `Dom`: the elements of a page as their tags are in the file, who is inside of whom, and what is out of order.
//!
//! Invariant: an element's tags lie inside of its parent's, in file order; every offset is the file's own.
//! Elements are numbered in file order, so that an element comes before what is inside of it.
//!
//! `elements.rs` holds the types, `builder.rs` makes them of the tags.

mod builder;
mod elements;
#[cfg(test)]
mod tests;

pub use elements::{Dom, HtmlElement, PageProblem, PageProblemKind};
