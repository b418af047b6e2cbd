//! The base as validators need it: what the batch was resolved on, asked one path at a time.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::baseline;
use super::configured::ConfiguredLinters;
use super::watch::WatchedFile;
use crate::config::{self, Tool};
use crate::diagnostic::Diagnostic;
use crate::git::{Holding, ReadSource, Repo};
use crate::path::RepoPath;
use crate::snapshot::{Blob, Change, File, Id};
use crate::text::Lines;

/// What a source holds, and what earlier batches of the same call made of it.
pub(super) struct LayeredFiles<'r> {
    holding: Holding<'r>,
    over: BTreeMap<RepoPath, Option<File>>,
    /// The tree whose attributes hold.
    attributes: Option<Id>,
    linters: &'r ConfiguredLinters,
    read: RefCell<BTreeMap<String, Option<FileText>>>,
}

/// What tools are shown beside the files of a batch: the base's copy of all that decides what they say.
#[derive(Default)]
pub(super) struct ToolSettings {
    /// Files.
    pub files: Vec<(RepoPath, File)>,
    /// Symbolic links, and where they lead: nowhere but to others of these or to nothing.
    pub links: Vec<(RepoPath, Vec<u8>)>,
}

/// A file's bytes and its lines.
type FileText = (Blob, Arc<Lines>);

impl<'r> LayeredFiles<'r> {
    /// Returns `source`, which asks for `asked`, with `changes` made to it.
    pub(super) fn of(
        repo: &'r Repo,
        source: &ReadSource,
        linters: &'r ConfiguredLinters,
        changes: &[Change],
    ) -> Result<LayeredFiles<'r>, Diagnostic> {
        let over = changes
            .iter()
            .map(|change| (change.path.clone(), change.after.clone()))
            .collect();
        let attributes = match source {
            ReadSource::Commit { tree, .. } => Some(tree.clone()),
            ReadSource::Unborn { tree } => tree.clone(),
            // Those of the last commit: to make a tree of the index or the worktree costs a walk through all of it.
            ReadSource::Index | ReadSource::Worktree => repo
                .head()?
                .commit()
                .map(|head| repo.tree_of(head))
                .transpose()?,
        };
        Ok(LayeredFiles {
            holding: repo.holding(source)?,
            over,
            attributes,
            linters,
            read: RefCell::default(),
        })
    }

    /// Returns the tree whose attributes decide about the form of files.
    pub(super) fn attributes(&self) -> Option<&Id> {
        self.attributes.as_ref()
    }

    /// Returns the regular file at `path`.
    pub(super) fn file(&self, path: &RepoPath) -> Result<Option<File>, Diagnostic> {
        match self.over.get(path) {
            Some(known) => Ok(known.clone()),
            None => self.holding.file(path),
        }
    }

    /// Returns what decides what `tools` say where `paths` are looked at, each once, sorted: files with such a name in a folder
    /// on the way to one of `paths`, those that a glob with a slash means, and all that is watched.
    ///
    /// None of it is taken from earlier batches of the call: it was not there when the configuration was trusted.
    pub(super) fn configuring(
        &self,
        tools: &[&Tool],
        paths: &[&RepoPath],
    ) -> Result<ToolSettings, Diagnostic> {
        let mut wanted: BTreeSet<RepoPath> = BTreeSet::new();
        let mut folders: BTreeSet<String> = BTreeSet::from([String::new()]);
        folders.extend(
            paths
                .iter()
                .flat_map(|path| path.ancestors())
                .map(|folder| folder.to_string()),
        );
        for folder in &folders {
            for name in self.holding.names(folder)? {
                let path = if folder.is_empty() {
                    name
                } else {
                    format!("{folder}/{name}")
                };
                if tools.iter().any(|tool| tool.is_configured_by(&path)) {
                    wanted.extend(RepoPath::parse(&path).ok());
                }
            }
        }
        let deep: Vec<&&Tool> = tools
            .iter()
            .filter(|tool| tool.configured_by.iter().any(|glob| glob.contains('/')))
            .collect();
        if !deep.is_empty() {
            wanted.extend(
                self.holding
                    .files(|path| deep.iter().any(|tool| tool.is_configured_by(path)))?,
            );
        }
        let mut settings = ToolSettings::default();
        let mut links: BTreeMap<RepoPath, Vec<u8>> = BTreeMap::new();
        for (path, held) in tools
            .iter()
            .flat_map(|tool| self.linters.watch(tool).held())
        {
            match held {
                WatchedFile::File(_) => drop(wanted.insert(path.clone())),
                WatchedFile::Link(target) => drop(links.insert(path.clone(), target.clone())),
            }
        }
        for path in wanted.into_iter().filter(|path| !links.contains_key(path)) {
            // A link that configures is the file that it leads to.
            settings
                .files
                .extend(self.holding.file_behind(&path)?.map(|file| (path, file)));
        }
        settings.links.extend(links);
        Ok(settings)
    }

    /// Returns what `tools` look for near `paths`: folders, and the names of files.
    pub(super) fn neighbours(
        &self,
        tools: &[&Tool],
        paths: &[&RepoPath],
    ) -> Result<(Vec<String>, Vec<RepoPath>), Diagnostic> {
        let globs: Vec<String> = tools
            .iter()
            .flat_map(|tool| tool.looks_for.iter().cloned())
            .collect();
        let (mut found, mut files) = (Vec::new(), Vec::new());
        if globs.is_empty() {
            return Ok((found, files));
        }
        // Where most projects keep their packages.
        let mut folders: BTreeSet<String> = BTreeSet::from([String::new(), "src".to_owned()]);
        folders.extend(
            paths
                .iter()
                .flat_map(|path| path.ancestors())
                .map(|folder| folder.to_string()),
        );
        for folder in folders {
            for name in self.holding.names(&folder)? {
                let Ok(path) = RepoPath::parse(&if folder.is_empty() {
                    name
                } else {
                    format!("{folder}/{name}")
                }) else {
                    continue;
                };
                if self.holding.is_folder(&path)? {
                    found.push(path.to_string());
                } else if config::matches(&globs, path.as_str())
                    && self.over.get(&path).is_none_or(Option::is_some)
                {
                    files.push(path);
                }
            }
        }
        Ok((found, files))
    }

    /// Says whether some file passes `wants`.
    pub(super) fn has_any(&self, wants: impl Fn(&str) -> bool) -> Result<bool, Diagnostic> {
        let over = |path: &str| {
            self.over
                .iter()
                .find(|(known, _)| known.as_str() == path)
                .map(|(_, file)| file.is_some())
        };
        let held = self
            .holding
            .files(|path| wants(path) && over(path) != Some(false))?;
        Ok(!held.is_empty()
            || self
                .over
                .iter()
                .any(|(path, file)| file.is_some() && wants(path.as_str())))
    }

    /// Says whether a setting of a project says by itself which files a type checker is to read.
    pub(super) fn names_its_own_files(&self, tool: &Tool) -> Result<bool, Diagnostic> {
        const KEYS: [&str; 5] = ["files", "packages", "modules", "package", "module"];
        let says = |line: &str| {
            line.split_once('=')
                .is_some_and(|(key, _)| KEYS.contains(&key.trim()))
        };
        let settings = self.configuring(&[tool], &[])?;
        Ok(settings
            .files
            .iter()
            .any(|(_, file)| String::from_utf8_lossy(&file.bytes).lines().any(says)))
    }

    fn text(&self, path: &str) -> Option<FileText> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let file = RepoPath::parse(path)
            .ok()
            .and_then(|path| self.file(&path).ok().flatten());
        let text = file.map(|file| (file.bytes.clone(), Arc::new(Lines::of(&file.bytes))));
        self.read.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }
}

impl baseline::LineSource for LayeredFiles<'_> {
    fn line(&self, path: &str, line: usize) -> Option<Vec<u8>> {
        let (bytes, lines) = self.text(path)?;
        (1..=lines.count())
            .contains(&line)
            .then(|| lines.content(&bytes, line).of(&bytes).trim_ascii().to_vec())
    }
}
