//! What the tool can do. Values out, never prints.

pub mod apply;
pub mod basis;
mod describe;
pub mod drafts;
mod held;
pub mod history;
pub mod hooks;
pub mod index;
pub mod judge;
mod keeping;
pub mod languages;
pub mod look;
mod modules;
mod open;
pub mod outcome;
mod projects;
mod templates;
pub mod tools;
