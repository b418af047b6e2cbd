//! What the statements of a module read while it is imported: by themselves, or by the functions and classes that they call.
//!
//! Which function a call runs is not looked for: a statement that calls anything and reads a name may run what the name's statement has
//! in its functions, and what these read, and so on.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::reading::{is_eager, reaches_module};
use crate::references::facts::FileId;
use crate::references::{Analysis, decorators};
use crate::syntax::python::{
    ExpressionId, ModuleNames, ModuleStatement, ModuleStatementKind, NameScope, NameScopeKind,
    OccurrenceKind, ScopeId, UsedExpression, import_table,
};
use crate::text::Span;

/// The statements of a module, with the names of the module that each reads and binds.
pub(super) struct ImportOrder<'a> {
    names: &'a ModuleNames,
    statements: Vec<OrderedStatement<'a>>,
    /// By name, the statements that read it.
    readers: HashMap<&'a str, Vec<usize>>,
}

struct OrderedStatement<'a> {
    span: Span,
    kind: ModuleStatementKind,
    /// Names that it binds.
    binds: Vec<&'a str>,
    /// Names that are read when it is run.
    at_once: HashSet<&'a str>,
    /// Names that its functions read.
    later: HashSet<&'a str>,
    /// Whether it calls anything when it is run.
    calls: bool,
    /// Whether it is a class with bases or a metaclass.
    has_bases: bool,
}

impl<'a> ImportOrder<'a> {
    /// Returns that of the module that a file is.
    pub(super) fn of(analysis: &'a Analysis, file: FileId) -> ImportOrder<'a> {
        let names = analysis.names(file);
        let table = import_table(analysis.sources.bytes(file));
        let ordered = |it: &ModuleStatement| OrderedStatement {
            span: it.span,
            kind: it.kind,
            binds: Vec::new(),
            at_once: HashSet::new(),
            later: HashSet::new(),
            calls: it.kind == ModuleStatementKind::Effect,
            has_bases: false,
        };
        let mut order = ImportOrder {
            names,
            statements: table.statements.iter().map(ordered).collect(),
            readers: HashMap::new(),
        };
        for (name, bound) in &names.scopes[0].names {
            for binding in &bound.bindings {
                if let Some(at) = order.statement_at(binding.span.start) {
                    order.statements[at].binds.push(name);
                }
            }
        }
        for occurrence in &names.occurrences {
            let OccurrenceKind::Load { expression } = occurrence.kind else {
                continue;
            };
            if reaches_module(names, occurrence, expression)
                && let Some(at) = order.statement_at(occurrence.span.start)
            {
                order.read(at, &occurrence.name, is_eager(names, occurrence.scope));
            }
        }
        order.find_calls();
        order
    }

    fn read(&mut self, at: usize, name: &'a str, is_at_once: bool) {
        let statement = &mut self.statements[at];
        let is_first = !statement.at_once.contains(name) && !statement.later.contains(name);
        let read = match is_at_once {
            true => &mut statement.at_once,
            false => &mut statement.later,
        };
        read.insert(name);
        if is_first {
            self.readers.entry(name).or_default().push(at);
        }
    }

    /// Finds which statements call something: a function, a decorator, or what a base or metaclass has for its classes.
    fn find_calls(&mut self) {
        let names = self.names;
        let called = names.calls.iter().filter_map(|(callee, call)| {
            let UsedExpression::Call { scope, .. } = names.expression(*call) else {
                return None;
            };
            is_eager(names, *scope)
                .then(|| first_name(names, *callee))
                .flatten()
        });
        let makes = |scope: &NameScope| {
            let is_class = scope.kind == NameScopeKind::Class;
            is_class && scope.names.contains_key("__init_subclass__")
        };
        let bases_run = names.scopes.iter().any(makes);
        let made = names.scopes.iter().filter_map(|scope| {
            let of_class = scope.class.as_ref();
            let is_harmless = |it: &ExpressionId| {
                let word = names.last_word(*it);
                word.is_some_and(decorators::is_harmless)
            };
            let is_decorated = !scope.decorators().iter().all(is_harmless);
            let is_made = of_class.is_some_and(|it| {
                it.has_metaclass || bases_run && (it.has_unknown_bases || !it.bases.is_empty())
            });
            let is_of_module = scope.parent.is_none_or(|around| is_eager(names, around));
            let runs = (is_decorated || is_made) && is_of_module;
            runs.then_some(scope.span.end.saturating_sub(1))
        });
        let with_bases = names.scopes.iter().filter(|scope| {
            let class = scope.class.as_ref();
            scope.parent == Some(0)
                && class.is_some_and(|it| it.has_metaclass || !it.bases.is_empty())
        });
        let with_bases: Vec<usize> = with_bases.map(|scope| scope.span.start).collect();
        let places: Vec<usize> = called.chain(made).collect();
        for place in with_bases {
            if let Some(at) = self.statement_at(place) {
                self.statements[at].has_bases = true;
            }
        }
        for place in places {
            if let Some(at) = self.statement_at(place) {
                self.statements[at].calls = true;
            }
        }
    }

    fn statement_at(&self, place: usize) -> Option<usize> {
        let after = self.statements.partition_point(|it| it.span.start <= place);
        let at = after.checked_sub(1)?;
        (place < self.statements[at].span.end).then_some(at)
    }

    /// Says whether the statement at a place calls anything when it is run.
    pub(super) fn calls_at(&self, place: usize) -> bool {
        let statement = self.statement_at(place);
        statement.is_some_and(|at| self.statements[at].calls)
    }

    /// Returns where the first statement begins, from the byte `after` on, that may call what uses `word` in one of `places`: these are read
    /// as `word` from the scope beside each. What is in `moved` does not count. With `at_all` also one of which a decorator, a base or an
    /// imported module might do so, which most do not.
    pub(super) fn first_caller(
        &self,
        word: &'a str,
        places: &[(Span, ScopeId)],
        moved: Option<Span>,
        after: usize,
        at_all: bool,
    ) -> Option<usize> {
        let is_moved =
            |at: usize| moved.is_some_and(|moved| moved.overlaps(self.statements[at].span));
        let mut first: Option<usize> = None;
        let mut found = |at: usize| {
            let start = self.statements[at].span.start;
            if start >= after {
                first = Some(first.map_or(start, |first| first.min(start)));
            }
        };
        let mut users: Vec<usize> = Vec::new();
        for (place, scope) in places {
            let Some(at) = self.statement_at(place.start).filter(|at| !is_moved(*at)) else {
                continue;
            };
            let is_later = !is_eager(self.names, *scope);
            match self.statements[at].kind {
                ModuleStatementKind::Effect if is_later => found(at),
                ModuleStatementKind::Definition if at_all && self.hands_out(at) => found(at),
                _ => users.push(at),
            }
        }
        if let Some(first) = users.iter().min().filter(|_| at_all) {
            let later = self.statements.iter().enumerate().skip(first + 1);
            for (at, _) in later.filter(|(_, it)| it.kind == ModuleStatementKind::Import) {
                found(at);
            }
        }
        let mut known: HashSet<&str> = HashSet::from([word]);
        let mut waiting: Vec<&str> = Vec::new();
        let mut take = |at: usize, waiting: &mut Vec<&'a str>| {
            for name in &self.statements[at].binds {
                if known.insert(name) {
                    waiting.push(name);
                }
            }
        };
        for at in users {
            take(at, &mut waiting);
        }
        while let Some(name) = waiting.pop() {
            for &at in self.readers.get(name).into_iter().flatten() {
                if is_moved(at) {
                    continue;
                }
                let statement = &self.statements[at];
                let is_at_once = statement.at_once.contains(name);
                let may_run = match is_at_once {
                    true => statement.calls,
                    // What is handed on in a statement may be called there.
                    false => statement.kind == ModuleStatementKind::Effect,
                };
                if may_run {
                    found(at);
                }
                take(at, &mut waiting);
            }
        }
        first
    }

    /// Says whether a statement gives a function or class to something while that is made: a decorator, a base, a metaclass.
    fn hands_out(&self, at: usize) -> bool {
        self.statements[at].calls || self.statements[at].has_bases
    }

    /// Returns the byte from which on everything is bound that is read with `read`, by what these call as well where they are called.
    pub(super) fn bound_from(&self, read: &BTreeSet<&'a str>, are_called: bool) -> usize {
        let mut known: HashSet<&str> = read.iter().copied().collect();
        let mut waiting: Vec<&str> = read.iter().copied().collect();
        let mut from = 0;
        while let Some(name) = waiting.pop() {
            let Some(bound) = self.names.scopes[0].names.get(name) else {
                continue;
            };
            let first = bound.bindings.iter().map(|it| it.at).min();
            from = from.max(first.unwrap_or(0));
            if !are_called {
                continue;
            }
            for binding in &bound.bindings {
                let Some(at) = self.statement_at(binding.span.start) else {
                    continue;
                };
                for name in self.statements[at].later.iter().copied() {
                    if known.insert(name) {
                        waiting.push(name);
                    }
                }
            }
        }
        from
    }
}

/// Returns where the name is with which an expression begins.
fn first_name(names: &ModuleNames, expression: ExpressionId) -> Option<usize> {
    match names.expression(expression) {
        UsedExpression::Name { at, .. } => Some(*at),
        UsedExpression::Attribute { receiver, .. } => first_name(names, *receiver),
        UsedExpression::Call { callee, .. } => first_name(names, *callee),
        UsedExpression::Subscript { value, .. } => first_name(names, *value),
        UsedExpression::Awaited(inner) => first_name(names, *inner),
        UsedExpression::Unknown
        | UsedExpression::Nothing
        | UsedExpression::BuiltIn(_)
        | UsedExpression::Either(_)
        | UsedExpression::Union(..)
        | UsedExpression::Group(_) => None,
    }
}
