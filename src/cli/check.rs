//! `git segedit check`: operation files, or what git already holds, judged and left alone.

use std::path::Path;

use clap::Args;

use super::progress::ProgressLine;
use super::publishing::PublishingOptions;
use super::{Common, Reply, apply, input};
use crate::actions::judge::{self, Push};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::KnownCommits;

/// Check operation files, or what is staged or pushed, without publishing anything
///
/// With operation files it does all that `git segedit apply` does (resolve, plan, check, validate) and stops before the
/// step that others could see. The report, the diff and the exit code are the same as those of `apply` would be.
///
/// With --staged, --pushed or --received it judges what git already holds; that is what the hooks call which
/// `git segedit hooks install` puts there. A file answers for what is new in it: one that was broken before may stay so.
#[derive(Args)]
#[command(
    override_usage = "git segedit check [<options>] (<file>... | -)\n       git segedit check [<options>] (--staged | --pushed | --received)",
    after_long_help = "Example:\n   $ git segedit check edits/validate.yaml\n   $ git segedit check --staged"
)]
pub(crate) struct Arguments {
    /// Operation files; `-` reads one from standard input
    #[arg(value_name = "file", required_unless_present_any = OTHERS)]
    files: Vec<String>,
    /// Check what is staged, against HEAD; what is not staged is left out
    #[arg(long, conflicts_with_all = ["pushed", "received"], conflicts_with_all = OF_FILES)]
    staged: bool,
    /// Check each commit that no remote has yet, of the refs that standard input names as for a pre-push hook
    #[arg(long, conflicts_with = "received", conflicts_with_all = OF_FILES)]
    pushed: bool,
    /// Check each commit that is new here, of the refs that standard input names as for a pre-receive hook
    #[arg(long, conflicts_with_all = OF_FILES)]
    received: bool,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// What can be checked in the place of operation files.
const OTHERS: [&str; 3] = ["staged", "pushed", "received"];

/// What only says something about operation files.
const OF_FILES: [&str; 9] = [
    "files",
    "destination",
    "branch",
    "base",
    "mode",
    "dry_run",
    "message",
    "author",
    "no_verify",
];

/// Most bytes of refs that are read: about a hundred thousand of them.
const MOST_BYTES: u64 = 32 << 20;

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        if self.staged {
            let (_shown_until_done, progress) = ProgressLine::start(common);
            return common.report(&[judge::check_staged(Path::new("."), &*progress)]);
        }
        if self.pushed {
            return check_git(common, Push::to_remote, KnownCommits::Remotes);
        }
        if self.received {
            return check_git(common, Push::received, KnownCommits::Refs);
        }
        apply::run(&self.files, &self.publishing, common, apply::Aim::Verify)
    }
}

fn check_git(
    common: &Common,
    read: fn(&str) -> Result<Push, Diagnostic>,
    known: KnownCommits,
) -> Reply {
    let push = match lines().and_then(|lines| read(&lines)) {
        Ok(push) => push,
        Err(error) => return common.refuse(vec![error]),
    };
    let (_shown_until_done, progress) = ProgressLine::start(common);
    match judge::check_push(Path::new("."), &push, known, &*progress) {
        // As for several operation files, however many commits there are: whoever reads it cannot know.
        Ok(outcomes) => common.report_several(&outcomes),
        Err(errors) => common.refuse(errors),
    }
}

/// Reads what git tells its hooks.
fn lines() -> Result<String, Diagnostic> {
    let bytes = input::read_stdin(MOST_BYTES + 1)?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("standard input holds more than {MOST_BYTES} bytes of refs");
        return Err(Diagnostic::new(Code::TooLarge, message).note("push fewer refs at once"));
    }
    // The names of refs need not be UTF-8, and what stands in their place is not looked at.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
