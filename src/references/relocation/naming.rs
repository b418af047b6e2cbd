//! How a file names a module in an import that it has not had.

use std::collections::BTreeMap;

use crate::references::Analysis;
use crate::references::facts::{FileId, PythonModule};
use crate::syntax::python::{BindingKind, ImportOrigin};

impl Analysis {
    /// Returns how `file` imports from `module`, in the form of an import that says `written`: by dots, or by all packages.
    pub(super) fn named_like(
        &self,
        file: FileId,
        module: &PythonModule,
        written: &ImportOrigin,
    ) -> Option<ImportOrigin> {
        match written.dots {
            0 => self
                .named_by_packages(file, module, written)
                .or_else(|| self.named_by_dots(file, module)),
            most => self
                .named_by_dots(file, module)
                .or_else(|| {
                    let by_folders = self.spelled_by_folders(file, module, most);
                    by_folders.filter(|origin| {
                        self.is_used_by_dots(file) && self.leads_to(file, origin, module)
                    })
                })
                .or_else(|| self.named_by_packages(file, module, written)),
        }
    }

    /// Returns how `file` imports from `module`, in the form that the file has for others of its own package; where it has none, in that
    /// of the file `other`.
    pub(super) fn named_as_others(
        &self,
        file: FileId,
        module: &PythonModule,
        other: FileId,
    ) -> Option<ImportOrigin> {
        let habit = [file, other]
            .into_iter()
            .find_map(|file| self.names_by_dots(file));
        let dots = usize::from(habit.unwrap_or_else(|| self.is_used_by_dots(file)));
        let parts = Vec::new();
        self.named_like(file, module, &ImportOrigin { dots, parts })
    }

    fn named_by_dots(&self, file: FileId, module: &PythonModule) -> Option<ImportOrigin> {
        self.spelled_relatively(file, module)
            .filter(|origin| self.leads_to(file, origin, module))
    }

    fn named_by_packages(
        &self,
        file: FileId,
        module: &PythonModule,
        written: &ImportOrigin,
    ) -> Option<ImportOrigin> {
        let (_, parts) = self.sources.parts_of(module)?;
        let as_others = self.named_as_imports(file, module, written).into_iter();
        let by_folders = self.by_folders(file, module).into_iter();
        let names = as_others.chain(by_folders).chain([parts]);
        let mut origins = names.map(|parts| ImportOrigin { dots: 0, parts });
        origins.find(|origin| self.leads_to(file, origin, module))
    }

    /// Returns the name of a module below the folder that the import `written` names its module from, `app.new` where it says `app.base` and
    /// not `src.app.base`; else below the one that most imports of the file do so from.
    fn named_as_imports(
        &self,
        file: FileId,
        module: &PythonModule,
        written: &ImportOrigin,
    ) -> Option<Vec<String>> {
        let stem = self.stem_of(module)?;
        let below = |origin: &ImportOrigin| {
            let modules = self.sources.modules(file, origin);
            let old = self.stem_of(modules.first()?)?;
            let folder = old.strip_suffix(&origin.parts.join("/"))?;
            let is_folder = folder.is_empty() || folder.ends_with('/');
            let rest = stem.strip_prefix(folder).filter(|_| is_folder)?;
            (origin.dots == 0 && !origin.parts.is_empty())
                .then(|| rest.split('/').map(str::to_owned).collect())
        };
        below(written).or_else(|| {
            let scopes = self.names(file).scopes.iter();
            let bindings = scopes
                .flat_map(|scope| scope.names.values())
                .flat_map(|bound| &bound.bindings);
            let mut counted: BTreeMap<Vec<String>, usize> = BTreeMap::new();
            for binding in bindings {
                let parts = match &binding.kind {
                    BindingKind::Imported { from, .. } if from.dots == 0 => &from.parts,
                    BindingKind::ModulePart { parts } | BindingKind::ModuleAlias { parts } => parts,
                    _ => continue,
                };
                let parts = parts.clone();
                if let Some(name) = below(&ImportOrigin { dots: 0, parts }) {
                    *counted.entry(name).or_default() += 1;
                }
            }
            let most = counted.into_iter().max_by_key(|(_, count)| *count);
            most.map(|(name, _)| name)
        })
    }

    /// Returns the path of a module without its ending.
    fn stem_of(&self, module: &PythonModule) -> Option<String> {
        match &module.folder {
            Some(folder) => Some(folder.clone()),
            None => {
                let path = self.sources.path(*module.files.first()?).as_str();
                Some(path.rsplit_once('.')?.0.to_owned())
            }
        }
    }

    pub(super) fn leads_to(
        &self,
        file: FileId,
        origin: &ImportOrigin,
        module: &PythonModule,
    ) -> bool {
        self.sources.modules(file, origin) == std::slice::from_ref(module)
    }

    /// Says whether a file names modules of its own package by dots more often than not; `None` where it names none.
    fn names_by_dots(&self, file: FileId) -> Option<bool> {
        let own = self.sources.module_of(file)?;
        let (_, parts) = self.sources.parts_of(&own)?;
        let first = parts.first()?;
        let names = self.names(file);
        let bound = names.scopes.iter().flat_map(|scope| scope.names.values());
        let (mut by_dots, mut by_packages) = (0, 0);
        for binding in bound.flat_map(|bound| &bound.bindings) {
            if let BindingKind::Imported { from, .. } = &binding.kind {
                by_dots += usize::from(from.dots > 0);
                by_packages += usize::from(from.dots == 0 && from.parts.first() == Some(first));
            }
        }
        (by_dots + by_packages > 0).then_some(by_dots > by_packages)
    }
}
