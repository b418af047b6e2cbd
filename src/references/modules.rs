//! Which file an import means.
//!
//! A module's name is looked for below the folders that Python would look in: those around the importing file that are no packages,
//! the root, `src` and their like; only where none of them has it, in any folder that could be one. Several answers are all told.

use std::collections::BTreeSet;

use super::facts::{FileId, PythonModule};
use super::outside;
use super::sources::Sources;
use crate::syntax::python::ImportOrigin;

/// Folders in which projects keep their packages.
pub(super) const CUSTOMARY: [&str; 4] = ["", "src", "lib", "python"];

impl Sources {
    /// Returns the modules that an import in `file` may mean; none where it is of another project.
    pub(super) fn modules(&self, file: FileId, origin: &ImportOrigin) -> Vec<PythonModule> {
        if origin.dots > 0 {
            let Some(folder) = self.folder_above(file, origin.dots) else {
                return Vec::new();
            };
            let found = self.below(&folder, &origin.parts);
            // The folder that the file itself is in need not say that it is a package.
            let own = || {
                let is_it = origin.parts.is_empty() && self.has_folder(&folder);
                is_it.then(|| PythonModule {
                    files: Vec::new(),
                    folder: Some(folder.clone()),
                })
            };
            return found.or_else(own).into_iter().collect();
        }
        let near = self.search_folders(file);
        for folder in &near {
            if let Some(module) = self.below(folder, &origin.parts) {
                return vec![module];
            }
        }
        let Some(first) = origin.parts.first() else {
            return Vec::new();
        };
        if outside::is_standard(first) {
            return Vec::new();
        }
        let mut found: Vec<PythonModule> = Vec::new();
        for folder in self.possible_roots(first) {
            if near.contains(&folder) {
                continue;
            }
            if let Some(module) = self.below(&folder, &origin.parts)
                && !found.contains(&module)
            {
                found.push(module);
            }
        }
        found
    }

    /// Returns the module that an import without dots in `file` means, found in the folders that Python would look in.
    pub(super) fn module_near(&self, file: FileId, origin: &ImportOrigin) -> Option<PythonModule> {
        let folders = self.search_folders(file);
        let mut found = folders.iter();
        found.find_map(|folder| self.below(folder, &origin.parts))
    }

    /// Returns the module called `name` in the package `module`.
    pub(super) fn submodule(&self, module: &PythonModule, name: &str) -> Option<PythonModule> {
        let folder = module.folder.as_deref()?;
        self.below(folder, &[name.to_owned()])
    }

    /// Returns the module that a file is, its stub with it.
    pub(super) fn module_of(&self, file: FileId) -> Option<PythonModule> {
        let path = self.path(file).as_str();
        let stem = path
            .strip_suffix(".pyi")
            .or_else(|| path.strip_suffix(".py"))?;
        match stem.strip_suffix("__init__") {
            Some(folder) if folder.is_empty() || folder.ends_with('/') => {
                self.in_folder(folder.trim_end_matches('/'))
            }
            Some(_) | None => self.in_file(stem),
        }
    }

    /// Returns the last part of the name of the module that a file is.
    pub(super) fn module_word(&self, file: FileId) -> &str {
        let path = self.path(file).as_str();
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
        stem.rsplit('/').next().unwrap_or(stem)
    }

    /// Returns the other file of the same module: its stub, or what it is the stub of.
    pub(super) fn twin(&self, file: FileId) -> Option<FileId> {
        let path = self.path(file).as_str();
        match path.strip_suffix(".pyi") {
            Some(stem) => self.at(&format!("{stem}.py")),
            None => self.at(&format!("{path}i")),
        }
    }

    fn below(&self, folder: &str, parts: &[String]) -> Option<PythonModule> {
        let path = joined(folder, &parts.join("/"));
        self.in_folder(&path)
            .filter(|module| !module.files.is_empty())
            .or_else(|| self.in_file(&path))
            .or_else(|| {
                // A folder without `__init__.py` is a package, too.
                let is_package = !parts.is_empty() && self.has_folder(&path);
                is_package.then(|| PythonModule {
                    files: Vec::new(),
                    folder: Some(path.clone()),
                })
            })
    }

    fn in_folder(&self, folder: &str) -> Option<PythonModule> {
        let stem = joined(folder, "__init__");
        let files = self.both(&stem);
        let is_there = !files.is_empty() || self.has_folder(folder);
        is_there.then(|| PythonModule {
            files,
            folder: Some(folder.to_owned()),
        })
    }

    fn in_file(&self, stem: &str) -> Option<PythonModule> {
        let files = self.both(stem);
        (!files.is_empty()).then_some(PythonModule {
            files,
            folder: None,
        })
    }

    fn both(&self, stem: &str) -> Vec<FileId> {
        let endings = [".py", ".pyi"];
        endings
            .iter()
            .filter_map(|ending| self.at(&format!("{stem}{ending}")))
            .collect()
    }

    fn folder_above(&self, file: FileId, dots: usize) -> Option<String> {
        let mut folder = folder_of(self.path(file).as_str());
        for _ in 1..dots {
            if folder.is_empty() {
                return None;
            }
            folder = folder_of(folder);
        }
        Some(folder.to_owned())
    }

    /// Says whether a folder is a package that says so.
    pub(super) fn is_package(&self, folder: &str) -> bool {
        !self.both(&joined(folder, "__init__")).is_empty()
    }

    /// Says whether a folder is a package, or in one, whatever it says itself: files in it name each other by dots.
    pub(super) fn is_in_package(&self, folder: &str) -> bool {
        let is_around = |is: &dyn Fn(&str) -> bool| {
            let mut around = folder;
            while !around.is_empty() {
                if is(around) {
                    return true;
                }
                around = folder_of(around);
            }
            false
        };
        is_around(&|it| self.is_package(it))
            || is_around(&|it| self.once_packages.contains(it))
            || is_around(&|it| self.used_as_packages().contains(it))
    }

    /// Returns every folder that is a package, by what it says or by how its files name each other.
    pub(super) fn packages(&self) -> BTreeSet<String> {
        let said = self.paths().filter_map(|(path, _)| {
            let (folder, name) = path.rsplit_once('/')?;
            matches!(name, "__init__.py" | "__init__.pyi").then(|| folder.to_owned())
        });
        said.chain(self.used_as_packages().iter().cloned())
            .collect()
    }

    /// Returns the folders in which a file names another by dots, those above that the dots lead to, and those by whose names something is
    /// imported.
    fn used_as_packages(&self) -> &BTreeSet<String> {
        self.used_as_packages.get_or_init(|| {
            let mut found = BTreeSet::new();
            self.named_with_dots(&mut found);
            let is_told = |(path, file): &(&str, FileId)| {
                self.is_python(*file) && !self.moved.contains(*path)
            };
            for (path, file) in self.paths().filter(is_told) {
                let bytes = self.bytes(file);
                for start in memchr::memmem::find_iter(bytes, b"from .") {
                    let line = bytes[..start].iter().rposition(|byte| *byte == b'\n');
                    let ahead = &bytes[line.map_or(0, |at| at + 1)..start];
                    if !ahead.iter().all(u8::is_ascii_whitespace) {
                        continue;
                    }
                    let dots = bytes[start + "from ".len()..]
                        .iter()
                        .take_while(|byte| **byte == b'.');
                    let mut folder = folder_of(path);
                    for _ in dots {
                        if folder.is_empty() || !found.insert(folder.to_owned()) {
                            break;
                        }
                        folder = folder_of(folder);
                    }
                }
            }
            found
        })
    }

    /// Says whether imports without dots are looked for in a folder as they are in the root.
    pub(super) fn is_root(&self, folder: &str) -> bool {
        folder.is_empty() || CUSTOMARY.contains(&folder) && !self.once_packages.contains(folder)
    }

    /// Returns the customary folders in which something imports a module by its name alone.
    pub(super) fn roots_in_use(&self) -> Vec<&'static str> {
        let imported = self.dotted_imports();
        let holds = |folder: &str, name: &str| {
            let path = joined(folder, name);
            !self.both(&path).is_empty() || self.has_folder(&path)
        };
        let is_used = |root: &&str| {
            imported.iter().any(|dotted| {
                let first = dotted.split('.').next().unwrap_or(dotted);
                !first.is_empty() && holds(root, first) && !holds("", first)
            })
        };
        CUSTOMARY
            .into_iter()
            .filter(|root| root.is_empty() || is_used(root))
            .collect()
    }

    /// Returns what imports of the project name, as it is written: `pkg.app`, `.tools`.
    pub(super) fn dotted_imports(&self) -> BTreeSet<&str> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for file in self.ids().filter(|file| self.is_python(*file)) {
            let Ok(text) = std::str::from_utf8(self.bytes(file)) else {
                continue;
            };
            for line in text.lines() {
                let line = line.trim_start();
                let Some(rest) = line
                    .strip_prefix("from ")
                    .or_else(|| line.strip_prefix("import "))
                else {
                    continue;
                };
                let is_of_name = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);
                let dotted = rest.trim_start();
                let end = dotted.find(|letter| !is_of_name(letter));
                seen.insert(&dotted[..end.unwrap_or(dotted.len())]);
            }
        }
        seen
    }

    /// Adds the folders without an `__init__.py` by whose names something is imported: `from pkg.app import tools`.
    fn named_with_dots(&self, found: &mut BTreeSet<String>) {
        let imported = self.dotted_imports();
        for dotted in imported.into_iter().filter(|it| !it.starts_with('.')) {
            let parts: Vec<&str> = dotted.split('.').collect();
            if outside::is_standard(parts[0]) {
                continue;
            }
            for root in CUSTOMARY {
                let mut folder = root.to_owned();
                for part in &parts {
                    folder = joined(&folder, part);
                    // A module of the name comes first.
                    if part.is_empty()
                        || !self.has_folder(&folder)
                        || !self.both(&folder).is_empty()
                    {
                        break;
                    }
                    found.insert(folder.clone());
                }
            }
        }
    }

    /// Returns the folders in which an import in `file` is looked for, nearest first.
    fn search_folders(&self, file: FileId) -> Vec<String> {
        let mut folders: Vec<String> = Vec::new();
        let mut folder = folder_of(self.path(file).as_str());
        loop {
            // Where files are imported by the folder, only who runs one of them as a script looks there.
            let is_root = self.is_root(folder);
            let is_in_use = self.used_as_packages().contains(folder);
            let is_package = is_in_use || self.once_packages.contains(folder);
            if !self.is_package(folder) && (is_root || !is_package) {
                folders.push(folder.to_owned());
            }
            if folder.is_empty() {
                break;
            }
            folder = folder_of(folder);
        }
        for customary in CUSTOMARY {
            let is_known = folders.iter().any(|folder| folder == customary);
            if !is_known && self.is_root(customary) && !self.is_package(customary) {
                folders.push(customary.to_owned());
            }
        }
        folders
    }

    /// Returns the folders that hold a package or module called `first`, and are no packages themselves.
    fn possible_roots(&self, first: &str) -> Vec<String> {
        let endings = [
            format!("{first}/__init__.py"),
            format!("{first}/__init__.pyi"),
            format!("{first}.py"),
            format!("{first}.pyi"),
        ];
        let mut roots = Vec::new();
        for (path, _) in self.paths() {
            for ending in &endings {
                let Some(root) = path.strip_suffix(ending.as_str()) else {
                    continue;
                };
                if !root.is_empty() && !root.ends_with('/') {
                    continue;
                }
                let root = root.trim_end_matches('/');
                if !self.is_package(root) && !roots.iter().any(|known| known == root) {
                    roots.push(root.to_owned());
                }
            }
        }
        roots
    }
}

/// Returns the folder that a file or folder is in, the root's as nothing.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn joined(folder: &str, rest: &str) -> String {
    if folder.is_empty() || rest.is_empty() {
        format!("{folder}{rest}")
    } else {
        format!("{folder}/{rest}")
    }
}
