//! `git segedit apply`: operation files, published; and the way that `check` goes with them.

use clap::Args;

use super::publishing::PublishingOptions;
use super::{Common, Reply, exit, input};
use crate::actions::outcome::Outcome;
use crate::diagnostic::Diagnostic;
use crate::manifest::{CheckMode, Manifest, ManifestText, Overrides, yaml};

/// Publish operation files, each as one git object
///
/// Every operation of a file is resolved against one snapshot of the repository and checked; then the whole file is
/// published as one commit, index update, worktree update or stash, or nothing at all happens. Several files become
/// one commit each, in order, published together. An option given here takes the place of the file's own field.
#[derive(Args)]
#[command(
    override_usage = "git segedit apply [<options>] (<file>... | -)",
    after_long_help = "Example:\n   $ git segedit apply --branch bot/validate edits/validate.yaml"
)]
pub(crate) struct Arguments {
    /// Operation files; `-` reads one from standard input
    #[arg(value_name = "file", required = true)]
    files: Vec<String>,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// All the way.
    Publish,
    /// Up to the last step before.
    Verify,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        run(&self.files, &self.publishing, common, Aim::Publish)
    }
}

/// Takes the operation files called `files` as far as `aim` says.
pub(super) fn run(
    files: &[String],
    publishing: &PublishingOptions,
    common: &Common,
    aim: Aim,
) -> Reply {
    let mut overrides = publishing.overrides();
    if aim == Aim::Verify {
        overrides.mode = Some(CheckMode::VerifyOnly);
    }
    let outcomes = match load_all(files, &overrides) {
        Ok(manifests) => publishing.publish(common, manifests),
        Err(refused) => refused,
    };
    // Told by the files named, not by the outcomes: of several files only one may be malformed.
    let reply = if files.len() > 1 {
        common.report_several(&outcomes)
    } else {
        common.report(&outcomes)
    };
    // Of a batch of thousands that takes longer than the end of the process, which gives everything back at once.
    std::mem::forget(outcomes);
    reply
}

/// Reads every operation file, or returns an outcome for each that cannot be read.
pub(super) fn load_all(
    names: &[String],
    overrides: &Overrides,
) -> Result<Vec<Manifest>, Vec<Outcome>> {
    let (mut manifests, mut refused) = (Vec::new(), Vec::new());
    for name in names {
        match load_manifests(name, overrides) {
            Ok(manifest) => manifests.push(manifest),
            Err((source, errors)) => refused.push(exit::refused_outcome(source, errors)),
        }
    }
    if refused.is_empty() {
        Ok(manifests)
    } else {
        Err(refused)
    }
}

/// Reads the operation file called `name`, or returns what it says and everything that is wrong with it.
fn load_manifests(
    name: &str,
    overrides: &Overrides,
) -> Result<Manifest, (ManifestText, Vec<Diagnostic>)> {
    let title = input::input_title(name);
    let source = |text: String| ManifestText {
        name: title.to_owned(),
        text,
    };
    let bytes = input::read(name).map_err(|error| (source(String::new()), vec![error]))?;
    yaml::read_with(title, &bytes, overrides)
        .map_err(|errors| (source(String::from_utf8_lossy(&bytes).into_owned()), errors))
}
