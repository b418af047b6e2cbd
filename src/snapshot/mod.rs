//! `Snapshot`: the bytes that a batch is resolved against, as data.
//!
//! A snapshot holds an entry for every path that the batch names, and nothing else: the reader (git) fills it for
//! exactly those paths, so that a batch costs what it touches and not what the repository holds. A test writes one
//! as text. Deliberately not here: how it is read.

mod base;
mod blob;
mod change;
mod entry;
mod files;
mod id;
mod project;
mod templates;

pub use base::Base;
pub use blob::Blob;
pub use change::{Change, merged};
pub use entry::{File, FileMode, Obstacle, SnapshotEntry};
pub use files::Snapshot;
pub use id::{HashKind, Hashing, Id};
pub use project::Project;
pub use templates::Templates;
