//! What stands against a path for a module: another thing that is imported by its name.

use super::analysis::Analysis;
use super::facts::{FileId, PythonModule};
use super::outside;
use crate::path::RepoPath;
use crate::syntax::python::BindingKind;

impl Analysis {
    /// Returns why a module should not be the file at `path` of the project, in words.
    pub(crate) fn why_not_at(&self, path: &RepoPath) -> Option<String> {
        let file = self.sources.at(path.as_str())?;
        let module = self.sources.module_of(file)?;
        let (_, parts) = self.sources.parts_of(&module)?;
        let name = parts.last()?;
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
