//! New or old: which findings of the candidate the base had as well, however lines shifted.
//!
//! A finding is the same as one of the base when path, rule, message and the text of its line are; a number that names a
//! line inside the message does not count. Of findings that are alike in all that, as many are old as the base had, and
//! those outside the changed lines are old first. When in doubt a finding is new.

use std::collections::BTreeMap;

use super::verdict::Finding;

/// What a side of the comparison knows about its files.
pub(super) trait LineSource {
    /// Returns the text of a 1-based line of the file at `path`, without white space at its ends.
    fn line(&self, path: &str, line: usize) -> Option<Vec<u8>>;
}

/// Marks which of `candidate` are new.
///
/// `base_path` says what a path was called in the base, `changed` whether a finding stands on a line that the batch changed.
pub(super) fn mark_new(
    candidate: &mut [Finding],
    candidate_lines: &dyn LineSource,
    base: &[Finding],
    base_lines: &dyn LineSource,
    base_path: &dyn Fn(&str) -> String,
    changed: &dyn Fn(&Finding) -> bool,
) {
    let mut known: BTreeMap<FindingIdentity, usize> = BTreeMap::new();
    for finding in base {
        *known
            .entry(FindingIdentity::of(finding, base_lines, &str::to_owned))
            .or_default() += 1;
    }
    let mut order: Vec<usize> = (0..candidate.len()).collect();
    order.sort_by_key(|&at| candidate.get(at).is_some_and(changed));
    for at in order {
        let Some(finding) = candidate.get_mut(at) else {
            continue;
        };
        let left = known
            .get_mut(&FindingIdentity::of(finding, candidate_lines, base_path))
            .filter(|left| **left > 0);
        finding.new = left.is_none();
        if let Some(left) = left {
            *left -= 1;
        }
    }
}

/// What two findings have in common when they are the same one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct FindingIdentity {
    path: Option<String>,
    rule: Option<String>,
    message: String,
    text: Option<Vec<u8>>,
}

impl FindingIdentity {
    fn of(
        finding: &Finding,
        lines: &dyn LineSource,
        base_path: &dyn Fn(&str) -> String,
    ) -> FindingIdentity {
        let text = finding
            .path
            .as_deref()
            .zip(finding.line)
            .and_then(|(path, line)| lines.line(path, line));
        FindingIdentity {
            path: finding.path.as_deref().map(base_path),
            rule: finding.rule.clone(),
            message: without_places(&finding.message),
            text,
        }
    }
}

/// Returns `message` with the numbers taken out that name a line: `from line 12`, `lines 3-7`, `a.py:12:4`, `[3:9]`.
pub(super) fn without_places(message: &str) -> String {
    let mut kept = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(digit) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(digit);
        kept.push_str(before);
        let end = number
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        kept.push_str(if names_a_line(&kept) { "#" } else { number });
        rest = after;
    }
    kept.push_str(rest);
    without_measures(&kept)
}

/// Returns `message` without what was measured where it stands beside a limit: `(1179/1000)`, `(11 > 10)`. The base had the
/// finding too, whatever the figure.
fn without_measures(message: &str) -> String {
    let mut kept = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find('(') {
        let (before, group) = rest.split_at(at);
        kept.push_str(before);
        let end = group.find(')').map_or(group.len(), |end| end + 1);
        let (group, after) = group.split_at(end);
        kept.push_str(if is_measure(group) { "(#)" } else { group });
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// Says whether `group` is two numbers in brackets, one measured and one allowed.
fn is_measure(group: &str) -> bool {
    let Some(inside) = group
        .strip_prefix('(')
        .and_then(|group| group.strip_suffix(')'))
    else {
        return false;
    };
    let number = |text: &str| {
        !text.trim().is_empty() && text.trim().chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    ["/", ">", "<"].iter().any(|sign| {
        inside
            .split_once(sign)
            .is_some_and(|(one, other)| number(one) && number(other))
    })
}

/// Says whether a number after `before` names a line.
fn names_a_line(before: &str) -> bool {
    let lower = before.to_lowercase();
    let after_word = ["line ", "lines ", "line: ", "column ", "#-", "#:"]
        .iter()
        .any(|word| lower.ends_with(word));
    // `a.py:12` and `[3:9]`, but neither `ratio:12` nor `[12]`.
    let named_file = lower.strip_suffix(':').is_some_and(|name| {
        let name = name
            .rsplit([' ', '(', '"', '\''])
            .next()
            .unwrap_or_default();
        name.rsplit_once('.').is_some_and(|(stem, end)| {
            !stem.is_empty() && !end.is_empty() && end.chars().all(char::is_alphanumeric)
        })
    });
    after_word || named_file || lower.ends_with(":[")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Severity;

    struct File(&'static str);

    impl LineSource for File {
        fn line(&self, path: &str, line: usize) -> Option<Vec<u8>> {
            let text = (path == "a.py")
                .then(|| self.0.lines().nth(line - 1))
                .flatten()?;
            Some(text.trim().as_bytes().to_vec())
        }
    }

    fn finding(path: &str, line: usize, rule: &str, message: &str) -> Finding {
        Finding {
            path: Some(path.to_owned()),
            line: Some(line),
            column: Some(1),
            rule: Some(rule.to_owned()),
            message: message.to_owned(),
            severity: Severity::Error,
            new: false,
        }
    }

    /// Candidate lines are `1 2 …`, and which of them changed.
    fn check(
        candidate: (&'static str, Vec<Finding>),
        base: (&'static str, Vec<Finding>),
        changed: &[usize],
        new: &[bool],
    ) {
        let (text, mut findings) = candidate;
        let touched = |finding: &Finding| finding.line.is_some_and(|line| changed.contains(&line));
        mark_new(
            &mut findings,
            &File(text),
            &base.1,
            &File(base.0),
            &|path| path.replace("new.py", "a.py"),
            &touched,
        );
        let found: Vec<bool> = findings.iter().map(|finding| finding.new).collect();
        assert_eq!(found, new, "{findings:#?}");
    }

    #[test]
    fn a_finding_that_only_moved_is_old() {
        let base = || ("import os\nx\n", vec![finding("a.py", 1, "F401", "unused")]);
        check(
            (
                "\n\n  import os\nx\n",
                vec![finding("a.py", 3, "F401", "unused")],
            ),
            base(),
            &[1, 2],
            &[false],
        );
        check(
            (
                "import sys\nx\n",
                vec![finding("a.py", 1, "F401", "unused")],
            ),
            base(),
            &[1],
            &[true],
        );
        check(
            ("import os\nx\n", vec![finding("a.py", 1, "F402", "unused")]),
            base(),
            &[],
            &[true],
        );
        check(
            (
                "import os\nx\n",
                vec![finding("a.py", 1, "F401", "unused too")],
            ),
            base(),
            &[],
            &[true],
        );
        check(
            ("import os\nx\n", vec![finding("b.py", 1, "F401", "unused")]),
            base(),
            &[],
            &[true],
        );
    }

    #[test]
    fn one_more_of_the_same_is_new_and_it_is_the_changed_one() {
        let base = (
            "f()\nf()\n",
            vec![finding("a.py", 1, "F", "m"), finding("a.py", 2, "F", "m")],
        );
        let three = (1..=3)
            .map(|line| finding("a.py", line, "F", "m"))
            .collect();
        check(
            ("f()\nf()\nf()\n", three),
            base,
            &[1],
            &[true, false, false],
        );
    }

    #[test]
    fn a_file_that_was_renamed_keeps_its_findings() {
        let base = ("x\n", vec![finding("a.py", 1, "F", "m")]);
        let mut moved = finding("new.py", 1, "F", "m");
        moved.line = None;
        let mut old = finding("a.py", 1, "F", "m");
        old.line = None;
        check(("x\n", vec![moved]), (base.0, vec![old]), &[], &[false]);
    }

    #[test]
    fn numbers_that_name_lines_do_not_count() {
        let check = |message: &str, expected: &str| assert_eq!(without_places(message), expected);
        check(
            "Redefinition of unused `x` from line 12",
            "Redefinition of unused `x` from line #",
        );
        check(
            "Name \"f\" already defined on line 3",
            "Name \"f\" already defined on line #",
        );
        check(
            "see src/a.py:12:4 and lines 3-7",
            "see src/a.py:#:# and lines #-#",
        );
        check("==a:[3:9]", "==a:[#:#]");
        check("Too many arguments (7/5)", "Too many arguments (#)");
        check("`f` is too complex (11 > 10)", "`f` is too complex (#)");
        check(
            "Argument (1) of (a/b) and (x",
            "Argument (1) of (a/b) and (x",
        );
        check("12 errors", "12 errors");
        check("", "");
    }
}
