//! The long tests: every destination and sort of repository, every step and system call, random batches, thousands of files
//! that others wrote, beside readers that others wrote. `tests/run sweep` runs them.

#![expect(
    clippy::print_stdout,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says on standard output what it skipped and what it counted"
)]

/// What more than one of the test programs uses. No test lives here.
#[path = "../support/mod.rs"]
#[expect(
    dead_code,
    reason = "the test programs share it, and each has its own use for it"
)]
mod support;

/// Definitions of the languages that tree-sitter reads, replaced by themselves, deleted and copied.
mod by_name;
/// Failures and deaths at every step and system call of publishing.
mod crash;
/// Definitions deleted, judged by a formatter.
mod deletions;
/// Edits between two versions of packages, as calls of the server.
mod edits;
/// Deaths at system calls of a batch with a history.
mod history;
/// Real pages, beside `soupsieve` and html5lib.
mod html;
/// A segment replaced by itself leaves its file as it was.
mod identity;
/// Code put back into its place, judged by CPython.
mod indentation;
/// JavaScript and TypeScript, judged by V8 and by TypeScript's compiler.
mod javascript;
/// Keys of real configuration files, put back and judged by other readers.
mod keys;
/// The languages that tree-sitter reads: Rust beside `syn`, and files of all others.
mod languages;
/// Markdown sections, beside an independent CommonMark reader.
mod markdown;
/// Real code with one small thing wrong.
mod mutants;
/// Statements beside an edit, judged by node, the TypeScript compiler, CPython and `syn`.
mod neighbours;
/// The order of operations has no effect: random batches, shuffled.
mod order;
/// Python read by us and by CPython.
mod python;
/// The folders under `tests/scenarios/`, everywhere.
mod scenarios;
/// The index of segments over thousands of names.
mod segment_index;
/// The laws of segments, on what can be made of the seeds of the fuzz targets.
mod segments;
/// Servers and clients that are killed in the middle of calls.
mod server;
/// Hostile state in git folders, many times over.
mod stranger;
/// Jinja templates and files made from them, beside Jinja itself.
mod templates;

/// The longest tests, in the size of this test program.
#[path = "../sizes/mod.rs"]
mod sizes;
/// Many processes at once, many rounds.
mod writers;
