//! Where the modules are that a file imports: the paths at which they can be, to be looked for without a list of the project's files.

use std::collections::{BTreeSet, HashSet};

use super::modules::CUSTOMARY;
use super::outside;
use super::sources::Sources;
use crate::path::RepoPath;
use crate::syntax::python::{BindingKind, ImportOrigin};

impl Sources {
    /// Returns where the modules can be from which the file at `path` has one of the names that `is_wanted`, and what says which of the
    /// folders around it are packages. What is there already is left out.
    pub(crate) fn places_beside(
        &self,
        path: &RepoPath,
        is_wanted: impl Fn(&str) -> bool,
    ) -> BTreeSet<RepoPath> {
        let mut places = BTreeSet::new();
        let Some(names) = self.names_at(path).filter(|names| names.is_sound) else {
            return places;
        };
        let folders = folders_around(path);
        let mut asked: HashSet<(ImportOrigin, Option<&str>)> = HashSet::new();
        for scope in &names.scopes {
            for (_, bound) in scope.names.iter().filter(|(name, _)| is_wanted(name)) {
                for binding in &bound.bindings {
                    let (origin, name) = match &binding.kind {
                        BindingKind::Imported { from, name } => (from.clone(), Some(name.as_str())),
                        BindingKind::ModulePart { parts } | BindingKind::ModuleAlias { parts } => {
                            let parts = parts.clone();
                            (ImportOrigin { dots: 0, parts }, None)
                        }
                        _ => continue,
                    };
                    asked.insert((origin, name));
                }
            }
        }
        for (origin, name) in &asked {
            add_places(&mut places, &folders, origin, *name);
        }
        if !places.is_empty() {
            let packages = folders.iter().filter(|folder| !folder.is_empty());
            places.extend(packages.filter_map(|folder| place(folder, "__init__.py")));
        }
        places.retain(|place| self.at(place.as_str()).is_none());
        places
    }
}

/// Returns the folders around a file, the nearest first and the root last.
fn folders_around(path: &RepoPath) -> Vec<&str> {
    let mut folders = Vec::new();
    let mut rest = path.as_str();
    while let Some((folder, _)) = rest.rsplit_once('/') {
        folders.push(folder);
        rest = folder;
    }
    folders.push("");
    folders
}

fn add_places(
    places: &mut BTreeSet<RepoPath>,
    around: &[&str],
    origin: &ImportOrigin,
    name: Option<&str>,
) {
    let folders: Vec<&str> = match origin.dots {
        0 => {
            let first = origin.parts.first();
            if first.is_none_or(|first| outside::is_standard(first)) {
                return;
            }
            around.iter().copied().chain(CUSTOMARY).collect()
        }
        dots => around.get(dots - 1).copied().into_iter().collect(),
    };
    let module = origin.parts.join("/");
    for folder in folders {
        let module = joined(folder, &module);
        add_module(places, &module);
        if let Some(name) = name {
            add_module(places, &joined(&module, name));
        }
    }
}

/// Adds the files that a module can be.
fn add_module(places: &mut BTreeSet<RepoPath>, module: &str) {
    if !module.is_empty() {
        let files = ["py", "pyi"].map(|ending| RepoPath::parse(&format!("{module}.{ending}")).ok());
        places.extend(files.into_iter().flatten());
    }
    places.extend(place(module, "__init__.py"));
}

fn place(folder: &str, file: &str) -> Option<RepoPath> {
    RepoPath::parse(&joined(folder, file)).ok()
}

fn joined(folder: &str, rest: &str) -> String {
    match (folder, rest) {
        ("", rest) => rest.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, rest) => format!("{folder}/{rest}"),
    }
}
