//! `git segedit index`: what `find` looks names up in.

use std::path::Path;

use clap::Args;

use super::progress::ProgressLine;
use super::{Common, Reply, ReportFormat, terminal};
use crate::actions::index::{self, IndexAct};
use crate::report::{self, Rendered};

/// Bring the index of segments up to date, which `find` looks names up in
///
/// `find` does so by itself with the files that it searches; this prepares for it. The index belongs to this clone, stands in its
/// git folder and is nobody's only copy of anything: a damaged one, or one that another version wrote, is built anew unasked.
#[derive(Args)]
#[command(
    override_usage = "git segedit index [--rebuild | --drop | --stat] [<options>]",
    after_long_help = "Example:\n   $ git segedit index --stat"
)]
pub(crate) struct Arguments {
    /// Drop it, and build it anew
    #[arg(long)]
    rebuild: bool,
    /// Remove it
    #[arg(long, conflicts_with = "rebuild")]
    drop: bool,
    /// Only say how large it is and whether it is up to date
    #[arg(long, conflicts_with_all = ["rebuild", "drop"])]
    stat: bool,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let act = match (self.rebuild, self.drop, self.stat) {
            (true, _, _) => IndexAct::Rebuild,
            (_, true, _) => IndexAct::Drop,
            (_, _, true) => IndexAct::Look,
            (false, false, false) => IndexAct::Refresh,
        };
        let (shown_until_done, progress) =
            ProgressLine::counting(common, "files read for the index");
        let done = index::run(Path::new("."), act, &*progress);
        drop(progress);
        drop(shown_until_done);
        match done {
            Err(errors) => common.refuse(errors),
            Ok(indexed) => {
                let stdout = match common.format() {
                    ReportFormat::Json => report::index::json(&indexed),
                    ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Github
                        if common.quiet =>
                    {
                        Vec::new()
                    }
                    ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Github => {
                        report::index::text(&indexed, &terminal::report_style(common))
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
