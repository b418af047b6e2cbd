//! `Reply`: what a command answers with, in the format that was asked for.

use super::context::{Common, ReportFormat};
use super::{exit, terminal};
use crate::actions::outcome::{Outcome, Status};
use crate::diagnostic::{Diagnostic, shown};
use crate::manifest::ManifestText;
use crate::report::{self, Rendered};

/// What a command has to say, and how it ended.
pub(crate) struct Reply {
    pub(super) rendered: Rendered,
    pub(super) status: Status,
    /// Whether it is worded in the format that was asked for; else it is words for people, whatever that is.
    pub(super) is_report: bool,
}

impl Reply {
    /// Returns the reply of a command that did what it was asked for.
    pub(super) fn done(rendered: Rendered) -> Reply {
        Reply {
            rendered,
            status: Status::Verified,
            is_report: false,
        }
    }
}

/// Returns what there is to say about how segments were looked for, each line once.
fn explanations_of(outcomes: &[Outcome]) -> String {
    let asides = outcomes
        .iter()
        .flat_map(|outcome| &outcome.operations)
        .flat_map(|operation| &operation.asides);
    note_lines(
        asides
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .cloned(),
    )
}

/// Returns a line for each of `texts`.
pub(super) fn note_lines(texts: impl Iterator<Item = String>) -> String {
    texts
        .map(|text| format!("note: {}\n", shown(&text)))
        .collect()
}

impl Common {
    /// Returns the reply that refuses a command for what `errors` say.
    pub(super) fn refuse(&self, errors: Vec<Diagnostic>) -> Reply {
        let source = ManifestText {
            name: "<command line>".to_owned(),
            text: String::new(),
        };
        self.report(&[exit::refused_outcome(source, errors)])
    }

    /// Returns the reply that reports a call with one operation file.
    pub(super) fn report(&self, outcomes: &[Outcome]) -> Reply {
        match outcomes {
            [only] => self.reply(outcomes, || report::json::render(only)),
            _ => self.report_several(outcomes),
        }
    }

    /// Returns the reply that reports a call with several operation files.
    pub(super) fn report_several(&self, outcomes: &[Outcome]) -> Reply {
        self.reply(outcomes, || report::json::render_several(outcomes))
    }

    fn reply(&self, outcomes: &[Outcome], json: impl Fn() -> Vec<u8>) -> Reply {
        let style = || terminal::report_style(self);
        let mut rendered = match self.format() {
            ReportFormat::Human => report::human::render(outcomes, &style()),
            ReportFormat::Json => Rendered {
                stdout: json(),
                stderr: String::new(),
            },
            ReportFormat::Sarif => Rendered {
                stdout: report::sarif::render(outcomes),
                stderr: String::new(),
            },
            ReportFormat::Github => report::github::render(outcomes, &style()),
        };
        if self.verbose {
            let asides = explanations_of(outcomes);
            match self.format() {
                ReportFormat::Github => rendered
                    .stderr
                    .push_str(&report::github::inert_text(&asides)),
                ReportFormat::Human | ReportFormat::Json | ReportFormat::Sarif => {
                    rendered.stderr.push_str(&asides)
                }
            }
        }
        let status = report::json::combined_status(outcomes.iter().map(|outcome| outcome.status));
        Reply {
            rendered,
            status,
            is_report: true,
        }
    }
}
