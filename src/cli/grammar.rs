//! The grammar of the command line: all commands, each with its arguments.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::context::Common;
use super::{
    agents, apply, ask, call, check, edit, files, find, help, history, hooks, import, index,
    languages, mcp, outline, relocate, rename, schema, show, tools, trust, undo, validators,
};

/// Reads the command line. The grammar of all commands takes longer to build than many an edit takes to make, so the first
/// try is with that of the one command that is named; whatever that cannot read, the whole grammar answers.
pub(super) fn parse_arguments(arguments: &[OsString]) -> Result<Cli, clap::Error> {
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
        .find_map(|word| grammar_of_one(word.to_str()?));
    match narrow.map(read) {
        Some(Ok(cli)) => Ok(cli),
        Some(Err(error)) if error.kind() == ErrorKind::DisplayVersion => Err(error),
        Some(Err(_)) | None => read(whole_grammar()),
    }
}

/// Returns the grammar of one command alone, for those that are called most; and for `--version`, that of none.
fn grammar_of_one(word: &str) -> Option<clap::Command> {
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
pub(super) fn whole_grammar() -> clap::Command {
    Cli::command().mut_subcommands(|command| command.help_template(help::TEMPLATE))
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
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

#[derive(Subcommand)]
pub(super) enum Command {
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
    Rename(rename::Rename),
    Move(relocate::MoveSegment),
    Import(import::AddImport),
    Unimport(import::TakeImport),
    Outline(outline::Arguments),
    Show(show::Arguments),
    Find(find::Arguments),
    References(rename::ListReferences),
    Index(index::Arguments),
    Languages(languages::Arguments),
    Undo(undo::Undo),
    Redo(undo::Redo),
    Log(history::LogArguments),
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
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::cli::context::When;

    #[test]
    fn one_commands_grammar_reads_what_the_whole_reads() {
        let check = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let narrow = words
                .iter()
                .find_map(|word| grammar_of_one(word))
                .expect("a command that is called much");
            let found = narrow
                .try_get_matches_from(&words)
                .expect("it is understood");
            let whole = whole_grammar()
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
        assert!(grammar_of_one("log").is_none());
        let log = ["git-segedit", "log", "--format", "json"].map(OsString::from);
        assert!(matches!(
            parse_arguments(&log),
            Ok(Cli {
                command: Some(Command::Log(_)),
                ..
            })
        ));
        let of_branch = ["git-segedit", "undo", "apply"].map(OsString::from);
        assert!(matches!(
            parse_arguments(&of_branch),
            Ok(Cli {
                command: Some(Command::Undo(_)),
                ..
            })
        ));
    }
}
