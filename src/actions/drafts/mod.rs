//! Drafts: edits that are collected and published together.
//!
//! An edit goes through all that needs no program of the repository's (resolving, overlap, drift, syntax, structure,
//! inventory, removals, placeholders), on top of the edits before it, and is added if it passes. What validators and hooks say is asked
//! once, when the draft is published, by the way that every operation file goes. It is resolved by name then, on what there is
//! then, and each edit is held to what it took the place of.
//!
//! A draft is over when it was published, also by `git segedit apply` with its file, and also if this program died right after
//! that: the history has its very bytes.
//!
//! | file | holds |
//! |---|---|
//! | `edit` | an edit, added |
//! | `publication` | a draft, published, looked at or forgotten |
//! | `reading` | what a draft gives, for a reader |
//! | `open` | a draft that was read: whose it is, and what may be done with it |
//! | `effect` | what its edits make of its base, and how both are written |

mod edit;
mod effect;
mod open;
mod publication;
mod reading;

pub use edit::{DraftEdit, add_edit};
pub use open::{DraftState, Drafted, ago};
pub use publication::{Publication, discard, publish};
pub use reading::revision;
