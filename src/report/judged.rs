//! What a person reads after `check` judged what is staged, or the commits of a push.
//!
//! What is well is one line in all, because a push may bring a thousand commits; what is not is told commit by commit.

use super::diagnostics::{self, DiagnosticLevel};
use super::{Rendered, ReportStyle, Verbosity, colour, verdicts};
use crate::actions::outcome::{Outcome, Status, Subject, VerdictStatus};
use crate::diagnostic::{Diagnostic, escaped};

/// Returns what is said about everything that one call judged.
pub(crate) fn render(outcomes: &[Outcome], style: &ReportStyle) -> Rendered {
    let mut rendered = Rendered::default();
    let mut warned: Vec<&Diagnostic> = Vec::new();
    for outcome in outcomes {
        let warnings: Vec<Diagnostic> = outcome
            .warnings
            .iter()
            .filter(|warning| !warned.contains(warning))
            .cloned()
            .collect();
        warned.extend(&outcome.warnings);
        if outcome.subject == Subject::Commit && !(warnings.is_empty() && outcome.errors.is_empty())
        {
            let title = format!("== {}", escaped(&outcome.source.name));
            let title = colour::paint(style.stderr_colour, colour::STRONG, &title);
            rendered.stderr.push_str(&format!("{title}\n"));
        }
        for verdict in outcome
            .validators
            .iter()
            .filter(|verdict| verdict.status == VerdictStatus::Failed)
        {
            rendered
                .stderr
                .push_str(&verdicts::verdict_lines(verdict, "", style.stderr_colour));
        }
        for (diagnostics, severity) in [
            (&warnings, DiagnosticLevel::Warning),
            (&outcome.errors, DiagnosticLevel::Error),
        ] {
            rendered.stderr.push_str(&diagnostics::render(
                diagnostics,
                severity,
                &outcome.source,
                style,
            ));
        }
    }
    let refused: Vec<&Outcome> = outcomes
        .iter()
        .filter(|outcome| !outcome.errors.is_empty())
        .collect();
    if refused.is_empty() {
        if style.verbosity == Verbosity::Normal {
            rendered.stdout = format!("{}\n", verdict(outcomes, style)).into_bytes();
        }
        return rendered;
    }
    if let Some(sentence) = refusal(outcomes, &refused) {
        rendered.stderr.push_str(&format!("{sentence}\n"));
    }
    rendered
}

fn verdict(outcomes: &[Outcome], style: &ReportStyle) -> String {
    let files: usize = outcomes.iter().map(|outcome| outcome.files.len()).sum();
    let is_staged = outcomes
        .iter()
        .any(|outcome| outcome.subject == Subject::Staged);
    let what = match (is_staged, files) {
        (true, 0) => return "unchanged: no staged file to check".to_owned(),
        (true, files) => format!("{} staged", count(files, "file")),
        (false, files) => format!(
            "{}, {} changed",
            count(outcomes.len(), "commit"),
            count(files, "file")
        ),
    };
    format!(
        "{} {what}",
        colour::paint(style.stdout_colour, colour::GOOD, "verified:")
    )
}

/// Returns the closing sentence, unless nothing was judged at all.
fn refusal(outcomes: &[Outcome], refused: &[&Outcome]) -> Option<String> {
    let rejected = refused
        .iter()
        .filter(|outcome| outcome.status == Status::Rejected)
        .count();
    let errors: usize = refused.iter().map(|outcome| outcome.errors.len()).sum();
    match refused.first()?.subject {
        Subject::Commit => Some(format!(
            "rejected: {} of {}",
            refused.len(),
            count(outcomes.len(), "commit")
        )),
        Subject::Staged | Subject::Batch | Subject::Undo | Subject::Redo if rejected > 0 => {
            let files: usize = refused.iter().map(|outcome| outcome.files.len()).sum();
            Some(format!(
                "rejected: {} in {} staged",
                count(errors, "error"),
                count(files, "file")
            ))
        }
        Subject::Staged | Subject::Batch | Subject::Undo | Subject::Redo => None,
    }
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::report::tests as samples;

    fn outcome(subject: Subject, errors: &[&str], warnings: &[&str]) -> Outcome {
        let diagnostics = |code, words: &[&str]| {
            words
                .iter()
                .map(|&word| Diagnostic::new(code, word))
                .collect::<Vec<_>>()
        };
        let mut outcome = samples::published(b"");
        outcome.subject = subject;
        outcome.operations.clear();
        outcome.errors = diagnostics(Code::SyntaxError, errors);
        outcome.warnings = diagnostics(Code::TooLarge, warnings);
        outcome.status = if errors.is_empty() {
            Status::Verified
        } else {
            Status::of(&outcome.errors)
        };
        outcome.source.name = "commit 1a2b3c4d A subject".to_owned();
        outcome
    }

    fn check(outcomes: &[Outcome], stdout: &str, stderr: &str) {
        let rendered = render(outcomes, &ReportStyle::PLAIN);
        assert_eq!(
            (
                String::from_utf8(rendered.stdout).unwrap().as_str(),
                rendered.stderr.as_str()
            ),
            (stdout, stderr)
        );
    }

    #[test]
    fn what_is_well_is_one_line() {
        check(
            &[outcome(Subject::Staged, &[], &[])],
            "verified: 1 file staged\n",
            "",
        );
        let commit = || outcome(Subject::Commit, &[], &["large"]);
        let warned = "== commit 1a2b3c4d A subject\nwarning[too-large]: large\n\n";
        check(
            &[commit(), commit()],
            "verified: 2 commits, 2 files changed\n",
            warned,
        );
        let mut nothing = outcome(Subject::Staged, &[], &[]);
        nothing.files.clear();
        check(&[nothing], "unchanged: no staged file to check\n", "");
    }

    #[test]
    fn what_is_not_well_is_told_commit_by_commit() {
        let staged = outcome(Subject::Staged, &["bad", "worse"], &[]);
        let said = "error[syntax-error]: bad\n\nerror[syntax-error]: worse\n\nrejected: 2 errors in 1 file staged\n";
        check(&[staged], "", said);
        let said =
            "== commit 1a2b3c4d A subject\nerror[syntax-error]: bad\n\nrejected: 1 of 2 commits\n";
        check(
            &[
                outcome(Subject::Commit, &[], &[]),
                outcome(Subject::Commit, &["bad"], &[]),
            ],
            "",
            said,
        );
    }
}
