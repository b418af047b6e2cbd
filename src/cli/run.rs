//! Runs the command that was asked for, and ends the process as it has to.

use std::ffi::OsString;
use std::process::ExitCode;

use super::context::{Common, ReportFormat};
use super::grammar::{Cli, Command, parse_arguments, whole_grammar};
use super::reply::Reply;
use super::{output, schema, usage};
use crate::diagnostic::{Code, Diagnostic};
use crate::process::signals;
use crate::report;

/// Answers the process's own command line.
pub fn main() -> ExitCode {
    // In a build that is no test, FAILPOINTS is somebody else's variable.
    let _until_the_end = fail::has_failpoints().then(fail::FailScenario::setup);
    signals::outlive_limits();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let reply = match parse_arguments(&arguments) {
        Ok(cli) => answer_command(cli),
        Err(error) => usage::answer_usage(&error, &arguments),
    };
    let exit = output::write(reply);
    // Everything is tidied up; now go the way that was asked for, so that a shell sees it too.
    if let Some(signal) = signals::caught() {
        signals::die_of(signal);
    }
    exit
}

fn answer_command(cli: Cli) -> Reply {
    if let Some(folder) = &cli.common.folder
        && let Err(error) = std::env::set_current_dir(folder)
    {
        let message = format!("cannot change to `{}`: {error}", folder.display());
        return cli
            .common
            .refuse(vec![Diagnostic::new(Code::Malformed, message)]);
    }
    let Cli { common, command } = cli;
    let reply = run_command(command, &common);
    match common.format() {
        // All that is written there is read as possible commands.
        ReportFormat::Github if !reply.is_report => Reply {
            rendered: report::github::words_of(&reply.rendered),
            ..reply
        },
        ReportFormat::Human | ReportFormat::Json | ReportFormat::Sarif | ReportFormat::Github => {
            reply
        }
    }
}

fn run_command(command: Option<Command>, common: &Common) -> Reply {
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
        Some(Command::Rename(arguments)) => arguments.run(common),
        Some(Command::Move(arguments)) => arguments.run(common),
        Some(Command::Import(arguments)) => arguments.run(common),
        Some(Command::Unimport(arguments)) => arguments.run(common),
        Some(Command::References(arguments)) => arguments.run(common),
        Some(Command::Outline(arguments)) => arguments.run(common),
        Some(Command::Show(arguments)) => arguments.run(common),
        Some(Command::Find(arguments)) => arguments.run(common),
        Some(Command::Index(arguments)) => arguments.run(common),
        Some(Command::Languages(arguments)) => arguments.run(common),
        Some(Command::Hooks(arguments)) => arguments.run(common),
        Some(Command::Tools(arguments)) => arguments.run(common),
        Some(Command::Call(arguments)) => arguments.run(common),
        Some(Command::Mcp(arguments)) => arguments.run(common),
        Some(Command::Agents(arguments)) => arguments.run(common),
        Some(Command::Ask(arguments)) => arguments.run(common),
        Some(Command::Schema) => schema::run(common),
        Some(Command::Help(arguments)) => arguments.run(common, whole_grammar()),
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
