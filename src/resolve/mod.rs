//! Selector × Snapshot → Target, or why not, with the nearest names.
//!
//! A `Target` is an address found: a range of one file, widened to whole lines where it has them to itself, and its
//! description. Deliberately not here: what is done with it (plan).

pub mod document;
pub mod lookup;
pub mod matching;
pub mod named;
pub mod segment;
pub mod symbol;

use std::cell::OnceCell;

pub use document::Document;
pub use named::Named;
pub use segment::Segment;
