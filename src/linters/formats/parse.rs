//! What several formats have in common: JSON, positions that count from zero, files that a formatter would change.

use serde::de::DeserializeOwned;

use crate::config::Severity;
use crate::linters::verdict::Finding;

/// What formatters that only judge say of a place.
const REFORMATTED: &str = "would be reformatted";

/// Returns a finding of `path` that says it would be formatted otherwise.
pub(super) fn reformatted(path: String, line: Option<usize>) -> Finding {
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
pub(super) fn json<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T, String> {
    let found = match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text),
        // A path that is not UTF-8 comes out as the tool has it; the rest can still be read.
        Err(_) => serde_json::from_str(&String::from_utf8_lossy(bytes)),
    };
    found.map_err(|error| format!("standard output is not {what}: {error}"))
}

/// Returns a number that counts from 0 as one that counts from 1; what is negative is no place.
pub(super) fn from_zero(number: Option<i64>) -> Option<usize> {
    number
        .and_then(|number| usize::try_from(number).ok())
        .and_then(|number| number.checked_add(1))
}

/// Returns a number that counts from 1; anything less is no place.
pub(super) fn from_one(number: Option<i64>) -> Option<usize> {
    number
        .and_then(|number| usize::try_from(number).ok())
        .filter(|&number| number > 0)
}
