//! Whether an import would close a circle of modules that import each other while they are imported.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use super::analysis::Analysis;
use super::facts::{FileId, PythonModule};
use super::modules::folder_of;
use crate::path::RepoPath;
use crate::syntax::python::{ImportOrigin, ImportPlace, import_table};

impl Analysis {
    /// Says whether importing `module` at the top of `file` would lead back to `file`. One that it imports already closes no new circle.
    pub(super) fn closes_circle(&self, file: FileId, module: &PythonModule) -> bool {
        let mut waiting: Vec<FileId> = module.files.clone();
        if waiting.contains(&file) {
            return true;
        }
        let known = self.imported_at_once(file);
        if waiting.iter().all(|file| known.contains(file)) {
            return false;
        }
        let mut seen: HashSet<FileId> = waiting.iter().copied().collect();
        while let Some(next) = waiting.pop() {
            for imported in self.imported_at_once(next) {
                if imported == file {
                    return true;
                }
                if seen.insert(imported) {
                    waiting.push(imported);
                }
            }
        }
        false
    }

    /// Returns modules that import each other in a circle, the first once more at the end, where an import of one of `changed` closes it that
    /// was not there `before`.
    pub(crate) fn new_circle(
        &self,
        before: &Analysis,
        changed: &[RepoPath],
    ) -> Option<Vec<RepoPath>> {
        // By what is imported, who does so now: what a module leads to is then looked for once.
        let mut importers: HashMap<FileId, HashSet<FileId>> = HashMap::new();
        for path in changed {
            let Some(file) = self.sources.at(path.as_str()) else {
                continue;
            };
            let known = before.sources.at(path.as_str());
            let known = known.map_or(Vec::new(), |file| before.imported_at_once(file));
            let known: HashSet<&RepoPath> = known
                .iter()
                .map(|file| before.sources.path(*file))
                .collect();
            for imported in self.imported_at_once(file) {
                if !known.contains(self.sources.path(imported)) && imported != file {
                    importers.entry(imported).or_default().insert(file);
                }
            }
        }
        let mut known = HashMap::new();
        let mut imported: Vec<(&FileId, &HashSet<FileId>)> = importers.iter().collect();
        imported.sort_unstable_by_key(|(file, _)| **file);
        let found = imported
            .into_iter()
            .find_map(|(file, wanted)| self.way_to_one_of(*file, wanted, &mut known))?;
        let path = |file: &FileId| self.sources.path(*file).clone();
        let last = found.last().map(path);
        Some(last.into_iter().chain(found.iter().map(path)).collect())
    }

    /// Returns the modules from `file` to the nearest of `wanted`, both included, each imported by the one before it.
    fn way_to_one_of(
        &self,
        file: FileId,
        wanted: &HashSet<FileId>,
        known: &mut HashMap<FileId, Vec<FileId>>,
    ) -> Option<Vec<FileId>> {
        let mut from: HashMap<FileId, FileId> = HashMap::from([(file, file)]);
        let mut waiting = VecDeque::from([file]);
        while let Some(next) = waiting.pop_front() {
            if wanted.contains(&next) {
                let mut way = vec![next];
                let mut at = next;
                while at != file {
                    at = *from.get(&at)?;
                    way.push(at);
                }
                way.reverse();
                return Some(way);
            }
            let imported = known
                .entry(next)
                .or_insert_with(|| self.imported_at_once(next));
            for &imported in imported.iter() {
                if let Entry::Vacant(slot) = from.entry(imported) {
                    slot.insert(next);
                    waiting.push_back(imported);
                }
            }
        }
        None
    }

    /// Returns the files of the project that a file imports while it is imported itself, and the packages that these are in: those are imported
    /// before them, but for the packages around the file itself, which have begun already.
    pub(super) fn imported_at_once(&self, file: FileId) -> Vec<FileId> {
        if let Some(known) = self.imported.borrow().get(&file) {
            return known.clone();
        }
        let found = self.find_imported(file);
        self.imported.borrow_mut().insert(file, found.clone());
        found
    }

    fn find_imported(&self, file: FileId) -> Vec<FileId> {
        let own = self.sources.path(file).as_str();
        let mut found = self.named_at_once(file);
        for at in 0..found.len() {
            let mut folder = folder_of(self.sources.path(found[at]).as_str());
            while !folder.is_empty() {
                let is_around = own
                    .strip_prefix(folder)
                    .is_some_and(|rest| rest.starts_with('/'));
                if is_around {
                    break;
                }
                found.extend(self.sources.at(&format!("{folder}/__init__.py")));
                folder = folder_of(folder);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the files that the imports of a file name which run while it is imported itself.
    fn named_at_once(&self, file: FileId) -> Vec<FileId> {
        let mut found = Vec::new();
        for statement in import_table(self.sources.bytes(file)).imports {
            if matches!(
                statement.within,
                ImportPlace::OtherRun | ImportPlace::Definition
            ) {
                continue;
            }
            let Some(from) = &statement.from else {
                for name in &statement.names {
                    let parts: Vec<String> = name.name.split('.').map(str::to_owned).collect();
                    let origin = ImportOrigin { dots: 0, parts };
                    let modules = self.sources.modules(file, &origin);
                    found.extend(modules.into_iter().flat_map(|module| module.files));
                }
                continue;
            };
            for module in self.sources.modules(file, from) {
                for name in &statement.names {
                    match self.sources.submodule(&module, &name.name) {
                        Some(inner) => found.extend(inner.files),
                        None => found.extend(&module.files),
                    }
                }
            }
        }
        found
    }
}
