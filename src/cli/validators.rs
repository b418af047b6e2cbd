//! `git segedit validators`: what would run, on which paths, and why something would not.

use std::path::Path;

use clap::Args;

use super::publishing::PublishingOptions;
use super::{Common, Reply, ReportFormat, apply, terminal};
use crate::actions::tools;
use crate::report::{self, Rendered};

/// Show which validators, formatters and language servers would run, and on what
///
/// With operation files it is told for what they change, without any for every tracked file. Nothing is started.
#[derive(Args)]
#[command(
    override_usage = "git segedit validators [<options>] [<file>...]",
    after_long_help = "Example:\n   $ git segedit validators"
)]
pub(crate) struct Arguments {
    /// Operation files; `-` is standard input
    #[arg(value_name = "file")]
    files: Vec<String>,
    #[command(flatten)]
    publishing: PublishingOptions,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let manifests = match apply::load_all(&self.files, &self.publishing.overrides()) {
            Ok(manifests) => manifests,
            Err(refused) => return common.report(&refused),
        };
        match tools::validators(Path::new("."), &manifests) {
            Err(errors) => common.refuse(errors),
            Ok(inventory) => {
                let stdout = match common.format() {
                    ReportFormat::Json => report::tools::json(&inventory),
                    ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Github => {
                        report::tools::runs(&inventory, &terminal::report_style(common))
                    }
                };
                Reply::done(Rendered {
                    stdout,
                    stderr: String::new(),
                })
            }
        }
    }
}
