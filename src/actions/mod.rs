//! What the tool can do. Values out, never prints.

pub mod outcome;
