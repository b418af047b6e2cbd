//! Selector × Snapshot → Target, or why not, with the nearest names.

pub mod segment;

pub use segment::Segment;
