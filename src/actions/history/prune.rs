//! Removing entries of the history, and settling what a killed process left.

use std::path::{Path, PathBuf};

use super::here::StepMode;
use crate::actions::describe;
use crate::diagnostic::Diagnostic;
use crate::git::Repo;
use crate::history::{self, NamedEntry, Settled};
use crate::publish::{self, Queue, Recovery};

/// Which entries are left when the history is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// So many, the last published.
    Newest(usize),
    /// Those that were published in the last so many seconds.
    Since(u64),
}

/// Forgets all entries but those that `keep` names, and returns what was forgotten.
pub fn prune(repo_dir: &Path, keep: Keep, act: StepMode) -> Result<Vec<NamedEntry>, Diagnostic> {
    let repo = Repo::open(repo_dir)?;
    let _queue = Queue::enter(&repo)?;
    let batches = history::list(&repo)?;
    let old = match keep {
        Keep::Newest(most) => batches.into_iter().skip(most).collect::<Vec<_>>(),
        Keep::Since(seconds) => {
            let oldest = (describe::micros() / 1_000_000).saturating_sub(seconds);
            // By what is written in it: the name only says what came after what.
            let time = |batch: &NamedEntry| {
                history::read(&repo, batch)
                    .map_or(batch.micros() / 1_000_000, |entry| entry.record.time)
            };
            batches
                .into_iter()
                .filter(|batch| time(batch) < oldest)
                .collect()
        }
    };
    if act == StepMode::Do {
        history::forget(&repo, &old)?;
    }
    Ok(old)
}

/// What `recover` found and did.
#[derive(Debug)]
pub struct Recovered {
    /// Of the batch that was under way.
    pub recovery: Recovery,
    /// Of what was announced to the history.
    pub settled: Vec<Settled>,
    /// Saves that are kept in the program's own folder, from now or earlier.
    pub saves: Vec<PathBuf>,
}

/// Finishes or rolls back what was under way when somebody was interrupted, and does nothing else.
pub fn recover(repo_dir: &Path) -> Result<Recovered, Diagnostic> {
    let repo = Repo::open(repo_dir)?;
    let (recovery, settled) = publish::recover(&repo)?;
    Ok(Recovered {
        recovery,
        settled,
        saves: repo.kept_saves(),
    })
}
