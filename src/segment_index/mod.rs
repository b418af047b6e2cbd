//! The index: the segments of every content that was once asked for, by the content's id, so that nobody parses it twice.
//!
//! `find` over a hundred thousand files takes minutes to parse and milliseconds to look up. What is looked up is still proven: each
//! file that is searched was read and hashed once, and is read again unless the system swears that it is as it was.
//!
//! ```text
//! source ─list→ files ─look→ doubtful ones ─read, hash→ contents ─parse the new→ store
//!                  └──────────── which of them hold the word (store) ──────────────→ segments
//! ```
//!
//! Invariant: the answer is the one that reading and parsing everything would give. The index is nobody's only copy of
//! anything: where it is damaged it begins anew, and where it cannot be had `None` sends the caller the long way.
//!
//! | file | holds |
//! |---|---|
//! | `find`, `answer` | what is asked of the index, and what it answers |
//! | `store` | the SQLite file that all of it is kept in |
//! | `location` | where that is |
//! | `file_list` | the files of a tree or a worktree, each with its content and its stamp |
//! | `record` | the segments of one content |
//! | `name_key` | the key by which a name is looked up |
//! | `update` | bringing a list of files and the store up to date |
//! | `search` | looking a name up |
//! | `bytes` | numbers, words and seals |
//!
//! What is kept of a content goes when it stands on none of the last dozen trees and worktrees and such contents are more than half
//! of all. Deliberately not here: what a name means (resolve), and files made from templates, of which only a mark is
//! kept because another file has a say in them.

mod answer;
mod bytes;
mod file_list;
mod find;
mod location;
mod name_key;
mod record;
mod search;
mod store;
mod update;

pub(crate) use answer::{IndexLook, IndexStatus, ReadProgress, Refreshed, SearchHits};
pub(crate) use find::{definition, drop_all, find, names, refresh, segments, standing};
pub(crate) use location::path;
pub(crate) use name_key::may_name;
pub(crate) use store::IndexSize;
