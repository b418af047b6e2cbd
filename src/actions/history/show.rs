//! Reading the history: the list of batches, and one of them with what it changed.

use std::path::Path;

use crate::actions::describe;
use crate::actions::open::open_to_read;
use crate::actions::outcome::FileOutcome;
use crate::diagnostic::{Code, Diagnostic};
use crate::git::Repo;
use crate::history::{self, HistoryEntry, NamedEntry};
use crate::plan::Candidate;

/// An entry with all that it holds.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The entry.
    pub entry: HistoryEntry,
    /// The operation file.
    pub operations: Vec<u8>,
    /// The report, if it was written.
    pub report: Option<Vec<u8>>,
    /// What became of each path, with its diff.
    pub files: Vec<FileOutcome>,
    /// What is wrong with entries that were passed over on the way to it.
    pub warnings: Vec<Diagnostic>,
}

/// What `log` finds.
#[derive(Clone, Debug)]
pub struct BatchLog {
    /// The entries, the last published first.
    pub entries: Vec<HistoryEntry>,
    /// What is wrong with those that are left out.
    pub warnings: Vec<Diagnostic>,
}

/// Returns the last `most` entries.
pub fn log(repo_dir: &Path, most: Option<usize>) -> Result<BatchLog, Diagnostic> {
    let repo = open_to_read(repo_dir)?;
    keep_first(&repo, &history::list(&repo)?, most.unwrap_or(usize::MAX))
}

/// Reads `batches` up to the first `most` that can be read.
pub(super) fn keep_first(
    repo: &Repo,
    batches: &[NamedEntry],
    most: usize,
) -> Result<BatchLog, Diagnostic> {
    let mut log = BatchLog {
        entries: Vec::new(),
        warnings: Vec::new(),
    };
    for batch in batches {
        if log.entries.len() == most {
            break;
        }
        match history::look(repo, batch)? {
            Ok(entry) => log.entries.push(entry),
            Err(wrong) => log.warnings.push(wrong),
        }
    }
    Ok(log)
}

/// Returns all that is kept of the batch whose id begins with `id`, or of the last one.
pub fn show(repo_dir: &Path, id: Option<&str>) -> Result<Opened, Diagnostic> {
    let repo = open_to_read(repo_dir)?;
    let batches = history::list(&repo)?;
    let (entry, warnings) = match id {
        Some(id) => (
            history::read(&repo, history::find(&batches, id)?)?,
            Vec::new(),
        ),
        None => {
            let BatchLog {
                mut entries,
                warnings,
            } = keep_first(&repo, &batches, 1)?;
            let none = || Diagnostic::new(Code::NothingToUndo, "no batch was published here yet");
            (entries.pop().ok_or_else(none)?, warnings)
        }
    };
    let (operations, report) = (entry.operations(&repo)?, entry.report(&repo)?);
    let files = describe::describe_files(
        &Candidate::of_changes(entry.changes(&repo)?),
        repo.hash_kind(),
        true,
    );
    Ok(Opened {
        entry,
        operations,
        report,
        files,
        warnings,
    })
}
