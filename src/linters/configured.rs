//! `ConfiguredLinters`: the validators and formatters that a repository's configuration asks for, with the hash by which
//! they are trusted.

use std::collections::BTreeSet;

use super::survey;
use super::watch::{Watch, WatchedFile};
use crate::config::{self, Configuration, Tool, Validator};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{ReadSource, Repo};
use crate::path::RepoPath;
use crate::snapshot::{Change, HashKind, Id};

/// What a repository asks for, and by which name it is trusted.
#[derive(Clone, Debug)]
pub struct ConfiguredLinters {
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
            WatchedFile::File(id) => format!("file {id} {path}"),
            WatchedFile::Link(target) => format!("link {target:?} {path}"),
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

impl ConfiguredLinters {
    /// Reads what the configuration in `source` asks for; `None` where there is none.
    pub fn of(
        repo: &Repo,
        source: &ReadSource,
    ) -> Result<Option<ConfiguredLinters>, Vec<Diagnostic>> {
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
        Ok(Some(ConfiguredLinters {
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
        formatters.chain(self.would_validate(changes)).collect()
    }

    /// Returns the names of the validators among them.
    pub fn would_validate(&self, changes: &[Change]) -> Vec<&str> {
        let validators = self
            .configuration
            .validators
            .iter()
            .filter(|validator| validator_concerns(validator, changes));
        validators
            .map(|validator| validator.tool.name.as_str())
            .collect()
    }
}

/// Says whether one of `changes` is of a file that the validator checks.
pub(super) fn validator_concerns(validator: &Validator, changes: &[Change]) -> bool {
    changes
        .iter()
        .any(|change| validator.tool.wants(change.path.as_str()))
}
