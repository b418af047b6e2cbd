//! `git segedit find`: definitions by name.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::progress::ProgressLine;
use super::{Common, Reply, ReportFormat, terminal};
use crate::actions::look;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::report::{self, Rendered};
use crate::syntax::SegmentKind;

/// Find definitions by name, across the repository
///
/// The name may be qualified (`Worker.process`) or not (`process`), and a `*` in it stands for any characters but a dot
/// (`Worker.*`, `test_*`). Blocks of templates, regions, and blocks of files that were
/// made from a template are found as well. Each line of the answer is a place and an address that `show`, `replace` and
/// operation files take. What files hold is kept in an index, so that only those that changed are read again.
#[derive(Args)]
#[command(
    override_usage = "git segedit find [<options>] <name> [-- <pathspec>...]",
    after_long_help = "Examples:\n   $ git segedit find process -- src\n   $ git segedit find 'Worker.*' --kind method"
)]
pub(crate) struct Arguments {
    /// Name of a function, method, class, variable, section or block
    #[arg(value_name = "name")]
    name: String,
    /// Find only segments of this kind: function, method, class, variable, …
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(SegmentKind::ALL.map(SegmentKind::as_str)))]
    #[arg(hide_possible_values = true)]
    kind: Option<String>,
    /// Look only into files that one of these matches
    #[arg(value_name = "pathspec", last = true)]
    pathspecs: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let pathspecs: Vec<String> = match common.standing() {
            Ok(here) => self
                .pathspecs
                .iter()
                .map(|pathspec| here.pathspec(pathspec))
                .collect(),
            Err(error) => return common.refuse(vec![error]),
        };
        let (shown_until_done, progress) =
            ProgressLine::counting(common, "files read for the index");
        let repo = common.repo().map_err(|error| vec![error]);
        let mut found = repo.and_then(|repo| look::find(repo, &self.name, &pathspecs, &*progress));
        if let (Some(kind), Ok(found)) = (&self.kind, &mut found) {
            found
                .segments
                .retain(|segment| segment.kind == kind.as_str());
        }
        let is_missed = found.as_ref().is_ok_and(|found| found.segments.is_empty());
        // What is offered is no more than a help: without it the answer is the same.
        let alike =
            || look::names_like(&common.repo().ok()?, &self.name, &pathspecs, &*progress).ok();
        let alike = if is_missed {
            alike().unwrap_or_default()
        } else {
            Vec::new()
        };
        drop(progress);
        drop(shown_until_done);
        match found {
            Err(errors) => common.refuse(errors),
            Ok(found) if found.segments.is_empty() => {
                let kind = self
                    .kind
                    .as_deref()
                    .map(|kind| format!(" of kind {}", shown(kind)))
                    .unwrap_or_default();
                let message = format!("no definition of `{}`{kind}", shown(&self.name));
                let missing = Diagnostic::new(Code::SegmentNotFound, message).suggest(alike);
                let noted = report::segments::passed_over(&found.passed_over);
                common.refuse(vec![noted.fold(missing, Diagnostic::note)])
            }
            Ok(found) if common.format() == ReportFormat::Json => Reply::done(Rendered {
                stdout: report::json::find(&found),
                stderr: String::new(),
            }),
            Ok(found) => Reply::done(report::segments::find(
                &found,
                &terminal::report_style(common),
            )),
        }
    }
}
