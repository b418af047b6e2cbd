//! What stands against a path for a module: another thing that is imported by its name.

use super::analysis::Analysis;
use super::facts::{FileId, PythonModule};
use super::modules::folder_of;
use super::outside;
use crate::path::RepoPath;
use crate::syntax::python::{BindingKind, ImportOrigin};

impl Analysis {
    /// Returns why a module should not be the file at `path` of the project, in words.
    pub(crate) fn why_not_at(&self, path: &RepoPath) -> Option<String> {
        let file = self.sources.at(path.as_str())?;
        let module = self.sources.module_of(file)?;
        let (_, parts) = self.sources.parts_of(&module)?;
        let name = parts.last()?;
        let mut folder = folder_of(path.as_str());
        while !folder.is_empty() {
            if let Some(hiding) = self.sources.at(&format!("{folder}.py"))
                && !self.sources.is_package(folder)
            {
                let hiding = self.sources.path(hiding);
                return Some(format!("{hiding} is found in the place of its folder"));
            }
            folder = folder_of(folder);
        }
        if parts.len() == 1
            && let Some(importer) = self.importer_of_other(name, file)
        {
            let importer = self.sources.path(importer);
            return Some(format!("{importer} imports another `{name}`"));
        }
        if parts.len() == 1 && outside::is_standard(name) {
            return Some(format!(
                "every `import {name}` would read it, and not Python's own"
            ));
        }
        let folder = match path.as_str().strip_suffix("/__init__.py") {
            Some(own) => own.rsplit_once('/').map_or("", |(folder, _)| folder),
            None => {
                let stem = path.as_str().strip_suffix(".py")?;
                if self.sources.has_folder(stem) {
                    return Some(format!("the modules in {stem}/ would be found no more"));
                }
                stem.rsplit_once('/').map_or("", |(folder, _)| folder)
            }
        };
        let package = self.sources.at(&format!("{folder}/__init__.py"))?;
        let around = self.sources.module_of(package)?;
        self.names_otherwise(package, &around, name).then(|| {
            let package = self.sources.path(package);
            format!("{package} calls something else `{name}`")
        })
    }

    /// Returns a file that imports a module called `name` by that alone, which no file was before `own`.
    fn importer_of_other(&self, name: &str, own: FileId) -> Option<FileId> {
        let is_first = |parts: &[String]| parts.first().is_some_and(|first| first == name);
        self.sources.holding(&[name]).into_iter().find(|file| {
            let is_other = *file != own && self.sources.is_python(*file);
            let origin = ImportOrigin {
                dots: 0,
                parts: vec![name.to_owned()],
            };
            let finds_own = || {
                let found = self.sources.modules(*file, &origin);
                found.iter().any(|module| module.files.contains(&own))
            };
            is_other
                && finds_own()
                && self.names(*file).scopes.iter().any(|scope| {
                    let mut bindings = scope.names.values().flat_map(|bound| &bound.bindings);
                    bindings.any(|it| match &it.kind {
                        BindingKind::Imported { from, .. } => {
                            from.dots == 0 && is_first(&from.parts)
                        }
                        BindingKind::ModulePart { parts } | BindingKind::ModuleAlias { parts } => {
                            is_first(parts)
                        }
                        _ => false,
                    })
                })
        })
    }

    /// Says whether a file of a package gives a name something else than the module of that name.
    pub(super) fn names_otherwise(&self, file: FileId, package: &PythonModule, name: &str) -> bool {
        let module = &self.names(file).scopes[0];
        let bindings = module.names.get(name).map(|bound| &bound.bindings[..]);
        let is_inner = |kind: &BindingKind| match kind {
            BindingKind::Imported { from, name: there } => {
                there == name && self.sources.modules(file, from).contains(package)
            }
            _ => false,
        };
        let mut others = bindings.unwrap_or_default().iter();
        others.any(|binding| !is_inner(&binding.kind))
            || bindings.is_none() && !self.leads_of_stars(file, name).is_empty()
    }
}
