//! `path:line:column: severity: message [rule]`, the lines of gcc and of all that learned to write like it.
//!
//! The column, the severity and the rule may be missing; a line of another form is talk. A path may hold colons and
//! spaces: it ends where a line number and a space first follow it.

use super::super::verdict::Finding;
use super::place::Root;
use crate::config::Severity;

/// Reads both streams. On standard error, where interpreters warn of files of their own, only what stands below `root`.
pub(super) fn read(stdout: &[u8], stderr: &[u8], root: &Root) -> Vec<Finding> {
    let mut findings = lines(stdout, root);
    findings.extend(complaints(stderr, root));
    findings
}

/// Returns what standard error says of files below `root`.
pub(super) fn complaints(stderr: &[u8], root: &Root) -> impl Iterator<Item = Finding> {
    let below = |finding: &Finding| {
        finding
            .path
            .as_ref()
            .is_some_and(|path| !path.starts_with('/'))
    };
    lines(stderr, root).into_iter().filter(below)
}

fn lines(bytes: &[u8], root: &Root) -> Vec<Finding> {
    String::from_utf8_lossy(bytes)
        .lines()
        .filter_map(|line| finding(line, root))
        .collect()
}

fn finding(text: &str, root: &Root) -> Option<Finding> {
    let (path, line, column, rest) = placed(text, ": ")?;
    let (severity, rest) = weighed(rest);
    let (message, rule) = ruled(rest);
    Some(Finding {
        path: Some(root.relative(path)),
        line: (line > 0).then_some(line),
        column: column.filter(|&column| column > 0),
        rule: rule.map(str::to_owned),
        message: message.to_owned(),
        severity,
        new: false,
    })
}

/// Returns path, line, column and the rest of the first `path:line` or `path:line:column` that `end` follows.
pub(super) fn placed<'t>(
    text: &'t str,
    end: &str,
) -> Option<(&'t str, usize, Option<usize>, &'t str)> {
    places(text, end).next()
}

/// Returns every reading of `text` as a place and a rest, the shortest path first.
pub(super) fn places<'t>(
    text: &'t str,
    end: &str,
) -> impl Iterator<Item = (&'t str, usize, Option<usize>, &'t str)> {
    text.match_indices(':')
        .filter(|&(colon, _)| colon > 0)
        .filter_map(move |(colon, _)| {
            let path = &text[..colon];
            let (line, rest) = number(&text[colon + 1..])?;
            if let Some((column, rest)) = rest.strip_prefix(':').and_then(number)
                && let Some(rest) = rest.strip_prefix(end)
            {
                return Some((path, line, Some(column), rest));
            }
            Some((path, line, None, rest.strip_prefix(end)?))
        })
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Takes the severity off; what names none is an error.
fn weighed(text: &str) -> (Severity, &str) {
    let words = [
        ("error", Severity::Error),
        ("fatal error", Severity::Error),
        ("fatal", Severity::Error),
        ("warning", Severity::Warning),
        ("note", Severity::Note),
        ("info", Severity::Note),
        ("information", Severity::Note),
        ("hint", Severity::Note),
        ("style", Severity::Note),
        ("remark", Severity::Note),
    ];
    let Some((word, rest)) = text.split_once(':') else {
        return (Severity::Error, text);
    };
    match words
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(word.trim()))
    {
        Some((_, severity)) => (*severity, rest.trim_start()),
        None => (Severity::Error, text),
    }
}

/// Takes the rule off the end.
fn ruled(text: &str) -> (&str, Option<&str>) {
    let text = text.trim_end();
    let found = text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once(" ["));
    match found {
        Some((message, rule)) if !rule.is_empty() && !rule.contains([' ', '[', ']']) => {
            (message.trim_end(), Some(rule))
        }
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Checks what one line is read as: path, line, column, rule, message, severity.
    #[track_caller]
    fn check(
        text: &str,
        expected: (
            &str,
            Option<usize>,
            Option<usize>,
            Option<&str>,
            &str,
            Severity,
        ),
    ) {
        let found = finding(text, &Root::of(Path::new("/copy/of/it")))
            .unwrap_or_else(|| panic!("no finding: {text}"));
        let path = found.path.as_deref().unwrap();
        assert_eq!(
            (
                path,
                found.line,
                found.column,
                found.rule.as_deref(),
                found.message.as_str(),
                found.severity
            ),
            expected,
            "{text}"
        );
    }

    #[test]
    fn lines_of_shellcheck() {
        check(
            "bad.sh:2:6: note: Double quote to prevent globbing and word splitting. [SC2086]",
            (
                "bad.sh",
                Some(2),
                Some(6),
                Some("SC2086"),
                "Double quote to prevent globbing and word splitting.",
                Severity::Note,
            ),
        );
        check(
            "a:3 b.sh:3:1: warning: x appears unused. Verify use (or export if used externally). [SC2034]",
            (
                "a:3 b.sh",
                Some(3),
                Some(1),
                Some("SC2034"),
                "x appears unused. Verify use (or export if used externally).",
                Severity::Warning,
            ),
        );
        check(
            "./-a.sh:2:1: error: Couldn't parse this if expression. Fix to allow more checks. [SC1073]",
            (
                "-a.sh",
                Some(2),
                Some(1),
                Some("SC1073"),
                "Couldn't parse this if expression. Fix to allow more checks.",
                Severity::Error,
            ),
        );
    }

    #[test]
    fn lines_of_others() {
        check(
            "/copy/of/it/x.c:4:9: fatal error: no.h: No such file",
            (
                "x.c",
                Some(4),
                Some(9),
                None,
                "no.h: No such file",
                Severity::Error,
            ),
        );
        check(
            "x.c:4: warning: unused [-Wunused-variable]",
            (
                "x.c",
                Some(4),
                None,
                Some("-Wunused-variable"),
                "unused",
                Severity::Warning,
            ),
        );
        check(
            "a.py:1:80: E501 line too long (91 > 79 characters)",
            (
                "a.py",
                Some(1),
                Some(80),
                None,
                "E501 line too long (91 > 79 characters)",
                Severity::Error,
            ),
        );
        check(
            "a.py:3: Warning: odd",
            ("a.py", Some(3), None, None, "odd", Severity::Warning),
        );
        check(
            "a.py:3: got list[int]",
            (
                "a.py",
                Some(3),
                None,
                None,
                "got list[int]",
                Severity::Error,
            ),
        );
        check(
            "a.py:3: see [the docs]",
            (
                "a.py",
                Some(3),
                None,
                None,
                "see [the docs]",
                Severity::Error,
            ),
        );
        check(
            "a.py:0:0: error: empty []",
            ("a.py", None, None, None, "empty []", Severity::Error),
        );
        check(
            "a.py:3:0: b.py:4: c",
            ("a.py", Some(3), None, None, "b.py:4: c", Severity::Error),
        );
        check(
            "syn.go:2:8: expected ')', found 'EOF'",
            (
                "syn.go",
                Some(2),
                Some(8),
                None,
                "expected ')', found 'EOF'",
                Severity::Error,
            ),
        );
    }

    #[test]
    fn talk_is_passed_over() {
        let root = Root::of(Path::new("/"));
        for text in [
            "",
            ":1: x",
            "Found 3 errors",
            "In file included from x.h:3:",
            "at 12:30: noon",
            "x:99999999999999999999: y",
            "a.py:1:2",
        ] {
            let found = finding(text, &root);
            // A time of day has the form; nothing tells it from a file.
            assert!(
                found.is_none() || text.starts_with("at 12"),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn an_interpreters_own_files_on_standard_error_are_no_business() {
        let stderr =
            b"/usr/lib/python3/ast.py:587: DeprecationWarning: Constant.s\nx.c:1:2: error: bad\n";
        let found = read(
            b"/usr/include/y.h:1:2: error: bad\n",
            stderr,
            &Root::of(Path::new("/copy/of/it")),
        );
        let paths: Vec<&str> = found
            .iter()
            .filter_map(|finding| finding.path.as_deref())
            .collect();
        assert_eq!(paths, ["/usr/include/y.h", "x.c"]);
    }
}
