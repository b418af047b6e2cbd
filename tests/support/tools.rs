//! The real linters and formatters, installed once a process by `tests/tools/install.py`. No test lives here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns the folder of the installation.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .parent()
            .expect("the folder stands in the target folder");
        let folder = target.join("tools");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools/install.py");
        let status = Command::new("python3").arg(script).arg(&folder).status();
        let status = status.unwrap_or_else(|error| panic!("starting python3 {script}: {error}"));
        assert!(status.success(), "python3 {script}: {status}");
        folder
    })
}

/// Returns the Python that has the libraries that were installed.
pub(crate) fn python() -> PathBuf {
    folder().join("venv/bin/python")
}

/// Says whether all of `tools` are there; prints which are not.
pub(crate) fn has_all(tools: &[&str]) -> bool {
    tools.iter().filter(|tool| has(tool)).count() == tools.len()
}

/// Says whether `tool` is there; prints that it is not.
pub(crate) fn has(tool: &str) -> bool {
    let missing = std::fs::read_to_string(folder().join("missing.txt"))
        .expect("the installer lists what is missing");
    let is_missing = missing.lines().any(|line| line == tool);
    if is_missing {
        println!(
            "skipped: {tool} could not be installed; `python3 tests/tools/install.py` says why"
        );
    }
    !is_missing
}

/// Returns a `PATH` on which the tools come first.
pub(crate) fn path() -> OsString {
    super::path_with(&[&folder().join("bin")])
}
