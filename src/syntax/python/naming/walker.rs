//! `Walker`: where a walk over a module is, and what it has found.
//!
//! Invariant: `scope` is always one of `names.scopes`, of which the module's is the first.

use ruff_python_ast::Identifier;
use ruff_text_size::Ranged;

use super::model::{
    BindingKind, BoundName, ExpressionId, ModuleNames, NameBinding, NameOccurrence, NameScope,
    NameScopeKind, OccurrenceKind, Outward, ScopeId, UsedExpression,
};
use crate::syntax::python::source::span;
use crate::text::Span;

/// A walk over one module.
pub(super) struct Walker<'a> {
    /// The module.
    pub(super) text: &'a str,
    /// What was found.
    pub(super) names: ModuleNames,
    /// The scope that it is in.
    pub(super) scope: ScopeId,
    /// How many statements are around that may not run, or not to their end.
    pub(super) conditions: usize,
    /// The end of the outermost loop around, in this scope.
    pub(super) loop_end: usize,
    /// From here on is bound what this statement binds.
    pub(super) effect: usize,
    /// Whether strings are types.
    pub(super) in_annotation: bool,
    /// Whether what is walked is in a string, which is read when all else is there.
    pub(super) in_text: bool,
    /// What tests say of names here: the class, or that it is not known any more.
    pub(super) narrowed: Vec<(String, Option<ExpressionId>)>,
    /// The names of the classes around, for names that are private to a class.
    pub(super) classes: Vec<String>,
}

impl<'a> Walker<'a> {
    /// Begins a walk over `text`.
    pub(super) fn of(text: &'a str) -> Walker<'a> {
        let module = NameScope::opened(NameScopeKind::Module, None, None, Span::new(0, text.len()));
        Walker {
            text,
            names: ModuleNames {
                is_sound: true,
                scopes: vec![module],
                ..ModuleNames::default()
            },
            scope: 0,
            conditions: 0,
            loop_end: 0,
            effect: 0,
            in_annotation: false,
            in_text: false,
            narrowed: Vec::new(),
            classes: Vec::new(),
        }
    }

    /// Walks what is inside of a new scope, and returns it.
    pub(super) fn inside(
        &mut self,
        kind: NameScopeKind,
        name: Option<String>,
        whole: Span,
        walk: impl FnOnce(&mut Self, ScopeId),
    ) -> ScopeId {
        let id = self.names.scopes.len();
        let scope = NameScope::opened(kind, Some(self.scope), name, whole);
        self.names.scopes.push(scope);
        let before = std::mem::replace(&mut self.scope, id);
        let conditions = std::mem::take(&mut self.conditions);
        let loop_end = std::mem::take(&mut self.loop_end);
        let in_annotation = std::mem::take(&mut self.in_annotation);
        let known = self.narrowed.len();
        walk(self, id);
        self.narrowed.truncate(known);
        self.scope = before;
        self.conditions = conditions;
        self.loop_end = loop_end;
        self.in_annotation = in_annotation;
        id
    }

    /// Keeps an expression.
    pub(super) fn keep(&mut self, expression: UsedExpression) -> ExpressionId {
        self.names.expressions.push(expression);
        self.names.expressions.len() - 1
    }

    /// Notes a place where a name is written.
    pub(super) fn note(&mut self, span: Span, name: String, kind: OccurrenceKind) {
        let scope = self.scope;
        self.note_in(scope, span, name, kind);
    }

    /// Notes a place where a name is written that is looked up from another scope.
    pub(super) fn note_in(
        &mut self,
        scope: ScopeId,
        span: Span,
        name: String,
        kind: OccurrenceKind,
    ) {
        self.names.occurrences.push(NameOccurrence {
            span,
            name,
            scope,
            kind,
        });
    }

    /// Binds a name here.
    pub(super) fn bind(&mut self, name: &Identifier, kind: BindingKind) {
        self.bind_at(span(name), name.as_str(), kind);
    }

    /// Binds the name at `at` here.
    pub(super) fn bind_at(&mut self, at: Span, name: &str, kind: BindingKind) {
        let scope = self.scope;
        self.bind_in(scope, at, name, kind);
    }

    /// Binds the name at `at` in `scope`, or where that declares it to be.
    pub(super) fn bind_in(&mut self, scope: ScopeId, at: Span, name: &str, kind: BindingKind) {
        let name = self.private(name);
        self.narrowed.push((name.clone(), None));
        self.note_in(scope, at, name.clone(), OccurrenceKind::Store);
        let home = self.home_of(scope, &name);
        let is_conditional = self.conditions > 0 || home != scope;
        let binding = NameBinding {
            span: at,
            at: self.effect.max(at.end),
            is_conditional,
            kind,
        };
        let bound = self.names.scopes[home].names.entry(name).or_default();
        bound.bindings.push(binding);
    }

    /// Returns the scope that `scope` binds `name` in. Of `nonlocal` that is the next function that binds it, which may do so only
    /// further down; then it is settled by the lookup.
    fn home_of(&self, scope: ScopeId, name: &str) -> ScopeId {
        let declared = self.names.scopes[scope]
            .names
            .get(name)
            .and_then(|bound| bound.outward);
        match declared {
            Some(Outward::Global) => 0,
            Some(Outward::Nonlocal) => self
                .names
                .outward(scope)
                .skip(1)
                .find(|around| {
                    let around = &self.names.scopes[*around];
                    around.kind != NameScopeKind::Class
                        && around
                            .names
                            .get(name)
                            .is_some_and(|bound| bound.outward.is_none())
                })
                .unwrap_or(scope),
            None => scope,
        }
    }

    /// Declares that a name is another scope's.
    pub(super) fn declare(&mut self, name: &Identifier, outward: Outward) {
        let word = self.private(name.as_str());
        self.note(span(name), word.clone(), OccurrenceKind::Store);
        let bound: &mut BoundName = self.names.scopes[self.scope].names.entry(word).or_default();
        bound.outward = Some(outward);
    }

    /// Returns how `name` is looked up: with the class before it where it is private to that.
    pub(super) fn private(&self, name: &str) -> String {
        let is_private = name.starts_with("__") && !name.ends_with("__");
        match self
            .classes
            .last()
            .map(|class| class.trim_start_matches('_'))
        {
            Some(class) if is_private && !class.is_empty() => format!("_{class}{name}"),
            Some(_) | None => name.to_owned(),
        }
    }

    /// Walks what may not run, or not to its end.
    pub(super) fn conditionally(&mut self, walk: impl FnOnce(&mut Self)) {
        self.conditions += 1;
        walk(self);
        self.conditions -= 1;
    }
}

impl NameScope {
    fn opened(
        kind: NameScopeKind,
        parent: Option<ScopeId>,
        name: Option<String>,
        span: Span,
    ) -> NameScope {
        NameScope {
            kind,
            parent,
            name,
            span,
            names: Default::default(),
            members: Default::default(),
            function: None,
            class: None,
        }
    }
}

/// Returns where `node` is.
pub(super) fn place(node: &impl Ranged) -> Span {
    span(node)
}
