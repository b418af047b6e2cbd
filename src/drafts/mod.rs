//! `drafts`: batches that are still being collected, kept where each call finds what the calls before it added.
//!
//! ```text
//! <git folder>/segedit/drafts/<name>.yaml   an operation file, `resolve: sequential`; before it, as comments, what is known of
//!                                           the draft (`DraftHeader`) and a seal
//! <git folder>/segedit/drafts/<name>.lock   held while the draft is written
//! refs/segedit/drafts/<name>  ──▶  tree     what the draft makes of its base, so that it can be read and git keeps it
//! ```
//!
//! In the git folder that all worktrees share, because its refs are shared too: one name is one draft. Which worktree a draft
//! belongs to is in its header.
//!
//! The file is the draft; the ref only keeps objects. Order of writing, and what a death in between leaves:
//!
//! | step | what is left |
//! |---|---|
//! | objects of the new tree | objects that nothing names, git's to collect |
//! | the ref names the new tree | the draft as before: its header names its tree, and the next writer puts the ref back |
//! | the new file takes the place of the old one | the draft as after |
//!
//! Removed in the other order: the file first, then the ref, then the lock. A lock without a file is swept with the ref of its name.
//!
//! Nothing here is believed because it lies here. A draft counts as begun here only if the seal over its header is made with this
//! user's key for this clone and the header names the very operations below it.
//!
//! Deliberately not here: what goes into a draft, and when it may be continued or published (`actions::drafts`).

mod file;
mod name;
mod shelf;

pub(crate) use file::{DraftHeader, DraftOrigin, DraftText};
pub(crate) use name::DraftName;
pub(crate) use shelf::{DraftLock, KEPT_FOR, Shelved, forget, header_of_ours, look, sweep};

/// Where the refs of drafts are.
pub(crate) const DRAFTS: &str = "refs/segedit/drafts/";
