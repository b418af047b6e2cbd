//! A unified diff of what a formatter would change: a finding for each run of changed lines, so that one that was there
//! before does not hide another three lines on.

use super::super::verdict::Finding;
use super::gcc;
use super::parse::reformatted;
use super::place::Root;

/// Reads the diff on standard output, and on standard error what could not be parsed.
pub(super) fn read(stdout: &[u8], stderr: &[u8], root: &Root) -> Result<Vec<Finding>, String> {
    let text = String::from_utf8_lossy(stdout);
    let mut lines = text.split('\n');
    let mut findings = Vec::new();
    let mut old_name = "";
    let mut path = None;
    let mut hunks = 0;
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("--- ") {
            old_name = name;
        } else if let Some(name) = line.strip_prefix("+++ ") {
            path = Some(root.relative(named(old_name, name)));
        } else if let (Some(hunk), Some(path)) = (DiffHunk::parse(line), &path) {
            hunks += 1;
            let places = hunk.changed(&mut lines);
            findings.extend(
                places
                    .into_iter()
                    .map(|line| reformatted(path.clone(), Some(line))),
            );
        }
    }
    if hunks == 0 && !text.trim().is_empty() {
        return Err("standard output is no unified diff".to_owned());
    }
    findings.extend(gcc::complaints(stderr, root));
    Ok(findings)
}

/// Returns the path that both header lines mean.
fn named<'t>(old: &'t str, new: &'t str) -> &'t str {
    let (old, new) = (without_time(old), without_time(new));
    match (old.strip_prefix("a/"), new.strip_prefix("b/")) {
        (Some(old), Some(new)) if old == new => new,
        // gofmt: `--- a.go.orig`, `+++ a.go`.
        _ => new,
    }
}

/// Returns a header line's path without the time that may stand behind it.
fn without_time(name: &str) -> &str {
    let name = name.trim_end_matches('\r');
    match name.rsplit_once('\t') {
        Some((path, time)) if time.is_empty() || time.starts_with(|c: char| c.is_ascii_digit()) => {
            path
        }
        _ => name,
    }
}

/// The numbers of a `@@ -old,count +new,count @@` line.
struct DiffHunk {
    first: usize,
    old: usize,
    new: usize,
}

impl DiffHunk {
    fn parse(line: &str) -> Option<DiffHunk> {
        let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
        let (first, old) = counted(old)?;
        let (_, new) = counted(rest.split_once(" @@")?.0)?;
        Some(DiffHunk { first, old, new })
    }

    /// Takes the hunk's lines and returns the old line at which each run of changes begins.
    fn changed<'t>(mut self, lines: &mut impl Iterator<Item = &'t str>) -> Vec<usize> {
        let mut places = Vec::new();
        // Of a hunk without old lines, git names the one before.
        let mut at = if self.old == 0 {
            self.first.saturating_add(1)
        } else {
            self.first
        };
        let mut in_a_run = false;
        while self.old > 0 || self.new > 0 {
            let Some(line) = lines.next() else { break };
            let removed = line.starts_with('-');
            if removed || line.starts_with('+') {
                if !in_a_run {
                    places.push(at.max(1));
                }
                in_a_run = true;
            } else if line.starts_with('\\') {
                continue;
            } else {
                in_a_run = false;
            }
            if !removed {
                self.new = self.new.saturating_sub(1);
            }
            if !line.starts_with('+') {
                self.old = self.old.saturating_sub(1);
                at = at.saturating_add(1);
            }
        }
        places
    }
}

/// Reads `first,count` or `first`, which counts one line.
fn counted(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[track_caller]
    fn check(diff: &str, expected: &[(&str, usize)]) {
        let found = read(diff.as_bytes(), b"", &Root::of(Path::new("/copy/of/it"))).unwrap();
        let places: Vec<(&str, usize)> = found
            .iter()
            .map(|finding| (finding.path.as_deref().unwrap(), finding.line.unwrap()))
            .collect();
        assert_eq!(places, expected, "{diff}");
        assert!(
            found
                .iter()
                .all(|finding| finding.message == "would be reformatted" && finding.rule.is_none())
        );
    }

    #[test]
    fn diffs_of_black() {
        let body = "@@ -1,8 +1,9 @@\n x = 1\n-def f( a ):\n-    return  a\n \n+\n+def f(a):\n+    return a\n \n \n y = 2\n-z   = 3\n+z = 3\n";
        let time = "2026-11-21 13:21:58.884617+00:00";
        check(
            &format!("--- a b.py\t{time}\n+++ a b.py\t{time}\n{body}"),
            &[("a b.py", 2), ("a b.py", 5), ("a b.py", 8)],
        );
        check(
            &format!("--- /copy/of/it/-b.py\t{time}\n+++ /copy/of/it/-b.py\t{time}\n{body}"),
            &[("-b.py", 2), ("-b.py", 5), ("-b.py", 8)],
        );
    }

    #[test]
    fn diffs_of_gofmt() {
        let hunk = "@@ -1,6 +1,6 @@\n package main\n \n func main() {\n-x  := 1\n-_ = x\n+\tx := 1\n+\t_ = x\n }\n";
        let of =
            |path: &str| format!("diff {path}.orig {path}\n--- {path}.orig\n+++ {path}\n{hunk}");
        check(
            &format!("{}{}", of("./-a.go"), of("a b.go")),
            &[("-a.go", 4), ("a b.go", 4)],
        );
    }

    #[test]
    fn diffs_of_others() {
        check("", &[]);
        check(
            "--- a/x.py\n+++ b/x.py\n@@ -3 +3 @@\n-a\n+b\n",
            &[("x.py", 3)],
        );
        check(
            "--- a/x.py\n+++ a/x.py\n@@ -3 +3 @@\n-a\n+b\n",
            &[("a/x.py", 3)],
        );
        check("--- x\n+++ x\n@@ -0,0 +1 @@\n+b\n", &[("x", 1)]);
        check("--- x\n+++ x\n@@ -4,0 +5,2 @@\n+b\n+c\n", &[("x", 5)]);
        // A removed line that looks like a header, and an end without a line ending.
        check(
            "--- x\n+++ x\n@@ -1,2 +1,1 @@\n a\n--- y\n\\ No newline at end of file\n--- z\n+++ z\n@@ -2 +2 @@\n-a\n+b\n",
            &[("x", 2), ("z", 2)],
        );
        check(
            "--- x\n+++ x\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+b\n+c\n",
            &[("x", 1)],
        );
        // A formatter whose empty context lines lost their space.
        check("--- x\n+++ x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", &[("x", 3)]);
    }

    #[test]
    fn what_is_no_diff_is_said_to_be_none() {
        let root = Root::of(Path::new("/"));
        assert!(read(b"Traceback (most recent call last):\n", b"", &root).is_err());
        let found = read(b"", b"syn.go:2:8: expected ')', found 'EOF'\n", &root).unwrap();
        assert_eq!((found.len(), found[0].line), (1, Some(2)));
    }
}
