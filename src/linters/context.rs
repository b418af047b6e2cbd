//! `LinterContext`: what validators and formatters are run for, and `LintReport`: what came of it.

use std::path::{Path, PathBuf};

use super::configured::ConfiguredLinters;
use super::sandbox;
use super::verdict::ToolVerdict;
use super::watch::Watch;
use crate::config::Tool;
use crate::diagnostic::Diagnostic;
use crate::git::{ReadSource, Repo};
use crate::snapshot::Change;

/// The batch's repository and base, and the linters that are configured there.
pub struct LinterContext<'r> {
    /// The repository.
    pub repo: &'r Repo,
    /// What the first batch of the call was resolved against.
    pub source: &'r ReadSource,
    /// What earlier batches of the call made of that.
    pub earlier: &'r [Change],
    /// What the base asks for.
    pub linters: &'r ConfiguredLinters,
    /// Called with a few words on what is going on.
    pub progress: &'r (dyn Fn(&str) + Send + Sync),
}

/// What a run of the formatters or the validators came to.
#[derive(Clone, Debug, Default)]
pub struct LintReport {
    /// One for each tool, in the configuration's order.
    pub verdicts: Vec<ToolVerdict>,
    /// What refuses the batch.
    pub errors: Vec<Diagnostic>,
    /// Worth knowing.
    pub warnings: Vec<Diagnostic>,
}

/// Returns the program that `tool`, one of those that are `asked` for, would start, or says why there is none.
pub fn program_of(
    repo: &Repo,
    linters: &ConfiguredLinters,
    tool: &Tool,
) -> Result<PathBuf, String> {
    let job = sandbox::job(
        repo,
        (tool, linters.watch(tool)),
        Path::new("/"),
        &tool.command,
    );
    job.map_err(|error| error.message)?.program()
}

/// Says whether the file at `path` decides what `tool` says: what configures it, and what its command runs.
pub(super) fn decides_result((tool, watch): (&Tool, &Watch), path: &str) -> bool {
    tool.is_configured_by(path) || watch.covers(path)
}
