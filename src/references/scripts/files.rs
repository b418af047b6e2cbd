//! `ScriptFiles`: the files of a project in which names of JavaScript and TypeScript may be, each read once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use memchr::memmem::Finder;

use super::packages::Packages;
use crate::parallel;
use crate::path::RepoPath;
use crate::references::facts::FileId;
use crate::snapshot::{Blob, Project};
use crate::syntax::{Language, ScriptNames, language_in};

/// The files of a project.
pub(super) struct ScriptFiles<'p> {
    files: Vec<ScriptFile<'p>>,
    by_path: BTreeMap<&'p str, FileId>,
    packages: OnceLock<Packages>,
}

struct ScriptFile<'p> {
    path: &'p RepoPath,
    bytes: &'p Blob,
    /// What reads it, if it is a script.
    language: Option<&'static Language>,
    names: OnceLock<Option<ScriptNames>>,
}

impl<'p> ScriptFiles<'p> {
    pub(super) fn of(project: &'p Project) -> ScriptFiles<'p> {
        let files = project.files.iter().map(|(path, bytes)| ScriptFile {
            path,
            bytes,
            language: language_in(path, bytes).filter(|it| it.grammar.has_script_names()),
            names: OnceLock::new(),
        });
        let files: Vec<ScriptFile<'p>> = files.collect();
        let paths = files.iter().enumerate();
        let by_path = paths.map(|(id, file)| (file.path.as_str(), id)).collect();
        ScriptFiles {
            files,
            by_path,
            packages: OnceLock::new(),
        }
    }

    pub(super) fn at(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    pub(super) fn ids(&self) -> std::ops::Range<FileId> {
        0..self.files.len()
    }

    pub(super) fn path(&self, id: FileId) -> &'p RepoPath {
        self.files[id].path
    }

    pub(super) fn bytes(&self, id: FileId) -> &'p Blob {
        self.files[id].bytes
    }

    pub(super) fn is_script(&self, id: FileId) -> bool {
        self.files[id].language.is_some()
    }

    /// Returns the names of a file; `None` of one that does not parse or is no script.
    pub(super) fn names(&self, id: FileId) -> Option<&ScriptNames> {
        let file = &self.files[id];
        let read = || file.language?.grammar.script_names(file.bytes);
        file.names.get_or_init(read).as_ref()
    }

    /// Returns the names that a file would have with other bytes.
    pub(super) fn names_in(&self, id: FileId, bytes: &[u8]) -> Option<ScriptNames> {
        self.files[id].language?.grammar.script_names(bytes)
    }

    /// Returns the scripts and others in which one of `words` is written, those that are scripts read, all at once.
    pub(super) fn holding(&self, words: &[&str]) -> Vec<FileId> {
        let finders: Vec<Finder<'_>> = words.iter().map(Finder::new).collect();
        let holds = |id: FileId| {
            let bytes = self.bytes(id);
            let is_there = finders.iter().any(|finder| finder.find(bytes).is_some());
            if is_there {
                self.names(id);
            }
            is_there.then_some(id)
        };
        let found = parallel::map(self.ids().collect(), holds);
        found.into_iter().flatten().collect()
    }

    pub(super) fn packages(&self) -> &Packages {
        self.packages.get_or_init(|| {
            let manifests = self
                .files
                .iter()
                .filter(|file| file.path.file_name() == "package.json");
            Packages::of(manifests.map(|file| &**file.bytes))
        })
    }
}
