//! What a person reads of `outline`, `show` and `find`.

use super::verdicts::line_range;
use super::{Rendered, ReportStyle, Verbosity, colour, diagnostics};
use crate::actions::look::{FoundNames, Outlines};
use crate::diagnostic::{Code, Diagnostic, escaped, shown, shown_in_place};
use crate::manifest::ManifestText;
use crate::path::RepoPath;
use crate::resolve::Segment;
use crate::syntax::Excess;

/// Digits of a hash that are shown in a list; `expect` takes as many.
const HASH_DIGITS: usize = 8;

/// Returns the files' segments, each a line: lines, hash, kind and address, indented as they nest.
/// On the other stream is a warning for each that was passed over.
pub(crate) fn outline(outlines: &Outlines, style: &ReportStyle) -> Rendered {
    let files = &outlines.files;
    let mut text = String::with_capacity(
        files
            .iter()
            .map(|(_, segments)| 64 * (1 + segments.len()))
            .sum(),
    );
    let painted = |text: &mut String, sort, word: &str| {
        colour::paint_onto(text, style.stdout_colour, sort, word)
    };
    for (path, segments) in files {
        painted(&mut text, colour::STRONG, &shown(path.as_str()));
        text.push('\n');
        let widest = segments.iter().map(width_of_lines).max().unwrap_or(0);
        for (segment, depth) in segments.iter().zip(depths(segments)) {
            text.extend(std::iter::repeat_n(
                ' ',
                2 + widest - width_of_lines(segment),
            ));
            push_number(&mut text, segment.start_line);
            text.push('-');
            push_number(&mut text, segment.end_line);
            text.push_str("  ");
            painted(&mut text, colour::ID, short(&segment.hash));
            text.push_str("  ");
            std::iter::repeat_n("  ", depth).for_each(|step| text.push_str(step));
            text.push_str(&segment.kind);
            text.push(' ');
            painted(
                &mut text,
                colour::STRONG,
                &shown_in_place(segment.within_file()),
            );
            text.push('\n');
        }
    }
    Rendered {
        stdout: text.into_bytes(),
        stderr: passed_over_warnings(&outlines.passed_over, style),
    }
}

/// Returns the segments' bytes, that of one alone as they are, and on the other stream where they are.
pub(crate) fn show(segments: &[(Segment, Vec<u8>)], style: &ReportStyle) -> Rendered {
    let mut all = Rendered {
        stdout: Vec::new(),
        stderr: String::new(),
    };
    for (segment, content) in segments {
        if !(all.stdout.is_empty() || all.stdout.ends_with(b"\n")) {
            all.stdout.push(b'\n');
        }
        let Rendered { stdout, stderr } = show_one(segment, content, style);
        all.stdout.extend(stdout);
        all.stderr.push_str(&stderr);
    }
    all
}

fn show_one(segment: &Segment, content: &[u8], style: &ReportStyle) -> Rendered {
    let mut stdout = match style.terminal {
        true => escaped(&String::from_utf8_lossy(content)).into_bytes(),
        false => content.to_vec(),
    };
    if style.terminal && !stdout.ends_with(b"\n") {
        stdout.push(b'\n');
    }
    let stderr = match style.verbosity {
        Verbosity::Quiet => String::new(),
        Verbosity::Normal => {
            let address = colour::paint(
                style.stderr_colour,
                colour::STRONG,
                &shown(&segment.address),
            );
            let hash = colour::paint(style.stderr_colour, colour::ID, &segment.hash);
            let lines = line_range(segment.start_line, segment.end_line);
            format!("{address}  ({}, {lines})  {hash}\n", segment.kind)
        }
    };
    Rendered { stdout, stderr }
}

/// Returns a line for each segment, as compilers word places: `path:line: kind address`; and on the other stream a warning for
/// each file that was passed over.
pub(crate) fn find(found: &FoundNames, style: &ReportStyle) -> Rendered {
    let mut text = String::new();
    for segment in &found.segments {
        let address = colour::paint(
            style.stdout_colour,
            colour::STRONG,
            &shown(&segment.address),
        );
        text.push_str(&format!(
            "{}:{}: {} {address}\n",
            shown(segment.path()),
            segment.start_line,
            segment.kind
        ));
    }
    Rendered {
        stdout: text.into_bytes(),
        stderr: passed_over_warnings(&found.passed_over, style),
    }
}

/// Returns a sentence for each file that was passed over.
pub(crate) fn passed_over(files: &[(RepoPath, Excess)]) -> impl Iterator<Item = String> {
    files.iter().map(|(path, excess)| match excess {
        Excess::LeftOut => {
            format!("{path} was passed over: {excess}; `git segedit languages` says which it reads")
        }
        Excess::Nesting | Excess::Names | Excess::Bytes | Excess::Depth | Excess::Work => {
            format!("{path} was passed over: {excess}")
        }
    })
}

/// Returns a warning for each file that was passed over.
fn passed_over_warnings(files: &[(RepoPath, Excess)], style: &ReportStyle) -> String {
    let warnings: Vec<Diagnostic> = files
        .iter()
        .zip(passed_over(files))
        .filter(|_| style.verbosity != Verbosity::Quiet)
        .map(|((_, excess), sentence)| {
            let code = match excess {
                Excess::LeftOut => Code::UnsupportedLanguage,
                Excess::Nesting | Excess::Names | Excess::Bytes | Excess::Depth | Excess::Work => {
                    Code::TooLarge
                }
            };
            Diagnostic::new(code, sentence)
        })
        .collect();
    let nowhere = ManifestText {
        name: String::new(),
        text: String::new(),
    };
    diagnostics::render(
        &warnings,
        diagnostics::DiagnosticLevel::Warning,
        &nowhere,
        style,
    )
}

/// Returns how wide `first-last` is.
fn width_of_lines(segment: &Segment) -> usize {
    let digits = |number: usize| number.checked_ilog10().unwrap_or(0) as usize + 1;
    digits(segment.start_line) + 1 + digits(segment.end_line)
}

fn push_number(text: &mut String, number: usize) {
    let from = text.len();
    let mut rest = number;
    loop {
        text.insert(
            from,
            char::from(b'0' + u8::try_from(rest % 10).unwrap_or(0)),
        );
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
}

fn short(hash: &str) -> &str {
    hash.get(..HASH_DIGITS).unwrap_or(hash)
}

/// Returns how many segments of the list each one lies in; a list in file order, outer ones first.
pub(crate) fn depths(segments: &[Segment]) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut depths = Vec::with_capacity(segments.len());
    for segment in segments {
        while open.last().is_some_and(|&end| end <= segment.start_byte) {
            open.pop();
        }
        depths.push(open.len());
        open.push(segment.end_byte);
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::segment;

    #[test]
    fn an_outline_is_a_tree_with_lines_and_hashes() {
        let segments = vec![
            segment("Worker", "class", 9, 12),
            segment("Worker.process", "method", 10, 12),
            segment("main", "function", 14, 15),
        ];
        let outlines = Outlines {
            files: vec![(RepoPath::parse("src/a.py").unwrap(), segments)],
            passed_over: vec![(RepoPath::parse("b.kt").unwrap(), Excess::LeftOut)],
        };
        let told = outline(&outlines, &ReportStyle::PLAIN);
        assert_eq!(
            told.stderr,
            "warning[unsupported-language]: b.kt was passed over: this build leaves its language out; `git segedit languages` says which it reads\n\n"
        );
        assert_eq!(
            String::from_utf8(told.stdout).unwrap(),
            "src/a.py\n   9-12  aaaaaaaa  class Worker\n  10-12  aaaaaaaa    method Worker.process\n  14-15  aaaaaaaa  function main\n"
        );
    }

    #[test]
    fn show_is_exact_in_a_pipe() {
        let content = b"def f():\n\treturn '\xff'".to_vec();
        let rendered = show(
            &[(segment("f", "function", 3, 4), content)],
            &ReportStyle::PLAIN,
        );
        assert_eq!(rendered.stdout, b"def f():\n\treturn '\xff'");
        assert_eq!(
            rendered.stderr,
            format!("src/a.py::f  (function, lines 3-4)  {}\n", "a".repeat(40))
        );
    }

    #[test]
    fn find_words_places_as_compilers_do() {
        let passed_over = vec![(RepoPath::parse("b.ts").unwrap(), Excess::Nesting)];
        let found = FoundNames {
            segments: vec![segment("f", "function", 3, 4)],
            passed_over,
        };
        let rendered = find(&found, &ReportStyle::PLAIN);
        assert_eq!(
            String::from_utf8(rendered.stdout).unwrap(),
            "src/a.py:3: function src/a.py::f\n"
        );
        let warning =
            "warning[too-large]: b.ts was passed over: its segments nest more than 128 deep\n\n";
        assert_eq!(rendered.stderr, warning);
    }
}
