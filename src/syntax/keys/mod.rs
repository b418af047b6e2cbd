//! Keys: what every configuration language reduces to, a tree of entries with the places of their keys and values.
//!
//! A language's reader makes the tree; resolve finds entries in it and plan edits around them. Spans are the
//! language's own, never widened to lines. An entry of a mapping has a key, one of a list has a number from 0.
//!
//! ```
//! use segedit::syntax::keys::KeyFormat;
//! let tree = KeyFormat::Toml.tree(b"[package]\nname = \"x\"\n").unwrap();
//! assert_eq!(tree.address(2), "package.name");
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `format` | which configuration languages there are |
//! | `tree` | the entries and their addresses |
//! | `decode` | bytes → text |
//! | `read` | bytes → tree, by the reader of the format |
//! | `comments` | the comments of a file, and which entry has them |
//! | `outline` | tree → segments |
//! | `lines` | the role of each line, as far as most languages go |

mod comments;
mod decode;
mod format;
mod lines;
mod outline;
mod read;
mod tree;

pub use comments::{comments, lines_above};
pub use format::KeyFormat;
pub use lines::plain_roles;
pub use outline::outline;
pub use tree::{Anchor, CollectionKind, KeyEntry, KeySegment, Tree, ValueForm, is_bare, quote};

pub(crate) use decode::decoded;
