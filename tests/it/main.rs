//! The tests of every day: the tool as its users meet it. They need git, python3 and nothing from a network.
//! A line for each module says what belongs there.

#![expect(
    clippy::print_stdout,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says on standard output what it skipped and what it counted"
)]

/// What more than one of the test programs uses: sealed repositories, running git and the tool in them. No test lives here.
#[path = "../support/mod.rs"]
#[expect(
    dead_code,
    reason = "the test programs share it, and each has its own use for it"
)]
mod support;

/// What tells agents of the program: printed, and put into repositories of every state.
mod agents;
/// A model that makes the edits, played by a server on this machine.
mod ask;
/// Calls that may reach one folder of a repository.
mod confined;
/// Diffs, judged by git itself.
mod diffs;
/// The tools that language models are offered.
mod door;
/// Drafts: edits that are collected and published together, and what a bad day leaves of them.
mod drafts;
/// Pages: addresses and the surgical law.
mod html;
/// The same tools over the Model Context Protocol.
mod mcp;

/// The folders under `tests/scenarios/`: what one call of `apply` makes of a repository.
mod scenarios;

/// Validators and formatters, trust, and what comes of a bad day.
mod gate;

/// Language servers: renames by them, and what comes of a bad day.
mod servers;

/// What decides what a validator says, and whose programs it runs: the repository's only as it was trusted.
mod watched;

/// Laws of the source itself: floors, homes of crates, opening sentences, no panics.
mod tidy;

/// The longest tests, in the size of this test program.
#[path = "../sizes/mod.rs"]
mod sizes;

/// The command line: streams, exit codes, paths as typed, colours, man pages.
mod cli;
/// README.md, docs/, examples/ and the manual, run in the sample repository.
mod docs;

/// Git hooks that the project ships, run by git.
mod hooks_shipped;

/// The index of segments: the answers of `find` with it are those without it, whatever happens to files, to git and to itself.
mod segment_index;

/// Commits that cannot be signed.
mod signing;

/// What was published, listed, taken back and put forth again.
mod history;
/// Merges, sparse checkouts, filters, links, locks: other people's state, and what becomes of it.
mod state;

/// Deaths at the steps of publishing, one destination of many.
mod crash;
/// What becomes of a batch that somebody overtakes while it is checked.
mod overtaken;
/// Several processes at once, one round.
mod writers;

/// Dry runs that say what the real thing would do.
mod rehearsal;

/// The repository's own hooks around a commit, as `git commit` would run them.
mod hooks;

/// Git folders that a stranger made: journals, links, worktrees, settings and filters in them.
mod stranger;

/// Operation files and command lines from strangers who mean harm.
mod hostile;
