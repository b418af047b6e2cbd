//! `Outcome`: everything there is to say about one batch. report/ words it for people and programs.

use crate::diagnostic::{Class, Diagnostic};
use crate::history::{Conversation, LedgerRecord};
pub use crate::linters::{Finding, ToolVerdict, VerdictStatus};
use crate::manifest::{CheckMode, Destination, ManifestText};
use crate::path::RepoPath;
pub use crate::plan::{MendedImport, OperationOutcome, OperationStatus, Removed};
pub use crate::resolve::Match;
use crate::snapshot::{Change, Id};

/// What became of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everybody can see it.
    Published,
    /// It would have been published.
    Verified,
    /// It changes nothing, so nothing was published.
    Unchanged,
    /// A check refused it.
    Rejected,
    /// It does not resolve.
    Unresolved,
    /// The repository is in the way.
    Conflict,
    /// The operation file or the command line is wrong.
    Malformed,
    /// Input, output or our own failure.
    Failed,
}

impl Status {
    /// Returns the status that refusals amount to: the first class that applies, in the order of the exit table.
    pub fn of(errors: &[Diagnostic]) -> Status {
        const RANKED: [(Class, Status); 4] = [
            (Class::Malformed, Status::Malformed),
            (Class::Unresolved, Status::Unresolved),
            (Class::Conflict, Status::Conflict),
            (Class::Rejected, Status::Rejected),
        ];
        let applies = |class: Class| errors.iter().any(|error| error.class() == class);
        RANKED
            .into_iter()
            .find(|&(class, _)| applies(class))
            .map_or(Status::Failed, |(_, status)| status)
    }
}

/// What an outcome is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// The operations of a batch.
    #[default]
    Batch,
    /// What is staged.
    Staged,
    /// A commit that is there already.
    Commit,
    /// A batch that is taken back.
    Undo,
    /// A batch that is put forth again.
    Redo,
}

/// Everything there is to say about one batch, or about what was judged in the place of one.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What became of it.
    pub status: Status,
    /// What it is about.
    pub subject: Subject,
    /// The batch's id; `None` unless published.
    pub batch: Option<String>,
    /// Where it goes.
    pub destination: Destination,
    /// How strict it was.
    pub mode: CheckMode,
    /// The commit that it was resolved against.
    pub base: Option<Id>,
    /// Full name of the ref that moved or would move (`refs/heads/main`, `HEAD` when detached, `refs/stash`).
    pub reference: Option<String>,
    /// The new commit (or stash entry); of a judged commit that one.
    pub commit: Option<Id>,
    /// One for each operation, in the file's order.
    pub operations: Vec<OperationOutcome>,
    /// One for each changed path, sorted.
    pub files: Vec<FileOutcome>,
    /// What each formatter of the repository came to, in the configuration's order; none unless they were asked.
    pub formatters: Vec<ToolVerdict>,
    /// What each validator said, likewise.
    pub validators: Vec<ToolVerdict>,
    /// What it cost; zeros unless it resolved.
    pub ledger: Ledger,
    /// Things worth knowing that refused nothing.
    pub warnings: Vec<Diagnostic>,
    /// Every refusal, those of operations included.
    pub errors: Vec<Diagnostic>,
    /// The operation file, for snippets.
    pub source: ManifestText,
    /// The talk with a model that the batch came from, if it came from one.
    pub conversation: Option<Box<Conversation>>,
}

/// One changed path.
#[derive(Clone, Debug)]
pub struct FileOutcome {
    /// Before and after.
    pub change: Change,
    /// Where it was before, for a renamed file.
    pub renamed_from: Option<RepoPath>,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
    /// Blob id before.
    pub old_blob: Option<Id>,
    /// Blob id after.
    pub new_blob: Option<Id>,
    /// Unified diff with file headers, for `git apply`; empty when not asked for.
    pub diff: Vec<u8>,
}

impl From<LedgerRecord> for Ledger {
    fn from(record: LedgerRecord) -> Ledger {
        let LedgerRecord {
            lines_changed,
            lines_total,
            tokens_written,
            tokens_full_rewrite,
        } = record;
        Ledger {
            lines_changed,
            lines_total,
            tokens_written,
            tokens_full_rewrite,
        }
    }
}

/// What the batch cost against rewriting its files.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Lines added or removed, of each file the larger number: one that takes the place of another counts once.
    pub lines_changed: usize,
    /// Lines of the touched files (the larger of before and after, each).
    pub lines_total: usize,
    /// Tokens of what the caller wrote (content, text, replacement), estimated.
    pub tokens_written: usize,
    /// Tokens of the touched files as they are after, estimated.
    pub tokens_full_rewrite: usize,
}
