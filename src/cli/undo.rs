//! `git segedit undo` and `redo`: take a batch back, put it forth again.

use std::path::Path;

use clap::Args;

use super::progress::ProgressLine;
use super::publishing::durability;
use super::{Common, Reply, ReportFormat};
use crate::actions::apply::Options;
use crate::actions::history::{self, StepMode};
use crate::path::Reach;
use crate::report;

/// Take a published batch back
///
/// Without an id it is the last batch on your branch or in your worktree that still stands; repeated, the one before. A
/// branch that still stands at the batch's commit moves back; where others have built on it, a commit on top undoes what
/// the batch changed, and it is refused where that was changed since. Index and files are restored only where they
/// still are as the batch left them; nothing else is touched. A stash entry is dropped.
#[derive(Args)]
#[command(
    override_usage = "git segedit undo [<options>] [<id>]",
    after_long_help = "Example:\n   $ git segedit apply edits/validate.yaml && git segedit undo"
)]
pub(crate) struct Undo {
    #[command(flatten)]
    which: UndoneBatch,
}

/// Put forth again what was taken back
///
/// Without an id it is what was taken back last; repeated, what was taken back before that. Where everything is as `undo`
/// left it, the very same commit, files or stash entry come back. Where others have moved the branch on, the operation file is
/// resolved again, by name. After a new batch of yours nothing is put forth, unless you name it.
#[derive(Args)]
#[command(
    override_usage = "git segedit redo [<options>] [<id>]",
    after_long_help = "Example:\n   $ git segedit apply edits/validate.yaml && git segedit undo && git segedit redo"
)]
pub(crate) struct Redo {
    #[command(flatten)]
    which: UndoneBatch,
}

#[derive(Args)]
struct UndoneBatch {
    /// The batch, as `log` and the commit's trailer name it; the first digits will do
    #[arg(value_name = "id")]
    id: Option<String>,
    /// Only say what would be done
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Skip the hooks that git would run
    #[arg(long)]
    no_verify: bool,
    /// Have the disk take everything before success is reported
    #[arg(long)]
    durable: bool,
    /// Show no diff
    #[arg(long)]
    no_diff: bool,
}

type UndoFunction = fn(&Path, Option<&str>, StepMode, &Options) -> crate::actions::outcome::Outcome;

impl Undo {
    pub(super) fn run(self, common: &Common) -> Reply {
        self.which.run(history::undo, common)
    }
}

impl Redo {
    pub(super) fn run(self, common: &Common) -> Reply {
        self.which.run(history::redo, common)
    }
}

impl UndoneBatch {
    fn run(self, ability: UndoFunction, common: &Common) -> Reply {
        let diff = match common.format() {
            ReportFormat::Json => !self.no_diff,
            ReportFormat::Human | ReportFormat::Github => !self.no_diff && !common.quiet,
            ReportFormat::Sarif => false,
        };
        let outcome = {
            let (_shown_until_done, progress) = ProgressLine::start(common);
            let (durability, report) = (durability(self.durable), report::json::render);
            let (no_verify, origin, reach) = (self.no_verify, None, Reach::default());
            let options = Options {
                no_verify,
                durability,
                diff,
                report,
                progress,
                origin,
                reach,
            };
            let act = if self.dry_run {
                StepMode::Rehearse
            } else {
                StepMode::Do
            };
            ability(Path::new("."), self.id.as_deref(), act, &options)
        };
        common.report(&[outcome])
    }
}
