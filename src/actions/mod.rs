//! What the tool can do. Values out, never prints.

pub mod apply;
pub mod look;
pub mod outcome;
