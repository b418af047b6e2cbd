//! `Checkout`: a tree laid out as files for the programs that judge it, never in the caller's worktree.
//!
//! A few are kept for each repository and brought from tree to tree, so that the next batch costs what changed. Each has one
//! user at a time. They stand in the caller's cache and not below the git folder: there a tool that looks for its settings
//! in the folders above would find those of the worktree, and one that passes over `.git` would pass over everything.
//!
//! ```text
//! repository           whose they are: ~/.cache/git-segedit/<name of the git folder>/repository
//! checkouts/1/lock     held by its user (flock; the kernel gives it back when that dies)
//! checkouts/1/state    what is laid out, and how; not there while that is being changed
//! checkouts/1/soiled   there when others may have written to the files since
//! checkouts/1/files/   the tree
//! checkouts/1/cache/   what the programs that judge it keep for the next time
//! ```
//!
//! Invariant: with a state and not soiled, `files` holds exactly the state's tree. Whatever does not fit (a crash half-way,
//! another format, other settings, a tree that cannot be read any more) is laid out anew.
//!
//! Known limits: paths that no checkout may write (`..`, git's own folder, names too long for the system) are left out
//! without a word. A link whose target goes up after it went down (`a/../b`) counts as one that leaves the
//! checkout. A clock that was set back and has caught up again can hide what a program did in between.

mod bring;
mod fill;
mod folder;
mod form;
mod layout;
mod mend;
mod record;
mod shelf;

pub use bring::Checkout;
