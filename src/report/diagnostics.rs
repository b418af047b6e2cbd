//! Refusals in the manner of rustc: what is wrong, the line of the operation file that says so, what to try.
//!
//! Home of annotate-snippets. Every text that came from outside passes through `escaped` first, so that neither a
//! file name nor an operation file can drive the reader's terminal.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::ReportStyle;
use crate::diagnostic::{Diagnostic, Excerpt, PlanPlace, escaped};
use crate::manifest::ManifestText;

/// Longest part of a line that is drawn; a minified file has lines of megabytes.
const LONGEST_LINE: usize = 4096;

/// How much of a list of names is shown before "and n more".
const MOST_NAMES: usize = 8;

/// What a diagnostic did to the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiagnosticLevel {
    /// It refused it.
    Error,
    /// It refused nothing.
    Warning,
}

/// Returns the diagnostics as text, each followed by a blank line.
pub(crate) fn render(
    diagnostics: &[Diagnostic],
    severity: DiagnosticLevel,
    source: &ManifestText,
    style: &ReportStyle,
) -> String {
    let renderer = if style.stderr_colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.term_width(style.width.max(40));
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&renderer.render(&[message_group(diagnostic, severity, source)]));
        text.push_str("\n\n");
    }
    text
}

fn message_group(
    diagnostic: &Diagnostic,
    severity: DiagnosticLevel,
    source: &ManifestText,
) -> Group<'static> {
    let level = match severity {
        DiagnosticLevel::Error => Level::ERROR,
        DiagnosticLevel::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(escaped(&diagnostic.message))
        .id(diagnostic.code.as_str())
        .elements(place_line(diagnostic, source));
    if let Some(excerpt) = &diagnostic.excerpt {
        group = group.element(excerpt_snippet(excerpt));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(escaped(note)));
    }
    for help in help_lines(diagnostic) {
        group = group.element(Level::HELP.message(help));
    }
    group
}

/// Returns the operation file's own line with the words underlined; just the place when there is no text to show.
fn place_line(diagnostic: &Diagnostic, source: &ManifestText) -> Option<Element<'static>> {
    let place = diagnostic.place.as_ref()?;
    let name = escaped(&source.name);
    let Some((line, span)) = underlined(&source.text, place) else {
        return Some(
            Origin::path(name)
                .line(place.line)
                .char_column(place.column)
                .into(),
        );
    };
    let annotation = AnnotationKind::Primary.span(span);
    Some(
        Snippet::source(line)
            .path(name)
            .line_start(place.line)
            .annotation(annotation)
            .into(),
    )
}

/// Returns the line that `place` starts on, escaped, and the range to underline in it.
///
/// Only the first line of a longer range is drawn: the block of content that is meant may be a thousand lines.
fn underlined(text: &str, place: &PlanPlace) -> Option<(String, std::ops::Range<usize>)> {
    let before = text.get(..place.start)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(line_start..)?;
    let line = rest
        .split('\n')
        .next()
        .unwrap_or_default()
        .trim_end_matches('\r');
    let from = place.start - line_start;
    let to = place
        .end
        .saturating_sub(line_start)
        .clamp(from, line.len().max(from));
    clipped(line, from, to)
}

fn excerpt_snippet(excerpt: &Excerpt) -> Element<'static> {
    let name = escaped(excerpt.path.as_str());
    let from = floor_to_character(&excerpt.text, excerpt.column.saturating_sub(1));
    match clipped(&excerpt.text, from, from) {
        Some((line, span)) => {
            let annotation = AnnotationKind::Primary.span(span);
            Snippet::source(line)
                .path(name)
                .line_start(excerpt.line)
                .annotation(annotation)
                .into()
        }
        None => Origin::path(name)
            .line(excerpt.line)
            .char_column(excerpt.column)
            .into(),
    }
}

/// Returns a line escaped and cut to a bearable length, with the range `from..to` of it moved along.
fn clipped(line: &str, from: usize, to: usize) -> Option<(String, std::ops::Range<usize>)> {
    let start = if from > LONGEST_LINE / 2 {
        floor_to_character(line, from - LONGEST_LINE / 2)
    } else {
        0
    };
    let end = floor_to_character(line, (start + LONGEST_LINE).min(line.len()));
    let head = escaped(line.get(start..from.min(end))?);
    let marked = escaped(line.get(from.min(end)..to.min(end))?);
    let tail = escaped(line.get(to.min(end)..end)?);
    let span = head.len()..head.len() + marked.len();
    Some((format!("{head}{marked}{tail}"), span))
}

/// Returns the nearest character boundary at or below `at`.
fn floor_to_character(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn help_lines(diagnostic: &Diagnostic) -> Vec<String> {
    let mut helps = Vec::new();
    match diagnostic.suggestions.as_slice() {
        [] => {}
        // Each line below the other, so that their indentation is seen, and copied, as it is.
        [only] if only.trim_end().contains('\n') => {
            let lines: Vec<_> = only.trim_end().lines().map(escaped).collect();
            helps.push(format!("did you mean this?\n{}", lines.join("\n")));
        }
        [only] => helps.push(format!(
            "did you mean `{}`?",
            escaped(only.trim_end_matches(['\r', '\n']))
        )),
        several => helps.push(format!(
            "did you mean one of these?\n{}",
            list_words(several)
        )),
    }
    if !diagnostic.choices().is_empty() {
        helps.push(format!(
            "each of these names just one place:\n{}",
            list_words(diagnostic.choices())
        ));
    }
    helps
}

fn list_words(names: &[String]) -> String {
    let mut lines: Vec<String> = names
        .iter()
        .take(MOST_NAMES)
        .map(|name| format!("  {}", escaped(name)))
        .collect();
    if names.len() > MOST_NAMES {
        lines.push(format!("  … and {} more", names.len() - MOST_NAMES));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::path::RepoPath;

    const TEXT: &str = "version: 1\noperations:\n  - op: delete\n    symbol: Parser.emit\n";

    fn place_of(words: &str) -> PlanPlace {
        let start = TEXT.find(words).unwrap();
        PlanPlace {
            line: 4,
            column: 13,
            start,
            end: start + words.len(),
        }
    }

    fn check(diagnostic: Diagnostic, expected: &str) {
        let source = ManifestText {
            name: "ops.yaml".into(),
            text: TEXT.into(),
        };
        let text = render(
            &[diagnostic],
            DiagnosticLevel::Error,
            &source,
            &ReportStyle::PLAIN,
        );
        assert_eq!(text.trim_end(), expected.trim_matches('\n'), "\n{text}");
    }

    #[test]
    fn the_operation_files_own_words_are_underlined() {
        check(
            Diagnostic::new(Code::SegmentNotFound, "no `Parser.emit` in src/a.py")
                .at(Some(&place_of("Parser.emit")))
                .suggest(["Parser.emits".to_owned()]),
            "
error[segment-not-found]: no `Parser.emit` in src/a.py
 --> ops.yaml:4:13
  |
4 |     symbol: Parser.emit
  |             ^^^^^^^^^^^
  |
  = help: did you mean `Parser.emits`?",
        );
    }

    #[test]
    fn a_place_without_text_is_just_named() {
        let place = PlanPlace {
            line: 9,
            column: 3,
            start: 5000,
            end: 5001,
        };
        check(
            Diagnostic::new(Code::Malformed, "unknown key `sybol`").at(Some(&place)),
            "
error[malformed]: unknown key `sybol`
--> ops.yaml:9:3",
        );
    }

    #[test]
    fn an_excerpt_of_the_repository_is_shown_escaped() {
        let excerpt = Excerpt {
            path: RepoPath::parse("src/a.py").unwrap(),
            line: 7,
            column: 4,
            text: "\u{1b}[2Jdef f(:".into(),
        };
        check(
            Diagnostic::new(Code::SyntaxError, "invalid syntax").showing(excerpt),
            "
error[syntax-error]: invalid syntax
 --> src/a.py:7:7
  |
7 | \\x1b[2Jdef f(:
  |       ^",
        );
    }

    #[test]
    fn places_inside_a_character_or_past_the_line_do_not_panic() {
        let source = ManifestText {
            name: "ops.yaml".into(),
            text: "a: ß\nb\n".into(),
        };
        for start in 0..12 {
            for end in start..12 {
                let place = PlanPlace {
                    line: 1,
                    column: 1,
                    start,
                    end,
                };
                let diagnostic = Diagnostic::new(Code::Malformed, "x").at(Some(&place));
                assert!(
                    render(
                        &[diagnostic],
                        DiagnosticLevel::Error,
                        &source,
                        &ReportStyle::PLAIN
                    )
                    .starts_with("error")
                );
            }
        }
    }

    #[test]
    fn a_line_of_megabytes_is_cut_around_the_place() {
        let text = "x".repeat(3_000_000);
        let source = ManifestText {
            name: "ops.yaml".into(),
            text,
        };
        let place = PlanPlace {
            line: 1,
            column: 2_000_001,
            start: 2_000_000,
            end: 2_000_003,
        };
        let diagnostic = Diagnostic::new(Code::Malformed, "x").at(Some(&place));
        assert!(
            render(
                &[diagnostic],
                DiagnosticLevel::Error,
                &source,
                &ReportStyle::PLAIN
            )
            .len()
                < 10_000
        );
    }
}
