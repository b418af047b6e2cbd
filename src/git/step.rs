//! `step`: the named places where a test makes publishing fail as if the disk were full, or has the process die.
//!
//! `FAILPOINTS='exchange=2*off->return'` fails at the third file, `ref=return(abort)` dies before the ref moves. In a build that is no
//! test it is nothing at all. `tests/support/crash.rs` finds the names by reading the source and tries every one.

use crate::diagnostic::Diagnostic;

/// Passes, unless a test says otherwise.
pub(crate) fn step(name: &str) -> Result<(), Diagnostic> {
    // Read by nobody in a build that is no test.
    let _ = name;
    fail::fail_point!(name, |how| match how.as_deref() {
        Some("abort") => std::process::abort(),
        _ => Err(Diagnostic::new(
            crate::diagnostic::Code::Io,
            format!("could not pass `{name}`: No space left on device")
        )),
    });
    Ok(())
}
