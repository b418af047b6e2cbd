//! `mypy --output json`: an object a line.

use serde::Deserialize;

use super::super::verdict::Finding;
use super::parse::{from_one, from_zero, json};
use super::place::Root;
use crate::config::Severity;

#[derive(Deserialize)]
struct MypyMessage {
    file: String,
    line: Option<i64>,
    column: Option<i64>,
    message: String,
    code: Option<String>,
    severity: String,
}

/// Reads standard output; a line that is no object was printed by a plugin.
pub(super) fn read(stdout: &[u8], root: &Root) -> Result<Vec<Finding>, String> {
    let objects = stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| line.starts_with(b"{"));
    objects
        .map(|line| json("mypy's JSON", line).map(|message| finding(message, root)))
        .collect()
}

fn finding(message: MypyMessage, root: &Root) -> Finding {
    Finding {
        path: Some(root.relative(&message.file)),
        line: from_one(message.line),
        column: from_zero(message.column),
        rule: message.code,
        message: message.message,
        severity: match message.severity.as_str() {
            "note" => Severity::Note,
            "warning" => Severity::Warning,
            _ => Severity::Error,
        },
        new: false,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;

    pub(crate) const REPORT: &str = r#"{"file": "pkg/a.py", "line": 2, "column": 11, "end_line": 2, "end_column": 12, "message": "Incompatible return value type (got \"int\", expected \"str\")", "hint": null, "code": "return-value", "severity": "error"}
{"file": "b.py", "line": 4, "column": 12, "end_line": 4, "end_column": 13, "message": "Revealed type is \"int\"", "hint": null, "code": "misc", "severity": "note"}
{"file": "e/t.py", "line": -1, "column": -1, "end_line": -1, "end_column": 0, "message": "Duplicate module named \"t\" (also at \"./d/t.py\")", "hint": "See the docs\nCommon resolutions", "code": null, "severity": "error"}
"#;

    #[test]
    fn objects_are_findings() {
        let found = read(
            format!("talk of a plugin\n{REPORT}").as_bytes(),
            &Root::of(Path::new("/")),
        )
        .unwrap();
        let place = |at: usize| {
            (
                found[at].path.as_deref(),
                found[at].line,
                found[at].column,
                found[at].severity,
            )
        };
        // `return x`, four spaces in: the twelfth column.
        assert_eq!(
            place(0),
            (Some("pkg/a.py"), Some(2), Some(12), Severity::Error)
        );
        assert_eq!(place(1), (Some("b.py"), Some(4), Some(13), Severity::Note));
        assert_eq!(place(2), (Some("e/t.py"), None, None, Severity::Error));
        assert_eq!(
            (found[0].rule.as_deref(), found[2].rule.as_deref()),
            (Some("return-value"), None)
        );
        assert_eq!(
            found[0].message,
            "Incompatible return value type (got \"int\", expected \"str\")"
        );
    }

    #[test]
    fn a_message_about_the_whole_file_has_no_place() {
        let text = br#"{"file": "a.py", "line": 0, "column": -1, "message": "x", "code": null, "severity": "error"}"#;
        let found = read(text, &Root::of(Path::new("/"))).unwrap();
        assert_eq!((found[0].line, found[0].column), (None, None));
    }

    #[test]
    fn half_an_object_is_told() {
        let root = Root::of(Path::new("/"));
        assert!(
            read(br#"{"file": "a.py", "line": 1"#, &root)
                .unwrap_err()
                .contains("mypy")
        );
        assert_eq!(read(b"", &root), Ok(Vec::new()));
    }
}
