//! What the tool can do. Values out, never prints.

pub mod apply;
mod describe;
pub mod history;
pub mod hooks;
pub mod judge;
mod keeping;
pub mod look;
pub mod outcome;
mod templates;
pub mod tools;
