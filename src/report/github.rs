//! The refusals as annotations of a GitHub workflow: `::error file=…,line=…,title=…::message`.
//!
//! They are talk, so they go to standard error, which the runner reads too; standard output keeps the results.

use super::diagnostics;
use super::human;
use super::{Rendered, Style};
use crate::actions::outcome::{Finding, Outcome, Verdict};
use crate::config::Severity;
use crate::diagnostic::{Code, Diagnostic, escaped};
use crate::manifest::Source;

/// Returns the results for people, and each refusal as an annotation.
pub fn render(outcomes: &[Outcome], style: &Style) -> Rendered {
    let mut rendered = Rendered { stdout: human::render(outcomes, style).stdout, stderr: String::new() };
    for outcome in outcomes {
        let of_operations = outcome.operations.iter().flat_map(|operation| &operation.warnings);
        let warnings = outcome.warnings.iter().chain(of_operations);
        for warning in warnings.filter(|warning| !outcome.is_about_findings(warning)) {
            rendered.stderr.push_str(&annotation(warning, diagnostics::Severity::Warning, &outcome.source));
        }
        for verdict in &outcome.validators {
            for finding in verdict.findings.iter().filter(|finding| finding.new) {
                rendered.stderr.push_str(&found(verdict, finding, outcome.errors.is_empty()));
            }
        }
        for error in outcome.errors.iter().filter(|error| !outcome.is_about_findings(error)) {
            rendered.stderr.push_str(&annotation(error, diagnostics::Severity::Error, &outcome.source));
        }
    }
    rendered
}

/// Returns a validator's finding as an annotation; one that refused nothing is no error.
fn found(verdict: &Verdict, finding: &Finding, is_let_through: bool) -> String {
    let word = match finding.severity {
        Severity::Error if is_let_through => "warning",
        Severity::Note => "notice",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let mut properties = Vec::new();
    if let Some(path) = &finding.path {
        properties.push(format!("file={}", property(path)));
        properties.extend(finding.line.map(|line| format!("line={line}")));
        properties.extend(finding.column.map(|column| format!("col={column}")));
    }
    let title =
        [Some(&verdict.name), finding.rule.as_ref()].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    properties.push(format!("title={}", property(&title)));
    format!("::{word} {}::{}\n", properties.join(","), data(&finding.message))
}

fn annotation(diagnostic: &Diagnostic, severity: diagnostics::Severity, source: &Source) -> String {
    let word = match severity {
        diagnostics::Severity::Error => "error",
        diagnostics::Severity::Warning => "warning",
    };
    let mut properties = Vec::new();
    if let Some(excerpt) = &diagnostic.excerpt {
        properties.push(format!("file={}", property(excerpt.path.as_str())));
        properties.push(format!("line={}", excerpt.line));
        properties.push(format!("col={}", excerpt.column));
    } else if let Some(place) = &diagnostic.place {
        properties.push(format!("file={}", property(&source.name)));
        properties.push(format!("line={}", place.line));
        properties.push(format!("col={}", place.column));
    }
    properties.push(format!("title={}", property(diagnostic.code.as_str())));
    format!("::{word} {}::{}\n", properties.join(","), data(&sentence(diagnostic)))
}

/// Returns the message with what to try, for readers that have no place for more.
pub(super) fn sentence(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        text.push_str(&format!("\n{note}"));
    }
    if !diagnostic.suggestions.is_empty() {
        text.push_str(&format!("\ndid you mean: {}", diagnostic.suggestions.join(", ")));
    }
    if !diagnostic.candidates.is_empty() && diagnostic.code != Code::TextAmbiguous {
        text.push_str(&format!("\neach of these names just one place: {}", diagnostic.candidates.join(", ")));
    }
    text
}

/// Escapes the message of a workflow command, for the runner and for a terminal.
fn data(text: &str) -> String {
    escaped(text).replace('%', "%25").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Excerpt, Place};
    use crate::path::RepoPath;

    fn check(diagnostic: Diagnostic, expected: &str) {
        let source = Source { name: "ops:1,a.yaml".into(), text: String::new() };
        assert_eq!(annotation(&diagnostic, diagnostics::Severity::Error, &source), format!("{expected}\n"));
    }

    #[test]
    fn annotations_are_escaped() {
        let place = Place { line: 4, column: 13, start: 0, end: 1 };
        check(
            Diagnostic::new(Code::SegmentNotFound, "no `a%b`\nhere").at(Some(&place)).suggest(["c, d".to_owned()]),
            "::error file=ops%3A1%2Ca.yaml,line=4,col=13,title=segment-not-found::no `a%25b`%0Ahere%0Adid you mean: c, d",
        );
    }

    #[test]
    fn the_repositorys_own_line_comes_before_the_operation_files() {
        let place = Place { line: 4, column: 13, start: 0, end: 1 };
        let path = RepoPath::parse("src/a.py").unwrap();
        let excerpt = Excerpt { path, line: 7, column: 2, text: "x".into() };
        check(
            Diagnostic::new(Code::SyntaxError, "invalid").at(Some(&place)).showing(excerpt),
            "::error file=src/a.py,line=7,col=2,title=syntax-error::invalid",
        );
        check(Diagnostic::new(Code::Io, "a\u{1b}[2K\r\nb"), "::error title=io::a\\x1b[2K\\x0d%0Ab");
    }

    #[test]
    fn without_a_place_there_is_still_a_title() {
        check(Diagnostic::new(Code::Io, "disk full"), "::error title=io::disk full");
    }
}
