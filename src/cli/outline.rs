//! `git segedit outline`: the segments of files.

use clap::Args;

use super::{Common, Format, Reply, terminal};
use crate::actions::look;
use crate::report::{self, Rendered};

/// List the segments of files: functions, methods, classes, variables, sections
///
/// Each with its lines, the first digits of its hash, its kind, and the name that addresses it.
#[derive(Args)]
#[command(
    override_usage = "git segedit outline [<options>] [<rev>:]<path>...",
    after_long_help = "Example:\n   $ git segedit outline src/worker.py HEAD:README.md"
)]
pub(crate) struct Arguments {
    /// Files; `<rev>:<path>` is a file as a revision has it
    #[arg(value_name = "path", required = true)]
    paths: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let paths = common.standing().and_then(|here| self.paths.iter().map(|path| here.rev_path(path)).collect());
        let paths: Vec<look::RevPath> = match paths {
            Ok(paths) => paths,
            Err(error) => return common.refuse(vec![error]),
        };
        match common.repo().map_err(|error| vec![error]).and_then(|repo| look::outline(repo, &paths)) {
            Err(errors) => common.refuse(errors),
            Ok(files) if common.format == Format::Json => {
                Reply::done(Rendered { stdout: report::json::outline(&files), stderr: String::new() })
            }
            Ok(files) => Reply::done(report::segments::outline(&files, &terminal::style(common))),
        }
    }
}
