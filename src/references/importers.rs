//! Who imports from a file, and whether a module is of the project.

use memchr::memmem;

use super::analysis::Analysis;
use super::facts::FileId;
use super::words::{is_letter, may_have_star};
use crate::path::RepoPath;
use crate::syntax::python::{BindingKind, ImportOrigin, OccurrenceKind, UsedText};
use crate::text::Lines;

impl Analysis {
    /// Says whether what the file at `path` imports from `origin` is a module of the project.
    pub(crate) fn is_own_module(&self, path: &RepoPath, origin: &ImportOrigin) -> bool {
        let file = self.sources.at(path.as_str());
        file.is_some_and(|file| !self.sources.modules(file, origin).is_empty())
    }

    /// Says whether a file imports a module called `word`.
    fn binds_module(&self, file: FileId, word: &str) -> bool {
        let names = self.sources.names(file);
        let bound = names.scopes.iter().flat_map(|scope| scope.names.values());
        bound
            .flat_map(|bound| &bound.bindings)
            .any(|binding| match &binding.kind {
                BindingKind::Imported { name, .. } => name == word,
                BindingKind::ModulePart { parts } | BindingKind::ModuleAlias { parts } => {
                    parts.iter().any(|part| part == word)
                }
                _ => false,
            })
    }

    /// Says whether another file may use `name` of the one at `path` in a way that is no plain import: as `module.name`, in a string
    /// too, or by importing everything.
    pub(crate) fn is_named_from_elsewhere(&self, path: &RepoPath, name: &str) -> bool {
        let Some(own) = self.sources.at(path.as_str()) else {
            return true;
        };
        let word = self.sources.module_word(own);
        let whole = format!("{word}.{name}");
        let is_given = self.exports(own, name);
        let module = self.sources.module_of(own);
        self.sources.ids().any(|file| {
            if file == own || !self.sources.is_python(file) {
                return false;
            }
            let bytes = self.sources.bytes(file);
            let takes_all = || {
                is_given
                    && may_have_star(bytes)
                    && self.names(file).stars.iter().any(|star| {
                        let modules = self.sources.modules(file, star);
                        module.as_ref().is_some_and(|own| modules.contains(own))
                    })
            };
            let ends = |at: usize| {
                !bytes
                    .get(at + whole.len())
                    .is_some_and(|byte| is_letter(*byte))
            };
            // By whatever name it has the module: `import package.module as other`, and what a test puts in its place.
            let has_module = || {
                memmem::find(bytes, name.as_bytes()).is_some()
                    && self.binds_module(file, word)
                    && self.is_attribute_or_text(file, name)
            };
            memmem::find_iter(bytes, whole.as_bytes()).any(ends) || takes_all() || has_module()
        })
    }

    /// Says whether a file has a name behind a dot, or in a string.
    fn is_attribute_or_text(&self, file: FileId, name: &str) -> bool {
        let names = self.names(file);
        let bytes = self.sources.bytes(file);
        let mut attributes = names.occurrences.iter();
        let mut texts = names.texts.iter();
        attributes.any(|it| it.name == name && matches!(it.kind, OccurrenceKind::Attribute { .. }))
            || texts.any(|(place, kind)| {
                let text = place.of(bytes);
                *kind == UsedText::String && memmem::find(text, name.as_bytes()).is_some()
            })
    }

    /// Returns every place, by file and line, where another file imports `name` from the one at `path`.
    pub(crate) fn importers(&self, path: &RepoPath, name: &str) -> Vec<(RepoPath, usize)> {
        let Some(own) = self.sources.at(path.as_str()) else {
            return Vec::new();
        };
        let Some(module) = self.sources.module_of(own) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for file in self.sources.holding(&[name]) {
            if file == own || !self.sources.is_python(file) {
                continue;
            }
            let lines = Lines::of(self.sources.bytes(file));
            for occurrence in &self.sources.names(file).occurrences {
                let OccurrenceKind::Imported { from, .. } = &occurrence.kind else {
                    continue;
                };
                if occurrence.name == name && self.sources.modules(file, from).contains(&module) {
                    let line = lines.line(occurrence.span.start);
                    found.push((self.sources.path(file).clone(), line));
                }
            }
        }
        found
    }
}
