//! `git segedit languages`: which files are read by name.

use clap::Args;

use super::{Common, Reply, ReportFormat, terminal};
use crate::actions::languages;
use crate::report::{self, Rendered};

/// List the languages whose files are read by name
///
/// With the names of their files, and the kinds of what can be named in them: `kind` of an operation takes these words. In a
/// file of any other language, text, patterns and lines are named.
#[derive(Args)]
#[command(
    override_usage = "git segedit languages [<options>]",
    after_long_help = "Example:\n   $ git segedit languages"
)]
pub(crate) struct Arguments {}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let known = languages::known();
        let stdout = match common.format() {
            ReportFormat::Json => report::languages::as_json(&known),
            ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Github => {
                report::languages::text(&known, &terminal::report_style(common))
            }
        };
        Reply::done(Rendered {
            stdout,
            stderr: String::new(),
        })
    }
}
