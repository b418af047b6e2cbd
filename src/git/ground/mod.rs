//! The three things that a snapshot can be taken of: a commit's tree, the index, the worktree.

mod choose;
mod index;
mod questions;
mod tree;
mod worktree;

pub(super) use choose::{check_intact, unreadable};
pub(super) use questions::{Ground, PathKind};
