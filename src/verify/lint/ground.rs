//! The base as validators need it: what the batch was resolved on, asked one path at a time.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::gate;
use crate::config::Tool;
use crate::diagnostic::Diagnostic;
use crate::git::{Holding, Repo, Source};
use crate::path::RepoPath;
use crate::snapshot::{Change, File, Id};
use crate::text::Lines;

/// What a source holds, and what earlier batches of the same call made of it.
pub struct Ground<'r> {
    holding: Holding<'r>,
    over: BTreeMap<RepoPath, Option<File>>,
    /// The tree whose attributes hold.
    attributes: Option<Id>,
    read: RefCell<BTreeMap<String, Option<Text>>>,
}

/// A file's bytes and its lines.
type Text = (Arc<[u8]>, Arc<Lines>);

impl<'r> Ground<'r> {
    /// Returns `source` with `changes` made to it.
    pub fn of(repo: &'r Repo, source: &Source, changes: &[Change]) -> Result<Ground<'r>, Diagnostic> {
        let over = changes.iter().map(|change| (change.path.clone(), change.after.clone())).collect();
        let attributes = match source {
            Source::Commit { tree, .. } => Some(tree.clone()),
            Source::Unborn { tree } => tree.clone(),
            // Those of the last commit: to make a tree of the index or the worktree costs a walk through all of it.
            Source::Index | Source::Worktree => repo.head()?.commit().map(|head| repo.tree_of(head)).transpose()?,
        };
        Ok(Ground { holding: repo.holding(source)?, over, attributes, read: RefCell::default() })
    }

    /// Returns the tree whose attributes decide about the form of files.
    pub fn attributes(&self) -> Option<&Id> {
        self.attributes.as_ref()
    }

    /// Returns the regular file at `path`.
    pub fn file(&self, path: &RepoPath) -> Result<Option<File>, Diagnostic> {
        match self.over.get(path) {
            Some(known) => Ok(known.clone()),
            None => self.holding.file(path),
        }
    }

    /// Returns the files that configure one of `tools` where `paths` are looked at, each once, sorted: those with such a
    /// name in a folder on the way to one of `paths`, those that a glob with a slash means, and those that a command names.
    pub fn configuring(&self, tools: &[&Tool], paths: &[&RepoPath]) -> Result<Vec<(RepoPath, File)>, Diagnostic> {
        let mut wanted: BTreeSet<RepoPath> = BTreeSet::new();
        let mut folders: BTreeSet<String> = BTreeSet::from([String::new()]);
        folders.extend(paths.iter().flat_map(|path| path.ancestors()).map(|folder| folder.to_string()));
        for folder in &folders {
            for name in self.holding.names(folder)? {
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                if tools.iter().any(|tool| tool.is_configured_by(&path)) {
                    wanted.extend(RepoPath::parse(&path).ok());
                }
            }
        }
        let deep: Vec<&&Tool> =
            tools.iter().filter(|tool| tool.configured_by.iter().any(|glob| glob.contains('/'))).collect();
        if !deep.is_empty() {
            wanted.extend(self.holding.files(|path| deep.iter().any(|tool| tool.is_configured_by(path)))?);
        }
        let over = self.over.keys().filter(|path| tools.iter().any(|tool| tool.is_configured_by(path.as_str())));
        wanted.extend(over.cloned());
        wanted.extend(tools.iter().flat_map(|tool| named_files(tool)));
        let mut found = Vec::new();
        for path in wanted {
            found.extend(self.file(&path)?.map(|file| (path, file)));
        }
        Ok(found)
    }

    fn text(&self, path: &str) -> Option<Text> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let file = RepoPath::parse(path).ok().and_then(|path| self.file(&path).ok().flatten());
        let text = file.map(|file| (file.bytes.clone(), Arc::new(Lines::of(&file.bytes))));
        self.read.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }
}

impl gate::Lines for Ground<'_> {
    fn line(&self, path: &str, line: usize) -> Option<Vec<u8>> {
        let (bytes, lines) = self.text(path)?;
        (1..=lines.count()).contains(&line).then(|| lines.content(&bytes, line).of(&bytes).trim_ascii().to_vec())
    }
}

/// Returns the words of the command that may be files of the repository: a script, a file of rules.
pub fn named_files(tool: &Tool) -> Vec<RepoPath> {
    let words = tool.command.iter().map(|word| word.strip_prefix("./").unwrap_or(word));
    words.filter(|word| !word.starts_with(['-', '{'])).filter_map(|word| RepoPath::parse(word).ok()).collect()
}
