//! What an expression is: a module, a class, an instance of one, as far as it can be seen without running anything.

use super::analysis::Analysis;
use super::decorators::{FAITHFUL, PROPERTIES, TRANSPARENT};
use super::facts::{FileId, ScopePlace, Thing, Things};
use super::lookup::{LookedUp, scopes_of_load};
use super::outside;
use crate::syntax::python::{
    BindingKind, ExpressionId, ImportOrigin, MemberBinding, NameBinding, NameScopeKind,
    UsedExpression,
};

/// What in annotations is as good as what is in its brackets.
const WRAPPERS: [&str; 7] = [
    "Optional",
    "Final",
    "ClassVar",
    "Required",
    "NotRequired",
    "ReadOnly",
    "Annotated",
];

impl Analysis {
    /// Returns what an expression is.
    pub(super) fn things_of(&self, file: FileId, expression: ExpressionId) -> Things {
        self.once(
            &self.expressions,
            (file, expression),
            Things::anything,
            || self.find_things_of(file, expression),
        )
    }

    fn find_things_of(&self, file: FileId, id: ExpressionId) -> Things {
        let names = self.names(file);
        match names.expression(id) {
            UsedExpression::Nothing => Things::default(),
            UsedExpression::BuiltIn(class) => {
                Things::one(Thing::OutsideInstance((*class).to_owned()))
            }
            UsedExpression::Name {
                narrowed: Some(class),
                ..
            } => self.instances(file, *class),
            UsedExpression::Name {
                name,
                scope,
                at,
                loop_end,
                narrowed: None,
            } => self.things_of_load(
                file,
                LookedUp {
                    name,
                    scope: *scope,
                    at: *at,
                    loop_end: *loop_end,
                },
            ),
            UsedExpression::Attribute { receiver, name } => {
                let receivers = self.things_of(file, *receiver);
                receivers.map(|thing| self.things_of_attribute(&thing, name))
            }
            UsedExpression::Call {
                callee,
                arguments,
                scope,
                ..
            } => self.things_of_call(file, *callee, arguments, *scope),
            UsedExpression::Either(several) => {
                let mut things = Things::default();
                for one in several {
                    things.add(self.things_of(file, *one));
                }
                things
            }
            UsedExpression::Awaited(promised) => {
                self.things_of(file, *promised).map(|thing| match thing {
                    Thing::Promised(thing) => Things::one(*thing),
                    _ => Things::anything(),
                })
            }
            UsedExpression::Subscript { value, .. } => {
                // A class in brackets is the class: `Stack[int]`.
                self.things_of(file, *value).map(|thing| match thing {
                    Thing::Class(_) => Things::one(thing),
                    _ => Things::anything(),
                })
            }
            UsedExpression::Group(_) => Things::one(Thing::OutsideInstance("tuple".to_owned())),
            UsedExpression::Union(..) | UsedExpression::Unknown => Things::anything(),
        }
    }

    fn things_of_load(&self, file: FileId, load: LookedUp<'_>) -> Things {
        let names = self.names(file);
        let found = scopes_of_load(names, load);
        let mut things = Things::default();
        for scope in &found.scopes {
            things.add(self.things_of_name((file, *scope), load.name));
        }
        if found.may_be_beyond {
            things.add(self.things_of_starred(file, load.name));
        }
        things
    }

    /// Returns what a name is that a file gets by `*`, or that is built in.
    fn things_of_starred(&self, file: FileId, name: &str) -> Things {
        let leads = self.leads_of_stars(file, name);
        if leads.doubt.is_some() {
            return Things::anything();
        }
        let mut things = Things::default();
        for entity in &leads.entities {
            things.add(self.things_of_name((entity.file, entity.scope), &entity.name));
        }
        if leads.is_empty() {
            let is_class = outside::is_known(&format!("builtins.{name}"));
            return if is_class {
                Things::one(Thing::Outside(format!("builtins.{name}")))
            } else {
                Things::anything()
            };
        }
        things
    }

    /// Returns what the name of a scope is.
    pub(super) fn things_of_name(&self, place: ScopePlace, name: &str) -> Things {
        let entity = super::facts::Entity {
            file: place.0,
            scope: place.1,
            name: name.to_owned(),
        };
        self.once(&self.things, entity, Things::anything, || {
            self.things_of_bindings(place, name)
        })
    }

    fn things_of_bindings(&self, place: ScopePlace, name: &str) -> Things {
        let scope = self.scope(place);
        let mut things = Things::default();
        let bindings = scope.names.get(name).map(|bound| &bound.bindings[..]);
        let bindings = bindings.unwrap_or_default();
        // A declared type holds whatever is assigned.
        let declared = bindings.iter().find_map(|binding| match &binding.kind {
            BindingKind::Assigned {
                annotation: Some(annotation),
                ..
            } => Some(*annotation),
            _ => None,
        });
        if let Some(annotation) = declared {
            let found = self.instances(place.0, annotation);
            if !found.is_open {
                return found;
            }
        }
        for binding in bindings {
            things.add(self.things_of_binding(place, binding));
        }
        for member in scope.members.get(name).into_iter().flatten() {
            things.add(self.things_of_member_binding(place.0, member));
        }
        let is_variable = || {
            let mut bindings = bindings.iter();
            matches!(scope.kind, NameScopeKind::Class | NameScopeKind::Module)
                && bindings.all(|it| matches!(it.kind, BindingKind::Assigned { .. }))
        };
        if !things.is_open && is_variable() {
            self.add_set_outside(place, name, &mut things);
        }
        things
    }

    fn things_of_member_binding(&self, file: FileId, member: &MemberBinding) -> Things {
        match (member.annotation, member.value) {
            (Some(annotation), _) => self.instances(file, annotation),
            (None, Some(value)) => self.things_of(file, value),
            (None, None) => Things::anything(),
        }
    }

    fn things_of_binding(&self, place: ScopePlace, binding: &NameBinding) -> Things {
        let (file, scope) = place;
        match &binding.kind {
            BindingKind::Function(function) => {
                let class = (self.scope(place).kind == NameScopeKind::Class).then_some(place);
                let names = self.names(file);
                let header = names.scopes[*function].function.as_ref();
                let mut decorators = header.iter().flat_map(|header| &header.decorators);
                Things {
                    known: vec![Thing::Function((file, *function), class)],
                    // A decorator that is not known may make anything of it.
                    is_open: !decorators.all(|decorator| {
                        let word = names.last_word(*decorator);
                        word.is_some_and(|word| FAITHFUL.contains(&word))
                    }),
                }
            }
            BindingKind::Class(class) => Things::one(Thing::Class(self.canonical((file, *class)))),
            BindingKind::Imported { from, name } => self.things_of_import(file, from, name),
            BindingKind::ModulePart { parts } => self.things_of_module(file, &parts[..1]),
            BindingKind::ModuleAlias { parts } => self.things_of_module(file, parts),
            BindingKind::Parameter { annotation, .. } => {
                self.things_of_parameter((file, scope), binding, *annotation)
            }
            BindingKind::Assigned {
                annotation: Some(annotation),
                ..
            } => self.instances(file, *annotation),
            BindingKind::Assigned {
                value: Some(value), ..
            } => self.things_of(file, *value),
            BindingKind::Entered(context) => {
                let contexts = self.things_of(file, *context);
                contexts.map(|thing| self.things_entered(&thing))
            }
            BindingKind::Caught(Some(class)) | BindingKind::Captured(Some(class)) => {
                self.instances(file, *class)
            }
            BindingKind::Iterated(iterated) => self.things_iterated(file, *iterated),
            BindingKind::Deleted => Things::default(),
            BindingKind::Assigned { .. }
            | BindingKind::Caught(None)
            | BindingKind::Captured(None)
            | BindingKind::TypeParameter
            | BindingKind::Unknown => Things::anything(),
        }
    }

    fn things_of_parameter(
        &self,
        function: ScopePlace,
        binding: &NameBinding,
        annotation: Option<ExpressionId>,
    ) -> Things {
        use crate::syntax::python::ParameterKind;
        let (file, scope) = function;
        let names = self.names(file);
        if let BindingKind::Parameter { kind, .. } = &binding.kind
            && matches!(kind, ParameterKind::Rest | ParameterKind::Keywords)
        {
            let class = if *kind == ParameterKind::Rest {
                "tuple"
            } else {
                "dict"
            };
            return Things::one(Thing::OutsideInstance(class.to_owned()));
        }
        if let Some(annotation) = annotation {
            return self.instances(file, annotation);
        }
        let header = names.scopes[scope].function.as_ref();
        let (Some(header), Some(class)) = (header, names.class_of_method(scope)) else {
            return Things::anything();
        };
        let is_first = header.first.as_ref().is_some_and(|first| {
            let bound = names.scopes[scope].names.get(first);
            let first = bound.and_then(|bound| bound.bindings.first());
            first.is_some_and(|first| first.span == binding.span)
        });
        if !is_first || names.is_decorated(&header.decorators, &["staticmethod"]) {
            return Things::anything();
        }
        let class = self.canonical((file, class));
        let takes_class = names.is_decorated(&header.decorators, &["classmethod"])
            || matches!(
                names.scopes[scope].name.as_deref(),
                Some("__new__" | "__init_subclass__" | "__class_getitem__")
            );
        Things::one(if takes_class {
            Thing::Class(class)
        } else {
            Thing::Instance(class)
        })
    }

    fn things_of_import(&self, file: FileId, from: &ImportOrigin, name: &str) -> Things {
        let modules = self.sources.modules(file, from);
        if modules.is_empty() {
            if from.dots > 0 {
                return Things::anything();
            }
            let dotted = format!("{}.{name}", from.parts.join("."));
            return Things::one(Thing::Outside(dotted));
        }
        let mut things = Things::default();
        for module in modules {
            // A package that imports from itself means its modules.
            let own = module.files.contains(&file);
            things.add(match self.sources.submodule(&module, name) {
                Some(inner) if own => Things::one(Thing::Module(inner)),
                _ => self.things_of_attribute(&Thing::Module(module), name),
            });
        }
        things
    }

    fn things_of_module(&self, file: FileId, parts: &[String]) -> Things {
        let origin = ImportOrigin {
            dots: 0,
            parts: parts.to_vec(),
        };
        let modules = self.sources.modules(file, &origin);
        if modules.is_empty() {
            return Things::one(Thing::Outside(parts.join(".")));
        }
        let mut things = Things::default();
        for module in modules {
            things.add(Things::one(Thing::Module(module)));
        }
        things
    }

    /// Returns what an attribute of something is.
    pub(super) fn things_of_attribute(&self, thing: &Thing, name: &str) -> Things {
        match thing {
            Thing::Module(module) => {
                let mut things = Things::default();
                for file in &module.files {
                    if self.names(*file).scopes[0].names.contains_key(name) {
                        things.add(self.things_of_name((*file, 0), name));
                    }
                }
                if things.known.is_empty() && !things.is_open {
                    if let Some(module) = self.sources.submodule(module, name) {
                        return Things::one(Thing::Module(module));
                    }
                    for file in &module.files {
                        let leads = self.leads_of_stars(*file, name);
                        things.is_open |= leads.doubt.is_some();
                        for entity in &leads.entities {
                            let place = (entity.file, entity.scope);
                            things.add(self.things_of_name(place, &entity.name));
                        }
                    }
                }
                if things.known.is_empty() {
                    Things::anything()
                } else {
                    things
                }
            }
            Thing::Instance(class) if name == "__class__" => Things::one(Thing::Class(*class)),
            Thing::Class(class) | Thing::Instance(class) => {
                self.things_of_class_attribute(*class, thing, name, false)
            }
            Thing::Above(class) => self.things_of_class_attribute(*class, thing, name, true),
            Thing::Outside(dotted) => {
                // Of a module that is all there is to know; of anything else it may be anything.
                let is_module = outside::is_standard(dotted) || !dotted.contains('.');
                if is_module || outside::is_standard(dotted.split('.').next().unwrap_or(dotted)) {
                    Things::one(Thing::Outside(format!("{dotted}.{name}")))
                } else {
                    Things::anything()
                }
            }
            Thing::Function(..) | Thing::Promised(_) | Thing::OutsideInstance(_) => {
                Things::anything()
            }
        }
    }

    fn things_of_class_attribute(
        &self,
        class: ScopePlace,
        thing: &Thing,
        name: &str,
        above: bool,
    ) -> Things {
        let leads = self.leads_of_attribute(class, name, above);
        if leads.doubt.is_some() || leads.entities.is_empty() {
            return Things::anything();
        }
        let mut things = Things::default();
        for entity in &leads.entities {
            let place = (entity.file, entity.scope);
            things.add(self.things_of_class_member(place, &entity.name, (class, thing)));
        }
        if above {
            return things;
        }
        // What it is an attribute of may be of a class below, which may have another.
        for below in self.descendants(class) {
            if self.has_own(below, name) {
                things.add(self.things_of_class_member(below, name, (below, thing)));
            }
        }
        things
    }

    /// Returns what a name is that is bound in the class `place`, asked for of `thing`, which is of `class`.
    fn things_of_class_member(
        &self,
        place: ScopePlace,
        name: &str,
        (class, thing): (ScopePlace, &Thing),
    ) -> Things {
        if self.is_member_of_enumeration(place, name) {
            return Things::one(Thing::Instance(place));
        }
        self.things_of_name(place, name).map(|found| match found {
            Thing::Function(function, Some(_)) => {
                let names = self.names(function.0);
                let header = names.scopes[function.1].function.as_ref();
                let is_property = header
                    .is_some_and(|header| names.is_decorated(&header.decorators, &PROPERTIES));
                if is_property {
                    self.things_returned(function, Some(thing))
                } else {
                    Things::one(Thing::Function(function, Some(class)))
                }
            }
            Thing::Module(_)
            | Thing::Class(_)
            | Thing::Instance(_)
            | Thing::Above(_)
            | Thing::Function(..)
            | Thing::Promised(_)
            | Thing::Outside(_)
            | Thing::OutsideInstance(_) => Things::one(found),
        })
    }

    fn things_of_call(
        &self,
        file: FileId,
        callee: ExpressionId,
        arguments: &[ExpressionId],
        scope: usize,
    ) -> Things {
        let names = self.names(file);
        if let UsedExpression::Name { name, .. } = names.expression(callee) {
            match (name.as_str(), arguments) {
                ("super", []) => return self.above_of(file, scope),
                ("type", [thing]) => {
                    return self.things_of(file, *thing).map(|thing| match thing {
                        Thing::Instance(class) => Things::one(Thing::Class(class)),
                        _ => Things::anything(),
                    });
                }
                ("super", [class, ..]) => {
                    return self.things_of(file, *class).map(|thing| match thing {
                        Thing::Class(class) => Things::one(Thing::Above(class)),
                        _ => Things::anything(),
                    });
                }
                _ => {}
            }
        }
        if names.last_word(callee) == Some("cast")
            && let [class, _] = arguments
        {
            return self.instances(file, *class);
        }
        let receiver = match names.expression(callee) {
            UsedExpression::Attribute { receiver, .. } => {
                let receivers = self.things_of(file, *receiver);
                match &receivers.known[..] {
                    [one] if !receivers.is_open => Some(one.clone()),
                    _ => None,
                }
            }
            _ => None,
        };
        self.things_of(file, callee).map(|thing| match thing {
            Thing::Class(class) => {
                let mut made = Things::one(Thing::Instance(class));
                for stand_in in self.stand_ins(class) {
                    made.add(Things::one(Thing::Instance(stand_in)));
                }
                made
            }
            Thing::Function(function, _) => self.things_returned(function, receiver.as_ref()),
            Thing::Outside(class) if outside::is_known(&class) => {
                Things::one(Thing::OutsideInstance(class))
            }
            Thing::Module(_)
            | Thing::Instance(_)
            | Thing::Above(_)
            | Thing::Promised(_)
            | Thing::Outside(_)
            | Thing::OutsideInstance(_) => Things::anything(),
        })
    }

    fn above_of(&self, file: FileId, scope: usize) -> Things {
        let names = self.names(file);
        let class = names
            .outward(scope)
            .find(|around| names.scopes[*around].kind == NameScopeKind::Class);
        match class {
            Some(class) => Things::one(Thing::Above(self.canonical((file, class)))),
            None => Things::anything(),
        }
    }

    /// Returns what a call of a function gives.
    fn things_returned(&self, function: ScopePlace, receiver: Option<&Thing>) -> Things {
        let (file, scope) = function;
        let names = self.names(file);
        let Some(header) = &names.scopes[scope].function else {
            return Things::anything();
        };
        let are_known = header.decorators.iter().all(|decorator| {
            let word = names.last_word(*decorator);
            word.is_some_and(|word| TRANSPARENT.contains(&word) || PROPERTIES.contains(&word))
        });
        if !are_known || header.yields {
            return Things::anything();
        }
        let returned = match header.returns {
            Some(returns) if names.last_word(returns) == Some("Self") => match receiver {
                Some(Thing::Instance(class) | Thing::Class(class)) => {
                    Things::one(Thing::Instance(*class))
                }
                Some(_) | None => Things::anything(),
            },
            Some(returns) => self.instances(file, returns),
            None if header.returned.is_empty() => Things::anything(),
            None => {
                let mut things = Things::default();
                for value in &header.returned {
                    things.add(self.things_of(file, *value));
                }
                // What is returned may be of a class below the one that is seen here.
                match (receiver, names.class_of_method(scope)) {
                    (Some(Thing::Instance(receiver)), Some(class)) => {
                        let own = self.canonical((file, class));
                        things.map(|thing| {
                            Things::one(match thing {
                                Thing::Instance(class) if class == own => {
                                    Thing::Instance(*receiver)
                                }
                                _ => thing,
                            })
                        })
                    }
                    _ => things,
                }
            }
        };
        if header.is_async {
            returned.map(|thing| Things::one(Thing::Promised(Box::new(thing))))
        } else {
            returned
        }
    }

    /// Returns what `with thing as …` gives.
    fn things_entered(&self, thing: &Thing) -> Things {
        let Thing::Instance(class) = thing else {
            return Things::anything();
        };
        for method in ["__enter__", "__aenter__"] {
            let entering = self.things_of_attribute(thing, method);
            if let [Thing::Function(function, _)] = &entering.known[..]
                && !entering.is_open
            {
                let returned = self.things_returned(*function, Some(&Thing::Instance(*class)));
                return returned.map(|thing| match thing {
                    Thing::Promised(thing) => Things::one(*thing),
                    _ => Things::one(thing),
                });
            }
        }
        Things::anything()
    }

    /// Returns what the elements of an expression are: by its declared type.
    fn things_iterated(&self, file: FileId, iterated: ExpressionId) -> Things {
        let names = self.names(file);
        let UsedExpression::Name {
            name,
            scope,
            at,
            loop_end,
            ..
        } = names.expression(iterated)
        else {
            return Things::anything();
        };
        let load = LookedUp {
            name,
            scope: *scope,
            at: *at,
            loop_end: *loop_end,
        };
        let scopes = scopes_of_load(names, load);
        let [scope] = scopes.scopes[..] else {
            return Things::anything();
        };
        let Some(bound) = names.scopes[scope].names.get(name.as_str()) else {
            return Things::anything();
        };
        let [binding] = &bound.bindings[..] else {
            return Things::anything();
        };
        let annotation = match &binding.kind {
            BindingKind::Parameter { annotation, .. } => *annotation,
            BindingKind::Assigned { annotation, .. } => *annotation,
            _ => None,
        };
        let Some(UsedExpression::Subscript { value, index }) =
            annotation.map(|annotation| names.expression(annotation))
        else {
            return Things::anything();
        };
        let is_plain = names.last_word(*value).is_some_and(|word| {
            matches!(
                word,
                "list"
                    | "List"
                    | "set"
                    | "Set"
                    | "Sequence"
                    | "Iterable"
                    | "Iterator"
                    | "Collection"
                    | "frozenset"
                    | "FrozenSet"
                    | "deque"
                    | "MutableSequence"
            )
        });
        if is_plain {
            self.instances(file, *index)
        } else {
            Things::anything()
        }
    }

    /// Returns what is of the type that an expression writes.
    pub(super) fn instances(&self, file: FileId, annotation: ExpressionId) -> Things {
        self.once(
            &self.instances,
            (file, annotation),
            Things::anything,
            || self.find_instances(file, annotation),
        )
    }

    fn find_instances(&self, file: FileId, id: ExpressionId) -> Things {
        let names = self.names(file);
        match names.expression(id) {
            UsedExpression::Nothing => Things::default(),
            UsedExpression::Union(one, other) => {
                let mut things = self.instances(file, *one);
                things.add(self.instances(file, *other));
                things
            }
            UsedExpression::Group(several) => {
                let mut things = Things::default();
                for one in several {
                    things.add(self.instances(file, *one));
                }
                things
            }
            UsedExpression::Subscript { value, index } => match names.last_word(*value) {
                Some("Union") => self.instances(file, *index),
                Some(word) if WRAPPERS.contains(&word) => self.instances(file, *index),
                Some("type" | "Type") => self.instances(file, *index).map(|thing| match thing {
                    Thing::Instance(class) => Things::one(Thing::Class(class)),
                    _ => Things::anything(),
                }),
                Some(_) | None => self.instances(file, *value),
            },
            UsedExpression::Name { .. } | UsedExpression::Attribute { .. } => {
                if names.last_word(id) == Some("Self")
                    && let UsedExpression::Name { scope, .. } = names.expression(id)
                    && let Some(class) = names
                        .outward(*scope)
                        .find(|around| names.scopes[*around].kind == NameScopeKind::Class)
                {
                    return Things::one(Thing::Instance(self.canonical((file, class))));
                }
                self.things_of(file, id).map(|thing| match thing {
                    Thing::Class(class) => Things::one(Thing::Instance(class)),
                    Thing::Outside(class) if outside::is_known(&class) => {
                        Things::one(Thing::OutsideInstance(class))
                    }
                    _ => Things::anything(),
                })
            }
            UsedExpression::BuiltIn(_)
            | UsedExpression::Unknown
            | UsedExpression::Call { .. }
            | UsedExpression::Either(_)
            | UsedExpression::Awaited(_) => Things::anything(),
        }
    }
}
