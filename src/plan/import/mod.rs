//! `import` and `unimport`: a Python file has a statement, or has it no more. In: bytes and what is asked for; out: the bytes then.
//!
//! A name goes into the list that is there; a statement into the paragraph of its group (future, standard library, others, own,
//! relative), where the file's own order has it. Nothing else moves. What is inside of a `try`, an `if` or a definition is never
//! changed.
//!
//! | file | holds |
//! |---|---|
//! | `outcome` | the way in: an operation and a file → the file then, or why not |
//! | `groups` | which group an import is of |
//! | `sections` | paragraphs of imports that are there |
//! | `order` | in what order a file has its imports and names |
//! | `list` | a name into a list, and out of it |
//! | `place` | where a statement goes |
//! | `remove` | a statement or a name goes |
//! | `mend` | the imports of a file after an edit: what it lacks comes, what it uses no more goes |
//! | `uses` | where a file uses what an import binds |
//! | `inner` | statements in branches and definitions: a name of them comes from another module, or goes |
//! | `for_types` | imports for those alone who check types |
//!
//! Known limits: lists wrap at 88 columns, or where the longest import of the file ends; a file that sorts by length is
//! not sorted to it.

mod for_types;
mod groups;
mod inner;
mod list;
mod mend;
mod order;
mod outcome;
mod place;
mod remove;
mod sections;
#[cfg(test)]
mod tests;
mod uses;

pub(super) use for_types::{imported_for_types, without_unused_for_types};
pub(super) use groups::looked_up;
pub(super) use inner::{exchanged_inside, taken_out_inside};
pub use mend::OpenName;
pub(super) use mend::{mended, without_unused};
pub(super) use outcome::{ImportWish, imported};
