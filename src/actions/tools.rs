//! What a repository's configuration would start: `trust`, which lets it, and `validators`, which says on what.

use std::path::Path;

use super::projects;
use crate::config::{self, Gate, Severity, Tool, ValidatorScope};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{FilterTrust, ReadSource, Repo, RepositoryFilter};
use crate::linters::trust::{self, TrustSetting};
use crate::linters::{self, ConfiguredLinters, Unwatched};
use crate::manifest::Manifest;
use crate::path::RepoPath;
use crate::plan;
use crate::publish::{self, Hooks};
use crate::snapshot::{Change, Id};

/// A configuration, and whether it may run.
#[derive(Clone, Debug)]
pub struct ToolInventory {
    /// What stands for the configuration where trust is remembered, if there is one.
    pub hash: Option<Id>,
    /// What the caller says about all configurations.
    pub setting: TrustSetting,
    /// Whether this clone remembers the configuration as trusted; without one, each of the filters.
    pub remembered: bool,
    /// Its tools: validators, formatters, servers, each in the configuration's order.
    pub tools: Vec<Asset>,
    /// Filters that this clone's own git configuration names, which are trusted with it.
    pub filters: Vec<RepositoryFilter>,
}

/// One tool of a configuration.
#[derive(Clone, Debug)]
pub struct Asset {
    /// The tool.
    pub tool: Tool,
    /// What it is there for.
    pub role: LinterRole,
    /// The program that would be started, or why there is none.
    pub program: Result<String, String>,
    /// The paths it would be given, sorted.
    pub paths: Vec<RepoPath>,
    /// The files and links that are trusted with it, because they decide what it does; sorted.
    pub watches: Vec<RepoPath>,
    /// What may decide as well and is not watched, each the end of a sentence.
    pub unwatched: Vec<String>,
}

/// What a tool is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinterRole {
    /// It judges.
    Validator {
        /// What it is shown.
        scope: ValidatorScope,
        /// Which findings refuse.
        gate: Gate,
        /// What a failure does.
        severity: Severity,
    },
    /// It formats.
    Formatter,
    /// It is asked about names.
    Server,
}

impl ToolInventory {
    /// Says whether its tools may run.
    pub fn is_trusted(&self) -> bool {
        match self.setting {
            TrustSetting::Always => true,
            TrustSetting::Never => false,
            TrustSetting::Ask => self.remembered,
        }
    }
}

impl Asset {
    /// Says why it would not run, if it would not.
    pub fn hindrance(&self, trusted: bool) -> Option<String> {
        if self.paths.is_empty() {
            return Some("no file is its business".to_owned());
        }
        if let Err(why) = &self.program {
            return Some(why.clone());
        }
        (!trusted).then(|| "not trusted in this clone; `git segedit trust` changes that".to_owned())
    }
}

/// What to do about trust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustAct {
    /// Remember the configuration as trusted.
    Grant,
    /// Forget that it was.
    Revoke,
    /// Only look.
    Look,
}

/// Opens the repository for whoever decides about trust: nothing that it brings along starts for that.
fn open(repo_dir: &Path) -> Result<Repo, Vec<Diagnostic>> {
    Repo::open(repo_dir)
        .map(Repo::starting_only_the_callers)
        .map_err(|error| vec![error])
}

/// Looks at the configuration of `revision` (`None`: the worktree's, in a bare repository HEAD's) and at the filters that the
/// clone's own git configuration names, and does `act` with both. One of them is enough.
pub fn trust(
    repo_dir: &Path,
    revision: Option<&str>,
    act: TrustAct,
) -> Result<ToolInventory, Vec<Diagnostic>> {
    let repo = open(repo_dir)?;
    let source = repo
        .source_of(revision.map(|revision| revision.trim_end_matches(':')))
        .map_err(|error| vec![error])?;
    let has_filters = !repo
        .repository_filters()
        .map_err(|error| vec![error])?
        .is_empty();
    let asked = match ConfiguredLinters::of(&repo, &source)? {
        None if !has_filters => return Err(missing(&source)),
        asked => asked,
    };
    act_on(&repo, asked.as_ref(), act).map_err(|error| vec![error])?;
    // Opened again, because the configuration is read once.
    let repo = open(repo_dir)?;
    inventory(&repo, asked.as_ref(), |_| Ok(Vec::new())).map_err(|error| vec![error])
}

fn act_on(repo: &Repo, asked: Option<&ConfiguredLinters>, act: TrustAct) -> Result<(), Diagnostic> {
    match act {
        TrustAct::Grant => {
            if let Some(asked) = asked {
                trust::remember(repo, &asked.hash)?;
            }
            repo.trust_own_filters()
        }
        TrustAct::Revoke => {
            if let Some(asked) = asked {
                trust::forget(repo, &asked.hash)?;
            }
            repo.distrust_own_filters()
        }
        TrustAct::Look => Ok(()),
    }
}

/// Says what would run on what `manifests` change; without any, on every tracked file.
pub fn validators(
    repo_dir: &Path,
    manifests: &[Manifest],
) -> Result<ToolInventory, Vec<Diagnostic>> {
    let repo = open(repo_dir)?;
    let Some(first) = manifests.first() else {
        let source = repo.source_of(None).map_err(|error| vec![error])?;
        let asked = demanded(&repo, &source)?;
        let files = |tool: &Tool| repo.holding(&source)?.files(|path| tool.wants(path));
        return inventory(&repo, Some(&asked), files).map_err(|error| vec![error]);
    };
    let target = publish::aim(
        &repo,
        first.destination,
        first.branch.as_deref(),
        first.base.as_deref(),
        Hooks::Skip,
    );
    let source = target.map_err(|error| vec![error])?.source;
    let asked = demanded(&repo, &source)?;
    let changes = changes(&repo, &source, manifests)?;
    let files = |tool: &Tool| {
        let left = changes
            .iter()
            .filter(|change| change.after.is_some() && tool.wants(change.path.as_str()));
        Ok(left.map(|change| change.path.clone()).collect())
    };
    inventory(&repo, Some(&asked), files).map_err(|error| vec![error])
}

/// Returns what the manifests change together.
fn changes(
    repo: &Repo,
    source: &ReadSource,
    manifests: &[Manifest],
) -> Result<Vec<Change>, Vec<Diagnostic>> {
    let mut changes: Vec<Change> = Vec::new();
    for manifest in manifests {
        let (paths, pathspecs) = plan::wanted_paths(manifest);
        let snapshot = repo
            .snapshot(source, &paths, &pathspecs)
            .map_err(|error| vec![error])?
            .with(&changes);
        let wanted = plan::wanted_files(manifest);
        let snapshot = projects::project_beside(repo, source, snapshot, &changes, wanted.as_ref())
            .map_err(|error| vec![error])?;
        changes.extend(
            plan::build(manifest, &snapshot, &plan::NoServers)
                .map_err(|refused| refused.errors)?
                .candidate
                .changes()
                .iter()
                .cloned(),
        );
    }
    Ok(crate::snapshot::merged(changes.iter()))
}

fn demanded(repo: &Repo, source: &ReadSource) -> Result<ConfiguredLinters, Vec<Diagnostic>> {
    ConfiguredLinters::of(repo, source)?.ok_or_else(|| missing(source))
}

/// Says that there is no configuration in `source`.
fn missing(source: &ReadSource) -> Vec<Diagnostic> {
    let place = match source {
        ReadSource::Commit { commit, .. } => {
            format!("commit {}", commit.0.get(..12).unwrap_or(&commit.0))
        }
        ReadSource::Unborn { .. } => "a branch without a commit".to_owned(),
        ReadSource::Index => "the index".to_owned(),
        ReadSource::Worktree => "the worktree".to_owned(),
    };
    let message = format!("there is no {} in {}", config::PATH, shown(&place));
    vec![Diagnostic::new(Code::FileNotFound, message).note("nothing would be run")]
}

fn inventory(
    repo: &Repo,
    asked: Option<&ConfiguredLinters>,
    paths: impl Fn(&Tool) -> Result<Vec<RepoPath>, Diagnostic>,
) -> Result<ToolInventory, Diagnostic> {
    let filters = repo.repository_filters()?.to_vec();
    let are_trusted = filters
        .iter()
        .all(|filter| filter.trust() == FilterTrust::Trusted);
    Ok(ToolInventory {
        hash: asked.map(|asked| asked.hash.clone()),
        setting: trust::setting(repo)?,
        remembered: asked.map_or(are_trusted, |asked| trust::is_remembered(repo, &asked.hash)),
        tools: asked.map_or(Ok(Vec::new()), |asked| assets(repo, asked, paths))?,
        filters,
    })
}

/// Returns the tools of a configuration: validators, formatters, servers.
fn assets(
    repo: &Repo,
    asked: &ConfiguredLinters,
    paths: impl Fn(&Tool) -> Result<Vec<RepoPath>, Diagnostic>,
) -> Result<Vec<Asset>, Diagnostic> {
    let asset = |tool: &Tool, role| {
        let word = tool.command.first().map_or("", String::as_str);
        let program = if word.contains('/') {
            // A file of the repository, or so it seems until it is laid out.
            Ok(word.to_owned())
        } else {
            linters::program_of(repo, asked, tool).map(|path| path.to_string_lossy().into_owned())
        };
        let watch = asked.watch(tool);
        Ok(Asset {
            tool: tool.clone(),
            role,
            program,
            paths: paths(tool)?,
            watches: watch.held().keys().cloned().collect(),
            unwatched: watch.unwatched().iter().map(Unwatched::words).collect(),
        })
    };
    let validators = asked.configuration.validators.iter().map(|validator| {
        let (scope, gate, severity) = (validator.scope, validator.gate, validator.severity);
        asset(
            &validator.tool,
            LinterRole::Validator {
                scope,
                gate,
                severity,
            },
        )
    });
    let formatters = asked
        .configuration
        .formatters
        .iter()
        .map(|formatter| asset(&formatter.tool, LinterRole::Formatter));
    let servers = asked.configuration.servers.iter();
    let servers = servers.map(|server| asset(&server.tool, LinterRole::Server));
    validators.chain(formatters).chain(servers).collect()
}
