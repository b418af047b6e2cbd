//! `git segedit outline`: the segments of files.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::reply::note_lines;
use super::{Common, Reply, ReportFormat, terminal};
use crate::actions::look;
use crate::report::{self, Rendered};
use crate::resolve::Segment;
use crate::syntax::SegmentKind;

/// List the segments of files: functions, methods, classes, variables, sections
///
/// Of a folder those of all files below it that are in a language that is read, `.` being all that is below where you are.
/// Each with its lines, the first digits of its hash, its kind, and the name that addresses it.
#[derive(Args)]
#[command(
    override_usage = "git segedit outline [<options>] [<rev>:]<path>...",
    after_long_help = "Example:\n   $ git segedit outline src/worker.py HEAD:README.md"
)]
pub(crate) struct Arguments {
    /// Files and folders; `<rev>:<path>` is one as a revision has it
    #[arg(value_name = "path", required = true)]
    paths: Vec<String>,
    /// List only segments of this kind: function, method, class, variable, …
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(SegmentKind::ALL.map(SegmentKind::as_str)))]
    #[arg(hide_possible_values = true)]
    kind: Option<String>,
    /// List only segments inside of fewer than <N> others
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let asked = common
            .standing()
            .and_then(|here| self.paths.iter().map(|path| here.asked(path)).collect());
        let asked: Vec<look::AskedPath> = match asked {
            Ok(asked) => asked,
            Err(error) => return common.refuse(vec![error]),
        };
        let outlines = common
            .repo()
            .map_err(|error| vec![error])
            .and_then(|repo| look::outline(repo, &asked));
        let outlines = outlines.map(|mut outlines| {
            let files = &mut outlines.files;
            for (_, segments) in files.iter_mut() {
                self.choose(segments);
            }
            files.retain(|(_, segments)| !segments.is_empty() || self.kind.is_none());
            outlines
        });
        let mut reply = match outlines {
            Err(errors) => common.refuse(errors),
            Ok(outlines) if common.format() == ReportFormat::Json => Reply::done(Rendered {
                stdout: report::json::outline(&outlines),
                stderr: String::new(),
            }),
            Ok(outlines) => Reply::done(report::segments::outline(
                &outlines,
                &terminal::report_style(common),
            )),
        };
        if common.verbose
            && let Ok(doubts) = common
                .repo()
                .and_then(|repo| look::syntax_warnings(&repo, &asked))
        {
            reply
                .rendered
                .stderr
                .push_str(&note_lines(doubts.into_iter()));
        }
        reply
    }

    /// Leaves what is asked for.
    fn choose(&self, segments: &mut Vec<Segment>) {
        if let Some(depth) = self.depth {
            let mut depths = report::segments::depths(segments).into_iter();
            segments.retain(|_| depths.next().is_some_and(|found| found < depth));
        }
        if let Some(kind) = &self.kind {
            segments.retain(|segment| segment.kind == kind.as_str());
        }
    }
}
