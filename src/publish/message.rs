//! The message of a commit: cleaned as git cleans it, trailers added as `git interpret-trailers` adds them.
//!
//! A line that starts with `#` is text like any other, as for `git commit -F`; trailers come after it.
//!
//! Invariant: the trailers of the program's own (`Segedit-…`) stand in the message once, and only because they were
//! put there here; nothing that came from outside can forge one.

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::batch::SCISSORS;

/// The trailer that names the batch.
pub(crate) const BATCH: &str = "Segedit-Batch";

/// What every trailer of the program's own starts with, in lower case.
const OURS: &str = "segedit-";

const LONGEST: usize = 64 * 1024;

/// Returns `message` with `trailers`, those of the program's `own` and the name of the batch at its end.
pub(crate) fn compose(
    message: &str,
    trailers: &[(String, String)],
    own: &[(&'static str, String)],
    batch: &str,
) -> Result<String, Diagnostic> {
    let refuse = |why: &str| {
        Err(Diagnostic::new(
            Code::Malformed,
            format!("the message {why}"),
        ))
    };
    if message.contains('\0') {
        return refuse("contains a NUL byte");
    }
    if message.len() > LONGEST {
        return refuse("is longer than 64 KiB");
    }
    let mut text = clean(message);
    if text.is_empty() {
        return refuse("is empty");
    }
    if text.contains(SCISSORS) {
        return refuse("holds git's scissors line, behind which git sees no trailers");
    }
    if let Some(line) = text.lines().find(|line| is_ours(line)) {
        return refuse(&format!(
            "has a line that reads as a trailer of this program's own: `{}`",
            shown(line)
        ));
    }
    // A subject alone is never a block of trailers, not even `fix: x`.
    if !ends_in_trailers(&text) {
        text.push('\n');
    }
    for (key, value) in trailers {
        check_trailer(key, value)?;
        text.push_str(&format!("{key}: {value}\n"));
    }
    for (key, value) in own {
        text.push_str(&format!("{key}: {}\n", shown(value)));
    }
    text.push_str(&format!("{BATCH}: {batch}\n"));
    Ok(text)
}

/// Returns the message that hooks `left` in the place of `composed`, cleaned. The batch's own trailer, which they may have
/// dropped, comes back; one that they made up is refused.
pub(super) fn as_hooks_left_it(composed: &str, left: &[u8]) -> Result<String, Diagnostic> {
    let refuse = |what: &str| {
        Err(Diagnostic::new(
            Code::ValidatorFailed,
            format!("the hooks left a message that {what}"),
        ))
    };
    let Some(left) = std::str::from_utf8(left)
        .ok()
        .filter(|left| !left.contains('\0'))
    else {
        return refuse("is no text in UTF-8");
    };
    let mut text = clean(left);
    if text.is_empty() {
        return refuse("is empty");
    }
    if text.len() > 2 * LONGEST {
        return refuse("is longer than 128 KiB");
    }
    let ours = |text: &str| {
        text.lines()
            .filter(|line| is_ours(line))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (known, found) = (ours(composed), ours(&text));
    if found.is_empty() {
        if !ends_in_trailers(&text) {
            text.push('\n');
        }
        known
            .iter()
            .for_each(|line| text.push_str(&format!("{line}\n")));
    } else if found != known {
        return refuse("has another trailer of this program's own than it had");
    }
    Ok(text)
}

/// Returns the first line of `message`, for a log.
pub(crate) fn subject(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

/// Does what `git commit --cleanup=whitespace` does: no blank lines at either end, never two in a row, no white space at
/// line ends, one line feed at the end.
fn clean(message: &str) -> String {
    let mut text = String::new();
    let mut blank = false;
    for line in message.lines().map(|line| line.trim_end()) {
        if line.is_empty() {
            blank = !text.is_empty();
            continue;
        }
        if blank {
            text.push('\n');
        }
        blank = false;
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Returns whether the last paragraph is a block of trailers, by the rule of `git interpret-trailers`: it is not the
/// subject, and either all its lines are trailers, or one is git's own (`Signed-off-by`, `(cherry picked from …`) and
/// at least a quarter of them are trailers. An indented line goes on with the one above it.
fn ends_in_trailers(text: &str) -> bool {
    let Some((_, last)) = text.trim_end().rsplit_once("\n\n") else {
        return false;
    };
    let (mut trailers, mut others, mut gits) = (0, 0, false);
    let mut in_trailer = false;
    for line in last.lines() {
        if line.starts_with([' ', '\t']) {
            others += usize::from(!in_trailer);
            continue;
        }
        let own =
            line.starts_with("Signed-off-by: ") || line.starts_with("(cherry picked from commit ");
        in_trailer = own || is_trailer(line);
        gits |= own;
        if in_trailer {
            trailers += 1
        } else {
            others += 1
        }
    }
    trailers > 0 && (others == 0 || (gits && trailers * 3 >= others))
}

/// Returns whether `line` is `Key: value`.
fn is_trailer(line: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(key, _)| is_key(key.trim_end_matches([' ', '\t'])))
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Returns whether a reader of trailers could take `line` for one of ours. Stricter than git, which would not read
/// one in the middle of a text: whoever copies the text elsewhere might.
fn is_ours(line: &str) -> bool {
    let start = line.trim_start().to_ascii_lowercase();
    start.starts_with(OURS) && is_trailer(line.trim_start())
}

fn check_trailer(key: &str, value: &str) -> Result<(), Diagnostic> {
    let refuse = |why: &str| {
        Err(Diagnostic::new(
            Code::Malformed,
            format!("trailer `{}` {why}", shown(key)),
        ))
    };
    if !is_key(key) {
        return refuse("is not made of letters, digits and `-`");
    }
    if key.to_ascii_lowercase().starts_with(OURS) {
        return refuse("is this program's own");
    }
    if value.contains(['\n', '\r', '\0']) {
        return refuse("has a value of more than one line");
    }
    if value.trim().is_empty() {
        return refuse("has no value");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trailers(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect()
    }

    /// Asks git for the same: the message cleaned, the trailers added.
    fn as_git(message: &str, pairs: &[(&str, &str)]) -> String {
        let mut command = std::process::Command::new("git");
        command.args(["interpret-trailers", "--no-divider"]);
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .current_dir("/");
        for (key, value) in pairs.iter().chain(&[(BATCH, "b1")]) {
            command.arg(format!("--trailer={key}: {value}"));
        }
        use std::io::Write as _;
        use std::process::Stdio;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(clean(message).as_bytes())
            .unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }

    #[test]
    fn trailers_stand_where_git_puts_them() {
        for message in [
            "subject",
            "fix: subject that looks like a trailer",
            "subject\n\n\n\nbody  \nmore\n\n",
            "subject\n\nbody\n\nSigned-off-by: A <a@x>",
            "subject\n\nTicket: ORD-1\nCo-authored-by: B <b@x>",
            "subject\n\nsome text: with a colon\nand a line without",
            "subject\n\nSigned-off-by: A <a@x>\nplain\nplain\nplain",
            "subject\n\nSigned-off-by: A <a@x>\nplain\nplain\nplain\nplain",
            "subject\n\nKey: value\n  continued\nOther: x",
            "subject\n\nNote this: is prose",
        ] {
            for pairs in [&[][..], &[("Ticket", "ORD-17")]] {
                let composed = compose(message, &trailers(pairs), &[], "b1").unwrap();
                assert_eq!(composed, as_git(message, pairs), "{message:?} {pairs:?}");
            }
        }
    }

    #[test]
    fn hooks_may_change_the_message_and_not_the_batch() {
        let composed = compose("subject\n\nbody", &[], &[], "b1").unwrap();
        let check = |left: &str, expected: Option<&str>| {
            assert_eq!(
                as_hooks_left_it(&composed, left.as_bytes()).ok().as_deref(),
                expected,
                "{left:?}"
            );
        };
        check(&composed, Some(&composed));
        check(
            "other  \n\n\n\nSegedit-Batch: b1\nChange-Id: I1\n\n",
            Some("other\n\nSegedit-Batch: b1\nChange-Id: I1\n"),
        );
        check("other", Some("other\n\nSegedit-Batch: b1\n"));
        check(
            "other\n\nSigned-off-by: A <a@x>",
            Some("other\n\nSigned-off-by: A <a@x>\nSegedit-Batch: b1\n"),
        );
        check("other\n\nSegedit-Batch: b2\n", None);
        check("other\n\nSegedit-Batch: b1\nSegedit-Batch: b1\n", None);
        check(" \n\n", None);
        check("a\0b", None);
        assert!(as_hooks_left_it(&composed, b"\xff").is_err());
    }

    #[test]
    fn nothing_forges_a_trailer_of_ours() {
        for message in [
            "x\n\nSegedit-Batch: 1",
            "x\n\nsegedit-batch : 1\n\nmore",
            "segedit-x: 1",
            "",
            " \n",
            "a\0b",
            "x\n; ------------------------ >8 ------------------------\ny",
        ] {
            assert!(compose(message, &[], &[], "b1").is_err(), "{message:?}");
        }
        for pair in [
            ("Segedit-Batch", "1"),
            ("a b", "1"),
            ("", "1"),
            ("K", "1\nSegedit-Batch: 2"),
            ("K", " "),
        ] {
            assert!(
                compose("x", &trailers(&[pair]), &[], "b1").is_err(),
                "{pair:?}"
            );
        }
        assert!(compose("x\n\nsegedit-free prose is fine", &[], &[], "b1").is_ok());
        let own = [("Segedit-Model", "a\nb".to_owned())];
        let composed = compose("x", &[], &own, "b1").unwrap();
        assert_eq!(composed, "x\n\nSegedit-Model: a\\nb\nSegedit-Batch: b1\n");
    }
}
