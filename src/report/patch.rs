//! A unified diff made readable: coloured as git does it, the words that changed in a line standing out.
//!
//! The diff stays a diff: without colours it goes through byte for byte, for `git apply` to read. On a terminal
//! control characters are shown escaped.

use anstyle::{AnsiColor, Style as Dress};

use super::ReportStyle;
use crate::diagnostic::escaped;
use crate::text::{Span, diff::emphasis, trim_ending};

const HEADER: Dress = Dress::new().bold();
const HUNK: Dress = AnsiColor::Cyan.on_default();
const REMOVED: Dress = AnsiColor::Red.on_default();
const ADDED: Dress = AnsiColor::Green.on_default();

/// Returns a file's diff, dressed.
pub(crate) fn render(diff: &[u8], style: &ReportStyle) -> Vec<u8> {
    let lines: Vec<&[u8]> = diff.split_inclusive(|&byte| byte == b'\n').collect();
    let first_hunk = lines
        .iter()
        .position(|line| line.starts_with(b"@@ "))
        .unwrap_or(lines.len());
    let (header, hunks) = lines.split_at(first_hunk);
    let mut out = Vec::with_capacity(diff.len() + diff.len() / 8);
    for line in header {
        push_line(&mut out, line, HEADER, &[], style);
    }
    let mut rest = hunks;
    while let Some((line, behind)) = rest.split_first() {
        let changed = rest
            .iter()
            .take_while(|line| line.starts_with(b"-") || line.starts_with(b"+"))
            .count();
        if changed > 0 {
            push_change(&mut out, &rest[..changed], style);
            rest = &rest[changed..];
            continue;
        }
        push_line(
            &mut out,
            line,
            if line.starts_with(b"@@ ") {
                HUNK
            } else {
                Dress::new()
            },
            &[],
            style,
        );
        rest = behind;
    }
    out
}

/// Colours lines that went and lines that came, with emphasis on the words that differ.
fn push_change(out: &mut Vec<u8>, lines: &[&[u8]], style: &ReportStyle) {
    let bodies = |sign: u8| -> Vec<&[u8]> {
        let signed = lines.iter().filter(|line| line.first() == Some(&sign));
        signed
            .map(|line| line.get(1..).map(trim_ending).unwrap_or_default())
            .collect()
    };
    let pairs = if style.stdout_colour {
        emphasis(&bodies(b'-'), &bodies(b'+'))
    } else {
        Vec::new()
    };
    let (mut removed, mut added) = (0, 0);
    for line in lines {
        if line.starts_with(b"-") {
            let words = pairs
                .iter()
                .find(|pair| pair.removed == removed)
                .map_or(&[][..], |pair| &pair.gone);
            push_line(out, line, REMOVED, words, style);
            removed += 1;
        } else {
            let words = pairs
                .iter()
                .find(|pair| pair.added == added)
                .map_or(&[][..], |pair| &pair.come);
            push_line(out, line, ADDED, words, style);
            added += 1;
        }
    }
}

/// Colours one line, its ending left outside so that a background never runs over the terminal's edge. `words` are
/// ranges of the line behind its sign.
fn push_line(out: &mut Vec<u8>, line: &[u8], dress: Dress, words: &[Span], style: &ReportStyle) {
    let (text, ending) = match line.strip_suffix(b"\n") {
        // A carriage return would move the cursor: on a terminal only the line feed is ending.
        Some(text) if style.terminal => (text, &b"\n"[..]),
        _ => line.split_at(trim_ending(line).len()),
    };
    let mut at = 0;
    for word in words {
        let (start, end) = (
            (word.start + 1).min(text.len()),
            (word.end + 1).min(text.len()),
        );
        push_piece(out, text.get(at..start).unwrap_or_default(), dress, style);
        push_piece(
            out,
            text.get(start..end).unwrap_or_default(),
            dress.invert(),
            style,
        );
        at = end;
    }
    push_piece(out, text.get(at..).unwrap_or_default(), dress, style);
    out.extend_from_slice(ending);
}

fn push_piece(out: &mut Vec<u8>, text: &[u8], dress: Dress, style: &ReportStyle) {
    let shown = if style.terminal {
        escaped(&String::from_utf8_lossy(text)).into_bytes()
    } else {
        text.to_vec()
    };
    if !style.stdout_colour || shown.is_empty() || dress == Dress::new() {
        out.extend_from_slice(&shown);
        return;
    }
    out.extend_from_slice(dress.render().to_string().as_bytes());
    out.extend_from_slice(&shown);
    out.extend_from_slice(dress.render_reset().to_string().as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_line_of_dashes_is_not_a_file_header() {
        let diff = b"--- a/x\n+++ b/x\n@@ -1 +1 @@ here\n--- old\n+++ new\n";
        let text = render(
            diff,
            &ReportStyle {
                stdout_colour: true,
                ..ReportStyle::PLAIN
            },
        );
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("\x1b[31m--- "), "{text:?}");
        assert!(
            text.contains("\x1b[36m@@ -1 +1 @@ here\x1b[0m\n"),
            "{text:?}"
        );
    }

    #[test]
    fn the_words_that_differ_stand_out() {
        let diff = b"--- a/x\n+++ b/x\n@@ -1 +1 @@ here\n-return fetch(one, two)\n+return fetch(one, six)\n";
        let text = render(
            diff,
            &ReportStyle {
                stdout_colour: true,
                ..ReportStyle::PLAIN
            },
        );
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.contains(
                "\x1b[31m-return fetch(one, \x1b[0m\x1b[7m\x1b[31mtwo\x1b[0m\x1b[31m)\x1b[0m\n"
            ),
            "{text:?}"
        );
        assert!(
            text.contains(
                "\x1b[32m+return fetch(one, \x1b[0m\x1b[7m\x1b[32msix\x1b[0m\x1b[32m)\x1b[0m\n"
            ),
            "{text:?}"
        );
    }

    #[test]
    fn bytes_pass_unchanged_into_a_pipe_and_escaped_to_a_terminal() {
        let diff = b"--- a/x\n+++ b/x\n@@ -1 +1 @@ here\n-\xff\r\n+\x1b[2J\r\n";
        assert_eq!(render(diff, &ReportStyle::PLAIN), diff);
        let shown = render(
            diff,
            &ReportStyle {
                terminal: true,
                ..ReportStyle::PLAIN
            },
        );
        let shown = String::from_utf8(shown).unwrap();
        assert!(
            shown.ends_with("-\u{fffd}\\x0d\n+\\x1b[2J\\x0d\n"),
            "{shown:?}"
        );
    }
}
