//! A unified diff made readable: the segment's address in each hunk's header, colours as git has them.
//!
//! The diff stays a diff: without colours it goes through `git apply` as before, byte for byte but for the text
//! behind the second `@@`, which git ignores. On a terminal control characters are shown escaped.

use anstyle::{AnsiColor, Style as Dress};

use super::Style;
use crate::actions::outcome::{FileOutcome, OperationOutcome};
use crate::diagnostic::escaped;

const HEADER: Dress = Dress::new().bold();
const HUNK: Dress = AnsiColor::Cyan.on_default();
const REMOVED: Dress = AnsiColor::Red.on_default();
const ADDED: Dress = AnsiColor::Green.on_default();

/// Returns the file's diff, dressed.
pub fn render(file: &FileOutcome, operations: &[OperationOutcome], style: &Style) -> Vec<u8> {
    let lines: Vec<&[u8]> = file.diff.split_inclusive(|&byte| byte == b'\n').collect();
    let first_hunk = lines.iter().position(|line| line.starts_with(b"@@ ")).unwrap_or(lines.len());
    let mut out = Vec::with_capacity(file.diff.len() + file.diff.len() / 8);
    for (at, line) in lines.iter().enumerate() {
        let hunk = (at >= first_hunk && line.starts_with(b"@@ ")).then(|| lines.get(at + 1..).unwrap_or_default());
        match hunk.and_then(|body| headed(line, body, file, operations)) {
            Some(header) => push(&mut out, header.as_bytes(), HUNK, style),
            None => push(&mut out, line, dress(line, at < first_hunk), style),
        }
    }
    out
}

fn dress(line: &[u8], in_file_header: bool) -> Dress {
    match line.first() {
        _ if in_file_header => HEADER,
        Some(b'@') => HUNK,
        Some(b'-') => REMOVED,
        Some(b'+') => ADDED,
        _ => Dress::new(),
    }
}

/// Colours one line, its ending left outside so that a background never runs over the terminal's edge.
fn push(out: &mut Vec<u8>, line: &[u8], dress: Dress, style: &Style) {
    let text = crate::text::trim_ending(line);
    let ending = line.get(text.len()..).unwrap_or_default();
    // A carriage return is content here and would move the cursor: only the line feed is ending on a terminal.
    let (text, ending) = match (style.terminal, ending) {
        (true, b"\r\n") => (line.strip_suffix(b"\n").unwrap_or(line), b"\n".as_slice()),
        _ => (text, ending),
    };
    let shown = if style.terminal { escaped(&String::from_utf8_lossy(text)).into_bytes() } else { text.to_vec() };
    if style.stdout_colour && !shown.is_empty() && dress != Dress::new() {
        out.extend_from_slice(dress.render().to_string().as_bytes());
        out.extend_from_slice(&shown);
        out.extend_from_slice(dress.render_reset().to_string().as_bytes());
    } else {
        out.extend_from_slice(&shown);
    }
    out.extend_from_slice(ending);
}

/// Returns the hunk's header with the address of the segment that the hunk is about, unless it has a heading already.
fn headed(line: &[u8], body: &[&[u8]], file: &FileOutcome, operations: &[OperationOutcome]) -> Option<String> {
    let text = std::str::from_utf8(crate::text::trim_ending(line)).ok()?;
    let ranges = text.strip_suffix(" @@")?;
    let first_old_line: usize = ranges.strip_prefix("@@ -")?.split([',', ' ']).next()?.parse().ok()?;
    let context = body.iter().take_while(|line| line.starts_with(b" ")).count();
    let address = address_at(first_old_line + context, file, operations)?;
    Some(format!("{ranges} @@ {address}\n"))
}

/// Returns the address, without its path, of the segment nearest to a line of the old file.
fn address_at(line: usize, file: &FileOutcome, operations: &[OperationOutcome]) -> Option<String> {
    let path = file.renamed_from.as_ref().unwrap_or(&file.change.path).as_str();
    let segments =
        operations.iter().filter(|operation| operation.file == path).filter_map(|each| each.segment.as_ref());
    let nearest = segments
        .min_by_key(|segment| segment.start_line.saturating_sub(line).max(line.saturating_sub(segment.end_line)))?;
    let address = nearest.address.strip_prefix(path)?.strip_prefix("::")?;
    Some(crate::diagnostic::shown(address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    const DIFF: &[u8] =
        b"--- a/src/a.py\n+++ b/src/a.py\n@@ -9,3 +9,3 @@\n def f():\n-    return 1\n+    return 2\n \n";

    #[test]
    fn a_hunk_is_headed_by_the_segments_address() {
        let outcome = samples::published(DIFF);
        let text = render(&outcome.files[0], &outcome.operations, &Style::PLAIN);
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "--- a/src/a.py\n+++ b/src/a.py\n@@ -9,3 +9,3 @@ Worker.process\n def f():\n-    return 1\n+    return 2\n \n"
        );
    }

    #[test]
    fn a_removed_line_of_dashes_is_not_a_file_header() {
        let outcome = samples::published(b"--- a/x\n+++ b/x\n@@ -1 +1 @@ here\n--- old\n+++ new\n");
        let text = render(&outcome.files[0], &[], &Style { stdout_colour: true, ..Style::PLAIN });
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("\x1b[31m--- old\x1b[0m\n\x1b[32m+++ new\x1b[0m\n"), "{text:?}");
        assert!(text.contains("\x1b[36m@@ -1 +1 @@ here\x1b[0m\n"), "{text:?}");
    }

    #[test]
    fn bytes_pass_unchanged_into_a_pipe_and_escaped_to_a_terminal() {
        let diff = b"--- a/x\n+++ b/x\n@@ -1 +1 @@ here\n-\xff\r\n+\x1b[2J\r\n";
        let outcome = samples::published(diff);
        assert_eq!(render(&outcome.files[0], &[], &Style::PLAIN), diff);
        let shown = render(&outcome.files[0], &[], &Style { terminal: true, ..Style::PLAIN });
        let shown = String::from_utf8(shown).unwrap();
        assert!(shown.ends_with("-\u{fffd}\\x0d\n+\\x1b[2J\\x0d\n"), "{shown:?}");
    }
}
