//! Classes: what is above and below them, where an attribute is defined, and which classes share it.

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::ancestry::{Ancestry, AncestryStep};
use super::bases::{BaseWords, written_bases};
use super::facts::{NameLeads, ScopePlace, Thing};
use super::outside;
use crate::syntax::python::BindingKind;

/// So many words are looked for one by one, in the files that hold them; from then on all files are read at once.
const FEW: usize = 16;

impl Analysis {
    /// Returns a class and all above it.
    pub(super) fn ancestry(&self, class: ScopePlace) -> Ancestry {
        let class = self.canonical(class);
        if let Some(known) = self.ancestries.borrow().get(&class) {
            return known.clone();
        }
        let found = self.ask(Ancestry::default, || self.ancestry_of_bases(class));
        self.ancestries.borrow_mut().insert(class, found.clone());
        found
    }

    fn ancestry_of_bases(&self, class: ScopePlace) -> Ancestry {
        let mut steps = vec![AncestryStep::Own(class)];
        let (file, _) = class;
        let names = self.names(file);
        let Some(header) = &self.scope(class).class else {
            return Ancestry { steps };
        };
        // An ancestor that comes by two ways is looked up the last time it is met.
        let mut above: Vec<AncestryStep> = Vec::new();
        for base in &header.bases {
            let written = names.last_word(*base).unwrap_or("…").to_owned();
            let (base, handed) = written_bases(names, *base);
            // What a call makes of classes is, if anything, a class below them.
            for handed in handed {
                for thing in self.things_of(file, *handed).known {
                    if let Thing::Class(base) = thing
                        && base != class
                    {
                        above.extend(self.ancestry(base).steps);
                    }
                }
            }
            let things = self.things_of(file, base);
            if things.is_open || things.known.is_empty() {
                above.push(AncestryStep::Unknown(written.clone()));
            }
            for thing in things.known {
                match thing {
                    Thing::Class(base) if base != class => {
                        above.extend(self.ancestry(base).steps);
                    }
                    Thing::Outside(name) => above.push(AncestryStep::Outside(name)),
                    _ => above.push(AncestryStep::Unknown(written.clone())),
                }
            }
        }
        if header.has_unknown_bases {
            above.push(AncestryStep::Unknown("…".to_owned()));
        }
        let mut kept: Vec<AncestryStep> = Vec::new();
        for step in above.into_iter().rev() {
            if !kept.contains(&step) && !steps.contains(&step) {
                kept.push(step);
            }
        }
        kept.reverse();
        steps.extend(kept);
        Ancestry { steps }
    }

    /// Says whether a class itself defines an attribute.
    pub(super) fn has_own(&self, class: ScopePlace, name: &str) -> bool {
        let has = |place: ScopePlace| {
            let scope = self.scope(place);
            let is_bound = scope.names.get(name).is_some_and(|bound| {
                let mut kinds = bound.bindings.iter().map(|binding| &binding.kind);
                kinds.any(|kind| !matches!(kind, BindingKind::Deleted))
            });
            is_bound || scope.members.contains_key(name)
        };
        if has(class) {
            return true;
        }
        let twin = self.sources.twin(class.0);
        let stub = twin.and_then(|twin| self.counterpart(class, twin));
        stub.is_some_and(has)
    }

    /// Returns what an attribute of a class or of its instances leads to; `above` leaves the class itself out.
    pub(super) fn leads_of_attribute(
        &self,
        class: ScopePlace,
        name: &str,
        above: bool,
    ) -> NameLeads {
        let class = self.canonical(class);
        let ancestry = self.ancestry(class);
        let mut doubt = None;
        let mut is_open = false;
        for step in ancestry.steps.iter().skip(usize::from(above)) {
            match step {
                AncestryStep::Own(place) if self.has_own(*place, name) => {
                    let mut leads = NameLeads::to(self.entity(*place, name));
                    leads.doubt = doubt;
                    return leads;
                }
                AncestryStep::Own(place) => {
                    let scope = self.scope(*place);
                    is_open |= scope.names.contains_key("__getattr__")
                        || scope.names.contains_key("__getattribute__");
                }
                AncestryStep::Outside(base) => match outside::has_attribute(base, name) {
                    Some(true) => {
                        let mut leads = NameLeads::elsewhere();
                        leads.doubt = doubt;
                        return leads;
                    }
                    Some(false) => {}
                    None => {
                        let why = format!("`{base}` is not in the snapshot and may define it");
                        doubt.get_or_insert(why);
                    }
                },
                AncestryStep::Unknown(base) => {
                    let why = format!("`{base}` is not known and may define it");
                    doubt.get_or_insert(why);
                }
            }
        }
        // A mixin's: what its siblings define, or what is below it.
        let mut leads = NameLeads::default();
        for below in self.descendants(class) {
            let mut definers = self.ancestry(below).own().collect::<Vec<_>>();
            definers.retain(|place| *place != class || !above);
            for place in definers {
                if self.has_own(place, name) {
                    leads.add(NameLeads::to(self.entity(place, name)));
                }
            }
        }
        let word = self.scope(class).name.clone().unwrap_or_default();
        if doubt.is_none() && is_open {
            doubt = Some(format!("`{word}` may have any attribute"));
        }
        if !above || leads.is_empty() {
            doubt.get_or_insert_with(|| format!("`{word}` has no `{name}` of its own"));
        }
        leads.doubt = doubt;
        leads
    }

    /// Returns all classes below a class.
    pub(super) fn descendants(&self, class: ScopePlace) -> Vec<ScopePlace> {
        let mut found: Vec<ScopePlace> = Vec::new();
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            for below in self.right_below(class) {
                if !found.contains(&below) {
                    found.push(below);
                    open.push(below);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Returns the classes that name a class among their bases.
    fn right_below(&self, class: ScopePlace) -> Vec<ScopePlace> {
        if let Some(known) = self.subclasses.borrow().get(&class) {
            return known.clone();
        }
        let found = self.find_right_below(class);
        self.subclasses.borrow_mut().insert(class, found.clone());
        found
    }

    fn find_right_below(&self, class: ScopePlace) -> Vec<ScopePlace> {
        let Some(word) = self.scope(class).name.clone() else {
            return Vec::new();
        };
        let mut words = vec![word];
        let mut looked = 0;
        let mut found = Vec::new();
        while let Some(word) = words.get(looked).cloned() {
            looked += 1;
            let (named, others) = self.with_base_words(&word, |said| {
                (said.classes(&word).to_vec(), said.others(&word).to_vec())
            });
            let is_below = |(file, scope): &ScopePlace| {
                let names = self.names(*file);
                let header = names.scopes[*scope].class.as_ref();
                let mut bases = header.iter().flat_map(|header| &header.bases);
                bases.any(|base| {
                    let (base, handed) = written_bases(names, *base);
                    handed.iter().chain([&base]).any(|base| {
                        names.last_word(*base) == Some(word.as_str())
                            && self
                                .things_of(*file, *base)
                                .known
                                .contains(&Thing::Class(class))
                    })
                })
            };
            let below = named.into_iter().filter(is_below);
            found.extend(below.map(|place| self.canonical(place)));
            for other in others {
                if !words.contains(&other) {
                    words.push(other);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns what is said of `word`, and maybe of others.
    fn with_base_words<T>(&self, word: &str, read: impl FnOnce(&BaseWords) -> T) -> T {
        if self.words_asked.get() >= FEW {
            let all = || BaseWords::of(&self.sources, self.sources.ids());
            return read(self.base_words.get_or_init(all));
        }
        self.words_asked.set(self.words_asked.get() + 1);
        read(&BaseWords::of(&self.sources, self.sources.holding(&[word])))
    }

    /// Returns the classes whose attribute `name` is one with that of `class`: those above, below and beside it that define it.
    pub(super) fn family(&self, class: ScopePlace, name: &str) -> BTreeSet<ScopePlace> {
        let class = self.canonical(class);
        let mut family = BTreeSet::from([class]);
        // A name that is private to its class is no other's.
        if name.contains("__")
            && !self
                .scope(class)
                .names
                .contains_key(name.trim_start_matches('_'))
            && name.starts_with('_')
            && is_mangled(name, self.scope(class).name.as_deref())
        {
            return family;
        }
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            let mut related: Vec<ScopePlace> = self.ancestry(class).own().collect();
            let mut around = related.clone();
            around.retain(|place| *place == class || self.has_own(*place, name));
            for place in around {
                for below in self.descendants(place) {
                    related.extend(self.ancestry(below).own());
                }
            }
            related.sort_unstable();
            related.dedup();
            for place in related {
                if self.has_own(place, name) && family.insert(place) {
                    open.push(place);
                }
            }
        }
        family
    }

    /// Says whether any class that has what a class has may stand for it.
    pub(super) fn is_protocol(&self, class: ScopePlace) -> bool {
        self.has_base_called(class, "Protocol")
    }

    /// Says whether a class makes members of the values that it binds to names.
    pub(super) fn is_enumeration(&self, class: ScopePlace) -> bool {
        self.ancestry(class).steps.iter().any(|step| match step {
            AncestryStep::Own(_) => false,
            AncestryStep::Outside(base) | AncestryStep::Unknown(base) => {
                let last = base.rsplit('.').next().unwrap_or(base);
                ["Enum", "Flag", "Choices"]
                    .iter()
                    .any(|word| last.ends_with(word))
            }
        })
    }

    /// Says whether a name of a class is a member of an enumeration.
    pub(super) fn is_member_of_enumeration(&self, class: ScopePlace, name: &str) -> bool {
        let bound = self.scope(class).names.get(name);
        let is_value = bound.is_some_and(|bound| {
            let mut bindings = bound.bindings.iter();
            bindings.any(|it| matches!(it.kind, BindingKind::Assigned { value: Some(_), .. }))
        });
        is_value && self.is_enumeration(class)
    }

    /// Says whether a class of another project that is called so is above a class.
    pub(super) fn has_base_called(&self, class: ScopePlace, word: &str) -> bool {
        self.ancestry(class).steps.iter().any(|step| match step {
            AncestryStep::Own(_) => false,
            AncestryStep::Outside(base) | AncestryStep::Unknown(base) => {
                base.rsplit('.').next() == Some(word)
            }
        })
    }

    /// Returns what is above the classes of a family that is not of the project.
    pub(super) fn outside_of(
        &self,
        family: &BTreeSet<ScopePlace>,
    ) -> Vec<(ScopePlace, AncestryStep)> {
        let mut found: Vec<(ScopePlace, AncestryStep)> = Vec::new();
        for class in family {
            for step in self.ancestry(*class).steps {
                let is_own = matches!(step, AncestryStep::Own(_));
                if !is_own && !found.iter().any(|(_, known)| *known == step) {
                    found.push((*class, step));
                }
            }
        }
        found
    }
}

fn is_mangled(name: &str, class: Option<&str>) -> bool {
    let class = class.unwrap_or_default().trim_start_matches('_');
    let rest = name.strip_prefix('_').and_then(|it| it.strip_prefix(class));
    rest.is_some_and(|rest| rest.starts_with("__") && !rest.ends_with("__"))
}
