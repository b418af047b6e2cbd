//! The refusals, and what validators found, as SARIF 2.1.0 for code scanning.
//!
//! `version` is the format's, never ours. Locations are relative to the repository's root, percent-encoded; an
//! operation file that has no path (standard input, the command line) gives a result without a location.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::github::sentence;
use super::json;
use crate::actions::outcome::{Finding, Outcome, ToolVerdict};
use crate::diagnostic::Diagnostic;
use crate::manifest::ManifestText;
use crate::snapshot::{HashKind, Id};
use crate::text::ascii::path_to_uri;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Returns the log of one call: a result for each refusal and each warning.
pub(crate) fn render(outcomes: &[Outcome]) -> Vec<u8> {
    let mut results = Vec::new();
    let mut rules = BTreeSet::new();
    for outcome in outcomes {
        let of_operations = outcome
            .operations
            .iter()
            .flat_map(|operation| &operation.warnings);
        let warnings = outcome
            .warnings
            .iter()
            .chain(of_operations)
            .map(|warning| (warning, "warning"));
        let errors = outcome.errors.iter().map(|error| (error, "error"));
        let own = errors
            .chain(warnings)
            .filter(|(diagnostic, _)| !diagnostic.repeats_findings());
        for verdict in &outcome.validators {
            for finding in &verdict.findings {
                let rule = rule_of(verdict, finding);
                results.push(findings_of(finding, &rule));
                rules.insert(rule);
            }
        }
        for (diagnostic, level) in own {
            rules.insert(diagnostic.code.as_str().to_owned());
            results.push(result_of(diagnostic, level, &outcome.source));
        }
    }
    let rules: Vec<Value> = rules.into_iter().map(|id| json!({ "id": id })).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "git-segedit", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let mut text = format!("{log:#}").into_bytes();
    text.push(b'\n');
    text
}

fn result_of(diagnostic: &Diagnostic, level: &str, source: &ManifestText) -> Value {
    let mut result = json!({
        "ruleId": diagnostic.code.as_str(),
        "level": level,
        "message": { "text": sentence(diagnostic) },
        "partialFingerprints": { "refusal/v1": fingerprint(diagnostic) },
    });
    if let Some((uri, line, column)) = location_of(diagnostic, source) {
        result["locations"] = json!([{
            "physicalLocation": {
                "artifactLocation": { "uri": uri },
                "region": { "startLine": line, "startColumn": column },
            },
        }]);
    }
    result
}

/// Returns the name of what a validator found: `ruff/F821`.
fn rule_of(verdict: &ToolVerdict, finding: &Finding) -> String {
    match &finding.rule {
        Some(rule) => format!("{}/{rule}", verdict.name),
        None => verdict.name.clone(),
    }
}

/// Returns a validator's finding as a result; code scanning tells new ones from old ones by its `baselineState`.
fn findings_of(finding: &Finding, rule: &str) -> Value {
    let path = finding.path.as_deref();
    let mut result = json!({
        "ruleId": rule,
        "level": json::severity_word(finding.severity),
        "message": { "text": finding.message },
        "baselineState": if finding.new { "new" } else { "unchanged" },
        "partialFingerprints": { "finding/v1": digest_of(rule, path.unwrap_or_default(), &finding.message) },
    });
    if let Some(path) = path {
        let mut place = json!({ "artifactLocation": { "uri": path_to_uri(path) } });
        if let Some(line) = finding.line.filter(|&line| line > 0) {
            place["region"] = json!({ "startLine": line });
            if let Some(column) = finding.column.filter(|&column| column > 0) {
                place["region"]["startColumn"] = json!(column);
            }
        }
        result["locations"] = json!([{ "physicalLocation": place }]);
    }
    result
}

fn location_of(diagnostic: &Diagnostic, source: &ManifestText) -> Option<(String, usize, usize)> {
    if let Some(excerpt) = &diagnostic.excerpt {
        let ahead = excerpt
            .text
            .as_bytes()
            .get(..excerpt.column.saturating_sub(1))
            .unwrap_or_default();
        let column = String::from_utf8_lossy(ahead).chars().count() + 1;
        return Some((
            path_to_uri(excerpt.path.as_str()),
            excerpt.line.max(1),
            column,
        ));
    }
    let place = diagnostic.place.as_ref()?;
    let has_path = !source.name.starts_with('<');
    has_path.then(|| {
        (
            path_to_uri(&source.name),
            place.line.max(1),
            place.column.max(1),
        )
    })
}

/// Returns what stays the same when lines move: the code, the file and the sentence.
fn fingerprint(diagnostic: &Diagnostic) -> String {
    let path = diagnostic
        .excerpt
        .as_ref()
        .map_or("", |excerpt| excerpt.path.as_str());
    digest_of(diagnostic.code.as_str(), path, &diagnostic.message)
}

fn digest_of(what: &str, path: &str, message: &str) -> String {
    Id::of_blob(
        HashKind::Sha1,
        format!("{what}\n{path}\n{message}").as_bytes(),
    )
    .0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Excerpt};
    use crate::path::RepoPath;
    use crate::report::tests as samples;

    #[test]
    fn a_refusal_becomes_a_result_with_an_encoded_location() {
        let mut outcome = samples::published(b"");
        let path = RepoPath::parse("src/ä b.py").unwrap();
        let excerpt = Excerpt {
            path,
            line: 7,
            column: 4,
            text: "ßx y".into(),
        };
        outcome
            .errors
            .push(Diagnostic::new(Code::SyntaxError, "invalid syntax").showing(excerpt));
        let log: Value = serde_json::from_slice(&render(&[outcome])).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "syntax-error");
        assert_eq!(
            log["runs"][0]["tool"]["driver"]["rules"][0]["id"],
            "syntax-error"
        );
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "src/%C3%A4%20b.py");
        // Bytes 1 and 2 are one character, so that the 4th byte is the 3rd character.
        assert_eq!(place["region"], json!({ "startLine": 7, "startColumn": 3 }));
    }

    #[test]
    fn a_batch_that_goes_well_has_no_results() {
        let log: Value = serde_json::from_slice(&render(&[samples::published(b"")])).unwrap();
        assert_eq!(log["runs"][0]["results"], json!([]));
    }
}
