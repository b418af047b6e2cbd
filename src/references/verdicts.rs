//! The verdict on one occurrence of the word of a name.

use super::analysis::Analysis;
use super::facts::{FileId, NameLeads, Thing, Things};
use super::lookup::LookedUp;
use super::outside;
use super::reference::Verdict;
use super::target::{Renamable, RenamableSort};
use crate::syntax::python::{
    ExpressionId, ModuleNames, NameOccurrence, NameScopeKind, OccurrenceKind, UsedExpression,
};

/// A verdict and its reason.
pub(super) type Reasoned = (Verdict, Option<String>);

/// Functions that give a module by its name.
const MODULE_GIVERS: [&str; 5] = [
    "import_module",
    "__import__",
    "importorskip",
    "reload",
    "modules",
];

impl Analysis {
    /// Returns the verdict on an occurrence.
    pub(super) fn verdict(
        &self,
        target: &Renamable,
        file: FileId,
        occurrence: &NameOccurrence,
    ) -> Reasoned {
        let name = &occurrence.name;
        let scope = occurrence.scope;
        match &occurrence.kind {
            OccurrenceKind::Load { expression } => {
                let names = self.names(file);
                let UsedExpression::Name { at, loop_end, .. } = names.expression(*expression)
                else {
                    return (Verdict::Unsure, Some("it is not understood".to_owned()));
                };
                let load = LookedUp {
                    name,
                    scope,
                    at: *at,
                    loop_end: *loop_end,
                };
                self.weigh(target, self.leads_of_load(file, load))
            }
            OccurrenceKind::Store | OccurrenceKind::Imported { binds: true, .. } => {
                self.weigh(target, self.leads_of_store(file, scope, name))
            }
            OccurrenceKind::Imported { from, .. } => {
                self.weigh(target, self.leads_of_import(file, from, name))
            }
            OccurrenceKind::Exported => {
                let mut leads = self.leads_of_name((file, 0), name);
                if leads.is_empty() {
                    leads = self.leads_of_stars(file, name);
                }
                self.weigh(target, leads)
            }
            OccurrenceKind::Slot => {
                let class = self.canonical((file, scope));
                let leads = match self.has_own(class, name) {
                    true => NameLeads::to(self.entity(class, name)),
                    false => self.leads_of_attribute(class, name, false),
                };
                self.weigh(target, leads)
            }
            OccurrenceKind::ModulePart => (Verdict::Other, None),
            OccurrenceKind::Attribute { receiver, .. } => {
                let things = self.things_of(file, *receiver);
                self.weigh_attribute(target, file, *receiver, &things, name)
            }
            OccurrenceKind::KeywordPattern { class } => {
                let things = self.instances(file, *class);
                self.weigh_attribute(target, file, *class, &things, name)
            }
            OccurrenceKind::Keyword { call } => {
                let leads = self.leads_of_keyword(target, file, *call, name);
                self.weigh(target, leads)
            }
        }
    }

    /// Returns the verdict that what a word leads to comes to.
    pub(super) fn weigh(&self, target: &Renamable, leads: NameLeads) -> Reasoned {
        let is_ours = leads
            .entities
            .iter()
            .any(|entity| target.entities.contains(entity));
        let others: Vec<_> = leads
            .entities
            .iter()
            .filter(|entity| !target.entities.contains(*entity))
            .collect();
        if let Some(why) = leads.doubt {
            return (Verdict::Unsure, Some(why));
        }
        if target.is_fixture && !is_ours {
            let is_parameter = |entity: &&super::facts::Entity| {
                self.has_parameter((entity.file, entity.scope), &entity.name)
            };
            if others.iter().any(is_parameter) {
                let why = "a parameter may ask for a fixture by its name";
                return (Verdict::Unsure, Some(why.to_owned()));
            }
        }
        if target.sort == RenamableSort::Member && !is_ours {
            let is_protocol = |entity: &&super::facts::Entity| {
                let place = (entity.file, entity.scope);
                self.scope(place).kind == NameScopeKind::Class && self.is_protocol(place)
            };
            if let Some(protocol) = others.iter().find(|it| is_protocol(it)) {
                let place = (protocol.file, protocol.scope);
                let word = self.scope(place).name.clone().unwrap_or_default();
                let why = format!("what fits the protocol `{word}` is not known");
                return (Verdict::Unsure, Some(why));
            }
        }
        match (is_ours, others.first()) {
            (true, None) if !leads.is_other => (Verdict::Certain, None),
            (true, None) => {
                let why = "it may be of another project as well";
                (Verdict::Unsure, Some(why.to_owned()))
            }
            (true, Some(other)) => {
                let mut words = self.qualified((other.file, other.scope));
                words.push(target.word.clone());
                let why = format!(
                    "it may be {}::{} as well",
                    self.sources.path(other.file),
                    words.join(".")
                );
                (Verdict::Unsure, Some(why))
            }
            (false, _) => (Verdict::Other, None),
        }
    }

    /// Returns the verdict on an attribute of something.
    fn weigh_attribute(
        &self,
        target: &Renamable,
        file: FileId,
        receiver: ExpressionId,
        things: &Things,
        name: &str,
    ) -> Reasoned {
        let may_be_member = target.sort == RenamableSort::Member;
        let may_be_global = target.sort == RenamableSort::Global;
        let mut leads = NameLeads::default();
        for thing in &things.known {
            match thing {
                Thing::Module(module) => {
                    let mut found = self.leads_of_member(module, name);
                    found.doubt = found.doubt.filter(|_| may_be_global);
                    leads.add(found);
                    leads.is_other |= leads.is_empty();
                }
                Thing::Class(class) | Thing::Instance(class) | Thing::Above(class) => {
                    let above = matches!(thing, Thing::Above(_));
                    let mut found = self.leads_of_attribute(*class, name, above);
                    found.doubt = found.doubt.filter(|_| may_be_member);
                    found.is_other |= found.is_empty();
                    leads.add(found);
                }
                Thing::Outside(dotted) => {
                    let root = dotted.split('.').next().unwrap_or(dotted);
                    let is_seen = !dotted.contains('.')
                        || outside::is_standard(root)
                        || outside::is_known(dotted);
                    let last = dotted.rsplit('.').next().unwrap_or(dotted);
                    let is_called_so = dotted.contains('.')
                        && may_be_global
                        && target.modules.iter().any(|module| module == last);
                    if is_called_so && !outside::is_standard(root) {
                        leads.add(NameLeads::doubtful(format!(
                            "the module `{dotted}` is not in the snapshot"
                        )));
                    } else if is_seen || !may_be_member {
                        leads.is_other = true;
                    } else {
                        leads.add(NameLeads::doubtful(format!(
                            "what `{dotted}` is, is not in the snapshot"
                        )));
                    }
                }
                Thing::Function(..) | Thing::Promised(_) | Thing::OutsideInstance(_) => {
                    leads.is_other = true;
                }
            }
        }
        if things.is_open || things.known.is_empty() {
            let names = self.names(file);
            let word = names.last_word(receiver);
            let is_possible =
                may_be_member || may_be_global && self.may_be_module(target, names, receiver);
            if is_possible {
                leads.add(NameLeads::doubtful(match word {
                    Some(word) => format!("nothing says what `{word}` is"),
                    None => "nothing says what it is an attribute of".to_owned(),
                }));
            } else {
                leads.is_other = true;
            }
        }
        if may_be_member
            && leads.doubt.is_none()
            && let UsedExpression::Attribute {
                name: attribute, ..
            } = self.names(file).expression(receiver)
        {
            self.add_set_somewhere(attribute, name, &mut leads);
        }
        self.weigh(target, leads)
    }

    /// Says whether an expression of which nothing is known may be a module that the target is in: it is called so, or comes from
    /// what gives modules.
    fn may_be_module(
        &self,
        target: &Renamable,
        names: &ModuleNames,
        receiver: ExpressionId,
    ) -> bool {
        let receiver = match names.expression(receiver) {
            UsedExpression::Subscript { value, .. } => *value,
            _ => receiver,
        };
        let Some(word) = names.last_word(receiver) else {
            return false;
        };
        let is_called_so = target.modules.iter().any(|module| module == word);
        is_called_so || matches!(word, "module" | "mod") || MODULE_GIVERS.contains(&word)
    }
}
