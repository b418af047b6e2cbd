//! Finds an HTML element by a CSS selector that must match it and no other, and the bytes of its parts.

mod find;
mod near;
mod part;

pub use find::{find, find_all, several};
pub use part::{describe, extent, no_such_part, own_lines, part};
