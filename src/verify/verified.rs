//! `Verified`: a checked candidate as formatters and validators left it.

use std::collections::BTreeMap;

use super::check::Checked;
use super::findings::CheckFindings;
use crate::diagnostic::Diagnostic;
use crate::linters::{Formatting, LintReport, Permission, ToolVerdict, Validation};
use crate::manifest::CheckMode;
use crate::path::RepoPath;
use crate::plan::Candidate;
use crate::snapshot::Change;

/// A batch that passed every check. Invariant: only `conclude` makes one.
#[derive(Clone, Debug)]
pub struct Verified {
    changes: Vec<Change>,
    moves: BTreeMap<RepoPath, RepoPath>,
}

impl Verified {
    /// Returns what becomes of each path, sorted by path; never two changes of one path.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns, for each path that was given another's file, the path that it had.
    pub fn moves(&self) -> &BTreeMap<RepoPath, RepoPath> {
        &self.moves
    }

    fn of(candidate: &Candidate) -> Verified {
        Verified {
            changes: candidate.changes().to_vec(),
            moves: candidate.moves().clone(),
        }
    }

    /// Makes one out of nothing, for the tests of the floors above.
    #[cfg(test)]
    pub fn for_tests(changes: Vec<Change>) -> Verified {
        Verified {
            changes,
            moves: BTreeMap::new(),
        }
    }
}

/// What came of judging a checked candidate.
#[derive(Debug)]
pub struct Judged {
    /// The candidate as the formatters left it.
    pub candidate: Candidate,
    /// What each formatter came to.
    pub formatters: Vec<ToolVerdict>,
    /// What each validator said.
    pub validators: Vec<ToolVerdict>,
    /// Worth knowing.
    pub warnings: Vec<Diagnostic>,
    /// The batch, or everything that refuses it.
    pub outcome: Result<Verified, Vec<Diagnostic>>,
}

/// A checked candidate as the formatters left it, checked again.
#[derive(Debug)]
pub struct Formatted {
    candidate: Candidate,
    formatters: Vec<ToolVerdict>,
    found: CheckFindings,
    permission: Option<Permission>,
}

impl Formatted {
    /// Returns the candidate.
    pub fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// Returns the permission to run validators on it; `None` where they may not run, or nothing is left to validate.
    pub fn to_validate(&self, mode: CheckMode) -> Option<Permission> {
        let is_refused = !self.found.weighed(mode).0.is_empty();
        self.permission
            .filter(|_| !is_refused && !self.candidate.changes().is_empty())
    }
}

/// Adds what the formatters made of a checked candidate to it, and checks that as well.
pub fn with_formatting(checked: Checked, formatting: Formatting) -> Formatted {
    let mut found = CheckFindings::of(&formatting.steps);
    let LintReport {
        verdicts,
        errors,
        warnings,
    } = formatting.report;
    found.fatal.extend(formatting.fatal);
    found.failures.extend(errors);
    found.notices.extend(warnings);
    Formatted {
        candidate: checked.candidate.with(formatting.steps),
        formatters: verdicts,
        found,
        permission: formatting.permission,
    }
}

/// Weighs all that was found in a formatted candidate and by its validators.
pub fn conclude(formatted: Formatted, validation: Validation, mode: CheckMode) -> Judged {
    let Formatted {
        candidate,
        formatters,
        mut found,
        ..
    } = formatted;
    let LintReport {
        verdicts: validators,
        errors,
        warnings,
    } = validation.into_report();
    found.failures.extend(errors);
    found.notices.extend(warnings);
    let (errors, warnings) = found.weighed(mode);
    let outcome = if errors.is_empty() {
        Ok(Verified::of(&candidate))
    } else {
        Err(errors)
    };
    Judged {
        candidate,
        formatters,
        validators,
        warnings,
        outcome,
    }
}
