//! `NameClash`: why a name cannot be the new one, at the place where it means something else.

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::facts::{FileId, ScopePlace};
use super::lookup::{LookedUp, scope_of_store, scopes_of_load, visible};
use super::outside;
use super::reference::Verdict;
use super::search::Place;
use super::target::{Renamable, RenamableSort};
use super::words::may_have_star;
use crate::syntax::python::{
    ModuleNames, NameOccurrence, NameScopeKind, OccurrenceKind, UsedExpression, folded,
};
use crate::text::Span;

/// A place where the new name means something else.
pub(super) struct NameClash {
    /// The file.
    pub(super) file: FileId,
    /// Where.
    pub(super) span: Span,
    /// What is there.
    pub(super) what: String,
}

/// What Python itself means by these.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Says why `name` can be no name of Python's.
pub(super) fn unfit(name: &str) -> Option<String> {
    let mut letters = name.chars();
    let begins = letters
        .next()
        .is_some_and(|letter| letter.is_alphabetic() || letter == '_');
    let is_word = begins && letters.all(|letter| letter.is_alphanumeric() || letter == '_');
    if !is_word {
        Some("is no identifier".to_owned())
    } else if KEYWORDS.contains(&name) || name == "__debug__" {
        Some("is a keyword".to_owned())
    } else if folded(name) != name {
        Some(format!("is read as `{}`", folded(name)))
    } else {
        None
    }
}

/// Says whether Python looks a name up by itself.
pub(super) fn is_special(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// Says whether an occurrence is that of a name of the module, or of one that nothing in the file binds.
fn is_of_module(names: &ModuleNames, occurrence: &NameOccurrence) -> bool {
    let name = &occurrence.name;
    match &occurrence.kind {
        OccurrenceKind::Load { expression } => {
            let UsedExpression::Name { at, loop_end, .. } = names.expression(*expression) else {
                return false;
            };
            let load = LookedUp {
                name,
                scope: occurrence.scope,
                at: *at,
                loop_end: *loop_end,
            };
            let found = scopes_of_load(names, load).scopes;
            found.is_empty() || found.contains(&0)
        }
        OccurrenceKind::Store | OccurrenceKind::Imported { binds: true, .. } => {
            scope_of_store(names, occurrence.scope, name) == 0
        }
        _ => false,
    }
}

fn is_private(name: &str) -> bool {
    name.starts_with("__") && !name.ends_with("__")
}

impl Analysis {
    /// Returns every place where `new` means something else, or would.
    pub(super) fn clashes(
        &self,
        target: &Renamable,
        places: &[Place],
        new: &str,
    ) -> Vec<NameClash> {
        let mut clashes = Vec::new();
        for entity in &target.entities {
            self.clash_in_scope((entity.file, entity.scope), new, &mut clashes);
        }
        if let Some((entity, method)) = &target.overridden {
            let place = (entity.file, entity.scope);
            let what = format!("`{method}` of another project is overridden here");
            clashes.push(self.clash_at_definition(place, &entity.name, what));
        }
        let mut homes: Vec<ScopePlace> = target
            .entities
            .iter()
            .map(|entity| (entity.file, entity.scope))
            .collect();
        let changed = places.iter().filter(|it| it.verdict == Verdict::Certain);
        for place in changed {
            self.clash_on_the_way(target, place, new, &mut homes, &mut clashes);
        }
        homes.sort_unstable();
        homes.dedup();
        for home in homes {
            self.clash_of_meanings(target, home, new, &mut clashes);
        }
        if target.sort == RenamableSort::Global {
            self.clash_by_stars(target, new, &mut clashes);
        }
        self.clash_of_stores(target, new, &mut clashes);
        if target.sort == RenamableSort::Member {
            self.clash_in_related(target, new, &mut clashes);
            if is_private(new) {
                self.clash_of_privacy(target, places, new, &mut clashes);
            }
        }
        clashes.sort_by(|one, other| {
            (one.file, one.span, &one.what).cmp(&(other.file, other.span, &other.what))
        });
        clashes.dedup_by(|one, other| one.file == other.file && one.span == other.span);
        clashes
    }

    /// Notes files that have all names of a module by `import *`, where that would give the name no more, or where it would give it and
    /// they have something else of that name.
    fn clash_by_stars(&self, target: &Renamable, new: &str, clashes: &mut Vec<NameClash>) {
        let own = target.entities.iter().filter(|entity| entity.scope == 0);
        let (mut given, mut kept) = (Vec::new(), Vec::new());
        for entity in own {
            // A word of `__all__` becomes the other one.
            let is_listed = self.names(entity.file).exports.is_some();
            let is_given = self.exports(entity.file, &entity.name);
            let will_be_given = match is_listed {
                true => is_given,
                false => !new.starts_with('_'),
            };
            if will_be_given {
                given.push(entity.file);
            } else if is_given {
                kept.push(entity.file);
            }
        }
        for file in kept
            .into_iter()
            .flat_map(|module| self.files_with_stars_of(module))
        {
            clashes.push(NameClash {
                file,
                span: Span::at(0),
                what: format!("`import *` does not give `{new}`, which begins with `_`"),
            });
        }
        clashes.extend(self.taken_by_stars(given, new, |_| false));
    }

    /// Returns places where `new` means something else in files that get all names of `modules` by `import *`, from file to file; what
    /// `is_same` says to be in the file what it will be is none.
    pub(super) fn taken_by_stars(
        &self,
        modules: Vec<FileId>,
        new: &str,
        is_same: impl Fn(FileId) -> bool,
    ) -> Vec<NameClash> {
        let mut clashes = Vec::new();
        let mut waiting = modules;
        let mut seen: BTreeSet<FileId> = waiting.iter().copied().collect();
        while let Some(module) = waiting.pop() {
            for file in self.files_with_stars_of(module) {
                if !seen.insert(file) {
                    continue;
                }
                let names = self.names(file);
                let mut meant = names.occurrences.iter();
                let meant = meant.find(|it| it.name == new && is_of_module(names, it));
                if let Some(meant) = meant
                    && !is_same(file)
                {
                    clashes.push(NameClash {
                        file,
                        span: meant.span,
                        what: format!("`{new}` is something else here, where `import *` gives it"),
                    });
                }
                if names.exports.is_none() || names.exports_more {
                    waiting.push(file);
                }
            }
        }
        clashes
    }

    /// Notes where the new name is set from outside of what gets it: `x.new = 3`.
    fn clash_of_stores(&self, target: &Renamable, new: &str, clashes: &mut Vec<NameClash>) {
        for file in self.files_that_set(target, new) {
            let mut places = self.names(file).occurrences.iter();
            let place = places
                .find(|it| it.name == new && matches!(it.kind, OccurrenceKind::Attribute { .. }));
            clashes.push(NameClash {
                file,
                span: place.map_or(Span::at(0), |it| it.span),
                what: format!("`{new}` is set here of what has `{}`", target.word),
            });
        }
    }

    /// Returns the files that have `from … import *` of a module.
    fn files_with_stars_of(&self, module: FileId) -> Vec<FileId> {
        let Some(module) = self.sources.module_of(module) else {
            return Vec::new();
        };
        let has_star = |file: &FileId| may_have_star(self.sources.bytes(*file));
        let gives = |file: &FileId| {
            let mut stars = self.names(*file).stars.iter();
            stars.any(|star| self.sources.modules(*file, star).contains(&module))
        };
        self.sources
            .ids()
            .filter(|file| self.sources.is_python(*file))
            .filter(has_star)
            .filter(gives)
            .collect()
    }

    /// Notes where a scope of the definition binds the new name.
    fn clash_in_scope(&self, place: ScopePlace, new: &str, clashes: &mut Vec<NameClash>) {
        let scope = self.scope(place);
        let bound = scope.names.get(new);
        let bindings = bound.map(|bound| &bound.bindings[..]).unwrap_or_default();
        let members = scope.members.get(new).map(|it| &it[..]).unwrap_or_default();
        let first = bindings
            .first()
            .map(|binding| binding.span)
            .or_else(|| members.first().map(|member| member.span));
        if let Some(span) = first {
            clashes.push(NameClash {
                file: place.0,
                span,
                what: format!("`{new}` is bound in the same scope"),
            });
        } else if bound.is_some() {
            clashes.push(NameClash {
                file: place.0,
                span: Span::at(scope.span.start),
                what: format!("`{new}` is declared in the same scope"),
            });
        }
        let module = self.sources.module_of(place.0).filter(|_| place.1 == 0);
        if let Some(module) = module
            && self.sources.submodule(&module, new).is_some()
        {
            clashes.push(NameClash {
                file: place.0,
                span: Span::at(0),
                what: format!("`{new}` is a module of the package"),
            });
        }
    }

    fn clash_at_definition(&self, place: ScopePlace, name: &str, what: String) -> NameClash {
        let scope = self.scope(place);
        let bound = scope.names.get(name).and_then(|it| it.bindings.first());
        let member = scope.members.get(name).and_then(|it| it.first());
        NameClash {
            file: place.0,
            span: bound
                .map(|it| it.span)
                .or(member.map(|it| it.span))
                .unwrap_or(Span::at(scope.span.start)),
            what,
        }
    }

    /// Notes what is between a reference and what it refers to, and keeps the scopes that get the new name.
    fn clash_on_the_way(
        &self,
        target: &Renamable,
        place: &Place,
        new: &str,
        homes: &mut Vec<ScopePlace>,
        clashes: &mut Vec<NameClash>,
    ) {
        let names = self.names(place.file);
        let Some(occurrence) = place.occurrence.and_then(|at| names.occurrences.get(at)) else {
            return;
        };
        let name = &occurrence.name;
        let ends = match &occurrence.kind {
            OccurrenceKind::Load { expression } => {
                let UsedExpression::Name { at, loop_end, .. } = names.expression(*expression)
                else {
                    return;
                };
                let load = LookedUp {
                    name,
                    scope: occurrence.scope,
                    at: *at,
                    loop_end: *loop_end,
                };
                let found = scopes_of_load(names, load);
                if found.scopes.is_empty() {
                    // It comes by `*`, into the module.
                    vec![0]
                } else {
                    found.scopes
                }
            }
            OccurrenceKind::Store | OccurrenceKind::Imported { binds: true, .. } => {
                vec![scope_of_store(names, occurrence.scope, name)]
            }
            OccurrenceKind::Exported => vec![0],
            OccurrenceKind::Keyword { call } => {
                let twice = names.occurrences.iter().find(|other| {
                    other.name == new
                        && matches!(&other.kind, OccurrenceKind::Keyword { call: other } if other == call)
                });
                if let Some(twice) = twice {
                    clashes.push(NameClash {
                        file: place.file,
                        span: twice.span,
                        what: format!("`{new}` is given to the same call"),
                    });
                }
                return;
            }
            OccurrenceKind::Attribute { .. }
            | OccurrenceKind::KeywordPattern { .. }
            | OccurrenceKind::Imported { .. }
            | OccurrenceKind::ModulePart
            | OccurrenceKind::Slot => return,
        };
        if is_private(new)
            && target.sort != RenamableSort::Member
            && self.class_around(place.file, occurrence.scope).is_some()
        {
            clashes.push(NameClash {
                file: place.file,
                span: place.span,
                what: format!("`{new}` would be private to the class here"),
            });
        }
        for end in ends {
            for scope in visible(names, occurrence.scope) {
                if scope == end {
                    break;
                }
                let bound = names.scopes[scope].names.get(new);
                if let Some(binding) = bound.and_then(|bound| bound.bindings.first()) {
                    clashes.push(NameClash {
                        file: place.file,
                        span: binding.span,
                        what: format!("`{new}` is bound between `{}` and its use", target.word),
                    });
                }
            }
            homes.push((place.file, end));
        }
    }

    /// Notes places outside of the one class that a name would be private to.
    fn clash_of_privacy(
        &self,
        target: &Renamable,
        places: &[Place],
        new: &str,
        clashes: &mut Vec<NameClash>,
    ) {
        let home = match target.entities.first() {
            Some(only) if target.entities.len() == 1 => Some((only.file, only.scope)),
            Some(_) | None => None,
        };
        for place in places.iter().filter(|it| it.verdict == Verdict::Certain) {
            let names = self.names(place.file);
            let occurrence = place.occurrence.and_then(|at| names.occurrences.get(at));
            let class = occurrence.and_then(|it| self.class_around(place.file, it.scope));
            if home.is_none() || class.map(|class| self.canonical(class)) != home {
                clashes.push(NameClash {
                    file: place.file,
                    span: place.span,
                    what: format!("`{new}` would be private to another class, or to none, here"),
                });
            }
        }
    }

    fn class_around(&self, file: FileId, scope: usize) -> Option<ScopePlace> {
        let names = self.names(file);
        let class = names
            .outward(scope)
            .find(|around| names.scopes[*around].kind == NameScopeKind::Class)?;
        Some((file, class))
    }

    /// Notes what means something by the new name below a scope that gets it.
    fn clash_of_meanings(
        &self,
        target: &Renamable,
        home: ScopePlace,
        new: &str,
        clashes: &mut Vec<NameClash>,
    ) {
        let (file, scope) = home;
        let names = self.names(file);
        let is_own = target
            .entities
            .iter()
            .any(|entity| (entity.file, entity.scope) == self.canonical(home));
        if !is_own {
            let bound = names.scopes[scope].names.get(new);
            if let Some(binding) = bound.and_then(|bound| bound.bindings.first()) {
                clashes.push(NameClash {
                    file,
                    span: binding.span,
                    what: format!("`{new}` is bound where `{}` is used", target.word),
                });
                return;
            }
            if scope == 0
                && let Some(module) = self.sources.module_of(file)
                && self.sources.submodule(&module, new).is_some()
            {
                clashes.push(NameClash {
                    file,
                    span: Span::at(0),
                    what: format!("`{new}` is a module of the package"),
                });
            }
        }
        let loads = names.occurrences.iter().filter(|it| it.name == new);
        for load in loads {
            let OccurrenceKind::Load { expression } = &load.kind else {
                continue;
            };
            let UsedExpression::Name { at, loop_end, .. } = names.expression(*expression) else {
                continue;
            };
            let ways = visible(names, load.scope);
            let Some(passed) = ways.iter().position(|way| *way == scope) else {
                continue;
            };
            let found = scopes_of_load(
                names,
                LookedUp {
                    name: new,
                    scope: load.scope,
                    at: *at,
                    loop_end: *loop_end,
                },
            );
            let is_found_before = found
                .scopes
                .first()
                .and_then(|first| ways.iter().position(|way| way == first))
                .is_some_and(|at| at < passed);
            if !is_found_before {
                clashes.push(NameClash {
                    file,
                    span: load.span,
                    what: format!("`{new}` means something else here"),
                });
            }
        }
    }

    /// Notes classes above and below that have an attribute of the new name.
    fn clash_in_related(&self, target: &Renamable, new: &str, clashes: &mut Vec<NameClash>) {
        let mut related: Vec<ScopePlace> = Vec::new();
        for entity in &target.entities {
            let class = (entity.file, entity.scope);
            let ancestry = self.ancestry(class);
            related.extend(ancestry.own());
            for below in self.descendants(class) {
                related.extend(self.ancestry(below).own());
            }
            for (_, step) in self.outside_of(&[class].into()) {
                let super::ancestry::AncestryStep::Outside(base) = step else {
                    continue;
                };
                if outside::has_attribute(&base, new) == Some(true) {
                    let what = format!("`{base}` has a `{new}`");
                    clashes.push(self.clash_at_definition(class, &entity.name, what));
                }
            }
        }
        related.sort_unstable();
        related.dedup();
        for class in related {
            if self.has_own(class, new) {
                let word = self.scope(class).name.clone().unwrap_or_default();
                let what = format!("`{word}` has a `{new}`");
                clashes.push(self.clash_at_definition(class, new, what));
            }
        }
    }
}
