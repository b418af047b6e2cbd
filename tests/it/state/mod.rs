//! Other people's state: what of git's is lying about when a batch comes, and what becomes of it. Each case shows support,
//! or the documented refusal with nothing changed.
//!
//! The rooms' own edge cases stand beside their code and are not repeated here: what is staged, edited or untracked
//! in the way, links put in the way meanwhile, locks that are given back, signing (`src/publish/commit.rs`); the forms of
//! an index, line endings (`src/publish/files.rs`); stash entries that git pops (`src/publish/stash.rs`); every kind of
//! entry on every ground (`src/git/read.rs`); formats that cannot be handled, git's environment variables
//! (`src/git/open.rs`); paths through links and submodules as written (`tests/scenarios/refused-paths`). SHA-256, packed,
//! linked, sparse and CRLF repositories run the scenarios (`tests/sweep/scenarios.rs`), many writers are in `writers.rs`.

/// What stands in the way of reading and of writing: locks, rights, owners.
mod access;
/// Line endings, encodings, filters, Git LFS.
mod forms;
/// The index: announced files, flags, sparse and split ones, monitors.
mod indexes;
/// Links, submodules, pipes, and files that become something else.
mod kinds;
/// Objects that are elsewhere: shallow and partial clones, alternates, replacements.
mod objects;
/// Files that hold more than git stores of them.
mod own;
/// Merges, rebases, picks and bisects, here and in other worktrees.
mod underway;
