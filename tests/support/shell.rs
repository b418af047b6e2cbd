//! Lines of shell that have to succeed, or to fail. No test lives here.

use super::{Run, Sandbox};

/// Runs a line of shell that has to succeed.
#[track_caller]
pub(crate) fn does(sandbox: &Sandbox, line: &str) -> Run {
    let run = sandbox.shell(line);
    assert_eq!(run.exit, 0, "{run}\n{sandbox}");
    run
}

/// Runs a line of shell that has to fail, and to say each of `words`.
#[track_caller]
pub(crate) fn refuses(sandbox: &Sandbox, line: &str, words: &[&str]) -> Run {
    let run = sandbox.shell(line);
    assert_ne!(run.exit, 0, "{run}\n{sandbox}");
    for word in words {
        assert!(run.err().contains(word), "`{word}` is not said\n{run}");
    }
    run
}
