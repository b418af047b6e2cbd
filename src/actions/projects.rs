//! Reads the files in which references are looked for, and what the repository says of names.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use super::templates::configuration;
use crate::diagnostic::Diagnostic;
use crate::git::{ReadSource, Repo};
use crate::manifest::{Files, Manifest, Operation};
use crate::references::is_python;
use crate::snapshot::{Blob, Change, File, Project, Snapshot, SnapshotEntry};

/// Returns `snapshot` with every file that has to be known to rename something called one of `words`, as it is after `changes`:
/// all code, and what holds the word.
pub(super) fn project_beside(
    repo: &Repo,
    source: &ReadSource,
    mut snapshot: Snapshot,
    changes: &[Change],
    words: Option<&[String]>,
) -> Result<Snapshot, Diagnostic> {
    let Some(words) = words else {
        return Ok(snapshot);
    };
    let project = project_of(repo, source, words)?;
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

/// Returns all code of `source`, and what of the rest holds one of `words`.
pub(super) fn project_of(
    repo: &Repo,
    source: &ReadSource,
    words: &[String],
) -> Result<Project, Diagnostic> {
    let finders: Vec<memchr::memmem::Finder<'_>> =
        words.iter().map(memchr::memmem::Finder::new).collect();
    let project = Mutex::new(Project::default());
    repo.each_file(source, &[], |path, bytes| {
        let is_wanted =
            is_python(path) || finders.iter().any(|finder| finder.find(bytes).is_some());
        if is_wanted && let Ok(mut project) = project.lock() {
            let bytes: Blob = bytes.into();
            project.files.insert(path.clone(), bytes);
        }
    })?;
    Ok(project.into_inner().unwrap_or_default())
}
