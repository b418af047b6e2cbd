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
//! | `watch`, `survey` | the files that decide what a command does, and how they are found |
//! | `words`, `loads` | what a command names, and what a script loads |
//! | `own` | the user's own programs in the worktree |
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
mod loads;
mod own;
pub mod process;
pub mod readers;
mod scene;
mod survey;
pub mod verdict;
pub mod watch;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use format::format;
pub use judge::judge;
pub use verdict::{Finding, Verdict, VerdictStatus};
use watch::is_below;
pub use watch::{Held, Unwatched, Watch};

use crate::config::{self, Configuration, Tool, Validator};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{Repo, Source};
use crate::path::RepoPath;
use crate::snapshot::{Change, HashKind, Id};

/// What a repository asks for, and by which name it is trusted.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What it asks for.
    pub configuration: Configuration,
    /// What stands for it where trust is remembered: the blob id of the file, and where files of the repository decide what
    /// its commands do, of a list with those as well. Another script under the same command is other people's code too.
    pub hash: Id,
    /// What decides what each of its tools does, in their order.
    watches: Vec<Watch>,
}

/// Returns the hash of a configuration with the content `bytes` whose tools are decided by what `watches` hold.
fn trusted_as(hash: HashKind, bytes: &[u8], watches: &[Watch]) -> Id {
    let mut list: BTreeSet<String> = BTreeSet::new();
    for (path, held) in watches.iter().flat_map(Watch::held) {
        list.insert(match held {
            Held::File(id) => format!("file {id} {path}"),
            Held::Link(target) => format!("link {target:?} {path}"),
        });
    }
    list.extend(
        watches
            .iter()
            .flat_map(Watch::modules)
            .map(|module| format!("module {module}")),
    );
    if list.is_empty() {
        return Id::of_blob(hash, bytes);
    }
    // No path and no configuration has a NUL.
    let list = list.into_iter().collect::<Vec<_>>().join("\0");
    Id::of_blob(hash, &[bytes, b"\0", list.as_bytes()].concat())
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
        let Some(file) = holding.file(&path).map_err(|error| vec![error])? else {
            return Ok(None);
        };
        let configuration = config::read(&file.bytes)?;
        let mut seen = survey::Seen::new();
        let watches = configuration
            .tools()
            .map(|tool| survey::survey(repo, &holding, tool, &mut seen));
        let watches: Vec<Watch> = watches
            .collect::<Result<_, Diagnostic>>()
            .map_err(|error| vec![error])?;
        let hash = trusted_as(repo.hash_kind(), &file.bytes, &watches);
        Ok(Some(Asked {
            configuration,
            hash,
            watches,
        }))
    }

    /// Returns what decides what `tool`, one of the configuration's, does.
    pub fn watch(&self, tool: &Tool) -> &Watch {
        let at = self.configuration.tools().position(|known| known == tool);
        at.and_then(|at| self.watches.get(at))
            .expect("every tool of the configuration has one")
    }

    /// Returns the names of the tools that a batch with `changes` would start, formatters first.
    pub fn would_run(&self, changes: &[Change]) -> Vec<&str> {
        let formatters = self
            .configuration
            .formatters
            .iter()
            .map(|formatter| &formatter.tool);
        let wants = |tool: &&Tool| {
            changes
                .iter()
                .any(|c| c.after.is_some() && tool.wants(c.path.as_str()))
        };
        let formatters = formatters.filter(wants).map(|tool| tool.name.as_str());
        formatters.chain(self.would_judge(changes)).collect()
    }

    /// Returns the names of the validators among them.
    pub fn would_judge(&self, changes: &[Change]) -> Vec<&str> {
        let validators = self
            .configuration
            .validators
            .iter()
            .filter(|validator| concerns(validator, changes));
        validators
            .map(|validator| validator.tool.name.as_str())
            .collect()
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

/// Returns the program that `tool`, one of those that are `asked` for, would start, or says why there is none.
pub fn program(repo: &Repo, asked: &Asked, tool: &Tool) -> Result<PathBuf, String> {
    let job = scene::job(
        repo,
        (tool, asked.watch(tool)),
        Path::new("/"),
        &tool.command,
    );
    job.map_err(|error| error.message)?.program()
}

/// Says whether the file at `path` decides what `tool` says: what configures it, and what its command runs.
fn decides((tool, watch): (&Tool, &Watch), path: &str) -> bool {
    tool.is_configured_by(path) || watch.covers(path)
}

/// Says whether `changes` are the validator's business.
fn concerns(validator: &Validator, changes: &[Change]) -> bool {
    changes
        .iter()
        .any(|change| validator.tool.wants(change.path.as_str()))
}

/// Says which tools are shown the base's copy of what the batch changes: one warning for each such file.
pub fn notices(changes: &[Change], asked: &Asked) -> Vec<Diagnostic> {
    let tools: Vec<&Tool> = asked
        .configuration
        .tools()
        .filter(|tool| changes.iter().any(|c| tool.wants(c.path.as_str())))
        .collect();
    let mut notices = Vec::new();
    for change in changes {
        let path = change.path.as_str();
        if path == config::PATH {
            let message = match change.after {
                Some(_) => format!(
                    "the batch changes {path}: judged by what the base asks for, and the new one has to be trusted"
                ),
                None => {
                    format!(
                        "the batch removes {path}: judged by what the base asks for, and nothing judges later ones"
                    )
                }
            };
            notices.push(Diagnostic::new(Code::ConfigUntrusted, message));
            continue;
        }
        let names: BTreeSet<&str> = tools
            .iter()
            .filter(|tool| decides((tool, asked.watch(tool)), path))
            .map(|tool| tool.name.as_str())
            .collect();
        if !names.is_empty() {
            let names = names.into_iter().collect::<Vec<_>>().join(", ");
            let message = format!(
                "the batch changes {path}, which configures {names}: judged with the copy of the base"
            );
            notices.push(Diagnostic::new(Code::ConfigUntrusted, message));
        }
    }
    notices
}

/// Refuses to write where programs are taken from that run without being asked about again.
pub fn planted(
    repo: &Repo,
    changes: &[Change],
    asked: &Asked,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let mut places: Vec<(&Tool, BTreeSet<String>)> = Vec::new();
    for tool in asked.configuration.tools() {
        places.push((tool, own::places(repo, tool, asked.watch(tool))?));
    }
    let refuse = |change: &Change| {
        let path = change.path.as_str();
        let (user, _) = places.iter().find(|(_, folders)| {
            folders
                .iter()
                .any(|folder| path == folder || is_below(path, folder))
        })?;
        let message = format!(
            "{path} stands where {} takes its programs from, which would run without being trusted",
            user.name
        );
        Some(
            Diagnostic::new(Code::ConfigUntrusted, message)
                .note("change it without this program, and look at it first"),
        )
    };
    Ok(changes
        .iter()
        .filter(|change| change.after.is_some())
        .filter_map(refuse)
        .collect())
}

/// Refuses new modules that a tool which would run is going to find before those that it means; `behind` are the changes of
/// earlier batches of the call.
pub fn shadowing(changes: &[Change], behind: &[Change], asked: &Asked) -> Vec<Diagnostic> {
    let tools: Vec<&Tool> = asked
        .configuration
        .tools()
        .filter(|tool| changes.iter().any(|c| tool.wants(c.path.as_str())))
        .collect();
    let refuse = |change: &Change| {
        let path = change.path.as_str();
        let found = |tool: &&Tool| Some((tool.name.clone(), asked.watch(tool).shadowed(path)?));
        let (user, module) = tools.iter().find_map(found)?;
        let message = format!(
            "{path} is new where {user} looks for modules first: it would run for every `{module}` that is imported"
        );
        Some(
            Diagnostic::new(Code::ConfigUntrusted, message)
                .note(format!(
                    "a script of {user} in a folder of its own, or `python3 -I`, finds no module elsewhere unless it says so"
                ))
                .note("one that is meant to load them says so: `env: {PYTHONPATH: .}`"),
        )
    };
    let new = behind
        .iter()
        .chain(changes)
        .filter(|change| change.before.is_none() && change.after.is_some());
    new.filter_map(refuse).collect()
}
