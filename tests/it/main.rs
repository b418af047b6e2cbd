//! The one integration binary: the tool as its users meet it. A line for each module says what belongs there.

#![expect(
    clippy::print_stdout,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says on standard output what it skipped and what it counted"
)]

/// Diffs, judged by git itself.
mod diffs;
/// Pages: addresses, the surgical law, and real ones beside `soupsieve`.
mod html;
/// Code put back into its place, judged by CPython.
mod indentation;
/// Markdown sections, beside an independent CommonMark reader.
mod markdown;
/// The presets with the real linters and formatters.
mod presets;
/// Sealed repositories, and running git and the tool in them. No test lives here.
mod support;
/// The real linters and formatters, installed once.
mod tools;

/// The folders under `tests/scenarios/`: what one call of `apply` makes of a repository.
mod scenarios;

/// Validators and formatters, trust, and what comes of a bad day.
mod gate;

/// What decides what a validator says, and whose programs it runs: the repository's only as it was trusted.
mod watched;

/// Statements beside an edit, judged by node, CPython and `syn`.
mod neighbours;

/// The order of operations has no effect: random batches, shuffled.
mod order;

/// Keys of real configuration files, put back and judged by other readers.
mod keys;
/// The languages that tree-sitter reads: Rust beside `syn`, and all source files of a machine.
mod languages;
/// Python read by us and by CPython.
mod python;
/// Jinja templates and files made from them, beside Jinja itself.
mod templates;
/// Laws of the source itself: floors, homes of crates, opening sentences, no panics.
mod tidy;

/// The command line: streams, exit codes, paths as typed, colours, man pages.
mod cli;
/// README.md, docs/, examples/ and the manual, run in the sample repository.
mod docs;

/// Git hooks that the project ships, run by git and by the pre-commit framework.
mod hooks_shipped;

/// The index of segments: the answers of `find` with it are those without it, whatever happens to files, to git and to itself.
mod catalog;

/// A segment replaced by itself leaves its file as it was, over the standard library.
mod identity;

/// Signed commits, by the real signers.
mod segments;
mod signing;

/// What was published, listed, taken back and put forth again.
mod history;
/// Merges, sparse checkouts, filters, links, locks: other people's state, and what becomes of it.
mod state;

/// Failures and deaths at every step of publishing.
mod crash;
/// Several processes at once.
mod writers;

/// Dry runs that say what the real thing would do.
mod rehearsal;

/// The repository's own hooks around a commit, as `git commit` would run them.
mod hooks;

/// Git folders that a stranger made: journals, links, worktrees, settings and filters in them.
mod stranger;

/// Operation files and command lines from strangers who mean harm.
mod hostile;

/// What the release binary spends on its hot tasks, beside what is on record.
mod instructions;
