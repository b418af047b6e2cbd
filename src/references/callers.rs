//! Every call of a function: those that surely are, with what goes to their first parameter, and those that may be.
//!
//! In: an analysis, and the address of a function. Out: the places of its word, and of other names that it has, each with a verdict; the calls
//! among them. Of a constructor the calls are those of its class, of classes below that have none of their own, and of `super().__init__`.
//!
//! A place that uses the function and does not call it (`map(f, xs)`, `@f`) is unsure: what calls it there is not known.

use std::collections::{BTreeSet, HashSet};

use super::analysis::Analysis;
use super::calls::keeps_signature;
use super::clashes::is_special;
use super::facts::{Entity, FileId, ScopePlace, Thing};
use super::misuse::is_harmless_of_classes;
use super::reference::{Reference, References, Verdict};
use super::renaming::has_python;
use super::search::Place;
use super::target::Renamable;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::SymbolSelector;
use crate::path::RepoPath;
use crate::syntax::python::{
    BindingKind, ExpressionId, FunctionParameter, ModuleNames, NameScopeKind, OccurrenceKind,
    UsedExpression,
};
use crate::text::{Lines, Span};

/// Functions that look at a class and make nothing of it.
const LOOKING: [&str; 7] = [
    "isinstance",
    "issubclass",
    "super",
    "cast",
    "TypeVar",
    "NewType",
    "hasattr",
];

/// Decorators that make a constructor where there is none.
const MAKING: [&str; 6] = ["dataclass", "define", "frozen", "mutable", "attrs", "s"];

/// Methods by which instances of a class are made.
const CONSTRUCTORS: [&str; 2] = ["__init__", "__new__"];

/// So many names of a function by other words are followed.
const MOST_WORDS: usize = 50;

/// The calls of a function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionCalls {
    /// Every place of its words, each with its verdict.
    pub(crate) references: References,
    /// The calls among them.
    pub(crate) calls: Vec<FunctionCall>,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct FunctionCall {
    /// Which place it is, of `FunctionCalls::references`.
    pub(crate) place: usize,
    /// Whether the first parameter gets what is called on, and no argument.
    pub(crate) takes_receiver: bool,
}

/// What a function takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionSignature {
    /// Its parameters, in their order.
    pub(crate) parameters: Vec<FunctionParameter>,
    /// Whether it is a `staticmethod`.
    pub(crate) is_static: bool,
    /// Whether it is a `classmethod`.
    pub(crate) is_of_class: bool,
}

/// Returns the signature of the function that `symbol` names in the file at `path`; `None` where it is none, or several that differ.
pub(crate) fn signature_of(
    analysis: &Analysis,
    path: &RepoPath,
    symbol: &SymbolSelector,
) -> Option<FunctionSignature> {
    let functions = analysis.functions_called(path, symbol);
    let mut signatures = functions.iter().map(|place| {
        let names = analysis.names(place.0);
        let header = analysis.scope(*place).function.as_ref()?;
        Some(FunctionSignature {
            parameters: header.parameters.clone(),
            is_static: names.is_decorated(&header.decorators, &["staticmethod"]),
            is_of_class: names.is_decorated(&header.decorators, &["classmethod"]),
        })
    });
    let first = signatures.next()??;
    signatures
        .all(|other| other.as_ref() == Some(&first))
        .then_some(first)
}

/// Returns every call of the function that `symbol` names in the file at `path`, whose parameters are to be `now`.
pub(crate) fn calls_of(
    analysis: &Analysis,
    path: &RepoPath,
    symbol: &SymbolSelector,
    now: &[FunctionParameter],
) -> Result<FunctionCalls, Diagnostic> {
    if !has_python(analysis, path) {
        let message = format!("calls are followed in Python alone, and {path} is not");
        return Err(Diagnostic::new(Code::UnsupportedLanguage, message));
    }
    let functions = analysis.functions_called(path, symbol);
    let Some(&function) = functions.first() else {
        let message = format!("`{symbol}` of {path} is no function whose calls could be followed");
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("without `callers` it is edited as it is asked"));
    };
    let target = analysis.renamable(path, symbol)?;
    let mut walk = CallWalk {
        analysis,
        function,
        targets: Vec::new(),
        found: Vec::new(),
        doubts: Vec::new(),
    };
    walk.doubt_the_function(&target, now);
    if functions.len() > 1 {
        walk.doubts
            .push((function, "several functions are called so".to_owned()));
    }
    let called = symbol.components.last().map(|last| last.name.as_str());
    if called.is_some_and(|name| is_special(name) && !CONSTRUCTORS.contains(&name)) {
        let why = "Python itself calls it, where its name is not written";
        walk.doubts.push((function, why.to_owned()));
    }
    if matches!(called, Some("__init__" | "__new__")) {
        walk.constructions(path)?;
    } else {
        walk.targets.push(target.clone());
        walk.calls_by_name(&target);
    }
    walk.calls_by_other_names();
    Ok(walk.told(&target))
}

impl Analysis {
    /// Returns the scopes of the functions that an address names.
    fn functions_called(&self, path: &RepoPath, symbol: &SymbolSelector) -> Vec<ScopePlace> {
        let Some(file) = self.sources.at(path.as_str()) else {
            return Vec::new();
        };
        let wanted: Vec<&str> = symbol
            .components
            .iter()
            .map(|component| component.name.as_str())
            .collect();
        let is_it = |scope: &usize| {
            let names = self.qualified((file, *scope));
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.scope((file, *scope)).kind == NameScopeKind::Function
                && match symbol.any_depth {
                    true => names.ends_with(&wanted),
                    false => names == wanted,
                }
        };
        let scopes = 0..self.names(file).scopes.len();
        let found = scopes.filter(is_it).map(|scope| (file, scope));
        let found: Vec<ScopePlace> = found.collect();
        let index = symbol.components.last().and_then(|last| last.index);
        match index.and_then(|index| index.checked_sub(1)) {
            Some(index) => found.get(index).copied().into_iter().collect(),
            None => found,
        }
    }
}

/// A use of the function.
struct FoundUse {
    place: Place,
    /// Of a call: whether it takes a receiver.
    call: Option<bool>,
}

struct CallWalk<'a> {
    analysis: &'a Analysis,
    function: ScopePlace,
    /// What stands for the function: itself, or the classes that it makes instances of.
    targets: Vec<Renamable>,
    found: Vec<FoundUse>,
    doubts: Vec<(ScopePlace, String)>,
}

impl CallWalk<'_> {
    /// Adds why the function may be called otherwise than it says, and what else is called where it is.
    fn doubt_the_function(&mut self, target: &Renamable, now: &[FunctionParameter]) {
        let analysis = self.analysis;
        let (file, scope) = self.function;
        let names = analysis.names(file);
        let Some(header) = &names.scopes[scope].function else {
            return;
        };
        if let Some(other) = header
            .decorators
            .iter()
            .find(|decorator| !keeps_signature(names, **decorator))
        {
            let word = names.last_word(*other).unwrap_or("…");
            let why = format!("`@{word}` may make something else of it");
            self.doubts.push((self.function, why));
        }
        self.doubt_the_stub(now);
        let own = analysis.canonical(self.function);
        let is_constructor = matches!(target.word.as_str(), "__init__" | "__new__");
        for entity in target.entities.iter().filter(|_| !is_constructor) {
            for other in analysis.functions_of(entity) {
                let header = analysis.scope(other).function.as_ref();
                let is_alike = header.is_some_and(|header| alike(&header.parameters, now));
                if analysis.canonical(other) != own && !is_alike {
                    let why = "it is called where the function is, and has parameters of its own";
                    self.doubts.push((other, why.to_owned()));
                }
            }
        }
        if let Some((_, outside)) = target.overridden.as_ref().filter(|_| !is_constructor) {
            let why = format!("`{outside}` is called where it is, too");
            self.doubts.push((self.function, why));
        }
        let doubts = target.doubts.iter().filter(|_| !is_constructor);
        for (entity, why) in doubts {
            self.doubts.push(((entity.file, entity.scope), why.clone()));
        }
    }

    /// Adds the function of the module's other file, its stub, where that has other parameters.
    fn doubt_the_stub(&mut self, now: &[FunctionParameter]) {
        let analysis = self.analysis;
        let (file, _) = self.function;
        let Some(twin) = analysis.sources.twin(file) else {
            return;
        };
        let Some(other) = analysis.counterpart(self.function, twin) else {
            return;
        };
        let header = analysis.scope(other).function.as_ref();
        if header.is_some_and(|header| !alike(&header.parameters, now)) {
            let why = "it is the same function, and has other parameters";
            self.doubts.push((other, why.to_owned()));
        }
    }

    /// Adds every place of the word of a function.
    fn calls_by_name(&mut self, target: &Renamable) {
        for place in self.analysis.places(target) {
            let call = self.call_at(&place);
            self.add(place, call, |names, expression| {
                is_receiver(names, expression)
            });
        }
    }

    /// Adds a place: one that uses the function without a call and without one of the ways that `is_harmless` knows is unsure.
    fn add(
        &mut self,
        mut place: Place,
        call: Option<(bool, bool)>,
        is_harmless: impl Fn(&ModuleNames, ExpressionId) -> bool,
    ) {
        if place.verdict == Verdict::Certain {
            let used = self.expression_at(&place);
            let names = self.analysis.names(place.file);
            match (used, call) {
                (Some(_), Some((_, false))) => {
                    place.verdict = Verdict::Unsure;
                    place.reason = Some("nothing says what it is called on".to_owned());
                }
                (Some(expression), None) if !is_harmless(names, expression) => {
                    place.verdict = Verdict::Unsure;
                    place.reason = Some("it is handed on, and called elsewhere".to_owned());
                }
                _ => {}
            }
        }
        self.found.push(FoundUse {
            place,
            call: call.map(|(takes_receiver, _)| takes_receiver),
        });
    }

    /// Returns the expression that a place of a word reads.
    fn expression_at(&self, place: &Place) -> Option<ExpressionId> {
        let names = self.analysis.names(place.file);
        match names.occurrences.get(place.occurrence?)?.kind {
            OccurrenceKind::Load { expression } => Some(expression),
            OccurrenceKind::Attribute {
                expression,
                is_target: false,
                ..
            } => Some(expression),
            _ => None,
        }
    }

    /// Returns whether a call at a place takes a receiver, and whether that is known; `None` where nothing is called.
    fn call_at(&self, place: &Place) -> Option<(bool, bool)> {
        let analysis = self.analysis;
        let names = analysis.names(place.file);
        let expression = self.expression_at(place)?;
        names.calls.get(&expression)?;
        let (file, scope) = self.function;
        let own = analysis.names(file);
        if own.class_of_method(scope).is_none() {
            return Some((false, true));
        }
        // A method by a name of its own may have its receiver already.
        let UsedExpression::Attribute { receiver, .. } = names.expression(expression) else {
            return Some((true, false));
        };
        let header = own.scopes[scope].function.as_ref()?;
        if own.is_decorated(&header.decorators, &["staticmethod"]) {
            return Some((false, true));
        }
        let is_of_class = own.is_decorated(&header.decorators, &["classmethod"]);
        let things = analysis.things_of(place.file, *receiver);
        let ways: BTreeSet<bool> = things
            .known
            .iter()
            .map(|thing| match thing {
                Thing::Class(_) => is_of_class,
                _ => true,
            })
            .collect();
        match (ways.first(), ways.len()) {
            (Some(takes_receiver), 1) => Some((*takes_receiver, true)),
            (None, _) => Some((true, true)),
            _ => Some((true, false)),
        }
    }

    /// Adds the calls that a constructor is called by.
    fn constructions(&mut self, path: &RepoPath) -> Result<(), Diagnostic> {
        let analysis = self.analysis;
        let (file, scope) = self.function;
        let Some(class) = analysis.names(file).class_of_method(scope) else {
            let message = format!("the constructor of {path} is in no class");
            return Err(Diagnostic::new(Code::Unsupported, message));
        };
        let own = analysis.canonical((file, class));
        let mut classes = vec![own];
        for below in analysis.descendants(own) {
            // Another base may come first, which has one of its own.
            if analysis.has_own(below, "__init__") || !self.makes(below) {
                self.calls_of_the_one_above(below, own);
            } else {
                classes.push(below);
            }
        }
        for class in classes {
            let doubt = self.other_maker(class, own);
            let Some(name) = analysis.scope(class).name.clone() else {
                continue;
            };
            let around = analysis.names(class.0).scopes[class.1].parent.unwrap_or(0);
            let target = analysis.named((class.0, around), &name, String::new())?;
            for mut place in analysis.places(&target) {
                let call = self
                    .expression_at(&place)
                    .filter(|it| analysis.names(place.file).calls.contains_key(it));
                if let (Some(_), Some(why), Verdict::Certain) = (call, doubt, place.verdict) {
                    place.verdict = Verdict::Unsure;
                    place.reason = Some(why.to_owned());
                }
                self.add(place, call.map(|_| (true, true)), is_looked_at);
            }
            self.calls_of_the_one_above(class, own);
            self.targets.push(target);
        }
        Ok(())
    }

    /// Returns why the instances of a class may be made by something else than the constructor of `own`.
    fn other_maker(&self, class: ScopePlace, own: ScopePlace) -> Option<&'static str> {
        let analysis = self.analysis;
        let header = analysis.scope(class).class.as_ref()?;
        let names = analysis.names(class.0);
        let gives_its_own = |decorator: &ExpressionId| {
            let word = names.last_word(*decorator).unwrap_or_default();
            match is_harmless_of_classes(word) {
                // One that is there stays, and below it another is made.
                true => class != own && MAKING.contains(&word),
                false => true,
            }
        };
        if header.decorators.iter().any(gives_its_own) {
            return Some("a decorator of the class may give it another constructor");
        }
        let word = analysis.scope(self.function).name.as_deref();
        let other = match word {
            Some("__init__") => "__new__",
            _ => "__init__",
        };
        let is_open = header.has_metaclass
            || header.has_unknown_bases
            || analysis.has_own(class, other)
            || class != own && analysis.has_own(own, other);
        is_open.then_some("something else has a part in making its instances")
    }

    /// Adds the calls of `__init__` by `super()` or a class in the file of `class`, where they come to the one of `own`.
    fn calls_of_the_one_above(&mut self, class: ScopePlace, own: ScopePlace) {
        let analysis = self.analysis;
        let (file, _) = class;
        let Some(word) = analysis.scope(self.function).name.clone() else {
            return;
        };
        let names = analysis.names(file);
        let is_known = |found: &[FoundUse], at: usize| {
            found
                .iter()
                .any(|it| it.place.file == file && it.place.occurrence == Some(at))
        };
        for (at, occurrence) in names.occurrences.iter().enumerate() {
            let OccurrenceKind::Attribute {
                expression,
                receiver,
                is_target: false,
            } = occurrence.kind
            else {
                continue;
            };
            if occurrence.name != word || is_known(&self.found, at) {
                continue;
            }
            let things = analysis.things_of(file, receiver);
            let mut ways: Vec<(bool, bool)> = Vec::new();
            for thing in &things.known {
                let (class, is_above) = match thing {
                    Thing::Above(class) => (*class, true),
                    Thing::Class(class) | Thing::Instance(class) => (*class, false),
                    _ => continue,
                };
                let leads = analysis.leads_of_attribute(class, &word, is_above);
                let is_own = |entity: &Entity| (entity.file, entity.scope) == own;
                if leads.entities.iter().any(is_own) {
                    let is_sure = leads.doubt.is_none() && leads.entities.len() == 1;
                    ways.push((!matches!(thing, Thing::Class(_)), is_sure));
                }
            }
            let Some(&(takes_receiver, is_sure)) = ways.first() else {
                continue;
            };
            let is_certain = is_sure && ways.len() == things.known.len() && !things.is_open;
            let place = Place {
                file,
                span: occurrence.span,
                verdict: Verdict::Certain,
                reason: None,
                occurrence: Some(at),
            };
            let call = names
                .calls
                .contains_key(&expression)
                .then_some((takes_receiver, is_certain));
            self.add(place, call, |_, _| false);
        }
    }

    /// Adds calls by names that are none of the function's own words: an alias of an import, `g = f`, `cls()`.
    fn calls_by_other_names(&mut self) {
        let analysis = self.analysis;
        let mut words: Vec<String> = Vec::new();
        for target in &self.targets {
            if !words.contains(&target.word) {
                words.push(target.word.clone());
            }
        }
        let own_words: Vec<String> = words.clone();
        let mut looked_at: HashSet<FileId> = HashSet::new();
        let mut next = 0;
        while next < words.len().min(MOST_WORDS) {
            let word = words[next].clone();
            next += 1;
            for file in analysis.sources.holding(&[word.as_str()]) {
                if !analysis.sources.is_python(file)
                    || !analysis.names(file).is_sound
                    || !looked_at.insert(file)
                {
                    continue;
                }
                for other in self.calls_in(file, &own_words) {
                    if !words.contains(&other) {
                        words.push(other);
                    }
                }
            }
        }
    }

    /// Adds the calls in one file by other words, and returns the words that a module gives to others.
    fn calls_in(&mut self, file: FileId, own_words: &[String]) -> Vec<String> {
        let analysis = self.analysis;
        let names = analysis.names(file);
        self.calls_of_a_type(file);
        let mut given = Vec::new();
        for (name, bound) in &names.scopes[0].names {
            let is_alias = bound.bindings.iter().any(|binding| match &binding.kind {
                BindingKind::Imported { name: there, .. } => {
                    there != name && own_words.contains(there)
                }
                BindingKind::Assigned { value: Some(_), .. } => true,
                _ => false,
            });
            if is_alias && !own_words.contains(name) {
                let things = analysis.things_of_name((file, 0), name);
                if things.known.iter().any(|thing| self.is_function(thing)) {
                    given.push(name.clone());
                }
            }
        }
        for (at, occurrence) in names.occurrences.iter().enumerate() {
            let expression = match occurrence.kind {
                OccurrenceKind::Load { expression } => expression,
                OccurrenceKind::Attribute {
                    expression,
                    is_target: false,
                    ..
                } => expression,
                _ => continue,
            };
            if own_words.contains(&occurrence.name) || !names.calls.contains_key(&expression) {
                continue;
            }
            let things = analysis.things_of(file, expression);
            let ours = things.known.iter().filter(|thing| self.is_function(thing));
            let count = ours.count();
            if count == 0 {
                continue;
            }
            let is_class = things
                .known
                .iter()
                .any(|thing| matches!(thing, Thing::Class(_)));
            let may_be_below =
                matches!(occurrence.name.as_str(), "cls" | "__class__") && self.has_other_below();
            let made_otherwise = things.known.iter().find_map(|thing| match thing {
                Thing::Class(class) => self.other_maker(*class, self.own_class()?),
                _ => None,
            });
            let is_certain = count == things.known.len()
                && !things.is_open
                && !may_be_below
                && made_otherwise.is_none();
            let reason = match may_be_below {
                true => "a class below may be meant, which has a constructor of its own",
                false => made_otherwise.unwrap_or("it may be something else"),
            };
            let place = Place {
                file,
                span: occurrence.span,
                verdict: if is_certain {
                    Verdict::Certain
                } else {
                    Verdict::Unsure
                },
                reason: (!is_certain).then(|| reason.to_owned()),
                occurrence: Some(at),
            };
            let call = match is_class {
                true => Some((true, true)),
                false => self.call_at(&place),
            };
            self.add(place, call, |_, _| false);
        }
        given
    }

    /// Adds calls of what a call gives, or brackets do: `type(self)(…)`, `A[int](…)`. Where its arguments are is not known.
    fn calls_of_a_type(&mut self, file: FileId) {
        let analysis = self.analysis;
        let names = analysis.names(file);
        let mut found: Vec<usize> = Vec::new();
        for callee in names.calls.keys() {
            let (inner, is_type) = match names.expression(*callee) {
                UsedExpression::Call {
                    callee: of_call,
                    arguments,
                    ..
                } => match (&arguments[..], names.last_word(*of_call)) {
                    ([of], Some("type")) => (*of, true),
                    _ => (*callee, false),
                },
                UsedExpression::Subscript { value, .. } => (*value, false),
                _ => continue,
            };
            let things = match is_type {
                true => analysis.things_of(file, inner),
                false => analysis.things_of(file, *callee),
            };
            let is_ours = |thing: &Thing| match thing {
                Thing::Instance(class) => is_type && self.makes(*class),
                thing => !is_type && self.is_function(thing),
            };
            let is_own_method = is_type && analysis.is_self(file, inner) && things.is_open;
            if things.known.iter().any(is_ours) || is_own_method {
                found.extend(place_of(names, *callee));
            }
        }
        for at in found {
            let place = Place {
                file,
                span: Span::at(at),
                verdict: Verdict::Unsure,
                reason: Some("what it gives is called".to_owned()),
                occurrence: None,
            };
            self.add(place, None, |_, _| true);
        }
    }

    /// Says whether what an expression is, is the function, or a class that it makes instances of.
    fn is_function(&self, thing: &Thing) -> bool {
        let analysis = self.analysis;
        match thing {
            Thing::Function(function, _) => {
                analysis.canonical(*function) == analysis.canonical(self.function)
            }
            Thing::Class(class) => {
                let (file, scope) = *class;
                let name = analysis.names(file).scopes[scope].name.as_deref();
                let place = analysis.canonical(*class);
                self.targets.iter().any(|target| {
                    name == Some(target.word.as_str())
                        && target.entities.iter().any(|entity| entity.file == place.0)
                        && self.makes(place)
                })
            }
            _ => false,
        }
    }

    /// Says whether the function makes the instances of a class.
    fn makes(&self, class: ScopePlace) -> bool {
        let (file, scope) = self.function;
        let analysis = self.analysis;
        let Some(own) = analysis.names(file).class_of_method(scope) else {
            return false;
        };
        let own = analysis.canonical((file, own));
        let Some(word) = analysis.scope(self.function).name.as_deref() else {
            return false;
        };
        let leads = analysis.leads_of_attribute(class, word, false);
        leads
            .entities
            .iter()
            .any(|entity| (entity.file, entity.scope) == own)
    }

    fn own_class(&self) -> Option<ScopePlace> {
        let (file, scope) = self.function;
        let class = self.analysis.names(file).class_of_method(scope)?;
        Some(self.analysis.canonical((file, class)))
    }

    /// Says whether a class below has a constructor of its own.
    fn has_other_below(&self) -> bool {
        self.own_class().is_some_and(|class| {
            let below = self.analysis.descendants(class);
            below
                .into_iter()
                .any(|below| self.analysis.has_own(below, "__init__"))
        })
    }

    fn told(self, target: &Renamable) -> FunctionCalls {
        let analysis = self.analysis;
        let mut uses = self.found;
        uses.sort_by_key(|it| (it.place.file, it.place.span));
        uses.dedup_by_key(|it| (it.place.file, it.place.span));
        let calls = uses.iter().enumerate().filter_map(|(place, it)| {
            let takes_receiver = it.call?;
            let is_meant = matches!(it.place.verdict, Verdict::Certain | Verdict::Unsure);
            is_meant.then_some(FunctionCall {
                place,
                takes_receiver,
            })
        });
        let calls = calls.collect();
        let places: Vec<Place> = uses.into_iter().map(|it| it.place).collect();
        let mut references = analysis.told(target, &places);
        let doubts = self.doubts.iter().map(|(place, why)| {
            let (file, scope) = *place;
            let span = analysis.scope(*place).span;
            let name = analysis.names(file).scopes[scope].name.as_deref();
            let bytes = analysis.sources.bytes(file);
            // At its name, which its header begins with.
            let at = name
                .and_then(|name| {
                    let found = memchr::memmem::find(span.of(bytes), name.as_bytes())?;
                    Some(Span::at(span.start + found))
                })
                .unwrap_or(Span::at(span.start));
            let lines = Lines::of(bytes);
            analysis.reference(file, at, Verdict::Unsure, Some(why.clone()), &lines)
        });
        references.doubts = doubts.collect::<Vec<Reference>>();
        FunctionCalls { references, calls }
    }
}

impl Analysis {
    /// Returns the scopes of the functions that a name in a scope is.
    fn functions_of(&self, entity: &Entity) -> Vec<ScopePlace> {
        let bound = self.names(entity.file).scopes[entity.scope]
            .names
            .get(&entity.name);
        let bindings = bound.map(|bound| &bound.bindings[..]).unwrap_or_default();
        bindings
            .iter()
            .filter_map(|binding| match binding.kind {
                BindingKind::Function(scope) => Some((entity.file, scope)),
                _ => None,
            })
            .collect()
    }
}

/// Returns where the first name of an expression is.
fn place_of(names: &ModuleNames, mut expression: ExpressionId) -> Option<usize> {
    const DEEPEST: usize = 64;
    for _ in 0..DEEPEST {
        expression = match names.expression(expression) {
            UsedExpression::Name { at, .. } => return Some(*at),
            UsedExpression::Call { callee, .. } => *callee,
            UsedExpression::Attribute { receiver, .. } => *receiver,
            UsedExpression::Subscript { value, .. } => *value,
            _ => return None,
        };
    }
    None
}

/// Says whether two functions can be called alike.
fn alike(one: &[FunctionParameter], other: &[FunctionParameter]) -> bool {
    let told = |parameters: &[FunctionParameter]| -> Vec<(String, String)> {
        parameters
            .iter()
            .map(|it| (it.name.clone(), format!("{:?}", it.kind)))
            .collect()
    };
    told(one) == told(other)
}

/// Says whether something is asked of an expression: `f.cache_clear()`.
fn is_receiver(names: &ModuleNames, expression: ExpressionId) -> bool {
    names.occurrences.iter().any(|it| {
        matches!(it.kind, OccurrenceKind::Attribute { receiver, .. } if receiver == expression)
    })
}

/// Says whether a class is named, and nothing is made of it: as a base, a type, a receiver, in `isinstance` and its like.
fn is_looked_at(names: &ModuleNames, expression: ExpressionId) -> bool {
    if is_receiver(names, expression) {
        return true;
    }
    let mut types: Vec<ExpressionId> = Vec::new();
    for scope in &names.scopes {
        if let Some(header) = &scope.class {
            types.extend(&header.bases);
        }
        if let Some(header) = &scope.function {
            types.extend(header.returns);
        }
        let bindings = scope.names.values().flat_map(|bound| &bound.bindings);
        for binding in bindings {
            match &binding.kind {
                BindingKind::Parameter { annotation, .. } => types.extend(annotation),
                BindingKind::Assigned { annotation, value } => {
                    types.extend(annotation);
                    // A name of its own, which is followed.
                    types.extend(value.filter(|value| *value == expression));
                }
                BindingKind::Caught(class) | BindingKind::Captured(class) => types.extend(class),
                _ => {}
            }
        }
        let members = scope.members.values().flatten();
        types.extend(members.filter_map(|member| member.annotation));
    }
    for used in &names.expressions {
        match used {
            UsedExpression::Call {
                callee, arguments, ..
            } if names
                .last_word(*callee)
                .is_some_and(|word| LOOKING.contains(&word)) =>
            {
                types.extend(arguments);
            }
            UsedExpression::Name {
                narrowed: Some(class),
                ..
            } => types.push(*class),
            _ => {}
        }
    }
    let mut looked_at: HashSet<ExpressionId> = HashSet::new();
    while let Some(next) = types.pop() {
        if !looked_at.insert(next) {
            continue;
        }
        match names.expression(next) {
            UsedExpression::Subscript { value, index } => types.extend([*value, *index]),
            UsedExpression::Union(one, other) => types.extend([*one, *other]),
            UsedExpression::Group(all) | UsedExpression::Either(all) => types.extend(all),
            _ => {}
        }
    }
    looked_at.contains(&expression)
}
