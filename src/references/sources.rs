//! `Sources`: the files of a project, each read once, when something of it is asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use memchr::memmem::Finder;

use super::facts::FileId;
use crate::parallel;
use crate::path::RepoPath;
use crate::snapshot::{Blob, Project};
use crate::syntax::python::{ModuleNames, PYTHON, module_names};
use crate::syntax::told_language;

/// The files of a project.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    files: Vec<SourceFile>,
    by_path: BTreeMap<String, FileId>,
    /// Folders in which files name each other by dots, and those that were packages before files got other paths.
    pub(super) used_as_packages: OnceLock<BTreeSet<String>>,
    pub(super) once_packages: BTreeSet<String>,
    /// Files that got other paths: the dots in them say nothing of the folders that they are in now.
    pub(super) moved: BTreeSet<String>,
}

#[derive(Clone, Debug)]
struct SourceFile {
    path: RepoPath,
    bytes: Blob,
    is_python: bool,
    names: OnceLock<Arc<ModuleNames>>,
}

impl Sources {
    /// Returns those of `project`.
    pub(super) fn of(project: &Project) -> Sources {
        let mut sources = Sources::default();
        for (path, bytes) in &project.files {
            sources.add(path.clone(), bytes.clone());
        }
        sources
    }

    /// Adds a file, in the place of what was known at `path`.
    pub(crate) fn add(&mut self, path: RepoPath, bytes: Blob) {
        let file = SourceFile {
            path: path.clone(),
            is_python: is_python_file(&path, &bytes),
            bytes,
            names: OnceLock::new(),
        };
        self.used_as_packages = OnceLock::new();
        match self.by_path.get(path.as_str()) {
            Some(id) => self.files[*id] = file,
            None => {
                self.by_path.insert(path.to_string(), self.files.len());
                self.files.push(file);
            }
        }
    }

    /// Returns the names of the file at `path`, if that is Python.
    pub(crate) fn names_at(&self, path: &RepoPath) -> Option<&ModuleNames> {
        let file = self
            .at(path.as_str())
            .filter(|file| self.is_python(*file))?;
        Some(self.names(file))
    }

    /// Returns every file.
    pub(super) fn ids(&self) -> std::ops::Range<FileId> {
        0..self.files.len()
    }

    /// Returns the file at `path`.
    pub(super) fn at(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// Returns every path, in order.
    pub(super) fn paths(&self) -> impl Iterator<Item = (&str, FileId)> {
        self.by_path.iter().map(|(path, id)| (path.as_str(), *id))
    }

    /// Says whether something is in `folder`.
    pub(super) fn has_folder(&self, folder: &str) -> bool {
        let inside = format!("{folder}/");
        self.by_path
            .range(inside.clone()..)
            .next()
            .is_some_and(|(path, _)| path.starts_with(&inside))
    }

    /// Returns where a file is.
    pub(super) fn path(&self, id: FileId) -> &RepoPath {
        &self.files[id].path
    }

    /// Returns what is in a file.
    pub(super) fn bytes(&self, id: FileId) -> &[u8] {
        &self.files[id].bytes
    }

    /// Says whether a file is Python.
    pub(super) fn is_python(&self, id: FileId) -> bool {
        self.files[id].is_python
    }

    /// Returns the names of a file.
    pub(super) fn names(&self, id: FileId) -> &ModuleNames {
        let file = &self.files[id];
        file.names
            .get_or_init(|| Arc::new(module_names(&file.bytes)))
    }

    /// Returns the files that hold one of `words`, and has those of them that are Python read, all at once.
    pub(super) fn holding(&self, words: &[&str]) -> Vec<FileId> {
        let finders: Vec<Finder<'_>> = words.iter().map(Finder::new).collect();
        let holds = |id: FileId| {
            let bytes = self.bytes(id);
            let is_there = finders.iter().any(|finder| finder.find(bytes).is_some())
                || self.is_python(id) && holds_folded(bytes, words);
            if is_there && self.is_python(id) {
                self.names(id);
            }
            is_there.then_some(id)
        };
        let found = parallel::map(self.ids().collect(), holds);
        found.into_iter().flatten().collect()
    }
}

/// Says whether a file is Python by its name, or says so itself where that says nothing: a script of its own.
pub(crate) fn is_python_file(path: &RepoPath, bytes: &[u8]) -> bool {
    is_python(path) || told_language(path, bytes).is_some_and(|it| std::ptr::eq(it, &PYTHON))
}

/// Says whether a file is a module of Python by its name.
pub(crate) fn is_python(path: &RepoPath) -> bool {
    let path = path.as_str();
    path.ends_with(".py") || path.ends_with(".pyi")
}

/// Says whether a file has one of `words` in other letters that Python takes for the same.
fn holds_folded(bytes: &[u8], words: &[&str]) -> bool {
    use unicode_normalization::UnicodeNormalization as _;
    if bytes.is_ascii() {
        return false;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let other = |line: &&str| !line.is_ascii();
    let folded: String = text
        .lines()
        .filter(other)
        .map(|line| line.nfkc().collect::<String>() + "\n")
        .collect();
    words.iter().any(|word| folded.contains(word))
}
