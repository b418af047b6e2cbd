//! How a file names a module of the project: by all its packages, or by dots from where the file is.

use memchr::memmem;

use super::analysis::Analysis;
use super::facts::{FileId, PythonModule};
use super::modules::{CUSTOMARY, folder_of};
use crate::syntax::python::{BindingKind, ImportOrigin};

impl Analysis {
    /// Returns how `file` names `module` in an import: as others write it, or by its packages; relative where `file` does so of its own
    /// package. `None` where no name leads there.
    pub(super) fn spelled(
        &self,
        file: FileId,
        module: &PythonModule,
        written: &[ImportOrigin],
    ) -> Option<ImportOrigin> {
        if let Some(most) = self.dots_in_use(file, written)
            && let Some(relative) = self.spelled_relatively(file, module)
            && relative.dots <= most
        {
            return Some(relative);
        }
        let leads_there = |origin: &&ImportOrigin| {
            origin.dots == 0 && self.sources.modules(file, origin) == std::slice::from_ref(module)
        };
        let mut counted: Vec<(usize, &ImportOrigin)> = Vec::new();
        for origin in written.iter().filter(leads_there) {
            match counted.iter_mut().find(|(_, known)| *known == origin) {
                Some((count, _)) => *count += 1,
                None => counted.push((1, origin)),
            }
        }
        let most = counted.iter().rev().max_by_key(|(count, _)| *count);
        if let Some((_, origin)) = most {
            return Some((*origin).clone());
        }
        let (root, parts) = self.sources.parts_of(module)?;
        let by_folders = self.packages_without_init(&root).map(|mut packages| {
            packages.extend(parts.iter().cloned());
            packages
        });
        let origins = by_folders.into_iter().chain([parts]);
        let mut absolute = origins.map(|parts| ImportOrigin { dots: 0, parts });
        absolute
            .find(|origin| leads_there(&origin))
            .or_else(|| self.spelled_relatively(file, module))
    }

    /// Returns the name of a module by the folders around it that say nothing of packages, where `file` surely is imported, or run, from the
    /// root above them: it is there itself, or others import it by the folders that it is in.
    pub(super) fn by_folders(&self, file: FileId, module: &PythonModule) -> Option<Vec<String>> {
        let (root, parts) = self.sources.parts_of(module)?;
        let own = folder_of(self.sources.path(file).as_str());
        let top = if CUSTOMARY.contains(&own) {
            own
        } else {
            let own = self.sources.module_of(file)?;
            let (own, _) = self.sources.parts_of(&own)?;
            let is_at_root = CUSTOMARY.contains(&own.as_str());
            let top = CUSTOMARY.iter().find(|top| match **top {
                "" => false,
                top => own.starts_with(&format!("{top}/")) || own == top,
            });
            let is_known = is_at_root || self.packages_without_init(&own).is_some();
            is_known.then(|| top.copied().unwrap_or_default())?
        };
        let below = match top {
            "" => root.as_str(),
            top => root.strip_prefix(top)?.strip_prefix('/')?,
        };
        let folders = below.split('/').filter(|folder| !folder.is_empty());
        let mut name: Vec<String> = folders.map(str::to_owned).collect();
        name.extend(parts);
        let mut words = name.iter();
        let is_name = words.all(|word| super::clashes::unfit(word).is_none());
        (is_name && !root.is_empty()).then_some(name)
    }

    /// Returns the names of the folders from a root of the project to `folder`, which has no `__init__.py`, where a file imports something by
    /// them: then they are packages all the same.
    fn packages_without_init(&self, folder: &str) -> Option<Vec<String>> {
        let below = CUSTOMARY
            .iter()
            .filter(|root| !root.is_empty())
            .find_map(|root| folder.strip_prefix(root)?.strip_prefix('/'))
            .unwrap_or(folder);
        if below.is_empty() || CUSTOMARY.contains(&below) {
            return None;
        }
        let dotted = below.replace('/', ".");
        let ways = [format!("import {dotted}."), format!("from {dotted}.")];
        let is_imported = self.sources.ids().any(|file| {
            let bytes = self.sources.bytes(file);
            let mut ways = ways.iter();
            self.sources.is_python(file)
                && ways.any(|way| memmem::find(bytes, way.as_bytes()).is_some())
        });
        is_imported.then(|| below.split('/').map(str::to_owned).collect())
    }

    /// Returns how `file` names `module` by dots; `None` where they are not of one package.
    pub(super) fn spelled_relatively(
        &self,
        file: FileId,
        module: &PythonModule,
    ) -> Option<ImportOrigin> {
        let own = self.sources.module_of(file)?;
        let (own_root, mut package) = self.sources.parts_of(&own)?;
        let (root, parts) = self.sources.parts_of(module)?;
        if own.folder.is_none() {
            package.pop();
        }
        let shared = package
            .iter()
            .zip(&parts)
            .take_while(|(one, other)| one == other)
            .count();
        if own_root != root || shared == 0 {
            return None;
        }
        Some(ImportOrigin {
            dots: package.len() - shared + 1,
            parts: parts[shared..].to_vec(),
        })
    }

    /// Returns by how many dots a file names what is of its own package, at most; where it names nothing of it, any where most others do so.
    /// `None` where it is not named by dots.
    fn dots_in_use(&self, file: FileId, written: &[ImportOrigin]) -> Option<usize> {
        let top = |file: FileId| {
            let module = self.sources.module_of(file)?;
            let (root, parts) = self.sources.parts_of(&module)?;
            Some((root, parts.first()?.clone()))
        };
        let own = top(file);
        let names = self.names(file);
        let (mut relative, mut absolute, mut most) = (0, 0, 0);
        let bindings = names.scopes.iter().flat_map(|scope| scope.names.values());
        for binding in bindings.flat_map(|bound| &bound.bindings) {
            if let BindingKind::Imported { from, .. } = &binding.kind {
                let first = from.parts.first();
                relative += usize::from(from.dots > 0);
                most = most.max(from.dots);
                let is_own = own.as_ref().is_some_and(|(_, own)| Some(own) == first);
                absolute += usize::from(from.dots == 0 && is_own);
            }
        }
        if relative + absolute > 0 {
            return (relative > absolute).then_some(most);
        }
        let by_dots = written.iter().filter(|origin| origin.dots > 0).count();
        (by_dots > written.len() - by_dots).then_some(usize::MAX)
    }
}

impl super::sources::Sources {
    /// Says whether a folder is a package, or is in one, which makes it one, too.
    fn is_in_package(&self, folder: &str) -> bool {
        let mut around = folder;
        while !around.is_empty() {
            if self.is_package(around) {
                return true;
            }
            around = folder_of(around);
        }
        false
    }

    /// Returns the folder that the packages of a module are in, and its name by them.
    pub(super) fn parts_of(&self, module: &PythonModule) -> Option<(String, Vec<String>)> {
        let path = match (&module.folder, module.files.first()) {
            (Some(folder), _) => folder.clone(),
            (None, Some(file)) => {
                let path = self.path(*file).as_str();
                path.rsplit_once('.')?.0.to_owned()
            }
            (None, None) => return None,
        };
        let mut parts: Vec<String> = vec![path.rsplit('/').next()?.to_owned()];
        let mut folder = folder_of(&path);
        while !folder.is_empty() && self.is_in_package(folder) {
            parts.push(folder.rsplit('/').next()?.to_owned());
            folder = folder_of(folder);
        }
        parts.reverse();
        let is_name = |part: &String| {
            !part.is_empty()
                && part
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || letter == '_')
                && !part.starts_with(|letter: char| letter.is_ascii_digit())
        };
        parts
            .iter()
            .all(is_name)
            .then(|| (folder.to_owned(), parts))
    }
}
