//! The options that publishing commands share, and the way from manifests to a reply.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::progress::ProgressLine;
use super::{Common, ReportFormat};
use crate::actions::apply::{self, EditOrigin};
use crate::actions::outcome::Outcome;
use crate::git::Durability;
use crate::manifest::words::FixedWord;
use crate::manifest::{CheckMode, Destination, Manifest, NamesRule, Overrides};
use crate::path::Reach;
use crate::report;

/// Where a batch goes, and what is checked on the way.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Publishing")]
pub(crate) struct PublishingOptions {
    /// Where the batch goes: commit (the default), index (and worktree), cached (index only), worktree or stash
    #[arg(hide_possible_values = true)]
    #[arg(long, value_name = "WHERE", value_parser = PossibleValuesParser::new(Destination::words()))]
    destination: Option<String>,
    /// Branch to commit on; it is created where --base says if it does not exist
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    /// Revision to resolve against
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// What a failed check does: strict (the default) refuses, interactive warns, verify_only never publishes
    #[arg(hide_possible_values = true)]
    #[arg(long, value_name = "MODE", value_parser = PossibleValuesParser::new(CheckMode::words()))]
    mode: Option<String>,
    /// What a name does that nothing defines, in an edit of Python: warn (the default), strict refuses it
    #[arg(hide_possible_values = true, hide_short_help = true)]
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(NamesRule::words()))]
    names: Option<String>,
    /// Do everything but publish
    #[arg(short = 'n', long, conflicts_with = "mode")]
    dry_run: bool,
    /// Commit message; several are paragraphs
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: Vec<String>,
    /// Author of the commit, as `Name <mail>`
    #[arg(long, value_name = "AUTHOR")]
    author: Option<String>,
    /// Skip the pre-commit and commit-msg hooks
    #[arg(long)]
    no_verify: bool,
    /// Have the disk take every object before a ref names it, and the ref before success is reported
    #[arg(long)]
    durable: bool,
    /// Show what changes as a unified diff, which is the default
    #[arg(long, overrides_with = "no_diff", hide_short_help = true)]
    diff: bool,
    /// Show no diff
    #[arg(long)]
    no_diff: bool,
}

impl PublishingOptions {
    /// Returns the options of a rehearsal.
    pub(super) fn dry() -> PublishingOptions {
        PublishingOptions {
            dry_run: true,
            ..PublishingOptions::default()
        }
    }

    /// Returns what the command line says in the place of the operation file.
    pub(super) fn overrides(&self) -> Overrides {
        Overrides {
            message: (!self.message.is_empty()).then(|| self.message.join("\n\n")),
            author: self.author.clone(),
            destination: self.destination.as_deref().and_then(Destination::from_word),
            branch: self.branch.clone(),
            base: self.base.clone(),
            mode: if self.dry_run {
                Some(CheckMode::VerifyOnly)
            } else {
                self.mode.as_deref().and_then(CheckMode::from_word)
            },
            names: self.names.as_deref().and_then(NamesRule::from_word),
        }
    }

    /// Applies the manifests and returns what became of each.
    pub(super) fn publish(&self, common: &Common, manifests: Vec<Manifest>) -> Vec<Outcome> {
        self.publish_from(common, manifests, None)
    }

    /// Does the same with manifests that come from a model.
    pub(super) fn publish_from(
        &self,
        common: &Common,
        manifests: Vec<Manifest>,
        origin: Option<EditOrigin>,
    ) -> Vec<Outcome> {
        let (_shown_until_done, progress) = ProgressLine::start(common);
        let report = report::json::render;
        let (durability, diff) = (durability(self.durable), self.wants_diff(common));
        let (no_verify, reach) = (self.no_verify, Reach::default());
        let options = apply::Options {
            no_verify,
            durability,
            diff,
            report,
            progress,
            origin,
            reach,
        };
        let repo = common.repo().and_then(|repo| repo.for_writing(durability));
        apply::run_in(repo, &manifests, &options)
    }

    fn wants_diff(&self, common: &Common) -> bool {
        match common.format() {
            ReportFormat::Json => !self.no_diff,
            ReportFormat::Human | ReportFormat::Github => !self.no_diff && !common.quiet,
            ReportFormat::Sarif => false,
        }
    }
}

/// Returns what `--durable` asks for.
pub(super) fn durability(durable: bool) -> Durability {
    if durable {
        Durability::Full
    } else {
        Durability::Configured
    }
}
