//! The file that everything is kept in: contents by key, where each word stands, and the rolls. Home of rusqlite.
//!
//! Invariant: whatever is read was sealed where it stands, and what must be there is there: of the buckets of words all exist
//! from the beginning, so that a missing one is damage and never "no such word". Everything else is damage too (`Broken`), and
//! whoever meets it begins anew. What is in the way for now (`Unusable`: a disk that is full, a folder that may not be written,
//! somebody who writes for too long) makes nobody begin anew.
//!
//! Whoever has the file open holds a shared lock on another beside it. It is removed only under an exclusive one: SQLite would take
//! the journal of a removed file for that of its successor. Contents that stand on no roll are removed only then, too: they may
//! be what somebody is about to put on one.
//!
//! ```text
//! contents   number → key (id of the content, how it is read), sealed `Told`
//! buckets    the digest's first 12 bits → sealed pairs of its last 32 bits and a content's number
//! rolls      place → sealed `Roll`
//! directory  the seals of all buckets and rolls, sealed: which of them belong together
//! origin     which program wrote all that
//! ```
//!
//! The directory is for copies that were made while somebody wrote, and for journals that come back: pages of two states, each as
//! it was written.

mod buckets;
mod contents;
mod directory;
mod file;
#[cfg(test)]
mod tests;
mod trouble;

pub(crate) use contents::IndexSize;

pub(crate) use contents::{Fresh, IndexDatabase};
pub(crate) use trouble::Trouble;

pub(super) use file::{Stuck, file, remove};
