//! `git segedit find`: definitions by name.

use clap::Args;

use super::progress::Progress;
use super::{Common, Format, Reply, terminal};
use crate::actions::look;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::report::{self, Rendered};

/// Find definitions by name, across the repository
///
/// The name may be qualified (`Worker.process`) or not (`process`). Blocks of templates, regions, and blocks of files that were
/// made from a template are found as well. Each line of the answer is a place and an address that `show`, `replace` and
/// operation files take. What files hold is kept in an index, so that only those that changed are read again.
#[derive(Args)]
#[command(
    override_usage = "git segedit find [<options>] <name> [-- <pathspec>...]",
    after_long_help = "Example:\n   $ git segedit find process -- src"
)]
pub(crate) struct Arguments {
    /// Name of a function, method, class, variable, section or block
    #[arg(value_name = "name")]
    name: String,
    /// Look only into files that one of these matches
    #[arg(value_name = "pathspec", last = true)]
    pathspecs: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let pathspecs: Vec<String> = match common.standing() {
            Ok(here) => self.pathspecs.iter().map(|pathspec| here.pathspec(pathspec)).collect(),
            Err(error) => return common.refuse(vec![error]),
        };
        let (shown_until_done, progress) = Progress::counting(common, "files read for the index");
        let repo = common.repo().map_err(|error| vec![error]);
        let found = repo.and_then(|repo| look::find(repo, &self.name, &pathspecs, &*progress));
        drop(progress);
        drop(shown_until_done);
        match found {
            Err(errors) => common.refuse(errors),
            Ok(found) if found.segments.is_empty() => {
                let message = format!("no definition of `{}`", shown(&self.name));
                let missing = Diagnostic::new(Code::SegmentNotFound, message);
                let passed_over = found.passed_over.iter();
                let noted = passed_over.map(|(path, excess)| format!("{path} was passed over: {excess}"));
                common.refuse(vec![noted.fold(missing, Diagnostic::note)])
            }
            Ok(found) if common.format == Format::Json => {
                Reply::done(Rendered { stdout: report::json::find(&found), stderr: String::new() })
            }
            Ok(found) => Reply::done(report::segments::find(&found, &terminal::style(common))),
        }
    }
}
