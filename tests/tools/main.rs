//! The tool beside real linters, formatters, language servers, signers and schemas, in the versions that `tests/tools/install.py` pins.
//! `tests/run tools` runs them.

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

/// What is sent to the providers of models, held to the types of their own libraries.
mod ask;
/// The server, talked to by clients of others.
mod mcp;
/// The hooks that the project ships, run by the pre-commit framework.
mod pre_commit;
/// The presets with the real linters and formatters.
mod presets;
/// Reports as SARIF, held to the published schema.
mod sarif;
/// Renames by real language servers.
mod servers;
/// Signed commits, by the real signers.
mod signing;
