//! `ValidatorRun`: what one run of a validator found, read from what the program wrote.

use std::path::Path;
use std::time::Duration;

use super::formats;
use super::verdict::{Finding, VerdictStatus};
use crate::config::{Severity, Validator, ValidatorOutput};
use crate::diagnostic::{Code, Diagnostic};
use crate::process::{RunEnd, RunResult};

/// What one run found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValidatorRun {
    /// How it exited.
    pub exit: Option<i32>,
    /// What it found, the fact that it exited with another code than 0 included when it says nothing more.
    pub findings: Vec<Finding>,
    /// Whether it found nothing that it named: its one finding says how it exited.
    pub only_exit_code: bool,
    /// What came between it and a verdict.
    pub trouble: Option<(VerdictStatus, String)>,
    /// Why its run on the base, with which this one is compared, came to nothing.
    pub base_trouble: Option<String>,
    /// How long it took.
    pub duration: Duration,
}

/// Most lines of a tool's own words that are shown.
const MOST_LINES: usize = 20;
/// Most characters of one such line.
const MOST_CHARACTERS: usize = 400;

impl ValidatorRun {
    /// Returns a run that found nothing.
    pub(super) fn clean() -> ValidatorRun {
        ValidatorRun {
            exit: Some(0),
            findings: Vec::new(),
            only_exit_code: false,
            trouble: None,
            base_trouble: None,
            duration: Duration::ZERO,
        }
    }

    /// Reads what one run of `validator` in `folder` wrote.
    pub(super) fn of(
        validator: &Validator,
        ran: &RunResult,
        folder: &Path,
    ) -> Result<ValidatorRun, Diagnostic> {
        let trouble = |status, detail: String| {
            Ok(ValidatorRun {
                exit: exit_code_of(&ran.end),
                findings: Vec::new(),
                only_exit_code: false,
                trouble: Some((status, detail)),
                base_trouble: None,
                duration: ran.duration,
            })
        };
        let exit = match &ran.end {
            RunEnd::Exited(exit @ (126 | 127)) => {
                let detail = format!(
                    "a program that it needs is missing (exit {exit}){}",
                    output_tail(ran, folder)
                );
                return trouble(VerdictStatus::Missing, detail);
            }
            RunEnd::Exited(exit) => *exit,
            RunEnd::Missing(why) => return trouble(VerdictStatus::Missing, why.clone()),
            RunEnd::TimedOut => {
                let detail = format!(
                    "did not end within {} s{}",
                    validator.tool.timeout.as_secs(),
                    output_tail(ran, folder)
                );
                return trouble(VerdictStatus::Timeout, detail);
            }
            RunEnd::Signalled(signal) => {
                let detail = format!("was ended by signal {signal}{}", output_tail(ran, folder));
                return trouble(VerdictStatus::Crashed, detail);
            }
            RunEnd::Interrupted => {
                return Err(Diagnostic::new(
                    Code::Io,
                    "interrupted; nothing was published",
                ));
            }
        };
        if !validator.verdicts.is_empty() && !validator.verdicts.contains(&exit) {
            return trouble(
                VerdictStatus::Crashed,
                format!("failed with exit code {exit}{}", output_tail(ran, folder)),
            );
        }
        if ran.stdout.cut && validator.output != ValidatorOutput::Exit {
            return trouble(
                VerdictStatus::Crashed,
                "wrote more than can be read".to_owned(),
            );
        }
        let mut findings = match formats::read(
            validator.output,
            &ran.stdout.bytes,
            &ran.stderr.bytes,
            folder,
        ) {
            Ok(findings) => findings,
            Err(why) => {
                let detail = format!(
                    "wrote what cannot be understood: {why}{}",
                    output_tail(ran, folder)
                );
                return trouble(VerdictStatus::Crashed, detail);
            }
        };
        // A tool that fails without a finding did not judge: it stumbled over its configuration, or found no file.
        // So does a command that promised to name what it finds.
        let names_findings =
            !validator.verdicts.is_empty() || validator.output != ValidatorOutput::Exit;
        if exit != 0 && findings.is_empty() && names_findings {
            let detail = format!(
                "failed with exit code {exit} and named nothing{}",
                output_tail(ran, folder)
            );
            return trouble(VerdictStatus::Crashed, detail);
        }
        let only_exit_code = exit != 0
            && !findings
                .iter()
                .any(|finding| finding.severity >= validator.counts);
        if only_exit_code {
            findings.push(exit_code_finding(exit, ran, folder));
        }
        Ok(ValidatorRun {
            exit: Some(exit),
            findings,
            only_exit_code,
            trouble: None,
            base_trouble: None,
            duration: ran.duration,
        })
    }
}

fn exit_code_of(end: &RunEnd) -> Option<i32> {
    match end {
        RunEnd::Exited(exit) => Some(*exit),
        RunEnd::Signalled(_) | RunEnd::TimedOut | RunEnd::Missing(_) | RunEnd::Interrupted => None,
    }
}

/// Returns the finding that stands for an exit code alone. Its message holds all that was written, so that the base's run
/// is only the same when it wrote the same.
fn exit_code_finding(exit: i32, ran: &RunResult, folder: &Path) -> Finding {
    Finding {
        path: None,
        line: None,
        column: None,
        rule: None,
        message: format!("exit code {exit}{}", output_tail(ran, folder)),
        severity: Severity::Error,
        new: false,
    }
}

/// Returns the end of what it wrote, as the end of a sentence.
fn output_tail(ran: &RunResult, folder: &Path) -> String {
    let mut text = String::from_utf8_lossy(&ran.stderr.bytes).into_owned();
    text.push('\n');
    text.push_str(&String::from_utf8_lossy(&ran.stdout.bytes));
    let here = format!("{}/", folder.display());
    let text = text.replace(&here, "");
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    let last = lines
        .get(lines.len().saturating_sub(MOST_LINES)..)
        .unwrap_or_default();
    let kept: Vec<String> = last
        .iter()
        .map(|line| line.chars().take(MOST_CHARACTERS).collect())
        .collect();
    if kept.is_empty() {
        String::new()
    } else {
        format!(": {}", kept.join("\n"))
    }
}
