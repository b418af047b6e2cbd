//! `git segedit show`: one segment.

use clap::Args;

use super::{Common, Format, Reply, terminal};
use crate::actions::look;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::report::{self, Rendered};

/// Show one segment, its lines and its hash
///
/// The segment goes to standard output byte for byte, what there is to say about it to standard error. The hash is
/// what `--expect` and `expect:` take.
#[derive(Args)]
#[command(
    override_usage = "git segedit show [<options>] [<rev>:]<path>::<segment>",
    after_long_help = "Example:\n   $ git segedit show src/worker.py::Worker.process"
)]
pub(crate) struct Arguments {
    /// The segment: `src/worker.py::Worker.process`, `HEAD~3:README.md::## Usage`
    #[arg(value_name = "address")]
    address: String,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let Some((file, segment)) = self.address.split_once("::") else {
            let message = format!("`{}` names no segment", shown(&self.address));
            let advice = "an address is `<path>::<segment>`; `git segedit outline <path>` lists the segments of a file";
            return common.refuse(vec![Diagnostic::new(Code::Malformed, message).note(advice)]);
        };
        let file = match common.standing().and_then(|here| here.rev_path(file)) {
            Ok(file) => file,
            Err(error) => return common.refuse(vec![error]),
        };
        match common.repo().map_err(|error| vec![error]).and_then(|repo| look::show(repo, &file, segment)) {
            Err(errors) => common.refuse(errors),
            Ok((segment, content)) if common.format == Format::Json => {
                Reply::done(Rendered { stdout: report::json::show(&segment, &content), stderr: String::new() })
            }
            Ok((segment, content)) => Reply::done(report::segments::show(&segment, &content, &terminal::style(common))),
        }
    }
}
