//! What a validator wrote → its findings, a file for each format.
//!
//! ```text
//! a.sh:2:6: note: Double quote to prevent globbing. [SC2086]   →   a.sh, 2, 6, SC2086, Note, "Double quote …"
//! ```
//! Paths come out relative to the folder that the tool ran in, lines and columns count from 1, and every other word is the
//! tool's own, control characters included. `registry` is the table of formats; `parse` and `place` are what several share. Deliberately not here: which findings count, and what an exit code means.

mod diff;
mod eslint;
mod gcc;
#[cfg(test)]
mod hostile;
mod markdownlint;
mod mypy;
mod parse;
mod paths;
mod place;
mod pylint;
mod pyright;
mod registry;
mod sarif;

pub use registry::read;
