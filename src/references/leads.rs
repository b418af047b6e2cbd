//! What a name leads to, through imports and re-exports, as long as it goes by the same word.
//!
//! An import by another word (`from core import Thing as Public`) is where that word comes from; `x as x` is none.

use std::collections::HashSet;

use super::analysis::Analysis;
use super::facts::{Entity, FileId, NameLeads, PythonModule, ScopePlace};
use super::lookup::{LookedUp, scope_of_store, scopes_of_load};
use crate::syntax::python::{BindingKind, ImportOrigin, ScopeId};

impl Analysis {
    /// Returns what a plain name that is read leads to.
    pub(super) fn leads_of_load(&self, file: FileId, load: LookedUp<'_>) -> NameLeads {
        let names = self.names(file);
        let found = scopes_of_load(names, load);
        let mut leads = NameLeads::default();
        for scope in &found.scopes {
            leads.add(self.leads_of_name((file, *scope), load.name));
        }
        if found.may_be_beyond {
            let starred = self.leads_of_stars(file, load.name);
            // Where it may be in a scope as well, what is beyond counts only if it is there.
            if !starred.is_empty() || found.scopes.is_empty() {
                leads.add(starred);
            }
            if leads.is_empty() {
                leads = NameLeads::elsewhere();
            }
        }
        leads
    }

    /// Returns what a name that is bound in a scope leads to.
    pub(super) fn leads_of_store(&self, file: FileId, scope: ScopeId, name: &str) -> NameLeads {
        let home = scope_of_store(self.names(file), scope, name);
        self.leads_of_name((file, home), name)
    }

    /// Returns what the name of a scope leads to.
    pub(super) fn leads_of_name(&self, place: ScopePlace, name: &str) -> NameLeads {
        let entity = Entity {
            file: place.0,
            scope: place.1,
            name: name.to_owned(),
        };
        self.once(
            &self.leads,
            entity,
            || NameLeads::doubtful("imports lead in a circle"),
            || self.leads_of_bindings(place, name),
        )
    }

    fn leads_of_bindings(&self, place: ScopePlace, name: &str) -> NameLeads {
        let (file, _) = place;
        let scope = self.scope(place);
        let mut leads = NameLeads::default();
        let is_member = scope.members.contains_key(name);
        let bindings = scope.names.get(name).map(|bound| &bound.bindings[..]);
        for binding in bindings.unwrap_or_default() {
            match &binding.kind {
                BindingKind::Imported { from, name: there } if there == name => {
                    leads.add(self.leads_of_import(file, from, name));
                }
                BindingKind::ModulePart { parts } if parts.first().is_some_and(|it| it == name) => {
                    leads.is_other = true;
                }
                BindingKind::ModuleAlias { parts } if parts.last().is_some_and(|it| it == name) => {
                    leads.is_other = true;
                }
                BindingKind::Deleted => {}
                BindingKind::Imported { .. }
                | BindingKind::ModulePart { .. }
                | BindingKind::ModuleAlias { .. }
                | BindingKind::Function(_)
                | BindingKind::Class(_)
                | BindingKind::Parameter { .. }
                | BindingKind::Assigned { .. }
                | BindingKind::Iterated(_)
                | BindingKind::Entered(_)
                | BindingKind::Caught(_)
                | BindingKind::Captured(_)
                | BindingKind::TypeParameter
                | BindingKind::Unknown => leads.add(NameLeads::to(self.entity(place, name))),
            }
        }
        let is_only_declared = bindings.is_some_and(<[_]>::is_empty);
        if is_member || is_only_declared && leads.is_empty() {
            leads.add(NameLeads::to(self.entity(place, name)));
        }
        leads
    }

    /// Returns what a name imported from a module leads to.
    pub(super) fn leads_of_import(
        &self,
        file: FileId,
        from: &ImportOrigin,
        name: &str,
    ) -> NameLeads {
        let modules = self.sources.modules(file, from);
        if modules.is_empty() {
            return self.leads_of_unknown_module(from, name);
        }
        let mut leads = NameLeads::default();
        for module in &modules {
            // A package that imports from itself means its modules.
            if module.files.contains(&file) && self.sources.submodule(module, name).is_some() {
                leads.is_other = true;
                continue;
            }
            leads.add(self.leads_of_member(module, name));
        }
        leads
    }

    /// Returns what a name of a module leads to that is not in the project. A module of the same name there may be it, by a path that
    /// is not known.
    fn leads_of_unknown_module(&self, from: &ImportOrigin, name: &str) -> NameLeads {
        let Some(last) = from.parts.last() else {
            return NameLeads::doubtful(
                "the package that it is imported from is not in the snapshot",
            );
        };
        let is_own_word = self.sources.paths().any(|(_, id)| {
            self.sources.is_python(id)
                && self.sources.module_word(id) == last
                && !super::words::places_of(name, self.sources.bytes(id)).is_empty()
        });
        let is_standard = from
            .parts
            .first()
            .is_some_and(|first| super::outside::is_standard(first));
        if is_own_word && !is_standard && from.dots == 0 && from.parts.len() > 1 {
            let module = from.parts.join(".");
            return NameLeads::doubtful(format!("the module `{module}` is not in the snapshot"));
        }
        if from.dots > 0 {
            return NameLeads::doubtful(
                "the module that it is imported from is not in the snapshot",
            );
        }
        NameLeads::elsewhere()
    }

    /// Returns what a name in a module of the project leads to.
    pub(super) fn leads_of_member(&self, module: &PythonModule, name: &str) -> NameLeads {
        let mut leads = NameLeads::default();
        let mut is_open = false;
        for file in &module.files {
            leads.add(self.leads_of_name((*file, 0), name));
            is_open |= self.names(*file).scopes[0]
                .names
                .contains_key("__getattr__");
            is_open |= !self.names(*file).is_sound;
        }
        if leads.is_empty() && self.sources.submodule(module, name).is_some() {
            return NameLeads::elsewhere();
        }
        if leads.is_empty() {
            for file in &module.files {
                leads.add(self.leads_of_stars(*file, name));
            }
        }
        if leads.is_empty() {
            let why = match module.files.first() {
                Some(file) if is_open => {
                    format!("{} may make any name", self.sources.path(*file))
                }
                Some(file) => format!("{} has no `{name}`", self.sources.path(*file)),
                None => return NameLeads::elsewhere(),
            };
            return NameLeads::doubtful(why);
        }
        leads
    }

    /// Returns what a name leads to that a file gets by `from module import *`.
    pub(super) fn leads_of_stars(&self, file: FileId, name: &str) -> NameLeads {
        let question = (file, name.to_owned());
        self.once(&self.starred, question, NameLeads::default, || {
            self.leads_of_stars_beside(file, name, &mut HashSet::from([file]))
        })
    }

    /// Returns the same but for what the files `seen` get: modules may have each other's names in a circle.
    fn leads_of_stars_beside(
        &self,
        file: FileId,
        name: &str,
        seen: &mut HashSet<FileId>,
    ) -> NameLeads {
        let mut leads = NameLeads::default();
        let mut beyond = None;
        for star in &self.names(file).stars {
            let modules = self.sources.modules(file, star);
            if modules.is_empty() {
                beyond = Some(star.parts.join("."));
            }
            for module in modules {
                let files = module.files.iter().copied();
                for exporting in files.filter(|file| self.exports(*file, name)) {
                    let mut found = self.leads_of_name((exporting, 0), name);
                    if found.is_empty() && seen.insert(exporting) {
                        found = self.ask(
                            || NameLeads::doubtful("imports lead too far"),
                            || self.leads_of_stars_beside(exporting, name, seen),
                        );
                    }
                    found.is_starred = !found.is_empty();
                    leads.add(found);
                }
            }
        }
        // Of two modules the later one wins.
        if let (false, Some(beyond)) = (leads.is_empty(), beyond) {
            leads.doubt.get_or_insert(format!(
                "`from {beyond} import *`, which is not in the snapshot, may bring it as well"
            ));
        }
        leads
    }

    pub(super) fn exports(&self, file: FileId, name: &str) -> bool {
        let names = self.names(file);
        match &names.exports {
            Some(exports) if exports.iter().any(|it| it == name) => true,
            Some(_) => names.exports_more && !name.starts_with('_'),
            None => !name.starts_with('_'),
        }
    }

    /// Says whether a scope binds a name by something else than an import of the same word.
    pub(super) fn defines(&self, place: ScopePlace, name: &str) -> bool {
        let entity: Entity = self.entity(place, name);
        self.leads_of_name(place, name).entities.contains(&entity)
    }
}
