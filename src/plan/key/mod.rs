//! Edits of a configuration file: one entry replaced, added or removed, all else as it was.
//!
//! `flow.rs` knows entries between brackets, with commas (JSON, and YAML and TOML in one line), `block.rs` those of YAML one
//! below the other, `table.rs` those of TOML; `piece.rs` reads the caller's content. What an anchor makes stand elsewhere
//! too is not touched (`ties.rs`), and no edit is composed before the file it makes was read again: all entries but those
//! that were asked for hold what they held (`proof.rs`, of one operation; `together.rs`, of all that a file has).
//!
//! Invariant: bytes outside of the entry, its separators and the lines it leaves empty stay.

mod block;
mod edits;
mod entries;
mod flow;
mod meaning;
mod piece;
mod planned;
mod proof;
mod relaid;
mod site;
mod table;
#[cfg(test)]
mod tests;
mod ties;
mod together;

pub use edits::{insert_into_tree, plan_key_edit};
pub use planned::{KeyChange, Planned, TargetEdits};
pub use together::compose_together;
