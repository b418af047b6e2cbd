//! `Common`: the options that every command takes, and where the caller is.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args, ValueEnum};

use super::place::CallerLocation;
use crate::diagnostic::Diagnostic;
use crate::git::Repo;

/// The options of every command.
#[derive(Args, Default)]
#[command(next_help_heading = "Every command")]
pub(crate) struct Common {
    /// Run as if started in <DIR>
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(super) folder: Option<PathBuf>,
    /// How to report: human (the default), json, sarif or github
    ///
    /// `human` is text for a terminal; `json` is one report on standard output whatever happens; `sarif` is a log for
    /// code scanning; `github` writes annotations of a GitHub workflow to standard error,
    /// and shows any other line that its runner would take for a command escaped.
    // Text, and not the words themselves: `tools` has others.
    #[arg(long, value_name = "FORMAT", default_value = ReportFormat::WORDS[0], global = true)]
    #[arg(value_parser = PossibleValuesParser::new(ReportFormat::WORDS))]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(super) format: String,
    /// Say nothing but what is refused
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Say how segments were looked for, on standard error
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(super) verbose: bool,
    /// When to colour: auto (the default), always or never
    ///
    /// `auto` asks NO_COLOR, CLICOLOR_FORCE, git's color.segedit and color.ui, and whether a terminal or git's pager
    /// is reading.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, global = true)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(super) color: When,
    /// Show what is going on, even where nobody seems to watch
    #[arg(long, global = true, overrides_with = "no_progress")]
    pub(super) progress: bool,
    /// Show no progress
    #[arg(long, global = true, hide = true)]
    pub(super) no_progress: bool,
    /// Show the options of this command; `--help` says more
    #[arg(short, long, action = ArgAction::Help, global = true)]
    pub(super) help: Option<bool>,
    /// Where the caller stands, found out once.
    #[arg(skip)]
    pub(super) standing: OnceCell<Result<CallerLocation, Diagnostic>>,
}

/// How a reply is worded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReportFormat {
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

impl ReportFormat {
    const WORDS: [&str; 4] = ["human", "json", "sarif", "github"];

    /// Returns the format that `word` names.
    fn from_word(word: &str) -> Option<ReportFormat> {
        match word {
            "human" => Some(ReportFormat::Human),
            "json" => Some(ReportFormat::Json),
            "sarif" => Some(ReportFormat::Sarif),
            "github" => Some(ReportFormat::Github),
            _ => None,
        }
    }
}

impl Common {
    /// Returns how the reply is worded.
    pub(super) fn format(&self) -> ReportFormat {
        ReportFormat::from_word(&self.format).unwrap_or_default()
    }

    /// Returns where the caller stands.
    pub(super) fn standing(&self) -> Result<&CallerLocation, Diagnostic> {
        self.standing
            .get_or_init(CallerLocation::here)
            .as_ref()
            .map_err(Clone::clone)
    }

    /// Confines the caller to `folder`, before anything is asked about where that is.
    pub(super) fn confine(&self, folder: &Path) {
        let standing = || CallerLocation::here().and_then(|here| here.within(folder));
        self.standing
            .set(standing())
            .ok()
            .expect("a call confines its caller before it does anything else");
    }

    /// Returns the repository that the caller stands in, for reading.
    pub(super) fn repo(&self) -> Result<Repo, Diagnostic> {
        self.standing()?.repo()
    }

    /// Says whether the reply is read by a program.
    pub(super) fn is_for_programs(&self) -> bool {
        match self.format() {
            ReportFormat::Json | ReportFormat::Sarif => true,
            ReportFormat::Human | ReportFormat::Github => false,
        }
    }
}
