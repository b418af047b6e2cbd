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
use crate::git::{Holding, Repo, Source};
use crate::path::RepoPath;
use crate::snapshot::{Change, Id};

/// What a repository asks for, and by which name it is trusted.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What it asks for.
    pub configuration: Configuration,
    /// What stands for it where trust is remembered: the blob id of the file, and where its commands name files of the
    /// repository, of a list with theirs as well. Another script under the same command is other people's code too.
    pub hash: Id,
}

fn trusted_as(
    repo: &Repo,
    holding: &Holding<'_>,
    configuration: &Configuration,
    bytes: &[u8],
) -> Result<Id, Diagnostic> {
    let mut list = String::new();
    for path in configuration.tools().flat_map(ground::named_files) {
        if let Some(file) = holding.file(&path)? {
            list.push_str(&format!("{} {path}\n", file.bytes.id(repo.hash_kind())));
        }
    }
    let whole = if list.is_empty() { bytes.to_vec() } else { [bytes, b"\0", list.as_bytes()].concat() };
    Ok(Id::of_blob(repo.hash_kind(), &whole))
}

impl Asked {
    /// Reads what the configuration in `source` asks for; `None` where there is none.
    pub fn of(repo: &Repo, source: &Source) -> Result<Option<Asked>, Vec<Diagnostic>> {
        let path = RepoPath::parse(config::PATH).expect("the configuration's own path is one");
        let holding = repo.holding(source).map_err(|error| vec![error])?;
        if holding.is_link(&path).map_err(|error| vec![error])? {
            let message = format!("{} is a symbolic link; it has to be a file", config::PATH);
            return Err(vec![Diagnostic::new(Code::ConfigInvalid, message)]);
        }
        let Some(file) = holding.file(&path).map_err(|error| vec![error])? else { return Ok(None) };
        let configuration = config::read(&file.bytes)?;
        let hash = trusted_as(repo, &holding, &configuration, &file.bytes).map_err(|error| vec![error])?;
        Ok(Some(Asked { configuration, hash }))
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

/// Says which tools are shown the base's copy of what the batch changes: one warning for each such file.
pub fn notices(changes: &[Change], asked: &Asked) -> Vec<Diagnostic> {
    let tools: Vec<&Tool> =
        asked.configuration.tools().filter(|tool| changes.iter().any(|c| tool.wants(c.path.as_str()))).collect();
    let mut notices = Vec::new();
    for change in changes {
        let path = change.path.as_str();
        if path == config::PATH {
            let message = format!(
                "the batch changes {path}: judged by what the base asks for, and the new one has to be trusted"
            );
            notices.push(Diagnostic::new(Code::ConfigUntrusted, message));
            continue;
        }
        let names: BTreeSet<&str> =
            tools.iter().filter(|tool| ground::decides(tool, path)).map(|tool| tool.name.as_str()).collect();
        if !names.is_empty() {
            let names = names.into_iter().collect::<Vec<_>>().join(", ");
            let message =
                format!("the batch changes {path}, which configures {names}: judged with the copy of the base");
            notices.push(Diagnostic::new(Code::ConfigUntrusted, message));
        }
    }
    notices
}

/// Refuses to write where programs are taken from that run without being asked about again.
pub fn planted(changes: &[Change], asked: &Asked) -> Vec<Diagnostic> {
    let below =
        |path: &str, folder: &String| path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
    let refuse = |change: &Change| {
        let path = change.path.as_str();
        let user = asked
            .configuration
            .tools()
            .find(|tool| tool.programs.iter().chain(&tool.borrows).any(|folder| below(path, folder)))?;
        let message =
            format!("{path} stands where {} takes its programs from, which would run without being trusted", user.name);
        Some(
            Diagnostic::new(Code::ConfigUntrusted, message)
                .note("change it without this program, and look at it first"),
        )
    };
    changes.iter().filter(|change| change.after.is_some()).filter_map(refuse).collect()
}
