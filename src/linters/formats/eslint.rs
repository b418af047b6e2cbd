//! `eslint --format json`.

use serde::Deserialize;

use super::super::verdict::Finding;
use super::parse::{from_one, json};
use super::place::Root;
use crate::config::Severity;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EslintFile {
    file_path: String,
    messages: Vec<EslintMessage>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EslintMessage {
    rule_id: Option<String>,
    fatal: Option<bool>,
    severity: i64,
    message: String,
    line: Option<i64>,
    column: Option<i64>,
}

/// Reads standard output.
pub(super) fn read(stdout: &[u8], root: &Root) -> Result<Vec<Finding>, String> {
    let files: Vec<EslintFile> = json("eslint's JSON", stdout)?;
    let of_file = |file: EslintFile| {
        let path = root.relative(&file.file_path);
        let judged = file
            .messages
            .into_iter()
            .filter(|message| !message.says_ignored());
        judged
            .map(|message| message.finding(path.clone()))
            .collect::<Vec<_>>()
    };
    Ok(files.into_iter().flat_map(of_file).collect())
}

impl EslintMessage {
    /// Says whether it only tells that the project ignores the file, which was named all the same.
    fn says_ignored(&self) -> bool {
        self.rule_id.is_none() && self.fatal == Some(false) && self.line.is_none()
    }

    fn finding(self, path: String) -> Finding {
        Finding {
            path: Some(path),
            line: from_one(self.line),
            column: from_one(self.column),
            rule: self.rule_id,
            message: self.message,
            severity: if self.severity == 1 {
                Severity::Warning
            } else {
                Severity::Error
            },
            new: false,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;

    pub(crate) const REPORT: &str = r#"[{"filePath":"/copy/of/it/app/[slug]/p.js","messages":[{"ruleId":"no-unused-vars","severity":1,"message":"'unused' is assigned a value but never used.","line":1,"column":7,"messageId":"unusedVar","endLine":1,"endColumn":13},{"ruleId":"no-undef","severity":2,"message":"'undefinedFn' is not defined.","line":2,"column":1,"messageId":"undef","endLine":2,"endColumn":12}],"suppressedMessages":[],"errorCount":1,"warningCount":1,"source":"const unused = 1;\nundefinedFn();\n","usedDeprecatedRules":[]},{"filePath":"/copy/of/it/ignored.js","messages":[{"ruleId":null,"fatal":false,"severity":1,"message":"File ignored because of a matching ignore pattern. Use \"--no-ignore\" to disable file ignore settings."}],"suppressedMessages":[],"errorCount":0,"warningCount":1,"usedDeprecatedRules":[]},{"filePath":"/copy/of/it/syn.js","messages":[{"ruleId":null,"fatal":true,"severity":2,"message":"Parsing error: The keyword 'let' is reserved","line":1,"column":1}],"suppressedMessages":[],"errorCount":1,"fatalErrorCount":1,"warningCount":0,"source":"let = ;","usedDeprecatedRules":[]}]"#;

    #[test]
    fn messages_are_findings_but_for_ignored_files() {
        let found = read(REPORT.as_bytes(), &Root::of(Path::new("/copy/of/it"))).unwrap();
        let all: Vec<_> = found
            .iter()
            .map(|finding| {
                (
                    finding.path.as_deref(),
                    finding.line,
                    finding.column,
                    finding.rule.as_deref(),
                    finding.severity,
                )
            })
            .collect();
        let expected = [
            (
                Some("app/[slug]/p.js"),
                Some(1),
                Some(7),
                Some("no-unused-vars"),
                Severity::Warning,
            ),
            (
                Some("app/[slug]/p.js"),
                Some(2),
                Some(1),
                Some("no-undef"),
                Severity::Error,
            ),
            (Some("syn.js"), Some(1), Some(1), None, Severity::Error),
        ];
        assert_eq!(all, expected);
        assert_eq!(found[1].message, "'undefinedFn' is not defined.");
    }

    #[test]
    fn no_report_is_told() {
        let root = Root::of(Path::new("/"));
        assert!(
            read(b"\nOops! Something went wrong! :(\n", &root)
                .unwrap_err()
                .contains("eslint")
        );
    }
}
