//! Operation files: `read` turns bytes from a stranger into a checked `Manifest` or every complaint at once; `write`
//! is its inverse.
//!
//! The road: bytes → tree (words with places, under limits) → batch → operations. Each step adds its complaints to
//! one list and goes on, so that a file is mended in one round and not in ten.
//!
//! Plain words stay text whatever they look like: `file: 123` and `content: 007` are taken as written, and nothing
//! (`content:`, `~`, `null`) is refused where text is wanted.
//!
//! ```
//! use segedit::manifest::yaml;
//! let file = b"version: 1\noperations:\n  - {op: delete, file: a.py, symbol: f}\n";
//! assert_eq!(yaml::read("ops.yaml", file).unwrap().operations.len(), 1);
//!
//! let complaints = yaml::read("ops.yaml", b"version: 1\noperations:\n  - {op: delte, fiel: a.py}\n").unwrap_err();
//! assert_eq!(complaints.len(), 2);
//! assert_eq!(complaints[0].suggestions, ["delete"]);
//! ```

mod batch;
mod escape;
mod field;
mod limits;
mod operation;
mod read;
#[cfg(test)]
mod tests;
pub(crate) mod tree;
pub(crate) mod value;
mod write;

pub use limits::{MAX_OPERATIONS, MAX_PATTERNS, VERSION};
pub use read::{read, read_with};
pub use tree::{MAX_BYTES, MAX_COMPLAINTS, MAX_DEPTH, MAX_NODES};
pub use write::write;

pub(crate) use escape::escape;
