//! Placeholder for the story on one page: load, resolve, plan, verify, publish.

use std::path::Path;

use super::outcome::Outcome;
use crate::manifest::Manifest;

/// How batches are applied, beside what their manifests say.
pub struct Options {
    /// Skip the hooks that git would run.
    pub no_verify: bool,
    /// Make the unified diffs.
    pub diff: bool,
    /// Told in a few words what is going on.
    pub progress: Box<dyn Fn(&str) + Send + Sync>,
}

/// Applies each manifest and says what became of it.
pub fn run(_repo_dir: &Path, _manifests: Vec<Manifest>, _options: &Options) -> Vec<Outcome> {
    Vec::new()
}
