//! SARIF 2.1.0: what ruff, clippy-sarif, semgrep and many more can write.
//!
//! A result that the tool itself calls passed, suppressed or gone is no finding. Deliberately not read: further locations
//! of one result, and what stands in files beside the log.

mod log;
mod read;

pub(super) use read::read;

#[cfg(test)]
pub(super) use read::tests;
