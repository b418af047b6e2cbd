//! The refusals as annotations of a GitHub workflow: `::error file=…,line=…,title=…::message`.
//!
//! They are talk, so they go to standard error, which the runner reads too; standard output keeps the results.
//!
//! The runner reads every line of both as a possible command, and most of what is said comes from files, names and messages
//! that anybody may have written: a line of a diff, a commit's subject, a path. So whatever is no annotation is `inert`. (Its
//! own `::stop-commands::` would stop the annotations, too: nothing says in which order it reads the two streams.)

use super::diagnostics;
use super::human;
use super::{Rendered, ReportStyle};
use crate::actions::outcome::{Finding, Outcome, ToolVerdict};
use crate::config::Severity;
use crate::diagnostic::{Diagnostic, escaped};
use crate::manifest::ManifestText;

/// Returns the results for people, and each refusal as an annotation.
pub(crate) fn render(outcomes: &[Outcome], style: &ReportStyle) -> Rendered {
    let mut rendered = Rendered {
        stdout: inert_bytes(&human::render(outcomes, style).stdout),
        stderr: String::new(),
    };
    for outcome in outcomes {
        let of_operations = outcome
            .operations
            .iter()
            .flat_map(|operation| &operation.warnings);
        let warnings = outcome.warnings.iter().chain(of_operations);
        for warning in warnings.filter(|warning| !warning.repeats_findings()) {
            rendered.stderr.push_str(&annotation(
                warning,
                diagnostics::DiagnosticLevel::Warning,
                &outcome.source,
            ));
        }
        for verdict in &outcome.validators {
            for finding in verdict.findings.iter().filter(|finding| finding.new) {
                rendered
                    .stderr
                    .push_str(&found(verdict, finding, outcome.errors.is_empty()));
            }
        }
        for error in outcome
            .errors
            .iter()
            .filter(|error| !error.repeats_findings())
        {
            rendered.stderr.push_str(&annotation(
                error,
                diagnostics::DiagnosticLevel::Error,
                &outcome.source,
            ));
        }
    }
    rendered
}

/// Returns `text` with every line that the runner would take for a command shown escaped: one that begins with `::`, white
/// space aside, and one with `##[` anywhere.
pub(crate) fn inert_bytes(text: &[u8]) -> Vec<u8> {
    let mut inert = Vec::with_capacity(text.len());
    // A carriage return alone ends a line for the runner.
    for line in text.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
        let shown = String::from_utf8_lossy(line);
        // What has no width may be white space to somebody.
        let begins =
            shown.trim_start_matches(|letter: char| letter.is_whitespace() || is_invisible(letter));
        let mut rest = line;
        if begins.starts_with("::")
            && let Some(at) = find(line, b"::")
        {
            inert.extend_from_slice(&line[..at]);
            inert.extend_from_slice(b"\\x3a");
            rest = &line[at + 1..];
        }
        while let Some(at) = find(rest, b"##[") {
            inert.extend_from_slice(&rest[..at]);
            inert.extend_from_slice(b"##\\x5b");
            rest = &rest[at + 3..];
        }
        inert.extend_from_slice(rest);
    }
    inert
}

/// Returns the same of text.
pub(crate) fn inert_text(text: &str) -> String {
    String::from_utf8_lossy(&inert_bytes(text.as_bytes())).into_owned()
}

/// Returns words for people as a workflow may say them.
pub(crate) fn words_of(rendered: &Rendered) -> Rendered {
    Rendered {
        stdout: inert_bytes(&rendered.stdout),
        stderr: inert_text(&rendered.stderr),
    }
}

fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{180e}'
        )
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

/// Returns a validator's finding as an annotation; one that refused nothing is no error.
fn found(verdict: &ToolVerdict, finding: &Finding, is_let_through: bool) -> String {
    let word = match finding.severity {
        Severity::Error if is_let_through => "warning",
        Severity::Note => "notice",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let mut properties = Vec::new();
    if let Some(path) = &finding.path {
        properties.push(format!("file={}", escape_property(path)));
        properties.extend(finding.line.map(|line| format!("line={line}")));
        properties.extend(finding.column.map(|column| format!("col={column}")));
    }
    let title = [Some(&verdict.name), finding.rule.as_ref()]
        .into_iter()
        .flatten()
        .cloned()
        .collect::<Vec<_>>()
        .join(" ");
    properties.push(format!("title={}", escape_property(&title)));
    format!(
        "::{word} {}::{}\n",
        properties.join(","),
        escape_data(&finding.message)
    )
}

fn annotation(
    diagnostic: &Diagnostic,
    severity: diagnostics::DiagnosticLevel,
    source: &ManifestText,
) -> String {
    let word = match severity {
        diagnostics::DiagnosticLevel::Error => "error",
        diagnostics::DiagnosticLevel::Warning => "warning",
    };
    let mut properties = Vec::new();
    if let Some(excerpt) = &diagnostic.excerpt {
        properties.push(format!("file={}", escape_property(excerpt.path.as_str())));
        properties.push(format!("line={}", excerpt.line));
        properties.push(format!("col={}", excerpt.column));
    } else if let Some(place) = &diagnostic.place {
        properties.push(format!("file={}", escape_property(&source.name)));
        properties.push(format!("line={}", place.line));
        properties.push(format!("col={}", place.column));
    }
    properties.push(format!(
        "title={}",
        escape_property(diagnostic.code.as_str())
    ));
    format!(
        "::{word} {}::{}\n",
        properties.join(","),
        escape_data(&sentence(diagnostic))
    )
}

/// Returns the message with what to try, for readers that have no place for more.
pub(super) fn sentence(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        text.push_str(&format!("\n{note}"));
    }
    if !diagnostic.suggestions.is_empty() {
        text.push_str(&format!(
            "\ndid you mean: {}",
            diagnostic.suggestions.join(", ")
        ));
    }
    if !diagnostic.choices().is_empty() {
        text.push_str(&format!(
            "\neach of these names just one place: {}",
            diagnostic.choices().join(", ")
        ));
    }
    text
}

/// Escapes the message of a workflow command, for the runner and for a terminal.
fn escape_data(text: &str) -> String {
    escaped(text).replace('%', "%25").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Excerpt, PlanPlace};
    use crate::path::RepoPath;

    fn check(diagnostic: Diagnostic, expected: &str) {
        let source = ManifestText {
            name: "ops:1,a.yaml".into(),
            text: String::new(),
        };
        assert_eq!(
            annotation(&diagnostic, diagnostics::DiagnosticLevel::Error, &source),
            format!("{expected}\n")
        );
    }

    #[test]
    fn annotations_are_escaped() {
        let place = PlanPlace {
            line: 4,
            column: 13,
            start: 0,
            end: 1,
        };
        check(
            Diagnostic::new(Code::SegmentNotFound, "no `a%b`\nhere")
                .at(Some(&place))
                .suggest(["c, d".to_owned()]),
            "::error file=ops%3A1%2Ca.yaml,line=4,col=13,title=segment-not-found::no `a%25b`%0Ahere%0Adid you mean: c, d",
        );
    }

    #[test]
    fn the_repositorys_own_line_comes_before_the_operation_files() {
        let place = PlanPlace {
            line: 4,
            column: 13,
            start: 0,
            end: 1,
        };
        let path = RepoPath::parse("src/a.py").unwrap();
        let excerpt = Excerpt {
            path,
            line: 7,
            column: 2,
            text: "x".into(),
        };
        check(
            Diagnostic::new(Code::SyntaxError, "invalid")
                .at(Some(&place))
                .showing(excerpt),
            "::error file=src/a.py,line=7,col=2,title=syntax-error::invalid",
        );
        check(
            Diagnostic::new(Code::Io, "a\u{1b}[2K\r\nb"),
            "::error title=io::a\\x1b[2K\\x0d%0Ab",
        );
    }

    #[test]
    fn no_line_but_an_annotation_is_a_command() {
        let check = |text: &str, expected: &str| {
            let found = inert_bytes(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&found), expected);
            assert_eq!(inert_bytes(&found), found, "{text}");
        };
        check(
            "  applied  replace src/a.py::Worker\n",
            "  applied  replace src/a.py::Worker\n",
        );
        check("::error::x\n", "\\x3a:error::x\n");
        check(
            " ::add-mask::a\n+::error::b\n",
            " \\x3a:add-mask::a\n+::error::b\n",
        );
        check(
            "\t\u{a0}\u{2003}\u{3000}\u{feff}::error::x",
            "\t\u{a0}\u{2003}\u{3000}\u{feff}\\x3a:error::x",
        );
        check(" one\r::error::x\r\n\r\n", " one\r\\x3a:error::x\r\n\r\n");
        check(
            "a ##[error]b ###[group]c\n",
            "a ##\\x5berror]b ###\\x5bgroup]c\n",
        );
        check("::##[x\n", "\\x3a:##\\x5bx\n");
        check(": :x ## [y #[z\n", ": :x ## [y #[z\n");
        assert_eq!(
            inert_bytes(b" \xff::x\n \x1b::y\n"),
            b" \xff::x\n \x1b\\x3a:y\n"
        );
    }

    #[test]
    fn without_a_place_there_is_still_a_title() {
        check(
            Diagnostic::new(Code::Io, "disk full"),
            "::error title=io::disk full",
        );
    }
}
