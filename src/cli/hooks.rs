//! `git segedit hooks`: git hooks that check what is committed and pushed.

use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::{Common, Reply, ReportFormat, terminal};
use crate::actions::hooks::{self, Hook};
use crate::report::{self, Rendered};

/// Install, remove or list git hooks that check what is committed and pushed
///
/// pre-commit checks what is staged, pre-push the commits that no remote has yet, pre-receive those that are new to the
/// repository that is pushed to. They go where git looks for hooks, core.hooksPath included. Another's hook is never
/// overwritten: it is moved aside, ours runs it first, and `uninstall` puts it back as it was.
#[derive(Args)]
#[command(
    override_usage = "git segedit hooks [<options>] (install | uninstall | status) [--hook <NAME>...]",
    after_long_help = "Example:\n   $ git segedit hooks install\n   $ git segedit hooks status\n   $ git segedit hooks uninstall"
)]
pub(crate) struct Arguments {
    /// What to do: install, uninstall or status
    #[arg(value_name = "action", value_enum, hide_possible_values = true)]
    action: Action,
    /// Hooks to do it to: pre-commit, pre-push, pre-receive
    ///
    /// `install` does without it what makes sense: pre-receive in a bare repository, in others pre-commit and pre-push.
    /// `uninstall` and `status` are about all three.
    #[arg(long = "hook", value_name = "NAME", num_args = 1.., hide_possible_values = true)]
    #[arg(value_parser = PossibleValuesParser::new(Hook::ALL.map(Hook::name)))]
    hooks: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Action {
    Install,
    Uninstall,
    Status,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let named = |hook: &Hook| self.hooks.iter().any(|name| name == hook.name());
        let names: Vec<Hook> = Hook::ALL.into_iter().filter(named).collect();
        let here = Path::new(".");
        let found = match self.action {
            Action::Install => hooks::install(here, &names),
            Action::Uninstall => hooks::uninstall(here, &names),
            Action::Status => hooks::status(here, &names),
        };
        match found {
            Err(errors) => common.refuse(errors),
            Ok(found) if common.format() == ReportFormat::Json => Reply::done(Rendered {
                stdout: report::hooks::json(&found),
                stderr: String::new(),
            }),
            Ok(found) => Reply::done(report::hooks::render(
                &found,
                &terminal::report_style(common),
            )),
        }
    }
}
