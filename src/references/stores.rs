//! Attributes that are set from outside of their classes, and globals from outside of their modules: `service.client = Cached()` in a
//! test. What a class itself says of `client` is not all there is then.

use super::analysis::Analysis;
use super::facts::{FileId, NameLeads, ScopePlace, Thing, Things};
use super::set_outside::SetOutside;
use super::target::Renamable;
use crate::parallel;
use crate::syntax::python::{
    AttributeStore, ExpressionId, ImportOrigin, StoreReceiver, UsedExpression,
};

/// What takes any name, whatever it stands for.
const MOCKS: [&str; 7] = [
    "AsyncMock",
    "MagicMock",
    "Mock",
    "NonCallableMagicMock",
    "NonCallableMock",
    "create_autospec",
    "sentinel",
];

impl Analysis {
    /// Returns the classes that are put in the place of a class, where its module has it: `monkeypatch.setattr(app, "Client", Fake)`.
    pub(super) fn stand_ins(&self, class: ScopePlace) -> Vec<ScopePlace> {
        let Some(name) = &self.scope(class).name else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (file, store) in self.stores_of(name) {
            let mut receivers = self.things_of_receiver(file, store).known.into_iter();
            let has_it = |thing: Thing| match thing {
                Thing::Module(_) => {
                    let there = self.things_of_attribute(&thing, name).known;
                    there.contains(&Thing::Class(class))
                }
                _ => false,
            };
            if receivers.any(has_it) {
                let stored = self.things_stored(file, store).known.into_iter();
                found.extend(stored.filter_map(|thing| match thing {
                    Thing::Class(other) if other != class => Some(other),
                    _ => None,
                }));
            }
        }
        found
    }

    /// Adds what a variable of a class or module is set to from outside of it.
    pub(super) fn add_set_outside(&self, place: ScopePlace, name: &str, things: &mut Things) {
        for (file, store) in self.stores_of(name) {
            let receivers = self.things_of_receiver(file, store);
            let is_it = receivers.known.iter().any(|thing| match thing {
                Thing::Class(class) | Thing::Instance(class) => {
                    let leads = self.leads_of_attribute(*class, name, false);
                    let mut entities = leads.entities.iter();
                    entities.any(|it| (it.file, it.scope) == place)
                }
                Thing::Module(module) => place.1 == 0 && module.files.contains(&place.0),
                _ => false,
            });
            if is_it {
                things.add(self.things_stored(file, store));
            }
        }
    }

    /// Returns the files that set `name` of what has what `target` is.
    pub(super) fn files_that_set(&self, target: &Renamable, name: &str) -> Vec<FileId> {
        let is_target = |place: ScopePlace| {
            let mut entities = target.entities.iter();
            entities.any(|entity| (entity.file, entity.scope) == place)
        };
        let has_target = |thing: &Thing| match thing {
            Thing::Class(class) | Thing::Instance(class) => {
                let leads = self.leads_of_attribute(*class, &target.word, false);
                let mut entities = leads.entities.iter();
                entities.any(|entity| is_target((entity.file, entity.scope)))
            }
            Thing::Module(module) => module.files.iter().any(|file| is_target((*file, 0))),
            _ => false,
        };
        let stores = self.stores_of(name).into_iter();
        let mut files: Vec<FileId> = stores
            .filter(|(file, store)| {
                let receivers = self.things_of_receiver(*file, store);
                receivers.known.iter().any(has_target)
            })
            .map(|(file, _)| file)
            .collect();
        files.dedup();
        files
    }

    /// Adds what `name` leads to of what is surely set as `attribute` of something that is not known: it may be what is asked.
    pub(super) fn add_set_somewhere(&self, attribute: &str, name: &str, leads: &mut NameLeads) {
        for (file, store) in self.stores_of(attribute) {
            let receivers = self.things_of_receiver(file, store);
            if !receivers.is_open && !receivers.known.is_empty() {
                continue;
            }
            for thing in self.things_stored(file, store).known {
                if let Thing::Instance(class) = thing {
                    let found = self.leads_of_attribute(class, name, false);
                    if found.doubt.is_none() {
                        leads.add(found);
                    }
                }
            }
        }
    }

    fn things_of_receiver(&self, file: FileId, store: &AttributeStore) -> Things {
        let parts = match &store.receiver {
            StoreReceiver::Expression(receiver) => return self.things_of(file, *receiver),
            StoreReceiver::Dotted(parts) => parts,
        };
        // As much of it as is a module, and what is in that.
        for len in (1..=parts.len()).rev() {
            let origin = ImportOrigin {
                dots: 0,
                parts: parts[..len].to_vec(),
            };
            let modules = self.sources.modules(file, &origin);
            if modules.is_empty() {
                continue;
            }
            let mut things = Things::default();
            for module in modules {
                things.add(Things::one(Thing::Module(module)));
            }
            for name in &parts[len..] {
                things = things.map(|thing| self.things_of_attribute(&thing, name));
            }
            return things;
        }
        Things::anything()
    }

    fn things_stored(&self, file: FileId, store: &AttributeStore) -> Things {
        match store.value {
            Some(value) if self.is_mock(file, value) => Things::default(),
            Some(value) => self.things_of(file, value),
            None => Things::anything(),
        }
    }

    fn is_mock(&self, file: FileId, value: ExpressionId) -> bool {
        let names = self.names(file);
        let UsedExpression::Call { callee, .. } = names.expression(value) else {
            return false;
        };
        let word = names.last_word(*callee);
        word.is_some_and(|word| MOCKS.contains(&word))
    }

    /// Returns where an attribute called `name` is set of something else than `self`.
    fn stores_of(&self, name: &str) -> Vec<(FileId, &AttributeStore)> {
        let set = self
            .set_outside
            .get_or_init(|| SetOutside::of(&self.sources));
        let files = set.files_setting(name);
        let sources = &*self.sources;
        let read = |file: FileId| (file, sources.names(file));
        let all = parallel::map(files.to_vec(), read).into_iter();
        let stores = all.flat_map(|(file, names)| names.stores.iter().map(move |it| (file, it)));
        stores.filter(|(_, store)| store.name == name).collect()
    }
}
