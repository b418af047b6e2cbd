//! The lines of markdownlint-cli2: `path:line:column severity RULE/alias description [detail] [Context: "…"]`.
//!
//! They come on standard error. The column may be missing, and before version 0.19 the severity was.

use super::super::verdict::Finding;
use super::gcc::places;
use super::place::Root;
use crate::config::Severity;

/// Reads standard error; a line of another form is talk.
pub(super) fn read(stderr: &[u8], root: &Root) -> Vec<Finding> {
    String::from_utf8_lossy(stderr)
        .lines()
        .filter_map(|line| finding(line, root))
        .collect()
}

fn finding(text: &str, root: &Root) -> Option<Finding> {
    places(text, " ").find_map(|(path, line, column, rest)| {
        let (severity, rest) = weighed(rest);
        let (names, message) = rest.split_once(' ')?;
        // A path may hold what looks like a place: `a:3 b.md:7`. No rule has such a name.
        let well_named = names
            .chars()
            .all(|c| c.is_alphanumeric() || "-_/".contains(c));
        (well_named && !names.is_empty()).then(|| Finding {
            path: Some(root.relative(path)),
            line: (line > 0).then_some(line),
            column: column.filter(|&column| column > 0),
            rule: names.split('/').next().map(str::to_owned),
            message: message.to_owned(),
            severity,
            new: false,
        })
    })
}

fn weighed(text: &str) -> (Severity, &str) {
    match text.split_once(' ') {
        Some(("error", rest)) => (Severity::Error, rest),
        Some(("warning", rest)) => (Severity::Warning, rest),
        _ => (Severity::Error, text),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;

    pub(crate) const REPORT: &str = "bad.md:3 error MD022/blanks-around-headings Headings should be surrounded by blank lines [Expected: 1; Actual: 0; Below] [Context: \"## B\"]
a:3 b.md:7:5 error MD009/no-trailing-spaces Trailing spaces [Expected: 0 or 2; Actual: 1]
:c.md:5 warning MD025/single-title/single-h1 Multiple top-level headings in the same document [Context: \"C\"]
old.md:4:1 MD018/no-missing-space-atx No space after hash on atx style heading [Context: \"#C\"]
    at async Promise.all (index 0)
Error: Unable to use configuration file
";

    #[test]
    fn lines_are_findings() {
        let found = read(REPORT.as_bytes(), &Root::of(Path::new("/")));
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
                Some("bad.md"),
                Some(3),
                None,
                Some("MD022"),
                Severity::Error,
            ),
            (
                Some("a:3 b.md"),
                Some(7),
                Some(5),
                Some("MD009"),
                Severity::Error,
            ),
            (
                Some(":c.md"),
                Some(5),
                None,
                Some("MD025"),
                Severity::Warning,
            ),
            (
                Some("old.md"),
                Some(4),
                Some(1),
                Some("MD018"),
                Severity::Error,
            ),
        ];
        assert_eq!(all, expected);
        assert_eq!(
            found[1].message,
            "Trailing spaces [Expected: 0 or 2; Actual: 1]"
        );
    }
}
