//! The names that a definition uses, and the imports that bring them to the module that it goes to.
//!
//! What the old module imports the new one imports as well, in its own form; what the old module defines is imported from there. What
//! only those know who check types is imported for them alone. A name that is something else in the new module is a clash.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::order::ImportOrder;
use super::reading::{is_eager, reaches_module};
use super::request::{Ends, MoveRequest};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::references::Analysis;
use crate::references::facts::{FileId, PythonModule};
use crate::references::undefined::is_built_in;
use crate::syntax::python::{
    BindingKind, ImportOrigin, ImportPlace, ImportStatement, ImportTable, ModuleNames, NameBinding,
    NameScopeKind, OccurrenceKind, Outward, import_table, is_type_checking,
};
use crate::text::{Lines, Span};

/// Names that say which module it is that reads them, or that reach any other.
const OF_THE_MODULE: [&str; 12] = [
    "__name__",
    "__file__",
    "__package__",
    "__spec__",
    "__path__",
    "__loader__",
    "__doc__",
    "__all__",
    "globals",
    "eval",
    "exec",
    "vars",
];

/// What a definition needs in the module that it goes to.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Statements of one name.
    pub(super) imports: Vec<String>,
    /// The same, for those alone who check types.
    pub(super) imports_for_types: Vec<String>,
    /// Imports inside of the definition that are written in another way there.
    pub(super) inside: BTreeMap<Span, String>,
    /// Where it may stand in its new file: behind what it reads while the module is imported.
    pub(super) from: usize,
    /// The names of its old module that it reads when it is called.
    pub(super) read_later: BTreeSet<String>,
}

/// An import of the old module that binds a name.
struct ImportedThere<'t> {
    statement: &'t ImportStatement,
    at: usize,
}

/// Returns what a definition needs where it goes.
pub(super) fn of(
    analysis: &Analysis,
    request: &MoveRequest<'_>,
    ends: &Ends,
    word: &str,
) -> Result<Needs, Diagnostic> {
    let names = analysis.names(ends.old);
    let table = import_table(analysis.sources.bytes(ends.old));
    let declared = names.scopes.iter().flat_map(|scope| &scope.names);
    let finder = NeedFinder {
        analysis,
        request,
        ends,
        names,
        there: analysis.names(ends.new),
        imported: imported_by_name(&table),
        table,
        table_there: import_table(analysis.sources.bytes(ends.new)),
        set_by_functions: declared
            .filter(|(_, bound)| bound.outward == Some(Outward::Global))
            .map(|(name, _)| name.as_str())
            .collect(),
    };
    let mut needs = Needs::default();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let (mut at_once, mut later) = (BTreeSet::new(), BTreeSet::new());
    for occurrence in &finder.names.occurrences {
        let OccurrenceKind::Load { expression } = occurrence.kind else {
            continue;
        };
        let name = occurrence.name.as_str();
        let is_inside = request.span.contains(occurrence.span);
        if is_inside && name != word && reaches_module(finder.names, occurrence, expression) {
            used.insert(name);
            match is_eager(finder.names, occurrence.scope) {
                true => at_once.insert(name),
                false => later.insert(name),
            };
        }
    }
    let calls = ImportOrder::of(analysis, ends.old).calls_at(request.span.end.saturating_sub(1));
    needs.from = ImportOrder::of(analysis, ends.new).bound_from(&at_once, calls);
    if !ends.is_one_file() {
        for name in used {
            finder.take(name, &mut needs)?;
        }
    }
    needs.read_later = later.into_iter().map(str::to_owned).collect();
    if !ends.is_one_file() {
        finder.take_future(&mut needs)?;
        finder.imports_inside(&mut needs)?;
    }
    Ok(needs)
}

struct NeedFinder<'a> {
    analysis: &'a Analysis,
    request: &'a MoveRequest<'a>,
    ends: &'a Ends,
    /// Of the old module.
    names: &'a ModuleNames,
    /// Of the new one.
    there: &'a ModuleNames,
    table: ImportTable,
    table_there: ImportTable,
    /// By the name that it binds: an import of the old module, by its place in the table, and which of its names.
    imported: HashMap<String, Vec<(usize, usize)>>,
    /// Names that functions of the old module declare to be the module's.
    set_by_functions: HashSet<&'a str>,
}

impl NeedFinder<'_> {
    /// Takes in what brings a name of the module.
    fn take(&self, name: &str, needs: &mut Needs) -> Result<(), Diagnostic> {
        let Some(bound) = self.names.scopes[0].names.get(name) else {
            return self.take_unbound(name, needs);
        };
        let is_deleted = |kind: &BindingKind| matches!(kind, BindingKind::Deleted);
        if bound.bindings.iter().any(|it| is_deleted(&it.kind)) {
            return Err(self.refuse(format!("it uses `{name}`, which is deleted again")));
        }
        let imports = self.imports_of(name);
        // What a script binds at its end is not there for who imports it.
        let bindings: Vec<&NameBinding> = bound
            .bindings
            .iter()
            .filter(|it| !self.is_in_script(it.span))
            .collect();
        let is_import = imports.len() == bindings.len();
        let only = match imports.as_slice() {
            [only] if is_import => Some(only),
            _ => None,
        };
        let is_for_types = bindings
            .iter()
            .all(|it| self.is_for_types(&self.table, self.ends.old, it.span));
        if only.is_some_and(|only| self.brings_new_module(only)) {
            let to = self.request.to;
            return Err(self.refuse(format!("it uses `{name}`, which is {to} itself")));
        }
        if let Some(only) = only
            && self.is_from_new_module(only)
            && !self.is_module_of_new_module(only)
        {
            let imported = &only.statement.names[only.at];
            if imported.bound() != imported.name {
                let message = format!(
                    "it uses `{}` of {} as `{name}`",
                    imported.name, self.request.to
                );
                return Err(self.refuse(message));
            }
            return self.is_there(name, is_for_types).map(drop);
        }
        if self.is_there(name, is_for_types)? {
            return Ok(());
        }
        let is_part = |it: &ImportedThere<'_>| {
            let is_plain =
                it.statement.from.is_none() && it.statement.within == ImportPlace::Module;
            is_plain && it.statement.names[it.at].alias.is_none()
        };
        if is_import && imports.len() > 1 && imports.iter().all(is_part) {
            // `import a.b` and `import a.c` both bind `a`.
            for import in &imports {
                needs.imports.push(self.carried(import)?);
            }
            return Ok(());
        }
        let is_carried = only.filter(|only| {
            only.statement.within == ImportPlace::Module
                || is_for_types && only.statement.within == ImportPlace::OtherRun
        });
        let statement = match is_carried {
            Some(only) => self.carried(only)?,
            None => self.of_old_module(name)?,
        };
        let list = if is_for_types {
            &mut needs.imports_for_types
        } else {
            &mut needs.imports
        };
        list.push(statement);
        Ok(())
    }

    /// A name that the old module does not bind: built in, or brought by `*`.
    fn take_unbound(&self, name: &str, needs: &mut Needs) -> Result<(), Diagnostic> {
        if OF_THE_MODULE.contains(&name) {
            let message = format!(
                "it uses `{name}`, which is another thing in {}",
                self.request.to
            );
            return Err(self.refuse(message));
        }
        let starred = self.analysis.leads_of_stars(self.ends.old, name);
        if let (Some(entity), 1) = (starred.entities.first(), starred.entities.len()) {
            if entity.file == self.ends.new {
                return Ok(());
            }
            let module = self.analysis.sources.module_of(entity.file);
            let origin = module.and_then(|module| {
                let (new, old) = (self.ends.new, self.ends.old);
                self.analysis.named_as_others(new, &module, old)
            });
            let Some(origin) = origin else {
                return Err(self.unreachable(name));
            };
            if !self.is_there(name, false)? {
                needs
                    .imports
                    .push(format!("from {} import {name}", origin.words()));
            }
            return Ok(());
        }
        if is_built_in(name) {
            let starred = self.analysis.leads_of_stars(self.ends.new, name);
            if !starred.is_empty() {
                return Err(self.clash(name));
            }
            return match self.there.scopes[0].names.get(name) {
                Some(_) if !name.starts_with("__") && name != "_" => Err(self.clash(name)),
                Some(_) | None => Ok(()),
            };
        }
        if !self.names.stars.is_empty() {
            let message =
                format!("it uses `{name}`, which an `import *` brings from outside of the project");
            return Err(self.refuse(message));
        }
        Ok(())
    }

    /// Says whether the new module has the same under that name already; another thing is a clash.
    fn is_there(&self, name: &str, is_for_types: bool) -> Result<bool, Diagnostic> {
        let Some(bound) = self.there.scopes[0].names.get(name) else {
            if is_built_in(name) && self.is_read_there(name) {
                return Err(self.clash(name));
            }
            let starred = self.analysis.leads_of_stars(self.ends.new, name);
            return match starred.is_empty() {
                true => Ok(false),
                false if self.is_same(name) => Ok(true),
                false => Err(self.clash(name)),
            };
        };
        if !self.is_same(name) {
            return Err(self.clash(name));
        }
        if !self.is_loaded(name) {
            return Ok(false);
        }
        let mut bindings = bound.bindings.iter();
        let is_for_types_there =
            bindings.all(|it| self.is_for_types(&self.table_there, self.ends.new, it.span));
        Ok(!is_for_types_there || is_for_types)
    }

    /// Says whether the new module imports what the old one does of a package: `import a.b` and not `import a` alone, which binds the same.
    fn is_loaded(&self, name: &str) -> bool {
        let parts = |names: &ModuleNames| -> Vec<Vec<String>> {
            let bound = names.scopes[0].names.get(name);
            let bindings = bound.into_iter().flat_map(|bound| &bound.bindings);
            let parts = bindings.filter_map(|binding| match &binding.kind {
                BindingKind::ModulePart { parts } => Some(parts.clone()),
                _ => None,
            });
            parts.collect()
        };
        let there = parts(self.there);
        parts(self.names)
            .iter()
            .all(|here| there.iter().any(|there| there.starts_with(here)))
    }

    /// Says whether both modules mean the same thing by a name.
    fn is_same(&self, name: &str) -> bool {
        let leads = |file: FileId| self.analysis.leads_of_name((file, 0), name);
        let (here, there) = (leads(self.ends.old), leads(self.ends.new));
        let is_certain = !here.is_other && !there.is_other;
        let is_certain = is_certain && here.doubt.is_none() && there.doubt.is_none();
        if is_certain && !here.entities.is_empty() && here.entities == there.entities {
            return true;
        }
        let here = self.identities(self.ends.old, self.names, name);
        let there = self.identities(self.ends.new, self.there, name);
        // From the new module to the old one: what comes is there.
        let is_own = here.as_ref().is_some_and(|here| {
            let own = self.analysis.sources.path(self.ends.new).to_string();
            here.iter().all(|it| *it == format!("{own}::{name}"))
        });
        is_own || here.is_some() && here == there
    }

    /// Returns what imports bind a name to, each in one word; `None` where something else binds it.
    fn identities(&self, file: FileId, names: &ModuleNames, name: &str) -> Option<Vec<String>> {
        let bound = names.scopes[0].names.get(name)?;
        let mut found = Vec::new();
        for binding in &bound.bindings {
            found.push(match &binding.kind {
                BindingKind::Imported { from, name } => {
                    match self.analysis.sources.modules(file, from).as_slice() {
                        [] if from.dots == 0 => format!("{}::{name}", from.parts.join(".")),
                        [module] => format!("{}::{name}", self.place_of(module)?),
                        _ => return None,
                    }
                }
                BindingKind::ModulePart { parts } => parts.first()?.clone(),
                BindingKind::ModuleAlias { parts } => parts.join("."),
                _ => return None,
            });
        }
        found.sort();
        found.dedup();
        Some(found)
    }

    fn place_of(&self, module: &PythonModule) -> Option<String> {
        match (&module.folder, module.files.first()) {
            (_, Some(file)) => Some(self.analysis.sources.path(*file).to_string()),
            (folder, None) => folder.clone(),
        }
    }

    fn is_read_there(&self, name: &str) -> bool {
        self.there.occurrences.iter().any(|it| {
            it.name == name
                && match it.kind {
                    OccurrenceKind::Load { expression } => {
                        reaches_module(self.there, it, expression)
                    }
                    _ => false,
                }
        })
    }

    /// Returns the imports of the module itself, in branches too, that bind a name.
    fn imports_of(&self, name: &str) -> Vec<ImportedThere<'_>> {
        let places = self.imported.get(name).into_iter().flatten();
        places
            .filter(|(statement, _)| !self.is_in_script(self.table.imports[*statement].span))
            .map(|(statement, at)| ImportedThere {
                statement: &self.table.imports[*statement],
                at: *at,
            })
            .collect()
    }

    fn is_from_new_module(&self, import: &ImportedThere<'_>) -> bool {
        let from = import.statement.from.as_ref();
        from.is_some_and(|from| {
            let modules = self.analysis.sources.modules(self.ends.old, from);
            modules.contains(&self.ends.new_module)
        })
    }

    /// Says whether what an import brings from the new module, a package, is a module in it, which a package has to import as others do.
    fn is_module_of_new_module(&self, import: &ImportedThere<'_>) -> bool {
        let name = &import.statement.names[import.at].name;
        let sources = &self.analysis.sources;
        !self.there.scopes[0].names.contains_key(name)
            && sources.submodule(&self.ends.new_module, name).is_some()
    }

    /// Says whether an import binds the new module itself.
    fn brings_new_module(&self, import: &ImportedThere<'_>) -> bool {
        let sources = &self.analysis.sources;
        let name = &import.statement.names[import.at].name;
        match &import.statement.from {
            Some(from) => sources.modules(self.ends.old, from).iter().any(|module| {
                sources.submodule(module, name).as_ref() == Some(&self.ends.new_module)
            }),
            None => {
                let origin = ImportOrigin {
                    dots: 0,
                    parts: name.split('.').map(str::to_owned).collect(),
                };
                let modules = sources.modules(self.ends.old, &origin);
                modules.contains(&self.ends.new_module)
            }
        }
    }

    /// Returns an import of the old module as the new one writes it.
    fn carried(&self, import: &ImportedThere<'_>) -> Result<String, Diagnostic> {
        let name = &import.statement.names[import.at];
        let Some(from) = &import.statement.from else {
            let origin = ImportOrigin {
                dots: 0,
                parts: name.name.split('.').map(str::to_owned).collect(),
            };
            let sources = &self.analysis.sources;
            let modules = |file: FileId| sources.modules(file, &origin);
            if modules(self.ends.old) != modules(self.ends.new) {
                return Err(self.unreachable(name.bound()));
            }
            return Ok(format!("import {}", name.words()));
        };
        let origin = self.respelled(from, name.bound())?;
        Ok(format!("from {} import {}", origin.words(), name.words()))
    }

    /// Returns how the new module names what the old one names so.
    fn respelled(&self, from: &ImportOrigin, name: &str) -> Result<ImportOrigin, Diagnostic> {
        let sources = &self.analysis.sources;
        let here = sources.modules(self.ends.old, from);
        let there = sources.modules(self.ends.new, from);
        let folder = |file: FileId| {
            let path = sources.path(file).as_str();
            path.rsplit_once('/').map_or("", |(folder, _)| folder)
        };
        let is_near = folder(self.ends.old) == folder(self.ends.new);
        let is_same = here == there && here.len() < 2;
        if is_same && from.dots == 0 || is_near && here.len() < 2 {
            return Ok(from.clone());
        }
        let origin = match here.as_slice() {
            [module] => self.analysis.named_like(self.ends.new, module, from),
            _ => None,
        };
        origin.ok_or_else(|| self.unreachable(name))
    }

    /// Returns the import of what the old module defines, or binds in branches.
    fn of_old_module(&self, name: &str) -> Result<String, Diagnostic> {
        if self.set_by_functions.contains(name) {
            let message = format!(
                "it uses `{name}` of {}, which a function there binds anew",
                self.request.path
            );
            return Err(self.refuse(message));
        }
        let (new, old) = (self.ends.new, self.ends.old);
        let origin = self
            .analysis
            .named_as_others(new, &self.ends.old_module, old);
        let origin = origin.ok_or_else(|| self.unreachable(name))?;
        Ok(format!("from {} import {name}", origin.words()))
    }

    /// Says whether a place of the old module is in what it does as a script.
    fn is_in_script(&self, place: Span) -> bool {
        let bytes = self.analysis.sources.bytes(self.ends.old);
        let around = self.table.statement_around(place);
        around.is_some_and(|it| it.is_of_script(bytes))
    }

    /// Says whether what is at a place of the module is in a branch for those alone who check types.
    fn is_for_types(&self, table: &ImportTable, file: FileId, place: Span) -> bool {
        let bytes = self.analysis.sources.bytes(file);
        let around = table.statement_around(place);
        around.is_some_and(|statement| is_type_checking(statement.span.of(bytes)))
    }

    /// Annotations are not evaluated in a module that says so; in another one they would be.
    fn take_future(&self, needs: &mut Needs) -> Result<(), Diagnostic> {
        if !says_future(&self.table) || says_future(&self.table_there) {
            return Ok(());
        }
        let has_annotations = |names: &ModuleNames, place: Option<Span>| {
            let within = |span: Span| place.is_none_or(|place| place.contains(span));
            names.scopes.iter().any(|scope| {
                let returns = scope.function.as_ref().and_then(|it| it.returns);
                let is_returned = returns.is_some() && within(scope.span);
                let is_local = scope.kind == NameScopeKind::Function;
                let mut bindings = scope.names.values().flat_map(|bound| &bound.bindings);
                is_returned
                    || bindings.any(|it| {
                        within(it.span)
                            && match it.kind {
                                BindingKind::Parameter { annotation, .. } => annotation.is_some(),
                                BindingKind::Assigned { annotation, .. } => {
                                    annotation.is_some() && !is_local
                                }
                                _ => false,
                            }
                    })
            })
        };
        if !has_annotations(self.names, Some(self.request.span)) {
            return Ok(());
        }
        if has_annotations(self.there, None) {
            let message = format!(
                "{} has `from __future__ import annotations`, and {} does not: there its annotations would be evaluated",
                self.request.path, self.request.to
            );
            return Err(self
                .refuse(message)
                .note("`op: import` adds it there, in a batch before this one"));
        }
        needs
            .imports
            .insert(0, "from __future__ import annotations".to_owned());
        Ok(())
    }

    /// Imports in the functions of the definition lead to the same modules from the new file.
    fn imports_inside(&self, needs: &mut Needs) -> Result<(), Diagnostic> {
        let bytes = self.analysis.sources.bytes(self.ends.old);
        for statement in &self.table.imports {
            let Some(from) = statement.from.as_ref() else {
                continue;
            };
            if !self.request.span.contains(statement.span) {
                continue;
            }
            let first = statement.names.first();
            let origin = self.respelled(from, first.map_or("", |name| name.bound()))?;
            if origin != *from {
                let Some(place) = statement.place_of_origin(bytes) else {
                    let words = statement.words();
                    return Err(self.refuse(format!("it has `{words}`, in several lines")));
                };
                needs.inside.insert(place, origin.words());
            }
        }
        Ok(())
    }

    fn refuse(&self, why: String) -> Diagnostic {
        let what = format!("{}::{}", self.request.path, self.request.symbol);
        Diagnostic::new(
            Code::Unsupported,
            format!("{} cannot be moved: {why}", shown(&what)),
        )
    }

    fn unreachable(&self, name: &str) -> Diagnostic {
        self.refuse(format!(
            "it uses `{}`, and no import leads to that from {}",
            shown(name),
            self.request.to
        ))
    }

    fn clash(&self, name: &str) -> Diagnostic {
        let to = self.request.to;
        let message = format!(
            "`{}` uses `{name}`, which is something else in {to}",
            shown(&self.request.symbol.to_string())
        );
        let refusal = Diagnostic::new(Code::NameClash, message);
        let bound = self.there.scopes[0].names.get(name);
        let first = bound.and_then(|bound| bound.bindings.first());
        match first {
            Some(binding) => {
                let lines = Lines::of(self.analysis.sources.bytes(self.ends.new));
                let line = lines.line(binding.span.start);
                refusal.note(format!("{to}, line {line}"))
            }
            None => refusal.note("there it is the one that is built in"),
        }
    }
}

/// Returns which imports of the module itself bind a name.
fn imported_by_name(table: &ImportTable) -> HashMap<String, Vec<(usize, usize)>> {
    let mut imported: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    for (place, statement) in table.imports.iter().enumerate() {
        if statement.within == ImportPlace::Definition {
            continue;
        }
        for (at, name) in statement.names.iter().enumerate() {
            let places = imported.entry(name.bound().to_owned()).or_default();
            places.push((place, at));
        }
    }
    imported
}

fn says_future(table: &ImportTable) -> bool {
    table.imports.iter().any(|statement| {
        let from = statement.from.as_ref();
        let mut names = statement.names.iter();
        from.is_some_and(|from| from.dots == 0 && from.parts == ["__future__"])
            && names.any(|name| name.name == "annotations")
    })
}
