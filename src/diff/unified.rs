//! A diff in git's format, with the segment of each hunk in its header.

use std::ops::Range;

use super::hunks::{Hunk, hunks, lines_ahead, lines_back};
use crate::path::RepoPath;
use crate::snapshot::{File, FileMode};
use crate::text::{Span, is_binary};

/// One version of a changed file.
#[derive(Clone, Copy, Debug)]
pub struct DiffSide<'a> {
    /// Where it is.
    pub path: &'a RepoPath,
    /// What it is.
    pub file: &'a File,
}

/// How a diff is laid out.
#[derive(Clone, Copy)]
pub struct DiffStyle<'a> {
    /// Unchanged lines around each change.
    pub context: usize,
    /// Names what the given 1-based line of the old version belongs to, for the hunk's `@@ … @@` line.
    pub heading: &'a dyn Fn(usize) -> Option<String>,
}

impl Default for DiffStyle<'_> {
    fn default() -> Self {
        DiffStyle {
            context: 3,
            heading: &|_| None,
        }
    }
}

/// Returns the change from `old` to `new` in git's format, to be read by `git apply`; empty if nothing changed.
pub fn unified(
    old: Option<DiffSide<'_>>,
    new: Option<DiffSide<'_>>,
    style: DiffStyle<'_>,
) -> Vec<u8> {
    let content =
        |side: Option<DiffSide<'_>>| side.map_or(Vec::new().into(), |side| side.file.bytes.clone());
    let (old_bytes, new_bytes) = (content(old), content(new));
    let binary = is_binary(&old_bytes) || is_binary(&new_bytes);
    let hunks = if binary {
        Vec::new()
    } else {
        hunks(&old_bytes, &new_bytes)
    };
    let Some(mut diff) = header(old, new, &hunks) else {
        return Vec::new();
    };
    if old_bytes == new_bytes {
        return diff;
    }
    let (old_name, new_name) = (
        old.map(|side| prefixed("a/", side.path)),
        new.map(|side| prefixed("b/", side.path)),
    );
    let (old_name, new_name) = (or_nothing(old_name), or_nothing(new_name));
    if binary {
        diff.extend(format!("Binary files {old_name} and {new_name} differ\n").bytes());
        return diff;
    }
    // A name with a space ends with a tab, so that readers of time stamps do not cut it.
    let tab = |name: &str| if name.contains(' ') { "\t" } else { "" };
    diff.extend(
        format!(
            "--- {old_name}{}\n+++ {new_name}{}\n",
            tab(&old_name),
            tab(&new_name)
        )
        .bytes(),
    );
    for near in neighbours(&hunks, style.context) {
        write_hunk(&mut diff, &old_bytes, &new_bytes, near, style);
    }
    diff
}

/// Returns the lines ahead of the hunks, or `None` if neither path, mode nor content changed.
fn header(old: Option<DiffSide<'_>>, new: Option<DiffSide<'_>>, hunks: &[Hunk]) -> Option<Vec<u8>> {
    let (from, to) = (old.or(new)?, new.or(old)?);
    let mut header = format!(
        "diff --git {} {}\n",
        prefixed("a/", from.path),
        prefixed("b/", to.path)
    );
    match (old, new) {
        (None, _) => header += &format!("new file mode {}\n", octal(to.file.mode)),
        (_, None) => header += &format!("deleted file mode {}\n", octal(from.file.mode)),
        (Some(old), Some(new)) => {
            let (moved, chmod) = (old.path != new.path, old.file.mode != new.file.mode);
            if !moved && !chmod && old.file.bytes == new.file.bytes {
                return None;
            }
            if chmod {
                header += &format!(
                    "old mode {}\nnew mode {}\n",
                    octal(old.file.mode),
                    octal(new.file.mode)
                );
            }
            if moved {
                header += &format!(
                    "similarity index {}%\n",
                    similarity(old.file, new.file, hunks)
                );
                header += &format!(
                    "rename from {}\nrename to {}\n",
                    prefixed("", old.path),
                    prefixed("", new.path)
                );
            }
        }
    }
    Some(header.into_bytes())
}

fn octal(mode: FileMode) -> &'static str {
    match mode {
        FileMode::Regular => "100644",
        FileMode::Executable => "100755",
    }
}

/// Returns how much of the larger version both share, in per cent; 100 is for equal ones alone.
fn similarity(old: &File, new: &File, hunks: &[Hunk]) -> usize {
    if old.bytes == new.bytes {
        return 100;
    }
    let gone: usize = hunks.iter().map(|hunk| hunk.old.len()).sum();
    let kept = if hunks.is_empty() {
        0
    } else {
        old.bytes.len() - gone
    };
    (kept * 100 / old.bytes.len().max(new.bytes.len()).max(1)).min(99)
}

fn or_nothing(name: Option<String>) -> String {
    name.unwrap_or_else(|| "/dev/null".to_owned())
}

/// Returns the path after `prefix`, in quotes and escaped if git would (`core.quotePath`, as it is by default).
fn prefixed(prefix: &str, path: &RepoPath) -> String {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    if path.as_str().bytes().all(plain) {
        return format!("{prefix}{path}");
    }
    let mut quoted = format!("\"{prefix}");
    for byte in path.as_str().bytes() {
        match byte {
            0x07 => quoted += "\\a",
            0x08 => quoted += "\\b",
            b'\t' => quoted += "\\t",
            b'\n' => quoted += "\\n",
            0x0b => quoted += "\\v",
            0x0c => quoted += "\\f",
            b'\r' => quoted += "\\r",
            b'"' => quoted += "\\\"",
            b'\\' => quoted += "\\\\",
            _ if plain(byte) => quoted.push(char::from(byte)),
            _ => quoted += &format!("\\{byte:03o}"),
        }
    }
    quoted + "\""
}

/// Splits the hunks into groups that share context lines.
fn neighbours(hunks: &[Hunk], context: usize) -> impl Iterator<Item = &[Hunk]> {
    hunks.chunk_by(move |before, after| after.old_lines.start - before.old_lines.end <= 2 * context)
}

fn write_hunk(diff: &mut Vec<u8>, old: &[u8], new: &[u8], near: &[Hunk], style: DiffStyle<'_>) {
    let [first, ..] = near else { return };
    let [.., last] = near else { return };
    let ahead = last_lines(&old[..first.old.start], style.context);
    let after = Span::new(
        last.old.end,
        last.old.end + lines_ahead(&old[last.old.end..], style.context),
    )
    .of(old);
    let after = if style.context == 0 { b"" } else { after };
    let lines = |bytes: &[u8]| bytes.split_inclusive(|&byte| byte == b'\n').count();
    let (above, below) = (lines(ahead), lines(after));
    let old_range = first.old_lines.start - above..last.old_lines.end + below;
    let new_range = first.new_lines.start - above..last.new_lines.end + below;
    let heading = (style.heading)(first.old_lines.start + 1)
        .map(|name| one_line(&name))
        .unwrap_or_default();
    diff.extend(
        format!(
            "@@ -{} +{} @@{heading}\n",
            numbers(old_range),
            numbers(new_range)
        )
        .bytes(),
    );
    push_lines(diff, b' ', ahead);
    let mut from = first.old.start;
    for hunk in near {
        push_lines(diff, b' ', &old[from..hunk.old.start]);
        push_lines(diff, b'-', hunk.old.of(old));
        push_lines(diff, b'+', hunk.new.of(new));
        from = hunk.old.end;
    }
    push_lines(diff, b' ', after);
}

/// Returns the last `count` lines of `bytes`, all of which end.
fn last_lines(bytes: &[u8], count: usize) -> &[u8] {
    &bytes[lines_back(bytes, count)..]
}

/// Returns ` name`, control characters as spaces: the heading must not begin another line.
fn one_line(name: &str) -> String {
    let line: String = name
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    format!(" {line}")
}

/// Returns the 1-based start and the number of lines, as git writes them: an empty range starts at the line before.
fn numbers(range: Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        len => format!("{},{len}", range.start + 1),
    }
}

fn push_lines(diff: &mut Vec<u8>, sign: u8, bytes: &[u8]) {
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        diff.push(sign);
        diff.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            diff.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::count;
    use proptest::prelude::*;

    fn file(bytes: &[u8]) -> File {
        File {
            mode: FileMode::Regular,
            bytes: bytes.into(),
        }
    }

    #[track_caller]
    fn check(old: &str, new: &str, expected: &str) {
        let path = RepoPath::parse("a.txt").unwrap();
        let (old, new) = (file(old.as_bytes()), file(new.as_bytes()));
        let side = |file| Some(DiffSide { path: &path, file });
        let diff =
            String::from_utf8(unified(side(&old), side(&new), DiffStyle::default())).unwrap();
        let header = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n";
        assert_eq!(diff.strip_prefix(header).unwrap_or(&diff), expected);
    }

    #[test]
    fn hunks_have_three_lines_of_context_and_share_it_when_near() {
        check("a\n", "a\n", "");
        check("a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        check(
            "1\n2\n3\n4\n5\n",
            "1\n2\n3\n4\n5\n6\n",
            "@@ -3,3 +3,4 @@\n 3\n 4\n 5\n+6\n",
        );
        check("", "x\n", "@@ -0,0 +1 @@\n+x\n");
        check("x\n", "", "@@ -1 +0,0 @@\n-x\n");
        let ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
        let near = ten.replace("2\n", "b\n").replace("9\n", "i\n");
        check(
            ten,
            &near,
            "@@ -1,10 +1,10 @@\n 1\n-2\n+b\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+i\n 10\n",
        );
        let far = ten.replace("1\n", "a\n").replace("9\n", "i\n");
        check(
            ten,
            &far,
            "@@ -1,4 +1,4 @@\n-1\n+a\n 2\n 3\n 4\n@@ -6,5 +6,5 @@\n 6\n 7\n 8\n-9\n+i\n 10\n",
        );
    }

    #[test]
    fn endings_are_part_of_their_lines() {
        check(
            "a\nb",
            "a\nb\n",
            "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
        );
        check(
            "a\nb",
            "c\nb",
            "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n",
        );
        check("a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n");
    }

    #[test]
    fn an_added_block_stands_where_a_reader_would_put_it() {
        let old = "def a():\n    x\n\ndef c():\n    x\n";
        let new = "def a():\n    x\n\ndef b():\n    x\n\ndef c():\n    x\n";
        check(
            old,
            new,
            "@@ -1,5 +1,8 @@\n def a():\n     x\n \n+def b():\n+    x\n+\n def c():\n     x\n",
        );
    }

    #[test]
    fn headers_say_what_became_of_the_file() {
        let (path, moved) = (
            RepoPath::parse("a b").unwrap(),
            RepoPath::parse("dir/ü\"").unwrap(),
        );
        let plain = file(b"1\n2\n");
        let runs = File {
            mode: FileMode::Executable,
            ..plain.clone()
        };
        let check =
            |old: Option<(&RepoPath, &File)>, new: Option<(&RepoPath, &File)>, expected: &str| {
                let side = |side: Option<(_, _)>| side.map(|(path, file)| DiffSide { path, file });
                let diff = unified(side(old), side(new), DiffStyle::default());
                assert_eq!(String::from_utf8(diff).unwrap(), expected);
            };
        check(Some((&path, &plain)), Some((&path, &plain)), "");
        check(None, None, "");
        check(
            None,
            Some((&path, &plain)),
            "diff --git a/a b b/a b\nnew file mode 100644\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1,2 @@\n+1\n+2\n",
        );
        check(
            Some((&path, &runs)),
            None,
            "diff --git a/a b b/a b\ndeleted file mode 100755\n--- a/a b\t\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n",
        );
        check(
            Some((&path, &plain)),
            Some((&moved, &runs)),
            "diff --git a/a b \"b/dir/\\303\\274\\\"\"\nold mode 100644\nnew mode 100755\nsimilarity index 100%\n\
             rename from a b\nrename to \"dir/\\303\\274\\\"\"\n",
        );
        check(
            None,
            Some((&path, &file(b""))),
            "diff --git a/a b b/a b\nnew file mode 100644\n",
        );
        check(
            Some((&path, &file(b"\0"))),
            Some((&path, &plain)),
            "diff --git a/a b b/a b\nBinary files a/a b and b/a b differ\n",
        );
    }

    #[test]
    fn a_heading_names_the_segment_and_stays_on_its_line() {
        let path = RepoPath::parse("a").unwrap();
        let heading = |line: usize| Some(format!("line {line}\n+forged"));
        let style = DiffStyle {
            context: 1,
            heading: &heading,
        };
        let (old, new) = (file(b"1\n2\n3\n4\n"), file(b"1\n2\nx\n4\n"));
        let diff = unified(
            Some(DiffSide {
                path: &path,
                file: &old,
            }),
            Some(DiffSide {
                path: &path,
                file: &new,
            }),
            style,
        );
        let diff = String::from_utf8(diff).unwrap();
        assert!(
            diff.ends_with("@@ -2,3 +2,3 @@ line 3 +forged\n 2\n-3\n+x\n 4\n"),
            "{diff}"
        );
    }

    #[test]
    fn binary_content_has_no_lines() {
        assert_eq!(count(Some(b"a\n"), Some(b"b\nc\n")), (2, 1));
        assert_eq!(count(None, Some(b"b")), (1, 0));
        assert_eq!(count(Some(b"\0\n"), None), (0, 0));
    }

    proptest! {
        #[test]
        fn the_hunks_are_all_that_differs(
            lines in prop::collection::vec("[ab]{0,2}", 0..700),
            edits in prop::collection::vec((any::<prop::sample::Index>(), "[abc\n]{0,4}"), 0..4),
            end in "[\n]?",
        ) {
            let old = lines.join("\n") + &end;
            let mut edited = lines.clone();
            for (at, text) in &edits {
                if !edited.is_empty() {
                    let at = at.index(edited.len());
                    edited[at].clone_from(text);
                }
            }
            let new = edited.join("\n");
            let (old, new) = (old.as_bytes(), new.as_bytes());
            let mut rebuilt = Vec::new();
            let (mut from, mut lines) = (0, 0);
            for hunk in hunks(old, new) {
                rebuilt.extend_from_slice(&old[from..hunk.old.start]);
                prop_assert_eq!(rebuilt.len(), hunk.new.start);
                rebuilt.extend_from_slice(hunk.new.of(new));
                lines += old[from..hunk.old.start].iter().filter(|&&byte| byte == b'\n').count();
                prop_assert_eq!(lines, hunk.old_lines.start);
                lines += hunk.old_lines.len();
                from = hunk.old.end;
            }
            rebuilt.extend_from_slice(&old[from..]);
            prop_assert_eq!(rebuilt.as_slice(), new);
        }
    }
}
