//! The one integration binary: the tool as its users meet it. A line for each module says what belongs there.

/// Diffs, judged by git itself.
mod diffs;
/// Markdown sections, beside an independent CommonMark reader.
mod markdown;
/// Sealed repositories, and running git and the tool in them. No test lives here.
mod support;

/// The folders under `tests/scenarios/`: what one call of `apply` makes of a repository.
mod scenarios;

/// The languages that tree-sitter reads: Rust beside `syn`, and all source files of a machine.
mod languages;
/// Python read by us and by CPython.
mod python;
/// Laws of the source itself: floors, homes of crates, opening sentences, no panics.
mod tidy;
