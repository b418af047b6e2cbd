//! Placeholder.

pub mod diff;
