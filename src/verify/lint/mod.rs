//! Validators and formatters: other people's programs, run on a copy of the candidate. Home of processes.
//!
//! What may run is said by the configuration of the *base*, so that a batch cannot loosen the rules that it is judged by:
//! neither in `.segedit.yaml` nor in the files that configure a tool, of which the tools are shown the base's copy.
//!
//! | file | holds |
//! |---|---|
//! | `judge` | the candidate before its validators |
//! | `format` | formatters, given the changed ranges and held to them |
//! | `scene` | the folder that tools are shown |
//! | `ground` | the base, asked one path at a time |
//! | `heard` | what one run said, and the memory of earlier ones |
//! | `gate` | which findings are new |
//! | `fit` | which ranges changed, and whether a formatter kept to them |
//! | `process`, `interrupt` | running programs, and ending them |
//! | `readers` | the formats in which tools say what they found |
//! | `verdict` | what is reported |

mod fit;
mod format;
mod gate;
mod ground;
mod heard;
pub mod interrupt;
mod judge;
pub mod process;
pub mod readers;
mod scene;
pub mod verdict;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use format::format;
pub use judge::judge;
pub use verdict::{Finding, Verdict, VerdictStatus};

use crate::config::{self, Configuration, Tool, Validator};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{Repo, Source};
use crate::path::RepoPath;
use crate::snapshot::{Change, Id};

/// What a repository asks for, and by which name it is trusted.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What it asks for.
    pub configuration: Configuration,
    /// The blob id of the file that says so.
    pub hash: Id,
}

impl Asked {
    /// Reads what the configuration in `source` asks for; `None` where there is none.
    pub fn of(repo: &Repo, source: &Source) -> Result<Option<Asked>, Vec<Diagnostic>> {
        let path = RepoPath::parse(config::PATH).expect("the configuration's own path is one");
        let file = repo.holding(source).and_then(|holding| holding.file(&path)).map_err(|error| vec![error])?;
        let Some(file) = file else { return Ok(None) };
        let hash = Id::of_blob(repo.hash_kind(), &file.bytes);
        Ok(Some(Asked { configuration: config::read(&file.bytes)?, hash }))
    }

    /// Returns the names of the tools that a batch with `changes` would start, formatters first.
    pub fn would_run(&self, changes: &[Change]) -> Vec<&str> {
        let formatters = self.configuration.formatters.iter().map(|formatter| &formatter.tool);
        let wants = |tool: &&Tool| changes.iter().any(|c| c.after.is_some() && tool.wants(c.path.as_str()));
        let formatters = formatters.filter(wants).map(|tool| tool.name.as_str());
        formatters.chain(self.would_judge(changes)).collect()
    }

    /// Returns the names of the validators among them.
    pub fn would_judge(&self, changes: &[Change]) -> Vec<&str> {
        let validators = self.configuration.validators.iter().filter(|validator| concerns(validator, changes));
        validators.map(|validator| validator.tool.name.as_str()).collect()
    }
}

/// What judges a batch beside this program, and what it compares with.
pub struct Judges<'r> {
    /// The repository.
    pub repo: &'r Repo,
    /// What the first batch of the call was resolved against.
    pub source: &'r Source,
    /// What earlier batches of the call made of that.
    pub behind: &'r [Change],
    /// What the base asks for.
    pub asked: &'r Asked,
    /// Told in a few words what is going on.
    pub progress: &'r (dyn Fn(&str) + Send + Sync),
}

/// What came of asking them.
#[derive(Clone, Debug, Default)]
pub struct Opinion {
    /// One for each tool, in the configuration's order.
    pub verdicts: Vec<Verdict>,
    /// What refuses the batch.
    pub errors: Vec<Diagnostic>,
    /// Worth knowing.
    pub warnings: Vec<Diagnostic>,
}

/// Returns the program that `tool` would start, or says why there is none.
pub fn program(repo: &Repo, tool: &Tool) -> Result<PathBuf, String> {
    scene::job(repo, tool, Path::new("/"), &tool.command).program()
}

/// Says whether `changes` are the validator's business.
fn concerns(validator: &Validator, changes: &[Change]) -> bool {
    changes.iter().any(|change| validator.tool.wants(change.path.as_str()))
}

/// Parts `changes` from those of files that configure one of `tools`; returns the others, and a warning for each of these.
fn protect(changes: &[Change], tools: &[&Tool]) -> (Vec<Change>, Vec<Diagnostic>) {
    let (mut kept, mut warnings) = (Vec::new(), Vec::new());
    for change in changes {
        let path = change.path.as_str();
        let configures = |tool: &&&Tool| {
            path == config::PATH || tool.is_configured_by(path) || ground::named_files(tool).contains(&change.path)
        };
        let configured: BTreeSet<&str> = tools.iter().filter(configures).map(|tool| tool.name.as_str()).collect();
        if configured.is_empty() {
            kept.push(change.clone());
            continue;
        }
        let names = configured.into_iter().collect::<Vec<_>>().join(", ");
        let message = format!("the batch changes {path}, which configures {names}: judged with the copy of the base");
        warnings.push(Diagnostic::new(Code::ConfigUntrusted, message));
    }
    (kept, warnings)
}
