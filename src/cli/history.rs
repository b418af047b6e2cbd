//! `git segedit log`, `show-batch`, `history` and `recover`: what was published.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{ArgGroup, Args, Subcommand};

use super::{Common, Reply, ReportFormat, terminal};
use crate::actions::history::{self, Keep, StepMode};
use crate::diagnostic::{Code, Diagnostic};
use crate::report::{self, Rendered};

/// List the batches that were published, the last one first
///
/// One line a batch: its id, when, where to, how many operations, lines added and removed, and the write-efficiency
/// (lines changed of the lines of the files touched). Tokens are estimated as a quarter of the bytes.
#[derive(Args)]
#[command(
    override_usage = "git segedit log [<options>]",
    after_long_help = "Example:\n   $ git segedit log -n 5 --stat --graph"
)]
pub(crate) struct LogArguments {
    /// Show the last <N> batches only
    #[arg(short = 'n', value_name = "N", allow_negative_numbers = true)]
    most: Option<usize>,
    /// Sum up what the batches cost against rewriting their files
    #[arg(long)]
    stat: bool,
    /// Draw a bar for each batch: how much was written, against rewriting its files
    #[arg(long)]
    graph: bool,
}

/// Show one batch in full: operation file, report, diff
///
/// Without an id it is the last one that was published.
#[derive(Args)]
#[command(
    override_usage = "git segedit show-batch [<options>] [<id>]",
    after_long_help = "Example:\n   $ git segedit apply edits/validate.yaml && git segedit show-batch"
)]
pub(crate) struct ShowBatch {
    /// The batch, as `log` and the commit's trailer name it; the first digits will do
    #[arg(value_name = "id")]
    id: Option<String>,
}

/// Shorten the history of batches
///
/// Batches that are forgotten can no longer be listed, taken back or put forth again; what they published stays.
#[derive(Args)]
#[command(
    override_usage = "git segedit history prune (--keep <n> | --older-than <time>) [<options>]",
    after_long_help = "Example:\n   $ git segedit history prune --older-than 30d --dry-run"
)]
pub(crate) struct History {
    #[command(subcommand)]
    what: HistoryCommand,
}

#[derive(Subcommand)]
enum HistoryCommand {
    /// Forget old batches
    #[command(
        override_usage = "git segedit history prune (--keep <n> | --older-than <time>) [<options>]"
    )]
    Prune(Prune),
}

#[derive(Args)]
#[command(group(ArgGroup::new("which").required(true).args(["keep", "older_than"])))]
struct Prune {
    /// Keep the last <N> batches
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    keep: Option<usize>,
    /// Forget what is older: 12h, 30d, 8w
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_hyphen_values = true)]
    older_than: Option<u64>,
    /// Only say what would be forgotten
    #[arg(short = 'n', long)]
    dry_run: bool,
}

/// Finish or roll back what an interrupted command left
///
/// Every command that publishes does this first; this one does nothing else, and says what it did.
#[derive(Args)]
#[command(
    override_usage = "git segedit recover [<options>]",
    after_long_help = "Example:\n   $ git segedit recover"
)]
pub(crate) struct Recover {}

impl LogArguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        if let Some(refused) = not_offered(common) {
            return refused;
        }
        match history::log(Path::new("."), self.most) {
            Err(error) => common.refuse(vec![error]),
            Ok(log) if common.format() == ReportFormat::Json => {
                history_done(report::history::log_json(&log))
            }
            Ok(log) => {
                let shown = report::history::ShownBatch {
                    stat: self.stat,
                    graph: self.graph,
                };
                Reply::done(report::history::log(
                    &log,
                    shown,
                    now(),
                    &terminal::report_style(common),
                ))
            }
        }
    }
}

impl ShowBatch {
    pub(super) fn run(self, common: &Common) -> Reply {
        if let Some(refused) = not_offered(common) {
            return refused;
        }
        match history::show(Path::new("."), self.id.as_deref()) {
            Err(error) => common.refuse(vec![error]),
            Ok(opened) if common.format() == ReportFormat::Json => {
                history_done(report::history::opened_json(&opened))
            }
            Ok(opened) => Reply::done(report::history::opened(
                &opened,
                now(),
                &terminal::report_style(common),
            )),
        }
    }
}

impl History {
    pub(super) fn run(self, common: &Common) -> Reply {
        if let Some(refused) = not_offered(common) {
            return refused;
        }
        let HistoryCommand::Prune(Prune {
            keep,
            older_than,
            dry_run,
        }) = self.what;
        let keep = match (keep, older_than) {
            (Some(most), _) => Keep::Newest(most),
            (None, seconds) => Keep::Since(seconds.unwrap_or(u64::MAX)),
        };
        let act = if dry_run {
            StepMode::Rehearse
        } else {
            StepMode::Do
        };
        match history::prune(Path::new("."), keep, act) {
            Err(error) => common.refuse(vec![error]),
            Ok(batches) if common.format() == ReportFormat::Json => {
                history_done(report::history::pruned_json(&batches))
            }
            Ok(batches) => history_done(report::history::pruned(
                &batches,
                !dry_run,
                &terminal::report_style(common),
            )),
        }
    }
}

impl Recover {
    pub(super) fn run(self, common: &Common) -> Reply {
        if let Some(refused) = not_offered(common) {
            return refused;
        }
        match history::recover(Path::new(".")) {
            Err(error) => common.refuse(vec![error]),
            Ok(recovered) if common.format() == ReportFormat::Json => {
                history_done(report::history::recovered_json(&recovered))
            }
            Ok(recovered) if !common.quiet => {
                let lines = report::history::recovered(&recovered).join("\n") + "\n";
                history_done(lines.into_bytes())
            }
            Ok(_) => history_done(Vec::new()),
        }
    }
}

/// Refuses the formats that have no words for a history: one is for findings, one for the annotations of a workflow.
fn not_offered(common: &Common) -> Option<Reply> {
    let word = match common.format() {
        ReportFormat::Human | ReportFormat::Json => return None,
        ReportFormat::Sarif => "sarif",
        ReportFormat::Github => "github",
    };
    let refusal = Diagnostic::new(
        Code::Malformed,
        format!("`--format {word}` is not offered by this command"),
    );
    Some(common.refuse(vec![refusal.note("`human` and `json` are")]))
}

fn history_done(stdout: Vec<u8>) -> Reply {
    Reply::done(Rendered {
        stdout,
        stderr: String::new(),
    })
}

pub(super) fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// Reads `90s`, `15m`, `12h`, `30d`, `8w`.
fn seconds(text: &str) -> Result<u64, String> {
    let refuse = || "a number and a unit: 12h, 30d, 8w".to_owned();
    let (digits, unit) = text
        .split_at_checked(text.len().saturating_sub(1))
        .ok_or_else(refuse)?;
    let each: u64 = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        "w" => 7 * 24 * 60 * 60,
        _ => return Err(refuse()),
    };
    digits
        .parse::<u64>()
        .ok()
        .and_then(|count| count.checked_mul(each))
        .ok_or_else(refuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_a_number_and_a_unit() {
        let check =
            |text: &str, expected: Option<u64>| assert_eq!(seconds(text).ok(), expected, "{text}");
        check("30d", Some(30 * 86_400));
        check("90s", Some(90));
        check("0h", Some(0));
        for bad in [
            "",
            "d",
            "30",
            "-1d",
            "1.5h",
            "30é",
            "99999999999999999999w",
            "9999999999999999999w",
        ] {
            check(bad, None);
        }
    }
}
