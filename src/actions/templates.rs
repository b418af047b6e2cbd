//! Reads the templates that scaffolded files were made from, and nothing else of their folders.

use std::sync::Arc;

use crate::config::{self, Configuration};
use crate::diagnostic::Diagnostic;
use crate::git::{Holding, ReadSource, Repo};
use crate::path::RepoPath;
use crate::resolve::scaffold::{self, Header, Stop};
use crate::snapshot::{Change, Snapshot, Templates};

/// Most files of the template folders that are looked at.
const MOST_FILES: usize = 10_000;

/// Returns `snapshot` with the templates that those of `paths` were made from that are scaffolded files, as they stand after
/// `changes`. The configuration is the one that `source` has: what cannot be read in it names no folders.
pub(super) fn templates_beside(
    repo: &Repo,
    source: &ReadSource,
    snapshot: Snapshot,
    changes: &[Change],
    paths: &[RepoPath],
) -> Result<Snapshot, Diagnostic> {
    let header = |path: &RepoPath| {
        Some((
            path.clone(),
            scaffold::header(&snapshot.file(path)?.bytes)?.ok()?,
        ))
    };
    let scaffolded: Vec<(RepoPath, Header)> = paths.iter().filter_map(header).collect();
    if scaffolded.is_empty() {
        return Ok(snapshot);
    }
    let holding = repo.holding(source)?;
    let templates = Arc::new(template_folders(&holding)?);
    let mut snapshot = Snapshot {
        templates,
        ..snapshot
    }
    .with(changes);
    for (path, header) in scaffolded {
        add_templates(
            Arc::make_mut(&mut snapshot.templates),
            &holding,
            &path,
            &header,
        )?;
    }
    Ok(snapshot)
}

/// Returns the templates that `files` were made from.
pub(super) fn templates_of(
    repo: &Repo,
    source: &ReadSource,
    files: &[(RepoPath, Header)],
) -> Result<Templates, Diagnostic> {
    let holding = repo.holding(source)?;
    let mut templates = template_folders(&holding)?;
    for (path, header) in files {
        add_templates(&mut templates, &holding, path, header)?;
    }
    Ok(templates)
}

/// Returns what is in the folders of templates, none of it read.
fn template_folders(holding: &Holding<'_>) -> Result<Templates, Diagnostic> {
    let configuration = configuration(holding)?;
    let mut templates = Templates {
        folders: configuration.templates,
        ..Templates::default()
    };
    for folder in &templates.folders {
        let listed = list_templates(holding, folder)?;
        templates.paths.extend(listed);
    }
    Ok(templates)
}

/// Returns what the repository asks for; nothing where that cannot be read, which others complain of.
pub(super) fn configuration(holding: &Holding<'_>) -> Result<Configuration, Diagnostic> {
    let file = RepoPath::parse(config::PATH)
        .ok()
        .map(|path| holding.file(&path))
        .transpose()?
        .flatten();
    Ok(file
        .and_then(|file| config::read(&file.bytes).ok())
        .unwrap_or_default())
}

/// Reads the template that `header` names for the file at `path`, and those that it extends.
fn add_templates(
    templates: &mut Templates,
    holding: &Holding<'_>,
    path: &RepoPath,
    header: &Header,
) -> Result<(), Diagnostic> {
    while let Err(Stop::Unread(template)) = scaffold::chain(templates, header, path) {
        match holding.file(&template)?.map(|file| file.bytes) {
            Some(bytes) => drop(templates.files.insert(template, bytes)),
            None => drop(templates.paths.remove(&template)),
        }
    }
    Ok(())
}

/// Returns the paths below `folder`.
fn list_templates(holding: &Holding<'_>, folder: &str) -> Result<Vec<RepoPath>, Diagnostic> {
    let mut found = Vec::new();
    let mut folders = vec![folder.trim_end_matches('/').to_owned()];
    while let Some(folder) = folders.pop() {
        for name in holding.names(&folder)? {
            let Ok(path) = RepoPath::parse(&format!("{folder}/{name}")) else {
                continue;
            };
            if holding.is_folder(&path)? {
                folders.push(path.to_string());
            } else {
                found.push(path);
            }
            if found.len() + folders.len() >= MOST_FILES {
                return Ok(found);
            }
        }
    }
    Ok(found)
}
