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
        if root.is_empty() {
            return None;
        }
        let top = self.import_root(file)?;
        let below = match top.as_str() {
            "" => root.as_str(),
            top if top == root => "",
            top => root.strip_prefix(top)?.strip_prefix('/')?,
        };
        let folders = below.split('/').filter(|folder| !folder.is_empty());
        let mut name: Vec<String> = folders.map(str::to_owned).collect();
        name.extend(parts);
        let mut words = name.iter();
        let is_name = words.all(|word| super::clashes::unfit(word).is_none());
        is_name.then_some(name)
    }

    /// Returns the folder from which a file names modules by folders: above the packages that it is in, or above the folders that others import
    /// it by; else its own.
    fn import_root(&self, file: FileId) -> Option<String> {
        let own = self.sources.module_of(file)?;
        let (root, _) = self.sources.parts_of(&own)?;
        let folder = folder_of(self.sources.path(file).as_str());
        if CUSTOMARY.contains(&folder) || root != folder {
            return Some(root);
        }
        let mut top = "";
        loop {
            let below = match top {
                "" => folder,
                top => folder.strip_prefix(top)?.strip_prefix('/')?,
            };
            if self.is_imported_by(&below.replace('/', ".")) {
                return Some(top.to_owned());
            }
            let Some(next) = below.find('/') else {
                return Some(folder.to_owned());
            };
            let end = folder.len() - below.len() + next;
            top = folder.get(..end)?;
        }
    }

    /// Says whether a file imports something that is in the folders of this dotted name.
    fn is_imported_by(&self, dotted: &str) -> bool {
        if let Some(known) = self.named_by_folders.borrow().get(dotted) {
            return *known;
        }
        let ways = [
            format!("import {dotted}."),
            format!("from {dotted}."),
            format!("from {dotted} import"),
        ];
        let found = self.sources.ids().any(|file| {
            let bytes = self.sources.bytes(file);
            let mut ways = ways.iter();
            self.sources.is_python(file)
                && ways.any(|way| memmem::find(bytes, way.as_bytes()).is_some())
        });
        let mut known = self.named_by_folders.borrow_mut();
        known.insert(dotted.to_owned(), found);
        found
    }

    /// Says whether a file in the folder of `file` names another by dots, which makes a package of the folder whatever is in it.
    pub(super) fn is_used_by_dots(&self, file: FileId) -> bool {
        let folder = folder_of(self.sources.path(file).as_str());
        if let Some(known) = self.named_by_dots.borrow().get(folder) {
            return *known;
        }
        let found = self.sources.paths().any(|(path, file)| {
            folder_of(path) == folder
                && self.sources.is_python(file)
                && memmem::find(self.sources.bytes(file), b"from .").is_some()
        });
        let mut known = self.named_by_dots.borrow_mut();
        known.insert(folder.to_owned(), found);
        found
    }

    /// Returns how `file` names `module` by dots, of folders that say nothing of packages; no further up than `most` dots lead.
    pub(super) fn spelled_by_folders(
        &self,
        file: FileId,
        module: &PythonModule,
        most: usize,
    ) -> Option<ImportOrigin> {
        let (root, parts) = self.sources.parts_of(module)?;
        let folder = folder_of(self.sources.path(file).as_str());
        let there = root.split('/').filter(|it| !it.is_empty());
        let there: Vec<&str> = there.chain(parts.iter().map(String::as_str)).collect();
        let here: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
        let shared = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
        let dots = here.len() - shared + 1;
        (dots <= most && !here.is_empty() && shared < there.len()).then(|| ImportOrigin {
            dots,
            parts: there[shared..].iter().map(|it| (*it).to_owned()).collect(),
        })
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
        self.is_imported_by(&below.replace('/', "."))
            .then(|| below.split('/').map(str::to_owned).collect())
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
