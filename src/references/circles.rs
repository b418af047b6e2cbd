//! Whether an import would close a circle of modules that import each other while they are imported.

use std::collections::HashSet;

use super::analysis::Analysis;
use super::facts::{FileId, PythonModule};
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

    /// Returns the files of the project that a file imports while it is imported itself.
    fn imported_at_once(&self, file: FileId) -> Vec<FileId> {
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
