//! What a batch does to the configuration itself: changes of it that do not count yet, and files that would decide what a
//! tool does without anyone being linters.

use std::collections::BTreeSet;

use super::configured::ConfiguredLinters;
use super::context::decides_result;
use super::own_programs;
use super::watch::is_below;
use crate::config::{self, Tool};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{ReadSource, Repo};
use crate::path::RepoPath;
use crate::snapshot::Change;

/// Says which tools are shown the base's copy of what the batch changes: one warning for each such file.
pub(super) fn base_copy_warnings(
    changes: &[Change],
    linters: &ConfiguredLinters,
) -> Vec<Diagnostic> {
    let tools: Vec<&Tool> = linters
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
            .filter(|tool| decides_result((tool, linters.watch(tool)), path))
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
pub(super) fn writes_into_tool_folders(
    repo: &Repo,
    changes: &[Change],
    linters: &ConfiguredLinters,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let mut places: Vec<(&Tool, BTreeSet<String>)> = Vec::new();
    for tool in linters.configuration.tools() {
        places.push((
            tool,
            own_programs::program_places(repo, tool, linters.watch(tool))?,
        ));
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

/// Refuses new modules that a tool which would run is going to find before those that it means; `earlier` are the changes of
/// earlier batches of the call.
pub(super) fn shadowing_modules(
    changes: &[Change],
    earlier: &[Change],
    linters: &ConfiguredLinters,
) -> Vec<Diagnostic> {
    let tools: Vec<&Tool> = linters
        .configuration
        .tools()
        .filter(|tool| changes.iter().any(|c| tool.wants(c.path.as_str())))
        .collect();
    let refuse = |change: &Change| {
        let path = change.path.as_str();
        let found = |tool: &&Tool| Some((tool.name.clone(), linters.watch(tool).shadowed(path)?));
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
    let new = earlier
        .iter()
        .chain(changes)
        .filter(|change| change.before.is_none() && change.after.is_some());
    new.filter_map(refuse).collect()
}

/// Says that a configuration in the worktree does not count, where the base has none.
pub fn uncommitted_config(repo: &Repo, source: &ReadSource) -> Option<Diagnostic> {
    let there = repo
        .workdir()
        .is_some_and(|top| top.join(config::PATH).is_file());
    let counts = matches!(source, ReadSource::Worktree | ReadSource::Index);
    // One that cannot be read is told of by itself.
    let committed = || {
        let path = RepoPath::parse(config::PATH).ok()?;
        repo.holding(source)
            .and_then(|holding| holding.is_file(&path))
            .ok()
            .filter(|is_file| *is_file)
    };
    (there && !counts && committed().is_none()).then(|| {
        let message = format!(
            "{} is not committed, so nothing was judged by it",
            config::PATH
        );
        Diagnostic::new(Code::ConfigUntrusted, message)
            .note("what the batch is resolved against says what judges it")
    })
}

/// Says whether `changes` give the repository a configuration that can be read: then the one it has need not be.
pub fn fixes_config(changes: &[Change]) -> bool {
    let new = changes
        .iter()
        .find(|change| change.path.as_str() == config::PATH);
    new.is_some_and(|change| {
        change
            .after
            .as_ref()
            .is_none_or(|file| config::read(&file.bytes).is_ok())
    })
}
