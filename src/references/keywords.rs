//! What the name of an argument leads to: a parameter of what is called, or a field of a class without an `__init__` of its own.

use std::collections::{BTreeSet, HashSet};

use super::analysis::Analysis;
use super::facts::{FileId, NameLeads, ScopePlace, Thing, Things};
use super::reference::Verdict;
use super::target::{FunctionUse, Renamable, RenamableSort};
use crate::syntax::python::{
    ExpressionId, NameScopeKind, OccurrenceKind, UsedExpression, UsedText,
};
use crate::text::Span;

impl Analysis {
    /// Returns what the name of an argument leads to.
    pub(super) fn leads_of_keyword(
        &self,
        target: &Renamable,
        file: FileId,
        call: ExpressionId,
        name: &str,
    ) -> NameLeads {
        let names = self.names(file);
        let UsedExpression::Call {
            callee, arguments, ..
        } = names.expression(call)
        else {
            return NameLeads::doubtful("it is not understood");
        };
        if !matches!(
            target.sort,
            RenamableSort::Parameter(_) | RenamableSort::Member
        ) {
            return NameLeads::elsewhere();
        }
        let word = names.last_word(*callee);
        if word == Some("partial") || word == Some("partialmethod") {
            let Some(function) = arguments.first() else {
                return NameLeads::elsewhere();
            };
            let things = self.things_of(file, *function);
            return self.leads_of_callee(target, &things, names.last_word(*function), name);
        }
        let things = self.things_of(file, *callee);
        // It copies its first argument with other fields, by whatever name.
        let is_copier = things.known.iter().any(|thing| match thing {
            Thing::Outside(name) => {
                ["dataclasses.replace", "attr.evolve", "attrs.evolve"].contains(&name.as_str())
            }
            _ => false,
        });
        let is_called_so = matches!(word, Some("replace" | "evolve"));
        if (is_copier || is_called_so) && self.has_fields(target) {
            return self.leads_of_copy(target, file, arguments.first().copied(), name);
        }
        let mut leads = self.leads_of_callee(target, &things, word, name);
        let hands_on = arguments.iter().any(|argument| {
            let things = self.things_of(file, *argument);
            things.known.iter().any(|thing| match thing {
                Thing::Function(function, _) => self.is_ours(target, *function),
                _ => false,
            })
        });
        if hands_on {
            leads.add(NameLeads::doubtful("it may be handed on to the function"));
        }
        leads
    }

    /// Returns what the name of a field leads to where something is copied with another value of it.
    fn leads_of_copy(
        &self,
        target: &Renamable,
        file: FileId,
        copied: Option<ExpressionId>,
        name: &str,
    ) -> NameLeads {
        let things = copied.map(|copied| self.things_of(file, copied));
        let mut leads = NameLeads::default();
        for thing in things.iter().flat_map(|things| &things.known) {
            leads.add(match thing {
                Thing::Instance(class) => self.leads_of_construction(target, *class, name),
                _ => NameLeads::elsewhere(),
            });
        }
        if things.is_none_or(|things| things.is_open || things.known.is_empty()) {
            leads.add(NameLeads::doubtful("nothing says what is copied"));
        }
        leads
    }

    fn is_ours(&self, target: &Renamable, function: ScopePlace) -> bool {
        let place = self.canonical(function);
        target
            .entities
            .iter()
            .any(|entity| (entity.file, entity.scope) == place)
    }

    fn leads_of_callee(
        &self,
        target: &Renamable,
        things: &Things,
        word: Option<&str>,
        name: &str,
    ) -> NameLeads {
        let mut leads = NameLeads::default();
        for thing in &things.known {
            leads.add(match thing {
                Thing::Function(function, _) => self.leads_of_argument(target, *function, name),
                Thing::Class(class) => self.leads_of_construction(target, *class, name),
                Thing::Instance(class) => {
                    let calling = self.things_of_attribute(&Thing::Instance(*class), "__call__");
                    self.leads_of_callee(target, &calling, Some("__call__"), name)
                }
                Thing::OutsideInstance(class) if class.starts_with("functools.partial") => {
                    self.leads_of_unknown_callee(target, None)
                }
                Thing::Module(_)
                | Thing::Above(_)
                | Thing::Promised(_)
                | Thing::Outside(_)
                | Thing::OutsideInstance(_) => NameLeads::elsewhere(),
            });
        }
        if things.is_open || things.known.is_empty() {
            leads.add(self.leads_of_unknown_callee(target, word));
        }
        leads
    }

    /// Returns what a call of something unknown may come to: something of the same name, or anything where the function is handed on.
    fn leads_of_unknown_callee(&self, target: &Renamable, word: Option<&str>) -> NameLeads {
        let called = match &target.sort {
            RenamableSort::Parameter(function) => function.clone(),
            RenamableSort::Member => {
                let fields = target.entities.iter();
                let is_called = fields
                    .filter_map(|field| self.scope((field.file, field.scope)).name.clone())
                    .any(|class| word.is_none_or(|word| word == class || word == "cls"));
                let copies = word.is_some_and(|word| {
                    matches!(
                        word,
                        "replace" | "_replace" | "evolve" | "copy" | "model_copy"
                    )
                });
                return if (is_called || copies) && self.has_fields(target) {
                    NameLeads::doubtful("nothing says what is called")
                } else {
                    NameLeads::elsewhere()
                };
            }
            RenamableSort::Global | RenamableSort::Local => return NameLeads::elsewhere(),
        };
        let is_construction = makes_instances(&called);
        let is_possible = match word {
            None => true,
            Some(word) => word == called || is_construction || self.is_handed_on(target, &called),
        };
        if is_possible {
            NameLeads::doubtful(match word {
                Some(word) => format!("nothing says what `{word}` is"),
                None => "nothing says what is called".to_owned(),
            })
        } else {
            NameLeads::elsewhere()
        }
    }

    fn has_fields(&self, target: &Renamable) -> bool {
        target
            .entities
            .iter()
            .any(|entity| self.makes_fields((entity.file, entity.scope)))
    }

    /// Returns what an argument of a function leads to.
    fn leads_of_argument(&self, target: &Renamable, function: ScopePlace, name: &str) -> NameLeads {
        let place = self.canonical(function);
        if self.takes_keyword(function, name) || self.takes_keyword(place, name) {
            return NameLeads::to(self.entity(place, name));
        }
        if self.swallows_keywords(function) {
            let word = self.scope(function).name.clone().unwrap_or_default();
            // An object that is called may have been made with the function.
            let holds = |called: &str| word == "__call__" && self.is_handed_on(target, called);
            if let RenamableSort::Parameter(called) = &target.sort
                && (self.is_spread(target, called) || holds(called))
            {
                return NameLeads::doubtful(format!("`**` of `{word}` may hand it on"));
            }
            return NameLeads::elsewhere();
        }
        NameLeads::elsewhere()
    }

    /// Returns what an argument of the construction of a class leads to.
    fn leads_of_construction(
        &self,
        target: &Renamable,
        class: ScopePlace,
        name: &str,
    ) -> NameLeads {
        // A class of fields gets a constructor of its own, whatever those above it have.
        let ancestry = self.ancestry(class);
        let decides = ancestry
            .own()
            .find(|class| self.has_own(*class, "__init__") || self.makes_fields(*class));
        let is_written = decides.is_none_or(|class| self.has_own(class, "__init__"));
        for making in ["__init__", "__new__"] {
            let found = self.leads_of_attribute(class, making, false);
            if found.entities.is_empty() || !is_written {
                continue;
            }
            let mut leads = NameLeads::default();
            for entity in &found.entities {
                let place = (entity.file, entity.scope);
                for thing in self.things_of_name(place, making).known {
                    if let Thing::Function(function, _) = thing {
                        leads.add(self.leads_of_argument(target, function, name));
                    }
                }
            }
            leads.doubt = leads.doubt.or(found.doubt);
            if making == "__init__"
                && !self
                    .leads_of_attribute(class, "__new__", false)
                    .entities
                    .is_empty()
            {
                leads.doubt.get_or_insert_with(|| {
                    "its class has a `__new__`, which takes it, too".to_owned()
                });
            }
            return leads;
        }
        let fields = self.ancestry(class);
        let makes_fields = fields.own().any(|class| self.makes_fields(class));
        if makes_fields {
            let mut leads = self.leads_of_attribute(class, name, false);
            if leads.entities.is_empty() {
                leads.doubt = None;
                leads.is_other = true;
            }
            return leads;
        }
        let is_open = self
            .outside_of(&[class].into())
            .iter()
            .any(|(_, step)| match step {
                super::ancestry::AncestryStep::Own(_) => false,
                super::ancestry::AncestryStep::Outside(base) => !super::outside::is_known(base),
                super::ancestry::AncestryStep::Unknown(_) => true,
            });
        if is_open && self.has_own(class, name) {
            // It may make fields of what is declared, as pydantic does.
            let mut leads = self.leads_of_attribute(class, name, false);
            leads
                .doubt
                .get_or_insert_with(|| "a base that is not in the snapshot may take it".to_owned());
            return leads;
        }
        NameLeads::elsewhere()
    }

    /// Says whether the arguments of a class are what it declares.
    fn makes_fields(&self, class: ScopePlace) -> bool {
        let names = self.names(class.0);
        let Some(header) = &names.scopes[class.1].class else {
            return false;
        };
        let by_decorator = names.is_decorated(
            &header.decorators,
            &[
                "dataclass",
                "define",
                "frozen",
                "mutable",
                "s",
                "attrs",
                "dataclass_transform",
            ],
        );
        let by_base = header.bases.iter().any(|base| {
            names
                .last_word(*base)
                .is_some_and(|word| matches!(word, "NamedTuple" | "TypedDict" | "BaseModel"))
        });
        by_decorator || by_base
    }

    /// Returns the calls that may give the target by its name though that is not written there, `f(**options)`, each with the reason.
    pub(super) fn spreads(&self, target: &Renamable) -> Vec<(FileId, Span, String)> {
        let mut words: Vec<String> = target
            .entities
            .iter()
            .filter_map(|entity| match &target.sort {
                RenamableSort::Parameter(called) if !makes_instances(called) => {
                    Some(called.clone())
                }
                RenamableSort::Parameter(_) => {
                    let words = self.qualified((entity.file, entity.scope));
                    words.into_iter().rev().nth(1)
                }
                RenamableSort::Member => self.scope((entity.file, entity.scope)).name.clone(),
                RenamableSort::Global | RenamableSort::Local => None,
            })
            .collect();
        words.sort_unstable();
        words.dedup();

        let mut found = BTreeSet::new();
        let mut handed = BTreeSet::new();
        for word in &words {
            for file in self.sources.holding(&[word.as_str()]) {
                if !self.sources.is_python(file) {
                    continue;
                }
                let has_spread = memchr::memmem::find(self.sources.bytes(file), b"**").is_some();
                if has_spread {
                    self.spreads_in(target, word, file, &mut found);
                }
                self.handed_on_with_words(target, word, file, &mut handed);
            }
        }
        let handed = handed.into_iter().map(|(file, start, end)| {
            let why = "a call that it is handed to may give it by its name (`kwargs=…`)";
            (file, Span::new(start, end), why.to_owned())
        });
        let spread = found.into_iter().map(|(file, start, end)| {
            let span = Span::new(start, end);
            let word = String::from_utf8_lossy(span.of(self.sources.bytes(file))).into_owned();
            (
                file,
                span,
                format!("`**` in the call of `{word}` may give it by its name"),
            )
        });
        spread.chain(handed).collect()
    }

    /// Adds the places of one file that hand the function on, called `word`, where a call has its arguments in a dictionary and the name is
    /// written as a key: `Thread(target=f, kwargs={"a": 1})`.
    fn handed_on_with_words(
        &self,
        target: &Renamable,
        word: &str,
        file: FileId,
        found: &mut BTreeSet<(FileId, usize, usize)>,
    ) {
        let names = self.names(file);
        let takes = names
            .calls
            .values()
            .any(|call| match names.expression(*call) {
                UsedExpression::Call { keywords, .. } => keywords
                    .iter()
                    .any(|keyword| matches!(keyword.as_str(), "kwargs" | "kwds" | "keywords")),
                _ => false,
            });
        if !takes {
            return;
        }
        let bytes = self.sources.bytes(file);
        let is_key = |place: Span| {
            let text = place.of(bytes);
            let inner = text.get(1..text.len().saturating_sub(1));
            target
                .keys()
                .iter()
                .any(|key| inner == Some(key.as_bytes()))
        };
        let texts = names.texts.iter();
        let mut texts = texts.filter(|(_, kind)| *kind == UsedText::String);
        let mut keywords = names.occurrences.iter();
        let is_written = texts.any(|(place, _)| is_key(*place))
            || keywords.any(|it| {
                matches!(it.kind, OccurrenceKind::Keyword { .. })
                    && target.keys().contains(&it.name.as_str())
            });
        if !is_written {
            return;
        }
        for occurrence in names.occurrences.iter().filter(|it| it.name == word) {
            if let OccurrenceKind::Load { expression }
            | OccurrenceKind::Attribute { expression, .. } = occurrence.kind
                && !names.calls.contains_key(&expression)
                && self.may_be_ours(target, file, expression)
            {
                found.insert((file, occurrence.span.start, occurrence.span.end));
            }
        }
    }

    /// Says whether an expression may be the function that the target is of.
    fn may_be_ours(&self, target: &Renamable, file: FileId, expression: ExpressionId) -> bool {
        let things = self.things_of(file, expression);
        things.is_open
            || things.known.is_empty()
            || things.known.iter().any(|thing| match thing {
                Thing::Function(function, _) => self.is_ours(target, *function),
                _ => false,
            })
    }

    /// Adds those of one file; `word` is what the target's function is called by.
    fn spreads_in(
        &self,
        target: &Renamable,
        word: &str,
        file: FileId,
        found: &mut BTreeSet<(FileId, usize, usize)>,
    ) {
        let names = self.names(file);
        for occurrence in &names.occurrences {
            let expression = match &occurrence.kind {
                OccurrenceKind::Load { expression } => expression,
                OccurrenceKind::Attribute { expression, .. } => expression,
                _ => continue,
            };
            let Some(call) = names.calls.get(expression) else {
                continue;
            };
            let UsedExpression::Call {
                arguments,
                keywords,
                has_starred,
                has_spread: true,
                ..
            } = names.expression(*call)
            else {
                continue;
            };
            let is_given = |key: &&str| {
                keywords.iter().any(|keyword| keyword == *key)
                    || !has_starred && self.is_filled(target, key, arguments.len())
            };
            let may_give = target
                .keys()
                .into_iter()
                .filter(|key| !is_given(key))
                .any(|key| {
                    let leads = self.leads_of_keyword(target, file, *call, key);
                    match self.weigh(target, leads).0 {
                        Verdict::Certain => true,
                        Verdict::Unsure => occurrence.name == word,
                        Verdict::Other | Verdict::Mention => false,
                    }
                });
            if may_give {
                found.insert((file, occurrence.span.start, occurrence.span.end));
            }
        }
    }

    /// Says whether so many arguments without names are enough to give a parameter, in whatever way its function is called.
    fn is_filled(&self, target: &Renamable, name: &str, arguments: usize) -> bool {
        target.entities.iter().all(|entity| {
            let scope = self.scope((entity.file, entity.scope));
            let mut parameters = scope.function.iter().flat_map(|header| &header.parameters);
            parameters
                .position(|parameter| parameter.name == name)
                .is_some_and(|at| at < arguments)
        })
    }

    /// Says whether a function is called with arguments that are not written there: `f(**options)`.
    fn is_spread(&self, target: &Renamable, called: &str) -> bool {
        self.uses_of(target, called)
            .iter()
            .any(|use_| use_.is_spread)
            || {
                // A constructor is called by the name of its class, or through `super()`.
                makes_instances(called)
            }
    }

    /// Says whether a function is used otherwise than by calling it.
    fn is_handed_on(&self, target: &Renamable, called: &str) -> bool {
        self.uses_of(target, called)
            .iter()
            .any(|use_| use_.is_spread || !use_.is_called)
    }

    /// Returns how a function is used, wherever its word is written.
    fn uses_of(&self, target: &Renamable, called: &str) -> Vec<FunctionUse> {
        if let Some(known) = target.uses.get() {
            return known.clone();
        }
        let mut uses = HashSet::new();
        for file in self.sources.holding(&[called]) {
            if !self.sources.is_python(file) {
                continue;
            }
            let names = self.names(file);
            for occurrence in names.occurrences.iter().filter(|it| it.name == called) {
                let expression = match &occurrence.kind {
                    OccurrenceKind::Load { expression } => *expression,
                    OccurrenceKind::Attribute { expression, .. } => *expression,
                    OccurrenceKind::Store
                    | OccurrenceKind::Keyword { .. }
                    | OccurrenceKind::KeywordPattern { .. }
                    | OccurrenceKind::Imported { .. }
                    | OccurrenceKind::ModulePart
                    | OccurrenceKind::Exported
                    | OccurrenceKind::Slot => continue,
                };
                let call = names.calls.get(&expression);
                let is_spread = call.is_some_and(|call| {
                    matches!(
                        names.expression(*call),
                        UsedExpression::Call {
                            has_spread: true,
                            ..
                        }
                    )
                });
                // A decorator `@f.register` and the like name it, and hand nothing on.
                let is_setter = names.scopes[occurrence.scope].kind == NameScopeKind::Class;
                uses.insert(FunctionUse {
                    is_called: call.is_some() || is_setter,
                    is_spread,
                });
            }
        }
        let uses: Vec<FunctionUse> = uses.into_iter().collect();
        drop(target.uses.set(uses.clone()));
        uses
    }
}

/// Says whether a function is called by another name than its own: that of its class, or of an instance.
fn makes_instances(function: &str) -> bool {
    matches!(function, "__init__" | "__new__" | "__call__")
}
