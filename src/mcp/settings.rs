//! `Settings`: what is served, and how.

use std::path::PathBuf;

use crate::door::CallRules;

/// What is served, and how.
pub(crate) struct ServerSettings {
    /// The folders that calls run in, at least one; the first unless a call says otherwise.
    pub roots: Vec<PathBuf>,
    /// Whether calls reach nothing outside of the folder that they run in.
    pub confines: bool,
    /// What the tools may do.
    pub rules: CallRules,
    /// The same, as options of `git segedit call`.
    pub options: Vec<String>,
    /// The program itself.
    pub program: PathBuf,
    /// Variables of the environment that no call gets to see.
    pub withheld: Vec<std::ffi::OsString>,
}
