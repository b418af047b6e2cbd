//! `Verdict`: what one validator or formatter said of a batch, for the report.

use std::time::Duration;

use crate::config::{self, Severity, Tool};
use crate::diagnostic::{Code, Diagnostic};

/// What one tool said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolVerdict {
    /// The tool's name in the configuration.
    pub name: String,
    /// What it came to.
    pub status: VerdictStatus,
    /// How it exited; `None` when it did not run, or a signal ended it.
    pub exit_code: Option<i32>,
    /// How long its run took; that on the base not counted.
    pub duration: Duration,
    /// What it found in the candidate, in its own order.
    pub findings: Vec<Finding>,
    /// What a person has to know beside: why it did not run, the end of what it wrote. Lossily text, not escaped.
    pub detail: String,
}

/// What a tool's run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictStatus {
    /// Nothing counts against the batch.
    Passed,
    /// Something does.
    Failed,
    /// The program is not there.
    Missing,
    /// It took too long and was ended.
    Timeout,
    /// It died, or said what cannot be understood.
    Crashed,
    /// No file of the batch is its business, or it was not allowed to run.
    Skipped,
}

impl VerdictStatus {
    /// Returns its word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            VerdictStatus::Passed => "passed",
            VerdictStatus::Failed => "failed",
            VerdictStatus::Missing => "missing",
            VerdictStatus::Timeout => "timeout",
            VerdictStatus::Crashed => "crashed",
            VerdictStatus::Skipped => "skipped",
        }
    }
}

/// Something that a validator found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Relative to the repository's root, as the tool wrote it otherwise; `None` when it names no file.
    pub path: Option<String>,
    /// 1-based.
    pub line: Option<usize>,
    /// 1-based, in whatever the tool counts.
    pub column: Option<usize>,
    /// The tool's name for what is wrong: `F821`, `no-unused-vars`.
    pub rule: Option<String>,
    /// The tool's words, one line as a rule.
    pub message: String,
    /// As the tool weighs it.
    pub severity: Severity,
    /// Whether the base did not have it.
    pub new: bool,
}

/// Returns the verdict of a tool that was not run.
pub(super) fn skipped_verdict(tool: &Tool) -> ToolVerdict {
    ToolVerdict {
        name: tool.name.clone(),
        status: VerdictStatus::Skipped,
        exit_code: None,
        duration: Duration::ZERO,
        findings: Vec::new(),
        detail: String::new(),
    }
}

/// Returns what a tool said as a refusal: its first line as the sentence, the others as notes.
pub(super) fn refusal_of(code: Code, name: &str, detail: &str, is_shown_files: bool) -> Diagnostic {
    let mut lines = detail.lines();
    let mut refusal = Diagnostic::new(
        code,
        format!("{name}: {}", lines.next().unwrap_or_default()),
    );
    refusal.notes.extend(lines.map(str::to_owned));
    match code {
        Code::ValidatorMissing => refusal.note(format!("install it, or take {name} out of {}", config::PATH)),
        Code::ValidatorCrashed if is_shown_files => {
            refusal.note(format!("it was shown the batch's files and what configures it; `config:` of {name} in {} names further files, `scope: tree` shows it all", config::PATH))
        }
        Code::ValidatorTimeout => {
            refusal.note(format!("`timeout: <seconds>` of {name} in {} gives it longer", config::PATH))
        }
        _ => refusal,
    }
}
