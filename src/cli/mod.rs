//! The command line: one file a command, with its arguments and their help; one call into actions, one into report.
//!
//! Home of clap and of everything that reads the environment or writes to the standard streams. Nothing is decided
//! here but how the caller is answered: `exit` is the one table of exit codes.
//!
//! | file | holds |
//! |---|---|
//! | `apply`, `ask`, `call`, `check`, `edit`, `files`, `outline`, `show`, `find`, `index`, `undo`, `history`, `validators`, `trust`, `hooks`, `schema`, `tools`, `mcp`, `help`, `later` | the commands |
//! | `publishing` | the options that publishing commands share, and the way through them |
//! | `place` | paths as typed, turned into paths of the repository |
//! | `input`, `output` | what is read from files and standard input, and how a reply is written |
//! | `terminal`, `progress` | colours, width, the sign of life |
//! | `usage` | command lines that cannot be understood |
//! | `exit` | the table of exit codes |

mod agents;
mod apply;
mod ask;
mod call;
mod check;
mod edit;
mod exit;
mod files;
mod find;
mod help;
mod history;
mod hooks;
mod index;
mod input;
mod later;
mod mcp;
mod outline;
mod output;
mod place;
mod progress;
mod publishing;
mod schema;
mod show;
mod terminal;
mod tools;
mod trust;
mod undo;
mod usage;
mod validators;

use std::cell::OnceCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use self::place::Standing;
use crate::actions::outcome::{Outcome, Status};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::Repo;
use crate::manifest::Source;
use crate::process::signals;
use crate::report::{self, Rendered};

/// Answers the process's own command line.
pub fn main() -> ExitCode {
    // In a build that is no test, FAILPOINTS is somebody else's variable.
    let _until_the_end = fail::has_failpoints().then(fail::FailScenario::setup);
    signals::outlive_limits();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let reply = match parsed(&arguments) {
        Ok(cli) => answer(cli),
        Err(error) => usage::answer(&error, &arguments),
    };
    let exit = output::write(reply);
    // Everything is tidied up; now go the way that was asked for, so that a shell sees it too.
    if let Some(signal) = signals::caught() {
        signals::die_of(signal);
    }
    exit
}

/// Reads the command line. The grammar of all commands takes longer to build than many an edit takes to make, so the first
/// try is with that of the one command that is named; whatever that cannot read, the whole grammar answers.
fn parsed(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let read = |mut grammar: clap::Command| {
        let read = grammar
            .try_get_matches_from_mut(arguments)
            .and_then(|matches| Cli::from_arg_matches(&matches));
        // Thousands of strings that the end of the process frees at once.
        std::mem::forget(grammar);
        read
    };
    let narrow = arguments
        .iter()
        .skip(1)
        .find_map(|word| narrow(word.to_str()?));
    match narrow.map(read) {
        Some(Ok(cli)) => Ok(cli),
        Some(Err(error)) if error.kind() == ErrorKind::DisplayVersion => Err(error),
        Some(Err(_)) | None => read(program()),
    }
}

/// Returns the grammar of one command alone, for those that are called most; and for `--version`, that of none.
fn narrow(word: &str) -> Option<clap::Command> {
    let grammar = Common::augment_args(clap::Command::new("git-segedit"))
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .version(env!("CARGO_PKG_VERSION"));
    let augment = match word {
        "apply" => apply::Arguments::augment_args,
        "check" => check::Arguments::augment_args,
        "replace" => edit::Replace::augment_args,
        "insert" => edit::Insert::augment_args,
        "delete" => edit::Delete::augment_args,
        "substitute" => edit::Substitute::augment_args,
        "outline" => outline::Arguments::augment_args,
        "show" => show::Arguments::augment_args,
        "find" => find::Arguments::augment_args,
        "call" => call::Arguments::augment_args,
        "--version" | "-V" => return Some(grammar),
        _ => return None,
    };
    Some(grammar.subcommand(augment(clap::Command::new(word.to_owned()))))
}

/// Returns the grammar of the command line, every page laid out alike.
fn program() -> clap::Command {
    Cli::command().mut_subcommands(|command| command.help_template(help::TEMPLATE))
}

fn answer(cli: Cli) -> Reply {
    if let Some(folder) = &cli.common.folder
        && let Err(error) = std::env::set_current_dir(folder)
    {
        let message = format!("cannot change to `{}`: {error}", folder.display());
        return cli
            .common
            .refuse(vec![Diagnostic::new(Code::Malformed, message)]);
    }
    let Cli { common, command } = cli;
    let reply = run(command, &common);
    match common.format() {
        // All that is written there is read as possible commands.
        Format::Github if !reply.is_report => Reply {
            rendered: report::github::words(&reply.rendered),
            ..reply
        },
        Format::Human | Format::Json | Format::Sarif | Format::Github => reply,
    }
}

fn run(command: Option<Command>, common: &Common) -> Reply {
    match command {
        None => usage::first_words(common),
        Some(Command::Apply(arguments)) => arguments.run(common),
        Some(Command::Check(arguments)) => arguments.run(common),
        Some(Command::Replace(arguments)) => arguments.run(common),
        Some(Command::Insert(arguments)) => arguments.run(common),
        Some(Command::Delete(arguments)) => arguments.run(common),
        Some(Command::Substitute(arguments)) => arguments.run(common),
        Some(Command::Create(arguments)) => arguments.run(common),
        Some(Command::Remove(arguments)) => arguments.run(common),
        Some(Command::RenameFile(arguments)) => arguments.run(common),
        Some(Command::Chmod(arguments)) => arguments.run(common),
        Some(Command::Outline(arguments)) => arguments.run(common),
        Some(Command::Show(arguments)) => arguments.run(common),
        Some(Command::Find(arguments)) => arguments.run(common),
        Some(Command::Index(arguments)) => arguments.run(common),
        Some(Command::Hooks(arguments)) => arguments.run(common),
        Some(Command::Tools(arguments)) => arguments.run(common),
        Some(Command::Call(arguments)) => arguments.run(common),
        Some(Command::Mcp(arguments)) => arguments.run(common),
        Some(Command::Agents(arguments)) => arguments.run(common),
        Some(Command::Ask(arguments)) => arguments.run(common),
        Some(Command::Schema) => schema::run(common),
        Some(Command::Help(arguments)) => arguments.run(common),
        Some(Command::Rename(_)) => later::answer("rename", common),
        Some(Command::Move(_)) => later::answer("move", common),
        Some(Command::Import(_)) => later::answer("import", common),
        Some(Command::Undo(arguments)) => arguments.run(common),
        Some(Command::Redo(arguments)) => arguments.run(common),
        Some(Command::Log(arguments)) => arguments.run(common),
        Some(Command::ShowBatch(arguments)) => arguments.run(common),
        Some(Command::History(arguments)) => arguments.run(common),
        Some(Command::Recover(arguments)) => arguments.run(common),
        Some(Command::Trust(arguments)) => arguments.run(common),
        Some(Command::Validators(arguments)) => arguments.run(common),
    }
}

/// What a command has to say, and how it ended.
pub(crate) struct Reply {
    rendered: Rendered,
    status: Status,
    /// Whether it is worded in the format that was asked for; else it is words for people, whatever that is.
    is_report: bool,
}

impl Reply {
    /// Returns the reply of a command that did what it was asked for.
    fn done(rendered: Rendered) -> Reply {
        Reply {
            rendered,
            status: Status::Verified,
            is_report: false,
        }
    }
}

/// Edit code and documents by name, all or nothing, as one git object
///
/// An operation file says by name what to change: functions, methods, classes, Markdown sections, exact text. The
/// whole batch is resolved against one snapshot of the repository, checked, and published as one commit, index
/// update, worktree update or stash, or nothing at all happens.
#[derive(Parser)]
#[command(
    name = "git-segedit",
    bin_name = "git segedit",
    version,
    override_usage = "git segedit <command> [<options>] [<args>]",
    help_template = help::TEMPLATE,
    after_help = help::EXIT_STATUS,
    disable_help_subcommand = true,
    disable_help_flag = true,
    subcommand_help_heading = "Commands",
    max_term_width = 100,
)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Apply(apply::Arguments),
    Check(check::Arguments),
    Replace(edit::Replace),
    Insert(edit::Insert),
    Delete(edit::Delete),
    Substitute(edit::Substitute),
    Create(files::Create),
    Remove(files::Remove),
    RenameFile(files::RenameFile),
    Chmod(files::Chmod),
    Outline(outline::Arguments),
    Show(show::Arguments),
    Find(find::Arguments),
    Index(index::Arguments),
    Undo(undo::Undo),
    Redo(undo::Redo),
    Log(history::Log),
    ShowBatch(history::ShowBatch),
    History(history::History),
    Recover(history::Recover),
    Validators(validators::Arguments),
    Trust(trust::Arguments),
    Hooks(hooks::Arguments),
    Tools(tools::Arguments),
    Call(call::Arguments),
    Mcp(mcp::Arguments),
    Agents(agents::Arguments),
    Ask(ask::Arguments),
    /// Print the JSON Schema of the operation file
    ///
    /// Editors complete and check operation files with it, and programs that write them can be held to it.
    #[command(override_usage = "git segedit schema", after_long_help = schema::EXAMPLE)]
    Schema,
    Help(help::Arguments),
    #[command(hide = true)]
    Rename(later::Arguments),
    /// Not yet there: takes a segment elsewhere
    #[command(hide = true)]
    Move(later::Arguments),
    /// Not yet there: makes sure that a file imports something
    #[command(hide = true)]
    Import(later::Arguments),
}

/// The options of every command.
#[derive(Args, Default)]
#[command(next_help_heading = "Every command")]
pub(crate) struct Common {
    /// Run as if started in <DIR>
    #[arg(short = 'C', value_name = "DIR", global = true)]
    folder: Option<PathBuf>,
    /// How to report: human (the default), json, sarif or github
    ///
    /// `human` is text for a terminal; `json` is one report on standard output whatever happens; `sarif` is a log for
    /// code scanning; `github` writes annotations of a GitHub workflow to standard error,
    /// and shows any other line that its runner would take for a command escaped.
    // Text, and not the words themselves: `tools` has others.
    #[arg(long, value_name = "FORMAT", default_value = Format::WORDS[0], global = true)]
    #[arg(value_parser = PossibleValuesParser::new(Format::WORDS))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    format: String,
    /// Say nothing but what is refused
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Say how segments were looked for, on standard error
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// When to colour: auto (the default), always or never
    ///
    /// `auto` asks NO_COLOR, CLICOLOR_FORCE, git's color.segedit and color.ui, and whether a terminal or git's pager
    /// is reading.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, global = true)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    color: When,
    /// Show what is going on, even where nobody seems to watch
    #[arg(long, global = true, overrides_with = "no_progress")]
    progress: bool,
    /// Show no progress
    #[arg(long, global = true, hide = true)]
    no_progress: bool,
    /// Show the options of this command; `--help` says more
    #[arg(short, long, action = ArgAction::Help, global = true)]
    help: Option<bool>,
    /// Where the caller stands, found out once.
    #[arg(skip)]
    standing: OnceCell<Result<Standing, Diagnostic>>,
}

/// Returns what there is to say about how segments were looked for, each line once.
fn asides(outcomes: &[Outcome]) -> String {
    let asides = outcomes
        .iter()
        .flat_map(|outcome| &outcome.operations)
        .flat_map(|operation| &operation.asides);
    notes(
        asides
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .cloned(),
    )
}

/// Returns a line for each of `texts`.
fn notes(texts: impl Iterator<Item = String>) -> String {
    texts
        .map(|text| format!("note: {}\n", shown(&text)))
        .collect()
}

/// How a reply is worded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Human,
    Json,
    Sarif,
    Github,
}

/// When something is done that depends on who is reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl Format {
    const WORDS: [&str; 4] = ["human", "json", "sarif", "github"];

    /// Returns the format that `word` names.
    fn from_word(word: &str) -> Option<Format> {
        match word {
            "human" => Some(Format::Human),
            "json" => Some(Format::Json),
            "sarif" => Some(Format::Sarif),
            "github" => Some(Format::Github),
            _ => None,
        }
    }
}

impl Common {
    /// Returns how the reply is worded.
    fn format(&self) -> Format {
        Format::from_word(&self.format).unwrap_or_default()
    }

    /// Returns where the caller stands.
    fn standing(&self) -> Result<&Standing, Diagnostic> {
        self.standing
            .get_or_init(Standing::here)
            .as_ref()
            .map_err(Clone::clone)
    }

    /// Confines the caller to `folder`, before anything is asked about where that is.
    fn confine(&self, folder: &Path) {
        let standing = || Standing::here().and_then(|here| here.within(folder));
        self.standing
            .set(standing())
            .ok()
            .expect("a call confines its caller before it does anything else");
    }

    /// Returns the repository that the caller stands in, for reading.
    fn repo(&self) -> Result<Repo, Diagnostic> {
        self.standing()?.repo()
    }

    /// Returns the reply that refuses a command for what `errors` say.
    fn refuse(&self, errors: Vec<Diagnostic>) -> Reply {
        let source = Source {
            name: "<command line>".to_owned(),
            text: String::new(),
        };
        self.report(&[exit::refused(source, errors)])
    }

    /// Returns the reply that reports a call with one operation file.
    fn report(&self, outcomes: &[Outcome]) -> Reply {
        match outcomes {
            [only] => self.reply(outcomes, || report::json::render(only)),
            _ => self.report_several(outcomes),
        }
    }

    /// Returns the reply that reports a call with several operation files.
    fn report_several(&self, outcomes: &[Outcome]) -> Reply {
        self.reply(outcomes, || report::json::render_several(outcomes))
    }

    fn reply(&self, outcomes: &[Outcome], json: impl Fn() -> Vec<u8>) -> Reply {
        let style = || terminal::style(self);
        let mut rendered = match self.format() {
            Format::Human => report::human::render(outcomes, &style()),
            Format::Json => Rendered {
                stdout: json(),
                stderr: String::new(),
            },
            Format::Sarif => Rendered {
                stdout: report::sarif::render(outcomes),
                stderr: String::new(),
            },
            Format::Github => report::github::render(outcomes, &style()),
        };
        if self.verbose {
            let asides = asides(outcomes);
            match self.format() {
                Format::Github => rendered
                    .stderr
                    .push_str(&report::github::inert_text(&asides)),
                Format::Human | Format::Json | Format::Sarif => rendered.stderr.push_str(&asides),
            }
        }
        let status = report::json::combined_status(outcomes.iter().map(|outcome| outcome.status));
        Reply {
            rendered,
            status,
            is_report: true,
        }
    }

    /// Says whether the reply is read by a program.
    fn is_for_programs(&self) -> bool {
        match self.format() {
            Format::Json | Format::Sarif => true,
            Format::Human | Format::Github => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_commands_grammar_reads_what_the_whole_reads() {
        let check = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let narrow = words
                .iter()
                .find_map(|word| narrow(word))
                .expect("a command that is called much");
            let found = narrow
                .try_get_matches_from(&words)
                .expect("it is understood");
            let whole = program()
                .try_get_matches_from(&words)
                .expect("it is understood");
            assert_eq!(found.subcommand(), whole.subcommand(), "{line}");
            let common = |matches: &clap::ArgMatches| {
                let flags = ["quiet", "verbose", "progress", "no_progress"]
                    .map(|flag| matches.get_flag(flag));
                let folder = matches.get_one::<PathBuf>("folder").cloned();
                (
                    flags,
                    folder,
                    matches.get_one::<String>("format").cloned(),
                    matches.get_one::<When>("color").copied(),
                )
            };
            assert_eq!(common(&found), common(&whole), "{line}");
        };
        check("git-segedit apply -q --branch x a.yaml b.yaml");
        check("git-segedit -C dir --format json apply -n --message one --message two -");
        check("git-segedit check --staged --verbose");
        check(
            "git-segedit replace a.py::f --part body --content x --destination worktree --durable",
        );
        check("git-segedit insert a.py::f --position after --content-file -");
        check("git-segedit delete a.py --text x --match exact");
        check("git-segedit substitute --pattern x --replacement -y -i -n -- a.py");
        check("git-segedit outline --color always a.py HEAD:b.py");
        check("git-segedit show a.py::f --format=json");
        check("git-segedit find show -- src");
        // A word that is no command of the narrow grammar, and one that is only a value.
        assert!(narrow("log").is_none());
        let log = ["git-segedit", "log", "--format", "json"].map(OsString::from);
        assert!(matches!(
            parsed(&log),
            Ok(Cli {
                command: Some(Command::Log(_)),
                ..
            })
        ));
        let of_branch = ["git-segedit", "undo", "apply"].map(OsString::from);
        assert!(matches!(
            parsed(&of_branch),
            Ok(Cli {
                command: Some(Command::Undo(_)),
                ..
            })
        ));
    }
}
