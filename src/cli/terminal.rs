//! Who is reading, and how the reply is dressed for them: colours as git decides them, the terminal's width.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};

use super::{Common, When};
use crate::report::{ReportStyle, Verbosity};

/// Returns how reports are dressed in this process.
pub(super) fn report_style(common: &Common) -> ReportStyle {
    let standing = common.standing().ok();
    let surroundings = TerminalEnvironment {
        option: common.color,
        no_color: is_set("NO_COLOR"),
        force: is_set("CLICOLOR_FORCE")
            && env::var_os("CLICOLOR_FORCE").is_none_or(|value| value != "0"),
        setting: standing.and_then(|here| here.colour.clone()),
        dumb: env::var_os("TERM").is_some_and(|term| term == "dumb"),
    };
    let advised = standing.and_then(|here| here.advice) != Some(false);
    let terminal = io::stdout().is_terminal();
    // git starts the pager itself when pager.segedit is set: standard output is a pipe then, with a person behind it.
    let paged =
        env::var_os("GIT_PAGER_IN_USE").is_some_and(|value| value == "true" || value == "1");
    ReportStyle {
        stdout_colour: surroundings.colour(terminal || paged),
        stderr_colour: surroundings.colour(io::stderr().is_terminal()),
        terminal: terminal || paged,
        hints: io::stderr().is_terminal() && advised,
        width: terminal_width(),
        verbosity: if common.quiet {
            Verbosity::Quiet
        } else {
            Verbosity::Normal
        },
    }
}

/// Says whether a person watches standard error on a terminal that can move its cursor.
pub(super) fn is_watched() -> bool {
    io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| value != OsStr::new(""))
}

fn terminal_width() -> usize {
    env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .filter(|&columns| columns > 0)
        .unwrap_or(120)
}

/// Everything that has a say in whether to colour.
struct TerminalEnvironment {
    option: When,
    no_color: bool,
    force: bool,
    setting: Option<String>,
    dumb: bool,
}

impl TerminalEnvironment {
    /// Decides for a stream; the first that has an opinion wins, the stream's reader last.
    fn colour(&self, is_terminal: bool) -> bool {
        match self.option {
            When::Always => return true,
            When::Never => return false,
            When::Auto => {}
        }
        if self.no_color {
            return false;
        }
        if self.force {
            return true;
        }
        match self
            .setting
            .as_deref()
            .map(str::to_ascii_lowercase)
            .as_deref()
        {
            Some("always") => true,
            Some("never" | "false" | "no" | "off" | "0") => false,
            _ => is_terminal && !self.dumb,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_follow_the_first_opinion() {
        let plain = || TerminalEnvironment {
            option: When::Auto,
            no_color: false,
            force: false,
            setting: None,
            dumb: false,
        };
        let check = |surroundings: TerminalEnvironment, piped: bool, terminal: bool| {
            assert_eq!(
                (surroundings.colour(false), surroundings.colour(true)),
                (piped, terminal)
            );
        };
        let set = |text: &str| Some(text.to_owned());
        check(plain(), false, true);
        check(
            TerminalEnvironment {
                dumb: true,
                ..plain()
            },
            false,
            false,
        );
        check(
            TerminalEnvironment {
                setting: set("always"),
                ..plain()
            },
            true,
            true,
        );
        check(
            TerminalEnvironment {
                setting: set("never"),
                ..plain()
            },
            false,
            false,
        );
        check(
            TerminalEnvironment {
                setting: set("true"),
                ..plain()
            },
            false,
            true,
        );
        check(
            TerminalEnvironment {
                force: true,
                setting: set("never"),
                ..plain()
            },
            true,
            true,
        );
        check(
            TerminalEnvironment {
                no_color: true,
                force: true,
                setting: set("always"),
                ..plain()
            },
            false,
            false,
        );
        check(
            TerminalEnvironment {
                option: When::Always,
                no_color: true,
                ..plain()
            },
            true,
            true,
        );
        check(
            TerminalEnvironment {
                option: When::Never,
                force: true,
                ..plain()
            },
            false,
            false,
        );
    }
}
