//! The table of formats, and the way in: `read` makes findings of what a validator wrote, by its format. Formatters write files, not findings:
//! `linters::format` reads those.

use std::path::Path;

use super::place::Root;
use super::{diff, eslint, gcc, markdownlint, mypy, paths, pylint, pyright, sarif};
use crate::config::ValidatorOutput;
use crate::linters::verdict::Finding;

/// Returns what a tool that ran in `root` said it found, or a sentence on why its output cannot be understood.
pub fn read(
    output: ValidatorOutput,
    stdout: &[u8],
    stderr: &[u8],
    root: &Path,
) -> Result<Vec<Finding>, String> {
    let root = Root::of(root);
    match output {
        ValidatorOutput::Exit => Ok(Vec::new()),
        ValidatorOutput::Gcc => Ok(gcc::read(stdout, stderr, &root)),
        ValidatorOutput::Sarif => sarif::read(stdout, &root),
        ValidatorOutput::Diff => diff::read(stdout, stderr, &root),
        ValidatorOutput::Paths => Ok(paths::read(stdout, &root)),
        ValidatorOutput::Pylint => pylint::read(stdout, &root),
        ValidatorOutput::Mypy => mypy::read(stdout, &root),
        ValidatorOutput::Pyright => pyright::read(stdout, &root),
        ValidatorOutput::Eslint => eslint::read(stdout, &root),
        ValidatorOutput::Markdownlint => Ok(markdownlint::read(stderr, &root)),
    }
}
