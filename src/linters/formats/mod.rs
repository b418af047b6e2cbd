//! What a validator wrote → its findings, a file for each format.
//!
//! ```text
//! a.sh:2:6: note: Double quote to prevent globbing. [SC2086]   →   a.sh, 2, 6, SC2086, Note, "Double quote …"
//! ```
//! Paths come out relative to the folder that the tool ran in, lines and columns count from 1, and every other word is the
//! tool's own, control characters included. Deliberately not here: which findings count, and what an exit code means.

mod diff;
mod eslint;
mod gcc;
mod markdownlint;
mod mypy;
mod paths;
mod place;
mod pylint;
mod pyright;
mod sarif;

#[cfg(test)]
mod hostile;

use std::path::Path;

use serde::de::DeserializeOwned;

use super::verdict::Finding;
use crate::config::{Output, Severity};
use place::Root;

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

/// What formatters that only judge say of a place.
const REFORMATTED: &str = "would be reformatted";

/// Returns a finding of `path` that says it would be formatted otherwise.
fn reformatted(path: String, line: Option<usize>) -> Finding {
    let message = REFORMATTED.to_owned();
    Finding {
        path: Some(path),
        line,
        column: None,
        rule: None,
        message,
        severity: Severity::Error,
        new: false,
    }
}

/// Reads `bytes` as one JSON value; `what` names it in the complaint.
fn json<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T, String> {
    let found = match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text),
        // A path that is not UTF-8 comes out as the tool has it; the rest can still be read.
        Err(_) => serde_json::from_str(&String::from_utf8_lossy(bytes)),
    };
    found.map_err(|error| format!("standard output is not {what}: {error}"))
}

/// Returns a number that counts from 0 as one that counts from 1; what is negative is no place.
fn from_zero(number: Option<i64>) -> Option<usize> {
    number
        .and_then(|number| usize::try_from(number).ok())
        .and_then(|number| number.checked_add(1))
}

/// Returns a number that counts from 1; anything less is no place.
fn from_one(number: Option<i64>) -> Option<usize> {
    number
        .and_then(|number| usize::try_from(number).ok())
        .filter(|&number| number > 0)
}
