//! `Store`: a folder of objects, and how they are written into it: a file each, or many as one pack.
//!
//! Invariant: what `write` returned from is there under its own name, whole, and flushed where that is asked for. A file
//! gets its name only when it is complete; what a death leaves behind is called as git calls such files, and `git gc`
//! removes it.
//!
//! libgit2 is not asked to do this: before each object it lists the folder of packs twice, which for one edited method
//! is 200 of 700 calls to the system, and its builder of packs looks for deltas, which takes three times as long as
//! everything else that a batch of thousands of files does. `git gc` finds deltas when nobody waits.

mod deflate;
mod folder;
mod loose;
mod pack;
#[cfg(test)]
mod tests;
mod write;

pub(in crate::git) use folder::ObjectStore;
