//! `pylint --output-format=json2`.

use serde::Deserialize;

use super::super::verdict::Finding;
use super::parse::{from_one, from_zero, json};
use super::place::Root;
use crate::config::Severity;

#[derive(Deserialize)]
struct PylintReport {
    messages: Vec<PylintMessage>,
}

#[derive(Deserialize)]
struct PylintMessage {
    r#type: String,
    symbol: Option<String>,
    message: String,
    path: Option<String>,
    line: Option<i64>,
    column: Option<i64>,
}

/// Reads standard output. Conventions and refactorings count as warnings: pylint exits with an error for them too.
pub(super) fn read(stdout: &[u8], root: &Root) -> Result<Vec<Finding>, String> {
    let report: PylintReport = json("pylint's json2", stdout)?;
    let finding = |message: PylintMessage| Finding {
        path: message.path.map(|path| root.relative(&path)),
        line: from_one(message.line),
        column: from_zero(message.column),
        rule: message.symbol,
        message: message.message,
        severity: match message.r#type.as_str() {
            "error" | "fatal" => Severity::Error,
            "info" => Severity::Note,
            _ => Severity::Warning,
        },
        new: false,
    };
    Ok(report.messages.into_iter().map(finding).collect())
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;

    pub(crate) const REPORT: &str = r#"{
    "messages": [
        {
            "type": "error",
            "symbol": "undefined-variable",
            "message": "Undefined variable 'undefined_name'",
            "messageId": "E0602",
            "confidence": "UNDEFINED",
            "module": "a b",
            "obj": "f",
            "line": 5,
            "column": 11,
            "endLine": 5,
            "endColumn": 25,
            "path": "a b.py",
            "absolutePath": "/tmp/p/py/a b.py"
        },
        {
            "type": "convention",
            "symbol": "missing-module-docstring",
            "message": "Missing module docstring",
            "messageId": "C0114",
            "confidence": "HIGH",
            "module": "-d",
            "obj": "",
            "line": 1,
            "column": 0,
            "endLine": null,
            "endColumn": null,
            "path": "-d.py",
            "absolutePath": "/tmp/p/py/-d.py"
        }
    ],
    "statistics": {"messageTypeCount": {"fatal": 0, "error": 1}, "modulesLinted": 4, "score": 0}
}"#;

    #[test]
    fn messages_are_findings() {
        let found = read(REPORT.as_bytes(), &Root::of(Path::new("/"))).unwrap();
        let place = |at: usize| {
            (
                found[at].path.as_deref(),
                found[at].line,
                found[at].column,
                found[at].severity,
            )
        };
        // `return undefined_name`, four spaces in: the twelfth column.
        assert_eq!(
            place(0),
            (Some("a b.py"), Some(5), Some(12), Severity::Error)
        );
        assert_eq!(
            place(1),
            (Some("-d.py"), Some(1), Some(1), Severity::Warning)
        );
        assert_eq!(found[0].rule.as_deref(), Some("undefined-variable"));
        assert_eq!(found[0].message, "Undefined variable 'undefined_name'");
    }

    #[test]
    fn no_report_is_told() {
        let root = Root::of(Path::new("/"));
        for text in ["", "[]", "{}", "usage: pylint"] {
            assert!(
                read(text.as_bytes(), &root).unwrap_err().contains("pylint"),
                "{text}"
            );
        }
    }
}
