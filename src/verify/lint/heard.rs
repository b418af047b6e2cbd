//! `Heard`: what one run of a validator said, understood; and the memory of what was heard of the same content before.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::process::{End, Ran};
use super::readers;
use super::verdict::{Finding, VerdictStatus};
use crate::config::{Output, Severity, Validator};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::Repo;
use crate::snapshot::Id;

/// What one run said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// How it exited.
    pub exit: Option<i32>,
    /// What it found, the fact that it exited with another code than 0 included when it says nothing more.
    pub findings: Vec<Finding>,
    /// What came between it and a verdict.
    pub trouble: Option<(VerdictStatus, String)>,
    /// How long it took.
    pub duration: Duration,
}

/// Most lines of a tool's own words that are shown.
const MOST_LINES: usize = 20;
/// Most characters of one such line.
const MOST_CHARACTERS: usize = 400;

impl Heard {
    /// Returns what a run says that finds nothing.
    pub fn nothing() -> Heard {
        Heard {
            exit: Some(0),
            findings: Vec::new(),
            trouble: None,
            duration: Duration::ZERO,
        }
    }

    /// Understands one run of `validator` in `folder`.
    pub fn of(validator: &Validator, ran: &Ran, folder: &Path) -> Result<Heard, Diagnostic> {
        let trouble = |status, detail: String| {
            Ok(Heard {
                exit: code(&ran.end),
                findings: Vec::new(),
                trouble: Some((status, detail)),
                duration: ran.duration,
            })
        };
        let exit = match &ran.end {
            End::Exited(exit @ (126 | 127)) => {
                let detail = format!(
                    "a program that it needs is missing (exit {exit}){}",
                    tail(ran, folder)
                );
                return trouble(VerdictStatus::Missing, detail);
            }
            End::Exited(exit) => *exit,
            End::Missing(why) => return trouble(VerdictStatus::Missing, why.clone()),
            End::TimedOut => {
                let detail = format!(
                    "did not end within {} s{}",
                    validator.tool.timeout.as_secs(),
                    tail(ran, folder)
                );
                return trouble(VerdictStatus::Timeout, detail);
            }
            End::Signalled(signal) => {
                let detail = format!("was ended by signal {signal}{}", tail(ran, folder));
                return trouble(VerdictStatus::Crashed, detail);
            }
            End::Interrupted => {
                return Err(Diagnostic::new(
                    Code::Io,
                    "interrupted; nothing was published",
                ));
            }
        };
        if !validator.verdicts.is_empty() && !validator.verdicts.contains(&exit) {
            return trouble(
                VerdictStatus::Crashed,
                format!("failed with exit code {exit}{}", tail(ran, folder)),
            );
        }
        if ran.stdout.cut && validator.output != Output::Exit {
            return trouble(
                VerdictStatus::Crashed,
                "wrote more than can be read".to_owned(),
            );
        }
        let mut findings = match readers::read(
            validator.output,
            &ran.stdout.bytes,
            &ran.stderr.bytes,
            folder,
        ) {
            Ok(findings) => findings,
            Err(why) => {
                let detail = format!(
                    "wrote what cannot be understood: {why}{}",
                    tail(ran, folder)
                );
                return trouble(VerdictStatus::Crashed, detail);
            }
        };
        // A tool that fails without a finding did not judge: it stumbled over its configuration, or found no file.
        // So does a command that promised to name what it finds.
        let names_findings = !validator.verdicts.is_empty() || validator.output != Output::Exit;
        if exit != 0 && findings.is_empty() && names_findings {
            let detail = format!(
                "failed with exit code {exit} and named nothing{}",
                tail(ran, folder)
            );
            return trouble(VerdictStatus::Crashed, detail);
        }
        if exit != 0
            && !findings
                .iter()
                .any(|finding| finding.severity >= validator.counts)
        {
            findings.push(bare(exit, ran, folder));
        }
        Ok(Heard {
            exit: Some(exit),
            findings,
            trouble: None,
            duration: ran.duration,
        })
    }
}

fn code(end: &End) -> Option<i32> {
    match end {
        End::Exited(exit) => Some(*exit),
        End::Signalled(_) | End::TimedOut | End::Missing(_) | End::Interrupted => None,
    }
}

/// Returns the finding that stands for an exit code alone. Its message holds all that was written, so that the base's run
/// is only the same when it wrote the same.
fn bare(exit: i32, ran: &Ran, folder: &Path) -> Finding {
    Finding {
        path: None,
        line: None,
        column: None,
        rule: None,
        message: format!("exit code {exit}{}", words(ran, folder)),
        severity: Severity::Error,
        new: false,
    }
}

/// Returns what it wrote, the end of it, as the end of a sentence.
fn tail(ran: &Ran, folder: &Path) -> String {
    words(ran, folder)
}

fn words(ran: &Ran, folder: &Path) -> String {
    let mut text = String::from_utf8_lossy(&ran.stderr.bytes).into_owned();
    text.push('\n');
    text.push_str(&String::from_utf8_lossy(&ran.stdout.bytes));
    let here = format!("{}/", folder.display());
    let text = text.replace(&here, "");
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    let last = lines
        .get(lines.len().saturating_sub(MOST_LINES)..)
        .unwrap_or_default();
    let kept: Vec<String> = last
        .iter()
        .map(|line| line.chars().take(MOST_CHARACTERS).collect())
        .collect();
    if kept.is_empty() {
        String::new()
    } else {
        format!(": {}", kept.join("\n"))
    }
}

/// What was heard of contents before, kept in the caller's cache: what stood in the git folder, whoever made that could have
/// written. Only verdicts are kept, never trouble.
pub struct Memory {
    /// `None` where there is no cache to be had.
    folder: Option<PathBuf>,
}

/// Most runs that are remembered.
const MOST_REMEMBERED: usize = 400;

/// One run, as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    exit: Option<i32>,
    findings: Vec<KeptFinding>,
}

#[derive(Serialize, Deserialize)]
struct KeptFinding {
    path: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    rule: Option<String>,
    message: String,
    severity: u8,
}

impl Memory {
    /// Opens the memory of `repo`.
    pub fn of(repo: &Repo) -> Memory {
        Memory {
            folder: repo.cache().map(|cache| cache.join("findings")),
        }
    }

    /// Returns the name of a run: of whatever decides what it says.
    pub fn key(repo: &Repo, description: &str) -> Id {
        Id::of_blob(
            repo.hash_kind(),
            format!("1 {} {description}", env!("CARGO_PKG_VERSION")).as_bytes(),
        )
    }

    /// Returns what was heard of the run called `key`. What cannot be read was never heard.
    pub fn recall(&self, key: &Id) -> Option<Heard> {
        let kept: Kept =
            serde_json::from_slice(&fs::read(self.folder.as_ref()?.join(&key.0)).ok()?).ok()?;
        let findings = kept.findings.into_iter().map(Finding::from).collect();
        Some(Heard {
            exit: kept.exit,
            findings,
            trouble: None,
            duration: Duration::ZERO,
        })
    }

    /// Remembers what was heard of the run called `key`. A memory that cannot be written only costs time later on.
    pub fn keep(&self, key: &Id, heard: &Heard) {
        let Some(folder) = self.folder.as_ref().filter(|_| heard.trouble.is_none()) else {
            return;
        };
        let kept = Kept {
            exit: heard.exit,
            findings: heard.findings.iter().map(KeptFinding::from).collect(),
        };
        let Ok(bytes) = serde_json::to_vec(&kept) else {
            return;
        };
        let _ = fs::create_dir_all(folder);
        let written = tempfile::NamedTempFile::new_in(folder)
            .and_then(|file| fs::write(file.path(), &bytes).map(|()| file));
        if let Ok(file) = written {
            let _ = file.persist(folder.join(&key.0));
        }
        forget_the_oldest(folder);
    }
}

fn forget_the_oldest(folder: &Path) {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    if files.len() <= MOST_REMEMBERED {
        return;
    }
    files.sort();
    for (_, path) in files.iter().take(files.len() - MOST_REMEMBERED / 2) {
        let _ = fs::remove_file(path);
    }
}

impl From<KeptFinding> for Finding {
    fn from(kept: KeptFinding) -> Finding {
        let severity = match kept.severity {
            0 => Severity::Note,
            1 => Severity::Warning,
            _ => Severity::Error,
        };
        let KeptFinding {
            path,
            line,
            column,
            rule,
            message,
            ..
        } = kept;
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

impl From<&Finding> for KeptFinding {
    fn from(finding: &Finding) -> KeptFinding {
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
        KeptFinding {
            path,
            line,
            column,
            rule,
            message,
            severity,
        }
    }
}
