//! `Renamable`: what an address names, as all the names in scopes that are one thing.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::ancestry::AncestryStep;
use super::decorators::FAITHFUL;
use super::facts::{Entity, FileId, ScopePlace};
use super::outside;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::manifest::{SymbolComponent, SymbolSelector};
use crate::path::RepoPath;
use crate::syntax::python::{BindingKind, NameScopeKind, OccurrenceKind, ParameterKind};

/// What an address names.
#[derive(Clone, Debug)]
pub(crate) struct Renamable {
    /// The word that is written.
    pub(crate) word: String,
    /// The names that are one thing.
    pub(crate) entities: BTreeSet<Entity>,
    /// What sort of thing.
    pub(crate) sort: RenamableSort,
    /// The address, as it was found.
    pub(crate) address: String,
    /// Reasons to doubt that all of it is seen, each with a place of the definition.
    pub(crate) doubts: Vec<(Entity, String)>,
    /// A class of another project that has the attribute, too: `Thread.run`.
    pub(crate) overridden: Option<(Entity, String)>,
    /// The last words of the names of the modules that have it.
    pub(super) modules: Vec<String>,
    /// Whether it is a fixture of tests, which parameters ask for by its name.
    pub(crate) is_fixture: bool,
    /// How the function of a parameter is used, once that was looked for.
    pub(super) uses: OnceCell<Vec<FunctionUse>>,
}

/// How a function is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FunctionUse {
    /// It is called.
    pub(super) is_called: bool,
    /// With arguments that are not written there: `f(**options)`.
    pub(super) is_spread: bool,
}

/// What sort of thing is renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RenamableSort {
    /// A name of a module.
    Global,
    /// An attribute of classes.
    Member,
    /// A name in a function.
    Local,
    /// A parameter of functions, by the name of those.
    Parameter(String),
}

/// Functions that take the names around them out as strings.
pub(super) const READS_NAMES: [&str; 5] = ["locals", "vars", "eval", "exec", "dir"];

impl Renamable {
    /// Returns the names by which it is looked up: more than one where each class has its own.
    pub(super) fn keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = self.entities.iter().map(|it| it.name.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

impl Analysis {
    /// Returns what `symbol` names in the file at `path`.
    pub(crate) fn renamable(
        &self,
        path: &RepoPath,
        symbol: &SymbolSelector,
    ) -> Result<Renamable, Diagnostic> {
        let address = format!("{path}::{symbol}");
        let Some(file) = self.sources.at(path.as_str()) else {
            return Err(Diagnostic::new(
                Code::FileNotFound,
                format!("{path} does not exist"),
            ));
        };
        if !self.names(file).is_sound {
            let message = format!("{path} does not parse: what its names mean is not known");
            return Err(Diagnostic::new(Code::Unsupported, message));
        }
        let missing = |name: &str| {
            let message = format!("no `{symbol}` in {path}");
            let known = self.known_names(file);
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let alike = nearest(name, known.iter().copied(), 3);
            let alike = alike.into_iter().map(|name| format!("{path}::{name}"));
            Diagnostic::new(Code::SegmentNotFound, message).suggest(alike)
        };
        let Some((last, around)) = symbol.components.split_last() else {
            return Err(missing(""));
        };
        let written = symbol.to_string();
        let mut places = vec![(file, 0)];
        if symbol.any_depth {
            let all = 0..self.names(file).scopes.len();
            places = all.map(|scope| (file, scope)).collect();
        }
        for component in around {
            places = self.inner(&places, component);
        }
        if let Some((function, parameter)) = split_parameter(&last.name) {
            let function = SymbolComponent {
                name: function.to_owned(),
                index: last.index,
            };
            let mut found = self.inner(&places, &function);
            found.retain(|place| self.has_parameter(*place, parameter));
            if found.is_empty() {
                return Err(missing(&written));
            }
            return self.parameter(&found, &function.name, parameter, address);
        }
        let name = &last.name;
        let mut found: Vec<ScopePlace> = Vec::new();
        for place in &places {
            let key = self.private_in(*place, name);
            if self.binds_itself(*place, &key) {
                found.push(*place);
            }
        }
        found.sort_unstable();
        found.dedup();
        match &found[..] {
            [] => Err(self.imported_from(&places, name).map_or_else(
                || missing(&written),
                |origin| {
                    let message =
                        format!("`{name}` is imported by {path}, and defined in another place");
                    Diagnostic::new(Code::SegmentNotFound, message).suggest([origin])
                },
            )),
            [place] => self.named(*place, name, address),
            [_, ..] if !symbol.any_depth => {
                // Classes or functions of one name: both arms of a `try`.
                let mut all = self.named(found[0], name, address)?;
                for place in &found[1..] {
                    let other = self.named(*place, name, String::new())?;
                    all.entities.extend(other.entities);
                    all.doubts.extend(other.doubts);
                    all.overridden = all.overridden.or(other.overridden);
                }
                Ok(all)
            }
            several => {
                let candidates = several.iter().map(|place| {
                    let mut words = self.qualified(*place);
                    words.push(name.clone());
                    format!("{path}::{}", words.join("."))
                });
                let candidates: Vec<String> = candidates.collect();
                let message = format!("`{symbol}` is in several places of {path}");
                Err(Diagnostic::new(Code::SegmentAmbiguous, message).suggest(candidates))
            }
        }
    }

    /// Returns how a name that is written in a scope is looked up.
    fn private_in(&self, place: ScopePlace, name: &str) -> String {
        let scope = self.scope(place);
        let is_private = name.starts_with("__") && !name.ends_with("__");
        match scope.name.as_deref().map(|it| it.trim_start_matches('_')) {
            Some(class) if is_private && scope.kind == NameScopeKind::Class => {
                format!("_{class}{name}")
            }
            Some(_) | None => name.to_owned(),
        }
    }

    /// Says whether a scope binds a name by itself, and not by an import of the same word.
    fn binds_itself(&self, place: ScopePlace, name: &str) -> bool {
        let scope = self.scope(place);
        let declares = scope
            .names
            .get(name)
            .is_some_and(|bound| bound.outward.is_some());
        !declares
            && (self.defines(place, name)
                || scope.kind == NameScopeKind::Class && self.has_own(place, name))
    }

    /// Returns the scopes of the functions and classes of a name in some scopes.
    fn inner(&self, places: &[ScopePlace], component: &SymbolComponent) -> Vec<ScopePlace> {
        let name = component.name.split('(').next().unwrap_or_default();
        let name = name.split('@').next().unwrap_or(name);
        let mut found = Vec::new();
        for place in places {
            let key = self.private_in(*place, name);
            let Some(bound) = self.scope(*place).names.get(&key) else {
                continue;
            };
            for binding in &bound.bindings {
                match binding.kind {
                    BindingKind::Function(scope) | BindingKind::Class(scope) => {
                        found.push((place.0, scope));
                    }
                    _ => {}
                }
            }
        }
        match component.index.and_then(|index| index.checked_sub(1)) {
            Some(index) => found.get(index).copied().into_iter().collect(),
            None => found,
        }
    }

    /// Returns the last words of the names of the modules in which a name leads to the target.
    fn modules_that_have(&self, target: &Renamable, name: &str) -> Vec<String> {
        let mut modules: Vec<String> = Vec::new();
        for file in self.sources.holding(&[target.word.as_str()]) {
            if !self.sources.is_python(file) {
                continue;
            }
            let leads = self.leads_of_name((file, 0), name);
            let word = self.sources.module_word(file).to_owned();
            if !leads.entities.is_disjoint(&target.entities) && !modules.contains(&word) {
                modules.push(word);
            }
        }
        modules
    }

    /// Says whether a name is a function that tests ask for by a parameter.
    fn is_fixture(&self, place: ScopePlace, name: &str) -> bool {
        let names = self.names(place.0);
        let bound = self.scope(place).names.get(name);
        let bindings = bound.map(|bound| &bound.bindings[..]).unwrap_or_default();
        bindings.iter().any(|binding| match binding.kind {
            BindingKind::Function(function) => names.scopes[function]
                .function
                .as_ref()
                .is_some_and(|header| names.is_decorated(&header.decorators, &["fixture"])),
            _ => false,
        })
    }

    pub(super) fn has_parameter(&self, place: ScopePlace, name: &str) -> bool {
        let bound = self.scope(place).names.get(name);
        bound.is_some_and(|bound| {
            bound
                .bindings
                .iter()
                .any(|binding| matches!(binding.kind, BindingKind::Parameter { .. }))
        })
    }

    /// Returns what a word in a scope names.
    pub(super) fn named(
        &self,
        place: ScopePlace,
        word: &str,
        address: String,
    ) -> Result<Renamable, Diagnostic> {
        let key = self.private_in(place, word);
        if self.has_parameter(place, &key) {
            let function = self.scope(place).name.clone().unwrap_or_default();
            return self.parameter(&[place], &function, word, address);
        }
        let mut renamable = Renamable {
            word: word.to_owned(),
            entities: BTreeSet::from([self.entity(place, &key)]),
            sort: match self.scope(place).kind {
                NameScopeKind::Module => RenamableSort::Global,
                NameScopeKind::Class => RenamableSort::Member,
                NameScopeKind::Function
                | NameScopeKind::Lambda
                | NameScopeKind::Comprehension
                | NameScopeKind::TypeParameters => RenamableSort::Local,
            },
            address,
            doubts: Vec::new(),
            overridden: None,
            modules: Vec::new(),
            is_fixture: false,
            uses: OnceCell::new(),
        };
        if renamable.sort == RenamableSort::Local && self.reads_its_names(place) {
            let why = "a call there may use it by its name".to_owned();
            renamable.doubts.push((self.entity(place, &key), why));
        }
        if renamable.sort == RenamableSort::Global {
            renamable.modules = self.modules_that_have(&renamable, &key);
        }
        renamable.is_fixture = self.is_fixture(place, &key);
        if is_called_by_tests(self.sources.module_word(place.0), &key) {
            let entity = self.entity(place, &key);
            renamable.overridden = Some((entity, format!("pytest.{key}")));
        }
        if renamable.sort == RenamableSort::Member {
            let family = self.family(place, &key);
            let entities = family.iter().map(|class| self.entity(*class, &key));
            renamable.entities = entities.collect();
            for class in &family {
                let why = if self.is_protocol(*class) {
                    "what fits the protocol is not known"
                } else if self.has_base_called(*class, "TypedDict") {
                    "its keys are written as strings"
                } else {
                    continue;
                };
                let entity = self.entity(*class, &key);
                renamable.doubts.push((entity, why.to_owned()));
            }
            for (class, step) in self.outside_of(&family) {
                let entity = self.entity(class, &key);
                match step {
                    AncestryStep::Own(_) => {}
                    AncestryStep::Outside(base) => match outside::has_attribute(&base, &key) {
                        Some(true) => {
                            let last = base.rsplit('.').next().unwrap_or(&base);
                            renamable.overridden = Some((entity, format!("{last}.{key}")));
                        }
                        Some(false) => {}
                        None => {
                            let why = format!(
                                "its base `{base}` is not in the snapshot and may define it"
                            );
                            renamable.doubts.push((entity, why));
                        }
                    },
                    AncestryStep::Unknown(base) => {
                        let why = format!("its base `{base}` is not known and may define it");
                        renamable.doubts.push((entity, why));
                    }
                }
            }
        }
        Ok(renamable)
    }

    fn parameter(
        &self,
        functions: &[ScopePlace],
        function: &str,
        word: &str,
        address: String,
    ) -> Result<Renamable, Diagnostic> {
        let mut all: BTreeSet<ScopePlace> = BTreeSet::new();
        let mut doubts = Vec::new();
        for place in functions {
            let mut homes = BTreeSet::new();
            if let Some(around) = self.names(place.0).scope_of_code(place.1) {
                let around = self.canonical((place.0, around));
                if self.scope(around).kind == NameScopeKind::Class {
                    let family = self.family(around, function);
                    for (class, step) in self.outside_of(&family) {
                        let may_define = match &step {
                            AncestryStep::Own(_) => false,
                            AncestryStep::Outside(base) => {
                                outside::has_attribute(base, function).unwrap_or(true)
                            }
                            AncestryStep::Unknown(_) => true,
                        };
                        if may_define && !function.starts_with("__") {
                            let base = match step {
                                AncestryStep::Outside(base) | AncestryStep::Unknown(base) => base,
                                AncestryStep::Own(_) => continue,
                            };
                            let _ = class;
                            let why = format!(
                                "`{function}` may be one of `{base}`, which is not in the snapshot"
                            );
                            doubts.push((self.entity(*place, word), why));
                        }
                    }
                    homes.extend(family);
                } else {
                    homes.insert(around);
                }
                if let Some(twin) = self.sources.twin(around.0)
                    && let Some(stub) = self.counterpart(around, twin)
                {
                    homes.insert(stub);
                }
            }
            all.insert(*place);
            for home in homes {
                let component = SymbolComponent {
                    name: function.to_owned(),
                    index: None,
                };
                all.extend(self.inner(&[home], &component));
            }
        }
        all.retain(|place| self.has_parameter(*place, word));
        for place in &all {
            let names = self.names(place.0);
            let Some(header) = &names.scopes[place.1].function else {
                continue;
            };
            if self.reads_its_names(*place) {
                let why = "a call there may use it by its name".to_owned();
                doubts.push((self.entity(*place, word), why));
            }
            let odd = header.decorators.iter().find(|decorator| {
                !names
                    .last_word(**decorator)
                    .is_some_and(|word| FAITHFUL.contains(&word))
            });
            if let Some(odd) = odd {
                let decorator = names.last_word(*odd).unwrap_or("…");
                let why = format!("the decorator `{decorator}` may use its name");
                doubts.push((self.entity(*place, word), why));
            } else if function.starts_with("test_") && !self.is_first(*place, word) {
                let why = "a test runner may give it by its name".to_owned();
                doubts.push((self.entity(*place, word), why));
            }
        }
        Ok(Renamable {
            word: word.to_owned(),
            entities: all.iter().map(|place| self.entity(*place, word)).collect(),
            sort: RenamableSort::Parameter(function.to_owned()),
            address,
            doubts,
            overridden: None,
            modules: Vec::new(),
            is_fixture: false,
            uses: OnceCell::new(),
        })
    }

    /// Says whether what is in a function takes names out of it as strings: `locals()`.
    fn reads_its_names(&self, (file, scope): ScopePlace) -> bool {
        let names = self.names(file);
        let whole = names.scopes[scope].span;
        names.occurrences.iter().any(|it| {
            whole.contains(it.span)
                && matches!(it.kind, OccurrenceKind::Load { .. })
                && READS_NAMES.contains(&it.name.as_str())
        })
    }

    fn is_first(&self, place: ScopePlace, word: &str) -> bool {
        let names = self.names(place.0);
        let header = names.scopes[place.1].function.as_ref();
        names.class_of_method(place.1).is_some()
            && header.is_some_and(|header| header.first.as_deref() == Some(word))
    }

    /// Returns the address of what a name leads to that is imported here.
    fn imported_from(&self, places: &[ScopePlace], name: &str) -> Option<String> {
        let leads = places.iter().map(|place| self.leads_of_name(*place, name));
        let entity = leads.flat_map(|leads| leads.entities).next()?;
        let mut words = self.qualified((entity.file, entity.scope));
        words.push(name.to_owned());
        Some(format!(
            "{}::{}",
            self.sources.path(entity.file),
            words.join(".")
        ))
    }

    fn known_names(&self, file: FileId) -> Vec<String> {
        let names = self.names(file);
        let mut known = Vec::new();
        for (id, scope) in names.scopes.iter().enumerate() {
            let around = self.qualified((file, id));
            for name in scope.names.keys().chain(scope.members.keys()) {
                let mut words = around.clone();
                words.push(name.clone());
                known.push(words.join("."));
            }
        }
        known
    }

    /// Says whether a parameter can be given by its name.
    pub(super) fn takes_keyword(&self, place: ScopePlace, name: &str) -> bool {
        let bound = self.scope(place).names.get(name);
        bound.is_some_and(|bound| {
            bound.bindings.iter().any(|binding| {
                matches!(
                    binding.kind,
                    BindingKind::Parameter {
                        kind: ParameterKind::Plain | ParameterKind::Keyword,
                        ..
                    }
                )
            })
        })
    }

    /// Says whether a function takes any argument by name.
    pub(super) fn swallows_keywords(&self, place: ScopePlace) -> bool {
        let bound = self.scope(place).names.values();
        bound.flat_map(|bound| &bound.bindings).any(|binding| {
            matches!(
                binding.kind,
                BindingKind::Parameter {
                    kind: ParameterKind::Keywords,
                    ..
                }
            )
        })
    }
}

/// Returns the function and the parameter of `f(x)`.
fn split_parameter(name: &str) -> Option<(&str, &str)> {
    let (function, rest) = name.split_once('(')?;
    let parameter = rest.strip_suffix(')')?.trim();
    let is_word = !parameter.is_empty()
        && parameter
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
    is_word.then_some((function, parameter))
}

/// Says whether pytest calls what a module of tests calls so.
fn is_called_by_tests(module: &str, name: &str) -> bool {
    let is_of_tests = module.starts_with("test") || module.ends_with("_test");
    let is_around = name.split_once('_').is_some_and(|(what, of)| {
        matches!(what, "setup" | "teardown")
            && matches!(of, "module" | "function" | "class" | "method")
    });
    let is_hook = name.starts_with("pytest_") || name == "pytestmark";
    is_of_tests && is_around || is_hook && (is_of_tests || module == "conftest")
}
