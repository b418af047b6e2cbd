//! `git segedit help`: the manual, on the terminal and as man pages. Home of clap_mangen.
//!
//! Both are made of the same words as `-h`, so that no page can say otherwise.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;

use super::{Common, Reply, terminal};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::report::Rendered;

/// How a page is laid out: what to type, what it does, the options, an example.
pub(super) const TEMPLATE: &str = "usage: {usage}\n\n{about-with-newline}\n{all-args}{after-help}";

/// The table of exit codes, for people.
pub(super) const EXIT_STATUS: &str = "\
Exit status:
  0  published, or verified
  1  rejected by a check: syntax, validator
  2  usage, or a malformed operation file
  3  not resolvable: not found, ambiguous, overlap, stale, out of range, refused path
  4  the repository is in the way: ref moved, dirty, locked, unsupported, untrusted configuration
  5  input, output or internal failure";

/// Show the manual, of everything or of one command
///
/// `git segedit <command> -h` is the short form.
#[derive(Args)]
#[command(
    override_usage = "git segedit help [<command>]\n       git segedit help --man-pages <dir>",
    after_long_help = "Example:\n   $ git segedit help apply"
)]
pub(crate) struct Arguments {
    /// Command to read about
    #[arg(value_name = "command")]
    command: Option<String>,
    /// Write the manual as man pages into <DIR>, which is made if need be
    ///
    /// `git segedit --help` finds them in `share/man/man1` beside the `bin` folder that holds git-segedit.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    man_pages: Option<PathBuf>,
}

impl Arguments {
    /// Answers with the pages of `program`, the whole grammar of the command line.
    pub(super) fn run(self, common: &Common, mut program: clap::Command) -> Reply {
        program.build();
        if let Some(folder) = self.man_pages {
            return match write_pages(&program, &folder) {
                Ok(text) => Reply::done(Rendered {
                    stdout: text.into_bytes(),
                    stderr: String::new(),
                }),
                Err(error) => {
                    let message =
                        format!("cannot write man pages to `{}`: {error}", folder.display());
                    common.refuse(vec![Diagnostic::new(Code::Io, message)])
                }
            };
        }
        let known: Vec<String> = program
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(|command| command.get_name().to_owned())
            .collect();
        let page = match self.command {
            None => Some(&mut program),
            Some(ref name) => program
                .find_subcommand_mut(name)
                .filter(|command| !command.is_hide_set()),
        };
        match page {
            Some(page) => {
                let text = page.render_long_help();
                let dressed = if terminal::style(common).stdout_colour {
                    text.ansi().to_string()
                } else {
                    text.to_string()
                };
                Reply::done(Rendered {
                    stdout: dressed.into_bytes(),
                    stderr: String::new(),
                })
            }
            None => {
                let name = self.command.unwrap_or_default();
                let message = format!("no command `{}`", crate::diagnostic::shown(&name));
                let meant = nearest(&name, known.iter().map(String::as_str), 3)
                    .into_iter()
                    .map(str::to_owned)
                    .collect::<Vec<_>>();
                common.refuse(vec![
                    Diagnostic::new(Code::Malformed, message).suggest(meant),
                ])
            }
        }
    }
}

/// Writes a page for the program and one for each command, and returns their names, a line each.
fn write_pages(program: &clap::Command, folder: &Path) -> io::Result<String> {
    fs::create_dir_all(folder)?;
    let mut written = String::new();
    let commands = program
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    for command in std::iter::once(program).chain(commands) {
        let page = Page::of(command);
        let file = folder.join(format!("{}.1", page.name));
        fs::write(&file, page.roff()?)?;
        written.push_str(&format!("{}\n", file.display()));
    }
    Ok(written)
}

/// One man page.
struct Page<'a> {
    name: String,
    command: &'a clap::Command,
}

impl Page<'_> {
    fn of(command: &clap::Command) -> Page<'_> {
        let name = match command.get_name() {
            "git-segedit" => "git-segedit".to_owned(),
            command => format!("git-segedit-{command}"),
        };
        Page { name, command }
    }

    fn roff(&self) -> io::Result<Vec<u8>> {
        let about = self
            .command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let man = clap_mangen::Man::new(self.command.clone());
        let title = self.name.to_uppercase();
        // Written here, because an empty date is lost on the way through clap_mangen; a date would make every
        // build's page another one.
        let title = format!(
            ".TH \"{title}\" \"1\" \"\" \"git-segedit {}\" \"Git Manual\"\n",
            env!("CARGO_PKG_VERSION")
        );
        let mut page = title.into_bytes();
        page.extend_from_slice(section("NAME", &format!("{} - {about}", self.name)).as_bytes());
        page.extend_from_slice(section("SYNOPSIS", &self.usage()).as_bytes());
        page.extend_from_slice(self.description().as_bytes());
        man.render_options_section(&mut page)?;
        if self.command.has_subcommands() {
            man.render_subcommands_section(&mut page)?;
        }
        let after = self
            .command
            .get_after_long_help()
            .or_else(|| self.command.get_after_help());
        if let Some((heading, text)) = after
            .map(ToString::to_string)
            .as_deref()
            .and_then(|text| text.split_once('\n'))
        {
            page.extend_from_slice(
                section(&heading.trim_end_matches(':').to_uppercase(), text).as_bytes(),
            );
        }
        if self.command.get_name() != "git-segedit" {
            page.extend_from_slice(section("SEE ALSO", "git-segedit(1)").as_bytes());
        }
        Ok(page)
    }

    /// Returns what the command does beyond its one line, paragraph by paragraph.
    fn description(&self) -> String {
        let long = self
            .command
            .get_long_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let Some((_, long)) = long.split_once("\n\n") else {
            return String::new();
        };
        let paragraphs: Vec<String> = long.split("\n\n").map(escape).collect();
        format!(".SH \"DESCRIPTION\"\n{}", paragraphs.join(".PP\n"))
    }

    fn usage(&self) -> String {
        let usage = self.command.clone().render_usage().to_string();
        let lines = usage.trim_start_matches("Usage:").lines().map(str::trim);
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Returns a section whose text is shown line by line as it is.
fn section(heading: &str, text: &str) -> String {
    format!(".SH \"{heading}\"\n.nf\n{}.fi\n", escape(text))
}

/// Returns `text` so that the typesetter takes none of it for a request.
fn escape(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) {
            format!("\\&{line}\n")
        } else {
            format!("{line}\n")
        }
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        crate::cli::grammar::program().debug_assert();
    }

    #[test]
    fn every_command_has_a_sentence_and_an_example() {
        for command in crate::cli::grammar::program()
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
        {
            let name = command.get_name();
            assert!(
                command
                    .get_about()
                    .is_some_and(|about| !about.to_string().ends_with('.')),
                "{name}"
            );
            let example = command
                .get_after_long_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let call = format!("git segedit {name}");
            let shows_it = |line: &str| line.starts_with("   $ ") && line.contains(&call);
            assert!(example.lines().any(shows_it), "{name}: {example}");
        }
    }

    #[test]
    fn roff_requests_cannot_be_smuggled_in() {
        assert_eq!(
            section("X", ".so /etc/passwd\na-b\\c"),
            ".SH \"X\"\n.nf\n\\&.so /etc/passwd\na\\-b\\ec\n.fi\n"
        );
    }
}
