//! The table of formats.

use std::path::Path;

use super::place::Root;
use super::{diff, eslint, gcc, markdownlint, mypy, paths, pylint, pyright, sarif};
use crate::config::Output;
use crate::linters::verdict::Finding;

/// Returns what a tool that ran in `root` said it found, or a sentence on why its output cannot be understood.
pub fn read(
    output: Output,
    stdout: &[u8],
    stderr: &[u8],
    root: &Path,
) -> Result<Vec<Finding>, String> {
    let root = Root::of(root);
    match output {
        Output::Exit => Ok(Vec::new()),
        Output::Gcc => Ok(gcc::read(stdout, stderr, &root)),
        Output::Sarif => sarif::read(stdout, &root),
        Output::Diff => diff::read(stdout, stderr, &root),
        Output::Paths => Ok(paths::read(stdout, &root)),
        Output::Pylint => pylint::read(stdout, &root),
        Output::Mypy => mypy::read(stdout, &root),
        Output::Pyright => pyright::read(stdout, &root),
        Output::Eslint => eslint::read(stdout, &root),
        Output::Markdownlint => Ok(markdownlint::read(stderr, &root)),
    }
}
