//! `pyright --outputjson`, whose lines and columns count from 0.

use serde::Deserialize;

use super::super::verdict::Finding;
use super::parse::{from_zero, json};
use super::place::Root;
use crate::config::Severity;

#[derive(Deserialize)]
struct PyrightReport {
    #[serde(rename = "generalDiagnostics")]
    diagnostics: Vec<PyrightDiagnostic>,
}

#[derive(Deserialize)]
struct PyrightDiagnostic {
    file: Option<String>,
    severity: String,
    message: String,
    rule: Option<String>,
    range: Option<Range>,
}

#[derive(Deserialize)]
struct Range {
    start: PyrightPosition,
}

#[derive(Deserialize)]
struct PyrightPosition {
    line: i64,
    character: i64,
}

/// Reads standard output.
pub(super) fn read(stdout: &[u8], root: &Root) -> Result<Vec<Finding>, String> {
    let report: PyrightReport = json("pyright's JSON", stdout)?;
    let finding = |diagnostic: PyrightDiagnostic| {
        let start = diagnostic.range.map(|range| range.start);
        Finding {
            path: diagnostic.file.map(|file| root.relative(&file)),
            line: from_zero(start.as_ref().map(|start| start.line)),
            column: from_zero(start.as_ref().map(|start| start.character)),
            rule: diagnostic.rule,
            message: diagnostic.message,
            severity: match diagnostic.severity.as_str() {
                "error" => Severity::Error,
                "warning" => Severity::Warning,
                _ => Severity::Note,
            },
            new: false,
        }
    };
    Ok(report.diagnostics.into_iter().map(finding).collect())
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;

    pub(crate) const REPORT: &str = r#"{
    "version": "1.1.414",
    "time": "1795267442085",
    "generalDiagnostics": [
        {
            "file": "/copy/of/it/pkg/a.py",
            "severity": "error",
            "message": "Type \"int\" is not assignable to return type \"str\"\n  \"int\" is not assignable to \"str\"",
            "range": {
                "start": {
                    "line": 1,
                    "character": 11
                },
                "end": {
                    "line": 1,
                    "character": 12
                }
            },
            "rule": "reportReturnType"
        },
        {
            "file": "/copy/of/it/b.py",
            "severity": "information",
            "message": "Type of \"y\" is \"int\"",
            "range": {
                "start": {
                    "line": 3,
                    "character": 12
                },
                "end": {
                    "line": 3,
                    "character": 13
                }
            }
        }
    ],
    "summary": {"filesAnalyzed": 3, "errorCount": 1, "warningCount": 0, "informationCount": 1, "timeInSec": 0.254}
}

"#;

    #[test]
    fn diagnostics_are_findings() {
        let found = read(REPORT.as_bytes(), &Root::of(Path::new("/copy/of/it"))).unwrap();
        let place = |at: usize| {
            (
                found[at].path.as_deref(),
                found[at].line,
                found[at].column,
                found[at].severity,
            )
        };
        assert_eq!(
            place(0),
            (Some("pkg/a.py"), Some(2), Some(12), Severity::Error)
        );
        assert_eq!(place(1), (Some("b.py"), Some(4), Some(13), Severity::Note));
        assert_eq!(
            (found[0].rule.as_deref(), found[1].rule.as_deref()),
            (Some("reportReturnType"), None)
        );
        assert!(
            found[0]
                .message
                .ends_with("\n  \"int\" is not assignable to \"str\"")
        );
    }

    #[test]
    fn no_report_is_told() {
        let root = Root::of(Path::new("/"));
        assert!(
            read(b"No configuration file found.\n", &root)
                .unwrap_err()
                .contains("pyright")
        );
    }
}
