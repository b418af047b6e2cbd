//! Where a name comes from that a file lacks: all that the project knows of it, by how its files import it and what they define.
//!
//! One origin is an answer, several are a list: which of them is meant is never guessed.
//!
//! Known limits: what others import by `*` alone is not known; a file of tests gives nothing but how it imports.

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::facts::{Entity, FileId, PythonModule};
use super::outside::{is_standard, module_has};
use crate::path::RepoPath;
use crate::syntax::python::{BindingKind, ImportOrigin, OccurrenceKind, UsedExpression};

/// What is known of a name that a file lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origins {
    /// Nothing.
    Nowhere,
    /// One definition, and the import that brings it.
    One(String),
    /// What may be meant, each as an import; more than one, or one that is not certain.
    Several(Vec<String>),
    /// One definition, whose module imports the file.
    Circle(String),
}

/// So many are listed, those that most files use first.
const MOST_LISTED: usize = 8;

/// How the file uses a name that it lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameUse {
    /// For its attributes alone: `name.x`. So it may be a module.
    Receiver,
    /// In another way, too.
    Value,
}

/// What a name is, wherever it is imported from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OriginIdentity {
    /// Something that the project defines.
    Inside(Entity),
    /// A module of the project, by its path.
    Module(String),
    /// A module of another project.
    OutsideModule(String),
    /// A name of a module of another project.
    Outside(String),
}

/// A module that an import names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OriginModule {
    /// Of the project.
    Own(PythonModule),
    /// Of another one, by its name.
    Other(Vec<String>),
}

/// One way to import the name, and how often it is gone.
struct Way {
    /// The module; of a plain `import` the one that it binds.
    place: OriginModule,
    /// The name there; `None` of a plain `import`.
    name: Option<String>,
    /// How imports write the module.
    written: Vec<ImportOrigin>,
}

/// All ways to one thing, and whether one of them is more than a guess.
#[derive(Default)]
struct Ways {
    ways: Vec<Way>,
    is_certain: bool,
}

/// The things that a name may be.
type FoundOrigin = BTreeMap<OriginIdentity, Ways>;

impl Analysis {
    /// Returns where `name`, which the file at `path` uses and lacks, comes from.
    pub(crate) fn origins(&self, path: &RepoPath, name: &str, how: NameUse) -> Origins {
        let Some(file) = self.sources.at(path.as_str()) else {
            return Origins::Nowhere;
        };
        let mut found = FoundOrigin::new();
        for other in self.sources.holding(&[name]) {
            if self.sources.is_python(other) && self.names(other).is_sound {
                self.ways_of_imports(other, name, &mut found);
                if other != file && self.gives_to(other, file) {
                    self.way_of_definition(other, name, &mut found);
                }
            }
        }
        self.ways_of_modules(file, name, &mut found);
        let is_module_of_python =
            self.asks_only(file, name, |attribute| module_has(name, attribute));
        if is_standard(name) && !is_module_of_python {
            found.remove(&OriginIdentity::OutsideModule(name.to_owned()));
        } else if is_standard(name) {
            let ways = found
                .entry(OriginIdentity::OutsideModule(name.to_owned()))
                .or_default();
            ways.is_certain = true;
            ways.ways.push(Way {
                place: OriginModule::Other(vec![name.to_owned()]),
                name: None,
                written: Vec::new(),
            });
        }
        if how == NameUse::Value {
            found.retain(|identity, _| {
                !matches!(
                    identity,
                    OriginIdentity::Module(_) | OriginIdentity::OutsideModule(_)
                )
            });
        }
        let mut statements: Vec<(String, &Ways)> = Vec::new();
        for ways in found.values() {
            if let Some(statement) = self.best(file, name, ways) {
                statements.push((statement, ways));
            }
        }
        // The name of a scope that cannot be seen from there may be what is meant.
        let is_beside = self
            .names(file)
            .scopes
            .iter()
            .any(|scope| scope.names.contains_key(name) || scope.members.contains_key(name));
        match statements.as_slice() {
            [] => Origins::Nowhere,
            [(statement, ways)] if found.len() == 1 && ways.is_certain && !is_beside => {
                let modules = ways.ways.iter().filter_map(|way| match &way.place {
                    OriginModule::Own(module) => Some(module),
                    OriginModule::Other(_) => None,
                });
                let chosen = self.best_way(file, ways).map(|way| &way.place);
                let mut chosen = modules.filter(|module| match chosen {
                    Some(OriginModule::Own(best)) => best == *module,
                    _ => false,
                });
                match chosen.next() {
                    Some(module) if self.closes_circle(file, module) => {
                        Origins::Circle(statement.clone())
                    }
                    _ => Origins::One(statement.clone()),
                }
            }
            _ => {
                let uses =
                    |ways: &Ways| -> usize { ways.ways.iter().map(|way| way.written.len()).sum() };
                statements.sort_by_key(|(_, ways)| std::cmp::Reverse(uses(ways)));
                let words = statements.into_iter().map(|(words, _)| words);
                Origins::Several(words.take(MOST_LISTED).collect())
            }
        }
    }

    /// Says whether all attributes that a file asks `name` for are such.
    fn asks_only(&self, file: FileId, name: &str, is_such: impl Fn(&str) -> bool) -> bool {
        let names = self.names(file);
        names.occurrences.iter().all(|it| match it.kind {
            OccurrenceKind::Attribute { receiver, .. } => match names.expression(receiver) {
                UsedExpression::Name { name: asked, .. } if asked == name => is_such(&it.name),
                _ => true,
            },
            _ => true,
        })
    }

    /// Adds how a file imports `name`, in whatever scope.
    fn ways_of_imports(&self, other: FileId, name: &str, found: &mut FoundOrigin) {
        let scopes = &self.names(other).scopes;
        let bound = scopes.iter().filter_map(|scope| scope.names.get(name));
        for binding in bound.flat_map(|bound| &bound.bindings) {
            match &binding.kind {
                BindingKind::Imported { from, name: there } => {
                    self.way_of_name(other, from, there, found);
                }
                BindingKind::ModuleAlias { parts } => {
                    self.way_of_module(other, parts, found);
                }
                BindingKind::ModulePart { parts } if parts.len() == 1 => {
                    self.way_of_module(other, parts, found);
                }
                // `import os` is enough for `os.path`; of other packages it is not known which modules are needed.
                BindingKind::ModulePart { parts } if parts[0] == "os" => {
                    self.way_of_module(other, &parts[..1], found);
                }
                BindingKind::ModulePart { parts } => {
                    self.way_of_module(other, parts, found);
                }
                _ => {}
            }
        }
    }

    fn way_of_module(&self, other: FileId, parts: &[String], found: &mut FoundOrigin) {
        let origin = ImportOrigin {
            dots: 0,
            parts: parts.to_vec(),
        };
        let mut add = |identity: OriginIdentity, place: OriginModule| {
            let ways = found.entry(identity).or_default();
            ways.is_certain = true;
            ways.ways.push(Way {
                place,
                name: None,
                written: vec![origin.clone()],
            });
        };
        let modules = self.sources.modules(other, &origin);
        if modules.is_empty() {
            add(
                OriginIdentity::OutsideModule(parts.join(".")),
                OriginModule::Other(parts.to_vec()),
            );
        }
        for module in modules {
            add(
                OriginIdentity::Module(self.place_of(&module)),
                OriginModule::Own(module),
            );
        }
    }

    fn way_of_name(
        &self,
        other: FileId,
        from: &ImportOrigin,
        there: &str,
        found: &mut FoundOrigin,
    ) {
        let mut add = |identity: OriginIdentity, place: OriginModule| {
            let ways = found.entry(identity).or_default();
            ways.is_certain = true;
            ways.ways.push(Way {
                place,
                name: Some(there.to_owned()),
                written: vec![from.clone()],
            });
        };
        let modules = self.sources.modules(other, from);
        if modules.is_empty() && from.dots == 0 {
            let dotted = format!("{}.{there}", from.parts.join("."));
            let is_module = is_standard(&dotted);
            let identity = if is_module {
                OriginIdentity::OutsideModule(dotted)
            } else {
                OriginIdentity::Outside(dotted)
            };
            add(identity, OriginModule::Other(from.parts.clone()));
        }
        for module in modules {
            let leads = self.leads_of_member(&module, there);
            let identity = match (leads.entities.iter().next(), leads.entities.len()) {
                (Some(entity), 1) => OriginIdentity::Inside(entity.clone()),
                _ => match self.sources.submodule(&module, there) {
                    Some(inner) => OriginIdentity::Module(self.place_of(&inner)),
                    None => OriginIdentity::Outside(format!("{}.{there}", self.place_of(&module))),
                },
            };
            add(identity, OriginModule::Own(module));
        }
    }

    /// Adds what a file defines at its first level.
    fn way_of_definition(&self, other: FileId, name: &str, found: &mut FoundOrigin) {
        let Some(bound) = self
            .names(other)
            .scopes
            .first()
            .and_then(|module| module.names.get(name))
        else {
            return;
        };
        let is_definition = |kind: &BindingKind| {
            matches!(
                kind,
                BindingKind::Function(_) | BindingKind::Class(_) | BindingKind::Assigned { .. }
            )
        };
        if !bound.bindings.iter().any(|it| is_definition(&it.kind)) {
            return;
        }
        let Some(module) = self.sources.module_of(other) else {
            return;
        };
        // A variable in small letters is as often another one of that name.
        let is_variable = bound
            .bindings
            .iter()
            .all(|it| matches!(it.kind, BindingKind::Assigned { .. }));
        let is_sure = !is_variable || name.chars().any(char::is_uppercase);
        let ways = found
            .entry(OriginIdentity::Inside(self.entity((other, 0), name)))
            .or_default();
        ways.is_certain |= is_sure;
        ways.ways.push(Way {
            place: OriginModule::Own(module),
            name: Some(name.to_owned()),
            written: Vec::new(),
        });
    }

    /// Adds the modules of the project that are called `name`.
    fn ways_of_modules(&self, file: FileId, name: &str, found: &mut FoundOrigin) {
        for other in self.sources.ids() {
            let is_it = other != file
                && self.sources.is_python(other)
                && self.sources.module_word(other) == name
                && self.gives_to(other, file);
            let Some(module) = self.sources.module_of(other).filter(|_| is_it) else {
                continue;
            };
            let identity = OriginIdentity::Module(self.place_of(&module));
            let ways = found.entry(identity).or_default();
            ways.is_certain = true;
            ways.ways.push(Way {
                place: OriginModule::Own(module),
                name: None,
                written: Vec::new(),
            });
        }
    }

    /// Says whether what a file defines is for the other to import: tests and scripts are for themselves.
    fn gives_to(&self, other: FileId, file: FileId) -> bool {
        let (path, own) = (
            self.sources.path(other).as_str(),
            self.sources.path(file).as_str(),
        );
        let is_test = |path: &str| {
            let mut folders = path.split('/');
            let name = folders.next_back().unwrap_or(path);
            folders.any(|folder| matches!(folder, "test" | "tests" | "testing"))
                || name.starts_with("test_")
                || name.ends_with("_test.py")
        };
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_script = matches!(
            name,
            "setup.py" | "conftest.py" | "__main__.py" | "noxfile.py"
        );
        !is_script && (!is_test(path) || is_test(own))
    }

    fn place_of(&self, module: &PythonModule) -> String {
        match (&module.folder, module.files.first()) {
            (Some(folder), _) => folder.clone(),
            (None, Some(file)) => self.sources.path(*file).to_string(),
            (None, None) => String::new(),
        }
    }

    /// Returns the way that most imports go; of as many the one that names the shortest public module.
    fn best_way<'w>(&self, file: FileId, ways: &'w Ways) -> Option<&'w Way> {
        let mut counted: Vec<(usize, &Way)> = Vec::new();
        for way in &ways.ways {
            let same = counted
                .iter_mut()
                .find(|(_, it)| it.place == way.place && it.name == way.name);
            match same {
                Some((count, _)) => *count += way.written.len(),
                None => counted.push((way.written.len(), way)),
            }
        }
        let weight = |(count, way): &(usize, &Way)| {
            let parts = match &way.place {
                OriginModule::Own(module) => self.sources.parts_of(module).map(|(_, parts)| parts),
                OriginModule::Other(parts) => Some(parts.clone()),
            };
            let parts = parts.unwrap_or_default();
            let is_public = !parts.iter().any(|part| part.starts_with('_'));
            (*count, is_public, std::cmp::Reverse(parts.len()))
        };
        let named = counted
            .into_iter()
            .rev()
            .filter(|(_, way)| self.origin_of(file, way, ways).is_some());
        named.max_by_key(weight).map(|(_, way)| way)
    }

    /// Returns how `file` writes the module of a way.
    fn origin_of(&self, file: FileId, way: &Way, ways: &Ways) -> Option<ImportOrigin> {
        match &way.place {
            OriginModule::Other(parts) => Some(ImportOrigin {
                dots: 0,
                parts: parts.clone(),
            }),
            OriginModule::Own(module) => {
                let same = ways.ways.iter().filter(|other| other.place == way.place);
                let written: Vec<ImportOrigin> = same
                    .flat_map(|other| other.written.iter().cloned())
                    .collect();
                self.spelled(file, module, &written)
            }
        }
    }

    /// Returns the import by which `file` gets `name` the way that most go.
    fn best(&self, file: FileId, name: &str, ways: &Ways) -> Option<String> {
        let way = self.best_way(file, ways)?;
        let origin = self.origin_of(file, way, ways)?;
        let renamed = |there: &str| {
            if there == name {
                there.to_owned()
            } else {
                format!("{there} as {name}")
            }
        };
        match &way.name {
            Some(there) => Some(format!("from {} import {}", origin.words(), renamed(there))),
            // A module of a package is imported from it.
            None => match origin.parts.split_last() {
                Some((last, around)) if last == name && (origin.dots > 0 || !around.is_empty()) => {
                    let package = ImportOrigin {
                        dots: origin.dots,
                        parts: around.to_vec(),
                    };
                    Some(format!("from {} import {last}", package.words()))
                }
                Some(_) if origin.dots == 0 => {
                    Some(format!("import {}", renamed(&origin.parts.join("."))))
                }
                _ => None,
            },
        }
    }
}
