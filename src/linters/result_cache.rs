//! `ResultCache`: what validators found in the same content before.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::validator_run::ValidatorRun;
use super::verdict::Finding;
use crate::config::Severity;
use crate::git::Repo;
use crate::snapshot::Id;

/// Runs of the same content before, in the caller's own cache folder: a file in the git folder could have been written by
/// whoever made the repository. Only runs that came to an end are stored, never trouble.
pub(super) struct ResultCache {
    /// `None` where there is no cache to be had.
    folder: Option<PathBuf>,
}

/// Most runs that are stored.
const MOST_ENTRIES: usize = 400;

/// One run, as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredRun {
    exit: Option<i32>,
    findings: Vec<StoredFinding>,
    only_exit_code: bool,
}

#[derive(Serialize, Deserialize)]
struct StoredFinding {
    path: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    rule: Option<String>,
    message: String,
    severity: u8,
}

impl ResultCache {
    /// Opens the cache of `repo`.
    pub(super) fn of(repo: &Repo) -> ResultCache {
        ResultCache {
            folder: repo.cache().map(|cache| cache.join("findings")),
        }
    }

    /// Returns the key of a run: the hash of everything that decides its result.
    pub(super) fn key(repo: &Repo, description: &str) -> Id {
        Id::of_blob(
            repo.hash_kind(),
            format!("2 {} {description}", env!("CARGO_PKG_VERSION")).as_bytes(),
        )
    }

    /// Returns the run stored under `key`; one that cannot be read counts as missing.
    pub(super) fn get(&self, key: &Id) -> Option<ValidatorRun> {
        let stored: StoredRun =
            serde_json::from_slice(&fs::read(self.folder.as_ref()?.join(&key.0)).ok()?).ok()?;
        let findings = stored.findings.into_iter().map(Finding::from).collect();
        Some(ValidatorRun {
            exit: stored.exit,
            findings,
            only_exit_code: stored.only_exit_code,
            trouble: None,
            base_trouble: None,
            duration: Duration::ZERO,
        })
    }

    /// Stores `run` under `key`. A cache that cannot be written only costs time later.
    pub(super) fn put(&self, key: &Id, run: &ValidatorRun) {
        let Some(folder) = self.folder.as_ref().filter(|_| run.trouble.is_none()) else {
            return;
        };
        let stored = StoredRun {
            exit: run.exit,
            findings: run.findings.iter().map(StoredFinding::from).collect(),
            only_exit_code: run.only_exit_code,
        };
        let Ok(bytes) = serde_json::to_vec(&stored) else {
            return;
        };
        let _ = fs::create_dir_all(folder);
        let written = tempfile::NamedTempFile::new_in(folder)
            .and_then(|file| fs::write(file.path(), &bytes).map(|()| file));
        if let Ok(file) = written {
            let _ = file.persist(folder.join(&key.0));
        }
        remove_oldest(folder);
    }
}

fn remove_oldest(folder: &Path) {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    if files.len() <= MOST_ENTRIES {
        return;
    }
    files.sort();
    for (_, path) in files.iter().take(files.len() - MOST_ENTRIES / 2) {
        let _ = fs::remove_file(path);
    }
}

impl From<StoredFinding> for Finding {
    fn from(stored: StoredFinding) -> Finding {
        let severity = match stored.severity {
            0 => Severity::Note,
            1 => Severity::Warning,
            _ => Severity::Error,
        };
        let StoredFinding {
            path,
            line,
            column,
            rule,
            message,
            ..
        } = stored;
        Finding {
            path,
            line,
            column,
            rule,
            message,
            severity,
            new: false,
        }
    }
}

impl From<&Finding> for StoredFinding {
    fn from(finding: &Finding) -> StoredFinding {
        let severity = match finding.severity {
            Severity::Note => 0,
            Severity::Warning => 1,
            Severity::Error => 2,
        };
        let Finding {
            path,
            line,
            column,
            rule,
            message,
            ..
        } = finding.clone();
        StoredFinding {
            path,
            line,
            column,
            rule,
            message,
            severity,
        }
    }
}
