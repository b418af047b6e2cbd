//! `git segedit trust`: lets a repository's configuration run in this clone.

use std::path::Path;

use clap::Args;

use super::{Common, Reply, ReportFormat, terminal};
use crate::actions::tools::{self, TrustAct};
use crate::report::{self, Rendered};

/// Let the validators, formatters and language servers of .segedit.yaml run in this clone
///
/// They are commands that somebody else wrote down, or tools that run plugins of the repository, so they run only once
/// they are trusted. This shows every command line and remembers the hash of the file for this clone, in your
/// own folder; a file that changes has to be trusted anew, and so have the files of the repository that decide what a
/// command does: its script with what stands beside it, what that loads, the files that its words name. They are listed as
/// what it watches, and so is what it cannot watch, such as plugins that a linter loads by its own configuration.
/// Filters that this clone's own git configuration names are shown and trusted in the same way, each with its settings, also
/// where there is no .segedit.yaml.
/// `segedit.trust` in your own git configuration, or
/// GIT_SEGEDIT_TRUST in the environment, says `always`, `never` or `ask` (the default) for all repositories.
#[derive(Args)]
#[command(
    override_usage = "git segedit trust [<options>] [<rev>]",
    after_long_help = "Example:\n   $ git segedit trust --dry-run"
)]
pub(crate) struct Arguments {
    /// The revision whose configuration is meant; without one it is the worktree's file, in a bare repository HEAD's
    #[arg(value_name = "rev")]
    revision: Option<String>,
    /// Only show what would be allowed
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Forget that it was trusted
    #[arg(long, conflicts_with = "dry_run")]
    revoke: bool,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let act = match (self.revoke, self.dry_run) {
            (true, _) => TrustAct::Revoke,
            (false, true) => TrustAct::Look,
            (false, false) => TrustAct::Grant,
        };
        match tools::trust(Path::new("."), self.revision.as_deref(), act) {
            Err(errors) => common.refuse(errors),
            Ok(inventory) => {
                let stdout = match common.format() {
                    ReportFormat::Json => report::tools::json(&inventory),
                    ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Github
                        if common.quiet =>
                    {
                        Vec::new()
                    }
                    ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Github => {
                        report::tools::commands(&inventory, &terminal::report_style(common))
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
