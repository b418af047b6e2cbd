//! Reads the results of a SARIF log as findings.

use super::log::{
    Location, Rule, SarifLocation, SarifLog, SarifMessage, SarifResult, SarifRun, Suppression,
};
use crate::config::Severity;
use crate::linters::formats::parse::{from_one, json};
use crate::linters::formats::place::Root;
use crate::linters::verdict::Finding;

/// Reads standard output.
pub(crate) fn read(stdout: &[u8], root: &Root) -> Result<Vec<Finding>, String> {
    // Some tools begin their files with a byte-order mark.
    let log: SarifLog = json(
        "SARIF",
        stdout.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stdout),
    )?;
    let of_run = |run: &SarifRun| {
        let results = run
            .results
            .iter()
            .flatten()
            .filter(|result| result.stands());
        results
            .map(|result| run.finding(result, root))
            .collect::<Vec<_>>()
    };
    Ok(log.runs.iter().flat_map(of_run).collect())
}

impl SarifResult {
    /// Says whether the tool itself lets it stand.
    fn stands(&self) -> bool {
        let suppressions = self.suppressions.as_deref().unwrap_or_default();
        let accepted = |suppression: &Suppression| {
            suppression
                .status
                .as_deref()
                .is_none_or(|status| status == "accepted")
        };
        let suppressed = !suppressions.is_empty() && suppressions.iter().all(accepted);
        let passed = matches!(self.kind.as_deref(), Some("pass" | "notApplicable"));
        !suppressed && !passed && self.baseline_state.as_deref() != Some("absent")
    }
}

impl SarifRun {
    fn finding(&self, result: &SarifResult, root: &Root) -> Finding {
        let rule = self.rule(result);
        let named = [
            result.rule_id.as_ref(),
            result.rule.as_ref().and_then(|rule| rule.id.as_ref()),
        ];
        let place = result
            .locations
            .as_deref()
            .and_then(<[SarifLocation]>::first)
            .and_then(|place| place.physical_location.as_ref());
        let region = place.and_then(|place| place.region.as_ref());
        let artifact = place.and_then(|place| place.artifact_location.as_ref());
        Finding {
            path: artifact.and_then(|location| self.path(location, root)),
            line: from_one(region.and_then(|region| region.start_line)),
            column: from_one(region.and_then(|region| region.start_column)),
            rule: named
                .into_iter()
                .flatten()
                .next()
                .or(rule.and_then(|rule| rule.id.as_ref()))
                .cloned(),
            message: message(result.message.as_ref(), rule),
            severity: severity(result, rule),
            new: false,
        }
    }

    fn rule(&self, result: &SarifResult) -> Option<&Rule> {
        let rules = self.tool.as_ref()?.driver.as_ref()?.rules.as_deref()?;
        let index = result
            .rule_index
            .or(result.rule.as_ref().and_then(|rule| rule.index));
        let by_index = index
            .and_then(|index| usize::try_from(index).ok())
            .and_then(|index| rules.get(index));
        by_index.or_else(|| {
            rules
                .iter()
                .find(|rule| rule.id.is_some() && rule.id == result.rule_id)
        })
    }

    /// Returns where an artifact stands: its own URI, below its base if it has one.
    fn path(&self, location: &Location, root: &Root) -> Option<String> {
        let by_index = || {
            let index = usize::try_from(location.index?).ok()?;
            self.artifacts.as_deref()?.get(index)?.location.as_ref()
        };
        let location = if location.uri.is_some() {
            location
        } else {
            by_index()?
        };
        let mut uri = location.uri.clone()?;
        let mut base = location.uri_base_id.as_ref();
        // A base may have a base; a handful is more than anyone writes, and a ring of them ends here too.
        for _ in 0..8 {
            let found = base.and_then(|id| self.original_uri_base_ids.as_ref()?.get(id));
            let Some(found) = found.filter(|_| !uri.starts_with("file:") && !uri.starts_with('/'))
            else {
                break;
            };
            if let Some(above) = found.uri.as_deref().filter(|above| !above.is_empty()) {
                uri = format!("{}/{uri}", above.trim_end_matches('/'));
            }
            base = found.uri_base_id.as_ref();
        }
        Some(root.of_uri(&uri))
    }
}

fn severity(result: &SarifResult, rule: Option<&Rule>) -> Severity {
    // "open", "review", "informational": the tool found nothing wrong.
    if result.kind.as_deref().is_some_and(|kind| kind != "fail") {
        return Severity::Note;
    }
    let of_rule = || rule?.default_configuration.as_ref()?.level.as_deref();
    match result.level.as_deref().or_else(of_rule) {
        Some("error") => Severity::Error,
        Some("note" | "none") => Severity::Note,
        // What SARIF says that a missing level means.
        _ => Severity::Warning,
    }
}

/// Returns the text of a message: its own, or its rule's with the arguments in their places.
fn message(message: Option<&SarifMessage>, rule: Option<&Rule>) -> String {
    let Some(message) = message else {
        return String::new();
    };
    let of_rule = || {
        rule?
            .message_strings
            .as_ref()?
            .get(message.id.as_ref()?)?
            .text
            .as_ref()
    };
    let text = message
        .text
        .as_ref()
        .or_else(of_rule)
        .or(message.markdown.as_ref())
        .cloned()
        .unwrap_or_default();
    let arguments = message.arguments.as_deref().unwrap_or_default();
    if arguments.is_empty() {
        text
    } else {
        filled(&text, arguments)
    }
}

/// Returns `text` with `{0}` and the like replaced, once: an argument that holds a placeholder keeps it.
fn filled(text: &str, arguments: &[String]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let argument = after.split_once('}').and_then(|(digits, after)| {
            let index: usize = digits.parse().ok()?;
            Some((arguments.get(index)?, after))
        });
        match argument {
            Some((argument, after)) => {
                out.push_str(argument);
                rest = after;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use super::*;

    pub(crate) const RUFF: &str = r#"{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "runs": [
    {
      "results": [
        {
          "fixes": [{"artifactChanges": [{"artifactLocation": {"uri": "file:///copy/of/it/a%20b.py"}, "replacements": []}]}],
          "level": "error",
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "file:///copy/of/it/%C3%A9%2520%23.py"
                },
                "region": {
                  "endColumn": 26,
                  "endLine": 5,
                  "startColumn": 12,
                  "startLine": 5
                }
              }
            }
          ],
          "message": {
            "text": "Undefined name `undefined_name`"
          },
          "ruleId": "F821"
        }
      ],
      "tool": {
        "driver": {
          "informationUri": "https://github.com/astral-sh/ruff",
          "name": "ruff",
          "rules": [{"id": "F821", "defaultConfiguration": {"enabled": true, "level": "error"}}],
          "version": "0.17.6"
        }
      }
    }
  ],
  "version": "2.1.0"
}"#;

    fn all(text: &str) -> Vec<Finding> {
        read(text.as_bytes(), &Root::of(Path::new("/copy/of/it")))
            .unwrap_or_else(|why| panic!("{why}\n{text}"))
    }

    /// Reads a log of one run.
    fn run(rest: &str, results: &str) -> Vec<Finding> {
        all(&format!(
            r#"{{"version": "2.1.0", "runs": [{{{rest} "results": [{results}]}}]}}"#
        ))
    }

    #[test]
    fn results_of_ruff() {
        let found = all(RUFF);
        assert_eq!(found.len(), 1);
        let expected = Finding {
            path: Some("é%20#.py".to_owned()),
            line: Some(5),
            column: Some(12),
            rule: Some("F821".to_owned()),
            message: "Undefined name `undefined_name`".to_owned(),
            severity: Severity::Error,
            new: false,
        };
        assert_eq!(found[0], expected);
        assert_eq!(all(&format!("\u{feff}{RUFF}")), found);
    }

    #[test]
    fn paths_stand_below_their_base() {
        let bases = r#""originalUriBaseIds": {"SRC": {"uri": "file:///copy/of/it/src/"}, "SUB": {"uri": "sub/", "uriBaseId": "SRC"},
            "ROOT": {"description": {"text": "the checkout"}}, "RING": {"uri": "x", "uriBaseId": "RING"}},
            "artifacts": [{"location": {"uri": "z.py"}}],"#;
        let check = |location: &str, expected: Option<&str>| {
            let result = format!(
                r#"{{"message": {{}}, "locations": [{{"physicalLocation": {{"artifactLocation": {location}}}}}]}}"#
            );
            assert_eq!(
                run(bases, &result)[0].path.as_deref(),
                expected,
                "{location}"
            );
        };
        check(r#"{"uri": "a.py"}"#, Some("a.py"));
        check(r#"{"uri": "a.py", "uriBaseId": "SRC"}"#, Some("src/a.py"));
        check(
            r#"{"uri": "a%20b.py", "uriBaseId": "SUB"}"#,
            Some("src/sub/a b.py"),
        );
        check(r#"{"uri": "a.py", "uriBaseId": "ROOT"}"#, Some("a.py"));
        check(r#"{"uri": "a.py", "uriBaseId": "%SRCROOT%"}"#, Some("a.py"));
        check(
            r#"{"uri": "file:///etc/x", "uriBaseId": "SRC"}"#,
            Some("/etc/x"),
        );
        check(r#"{"index": 0}"#, Some("z.py"));
        check(r#"{"index": -1}"#, None);
        check("{}", None);
        assert!(
            run(
                bases,
                r#"{"locations": [{"physicalLocation": {"artifactLocation": {"uri": "a", "uriBaseId": "RING"}}}]}"#
            )[0]
            .path
            .is_some()
        );
    }

    #[test]
    fn levels_have_defaults() {
        let rules = r#""tool": {"driver": {"rules": [{"id": "N", "defaultConfiguration": {"level": "note"},
            "messageStrings": {"default": {"text": "{1} of {0} {x} {7}"}}}]}},"#;
        let check = |result: &str, severity: Severity, rule: Option<&str>| {
            let found = run(rules, result);
            assert_eq!(
                (found[0].severity, found[0].rule.as_deref()),
                (severity, rule),
                "{result}"
            );
        };
        check("{}", Severity::Warning, None);
        check(r#"{"level": "error"}"#, Severity::Error, None);
        check(r#"{"level": "none"}"#, Severity::Note, None);
        check(r#"{"ruleId": "N"}"#, Severity::Note, Some("N"));
        check(r#"{"ruleIndex": 0}"#, Severity::Note, Some("N"));
        check(
            r#"{"rule": {"id": "N/1", "index": 0}, "level": "warning"}"#,
            Severity::Warning,
            Some("N/1"),
        );
        check(
            r#"{"kind": "review", "level": "error"}"#,
            Severity::Note,
            None,
        );
        check(
            r#"{"kind": "fail", "level": "error"}"#,
            Severity::Error,
            None,
        );
        let found = run(
            rules,
            r#"{"ruleId": "N", "message": {"id": "default", "arguments": ["{1}", "one"]}}"#,
        );
        assert_eq!(found[0].message, "one of {1} {x} {7}");
    }

    #[test]
    fn what_the_tool_lets_pass_is_no_finding() {
        let check =
            |result: &str, count: usize| assert_eq!(run("", result).len(), count, "{result}");
        check(r#"{"suppressions": [{"kind": "inSource"}]}"#, 0);
        check(
            r#"{"suppressions": [{"kind": "external", "status": "underReview"}]}"#,
            1,
        );
        check(r#"{"suppressions": []}"#, 1);
        check(r#"{"kind": "pass"}"#, 0);
        check(r#"{"baselineState": "absent"}"#, 0);
        check(r#"{"baselineState": "new"}"#, 1);
        assert!(all(r#"{"runs": [{}, {"results": null}]}"#).is_empty());
    }

    #[test]
    fn no_log_is_told() {
        let root = Root::of(Path::new("/"));
        for text in [
            "",
            "{}",
            "[]",
            r#"{"runs": 1}"#,
            r#"{"runs": [{"results": [1]}]}"#,
            "ruff failed\n",
        ] {
            assert!(
                read(text.as_bytes(), &root).unwrap_err().contains("SARIF"),
                "{text}"
            );
        }
    }
}
