//! `git segedit show`: one segment.

use clap::Args;

use super::{Common, Reply, ReportFormat, terminal};
use crate::actions::look;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::Part;
use crate::report::{self, Rendered};
use crate::resolve::Segment;

/// Show one segment, its lines and its hash
///
/// The segment goes to standard output byte for byte, what there is to say about it to standard error. The hash is
/// what `--expect` and `expect:` take.
#[derive(Args)]
#[command(
    override_usage = "git segedit show [<options>] [<rev>:]<path>::<segment>...",
    after_long_help = "Example:\n   $ git segedit show src/worker.py::Worker.process"
)]
pub(crate) struct Arguments {
    /// The segment: `src/worker.py::Worker.process`, `HEAD~3:README.md::## Usage`
    #[arg(value_name = "address", required = true)]
    addresses: Vec<String>,
    /// Which part of the segments: whole, definition, body, signature, docstring, own, heading, code[n], table[n], list[n],
    /// inner, attribute:NAME
    #[arg(long, value_name = "PART")]
    part: Option<String>,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let part = match self.part.as_deref().map(|part| (part, Part::parse(part))) {
            Some((written, None)) => {
                let message = format!("`{}` is no part of a segment", shown(written));
                return common.refuse(vec![Diagnostic::new(Code::Malformed, message)]);
            }
            Some((_, part)) => part,
            None => None,
        };
        let mut shown_segments = Vec::new();
        let mut errors = Vec::new();
        for address in &self.addresses {
            match segment(address, part, common) {
                Ok(found) => shown_segments.push(found),
                Err(refused) => errors.extend(refused),
            }
        }
        if !errors.is_empty() {
            return common.refuse(errors);
        }
        match (common.format(), shown_segments.as_slice()) {
            (ReportFormat::Json, [(segment, content)]) => Reply::done(Rendered {
                stdout: report::json::show(segment, content),
                stderr: String::new(),
            }),
            (ReportFormat::Json, several) => Reply::done(Rendered {
                stdout: report::json::show_several(several),
                stderr: String::new(),
            }),
            (_, several) => Reply::done(report::segments::show(
                several,
                &terminal::report_style(common),
            )),
        }
    }
}

/// Returns the segment that `address` names, or the part of it.
fn segment(
    address: &str,
    part: Option<Part>,
    common: &Common,
) -> Result<(Segment, Vec<u8>), Vec<Diagnostic>> {
    let Some((file, segment)) = address.split_once("::") else {
        if part == Some(Part::Docstring) {
            let file = common
                .standing()
                .and_then(|here| here.rev_path(address))
                .map_err(|error| vec![error])?;
            return look::docstring(common.repo().map_err(|error| vec![error])?, &file);
        }
        let message = format!("`{}` names no segment", shown(address));
        let advice = "an address is `<path>::<segment>`; `git segedit outline <path>` lists the segments of a file";
        return Err(vec![Diagnostic::new(Code::Malformed, message).note(advice)]);
    };
    let file = common
        .standing()
        .and_then(|here| here.rev_path(file))
        .map_err(|error| vec![error])?;
    let repo = common.repo().map_err(|error| vec![error])?;
    look::show(repo, &file, segment, part)
}
