//! Reads the files in which references are looked for, and what the repository says of names.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use super::templates::configuration;
use crate::diagnostic::Diagnostic;
use crate::git::{ReadSource, Repo};
use crate::manifest::{Files, Manifest, Operation};
use crate::path::RepoPath;
use crate::plan::WantedFiles;
use crate::references::is_python;
use crate::snapshot::{Blob, Change, File, Project, Snapshot, SnapshotEntry};
use crate::syntax::language_of;

/// Returns `snapshot` with every file that is `wanted` to look for names, as it is after `changes`.
pub(super) fn project_beside(
    repo: &Repo,
    source: &ReadSource,
    mut snapshot: Snapshot,
    changes: &[Change],
    wanted: Option<&WantedFiles>,
) -> Result<Snapshot, Diagnostic> {
    let Some(wanted) = wanted else {
        return Ok(snapshot);
    };
    let project = project_of(repo, source, wanted)?;
    let modes = repo.all_files(source, &[])?;
    for (path, mode) in modes {
        let Some(bytes) = project.files.get(&path) else {
            continue;
        };
        let file = File {
            mode,
            bytes: bytes.clone(),
        };
        snapshot
            .entries
            .entry(path)
            .or_insert(SnapshotEntry::File(file));
    }
    snapshot.project = Arc::new(project);
    Ok(snapshot.with(changes))
}

/// Returns a batch with what the repository says of names, as far as neither it nor its operations say something else.
pub(super) fn settled<'m>(
    repo: &Repo,
    source: &ReadSource,
    manifest: &'m Manifest,
) -> Result<Cow<'m, Manifest>, Diagnostic> {
    let may_be_python = |operation: &Operation| match &operation.files {
        Files::One(path) => is_python(path),
        Files::Matching(_) => true,
    };
    if !manifest.operations.iter().any(may_be_python) {
        return Ok(Cow::Borrowed(manifest));
    }
    let rules = configuration(&repo.holding(source)?)?.rules;
    Ok(manifest.settled(rules))
}

/// Returns all Python of `source`, and what of the rest is `wanted`.
pub(super) fn project_of(
    repo: &Repo,
    source: &ReadSource,
    wanted: &WantedFiles,
) -> Result<Project, Diagnostic> {
    let finders: Vec<memchr::memmem::Finder<'_>> = wanted
        .words
        .iter()
        .map(memchr::memmem::Finder::new)
        .collect();
    let project = Mutex::new(Project::default());
    repo.each_file(source, &[], |path, bytes| {
        let is_wanted = is_python(path)
            || wanted.with_scripts && says_names_of_scripts(path)
            || finders.iter().any(|finder| finder.find(bytes).is_some());
        if is_wanted && let Ok(mut project) = project.lock() {
            let bytes: Blob = bytes.into();
            project.files.insert(path.clone(), bytes);
        }
    })?;
    Ok(project.into_inner().unwrap_or_default())
}

/// Says whether a file is a script of JavaScript or TypeScript by its name, or says which packages are there.
fn says_names_of_scripts(path: &RepoPath) -> bool {
    let language = language_of(path);
    path.file_name() == "package.json"
        || language.is_some_and(|language| language.grammar.has_script_names())
}
