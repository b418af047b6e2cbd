//! Command lines that cannot be understood, and the one that says nothing at all.
//!
//! A usage error is a report like any other: whoever asked for JSON gets JSON, though the command line that asked
//! for it does not parse.

use std::ffi::OsString;

use clap::ValueEnum;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{Common, Reply, ReportFormat, When, terminal};
use crate::actions::outcome::Status;
use crate::diagnostic::{Code, Diagnostic};
use crate::report::Rendered;

/// What a bare `git segedit` says: how to look, how to edit, how to learn more.
const FIRST_WORDS: &str = "\
git segedit edits code and documents by name: all or nothing, checked, as one git object.

   git segedit outline <path>                  the segments of a file, with their lines and hashes
   git segedit show <path>::<segment>          one segment, such as src/worker.py::Worker.process
   git segedit apply <operation file>          many edits of many files as one commit
   git segedit help [<command>]                all there is to say

Try it: this changes one section on a branch of its own and touches nothing else.

   git segedit replace 'README.md::## Installation' --content 'Install with pip.' --branch try-segedit
";

/// Answers a command line that clap did not take: help, the version, or an error.
pub(super) fn answer_usage(error: &clap::Error, arguments: &[OsString]) -> Reply {
    let common = guess_command(arguments);
    match error.kind() {
        // No colours in it, so nobody need ask how they are set.
        ErrorKind::DisplayVersion => Reply::done(Rendered {
            stdout: error.render().to_string().into_bytes(),
            stderr: String::new(),
        }),
        ErrorKind::DisplayHelp => {
            let text = error.render();
            let dressed = if terminal::report_style(&common).stdout_colour {
                text.ansi().to_string()
            } else {
                text.to_string()
            };
            Reply::done(Rendered {
                stdout: dressed.into_bytes(),
                stderr: String::new(),
            })
        }
        _ => common.refuse(vec![diagnostic(error)]),
    }
}

/// Answers `git segedit` without a command, which is a usage error too.
pub(super) fn first_words(common: &Common) -> Reply {
    match common.format() {
        ReportFormat::Human => {
            let rendered = Rendered {
                stdout: FIRST_WORDS.as_bytes().to_vec(),
                stderr: String::new(),
            };
            Reply {
                rendered,
                status: Status::Malformed,
                is_report: false,
            }
        }
        ReportFormat::Json | ReportFormat::Sarif | ReportFormat::Github => {
            let refusal = Diagnostic::new(Code::Malformed, "no command given");
            common.refuse(vec![refusal.note("`git segedit help` lists the commands")])
        }
    }
}

fn diagnostic(error: &clap::Error) -> Diagnostic {
    let text = error.to_string();
    let sentence = text.strip_prefix("error: ").unwrap_or(&text);
    let sentence = sentence.split("\n\n").next().unwrap_or(sentence);
    let sentence = sentence
        .lines()
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" ");
    let mut diagnostic = Diagnostic::new(Code::Malformed, sentence);
    for kind in [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ] {
        diagnostic = diagnostic.suggest(usage_words(error.get(kind)));
    }
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) {
        diagnostic
            .notes
            .extend(tips.iter().map(ToString::to_string));
    }
    match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => {
            let usage = usage.to_string();
            diagnostic.note(format!(
                "usage: {}",
                usage.trim_start_matches("Usage:").trim()
            ))
        }
        _ => diagnostic,
    }
}

fn usage_words(value: Option<&ContextValue>) -> Vec<String> {
    match value {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => Vec::new(),
    }
}

/// Reads, from a command line that does not parse, how its caller wants to be answered.
fn guess_command(arguments: &[OsString]) -> Common {
    let words: Vec<&str> = arguments
        .iter()
        .skip(1)
        .map(|word| word.to_str().unwrap_or_default())
        .take_while(|word| *word != "--")
        .collect();
    let value_of = |option: &str| {
        words
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, word)| match word.strip_prefix(option) {
                Some("") => words.get(at + 1).copied(),
                Some(rest) => rest.strip_prefix('='),
                None => None,
            })
    };
    let format = value_of("--format").unwrap_or_default().to_owned();
    let color = value_of("--color")
        .and_then(|word| When::from_str(word, false).ok())
        .unwrap_or_default();
    Common {
        format,
        color,
        ..Common::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &str) -> Diagnostic {
        let error = crate::cli::grammar::whole_grammar()
            .try_get_matches_from(line.split(' '))
            .expect_err("the line is wrong");
        diagnostic(&error)
    }

    #[test]
    fn usage_errors_say_what_was_meant() {
        let check = |line: &str, message: &str, suggestions: &[&str]| {
            let refusal = refusal(line);
            assert_eq!(
                (refusal.message.as_str(), refusal.code),
                (message, Code::Malformed),
                "{refusal:?}"
            );
            assert_eq!(refusal.suggestions, suggestions);
        };
        check(
            "git-segedit aply x",
            "unrecognized subcommand 'aply'",
            &["apply"],
        );
        check(
            "git-segedit apply x --brnch y",
            "unexpected argument '--brnch' found",
            &["--branch"],
        );
        check(
            "git-segedit show",
            "the following required arguments were not provided: <address>...",
            &[],
        );
    }

    #[test]
    fn the_wanted_format_is_told_from_a_line_that_does_not_parse() {
        let check = |line: &str, expected| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(guess_command(&words).format(), expected, "{line}");
        };
        check("git-segedit aply --format json", ReportFormat::Json);
        check("git-segedit aply --format=sarif", ReportFormat::Sarif);
        check("git-segedit aply --format", ReportFormat::Human);
        check("git-segedit aply --format yaml", ReportFormat::Human);
        check("git-segedit aply -- --format json", ReportFormat::Human);
    }
}
