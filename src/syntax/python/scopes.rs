//! The errors that only a look at scopes finds.
//!
//! The parser's own checker knows most of them and asks for its surroundings; what concerns `global` and `nonlocal`
//! is decided here alone (`names`), because the checker sees loads of names only and CPython minds every binding.
//!
//! Invariant: the stack of scopes starts with the module's and is never empty while the tree is walked.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    self as ast, Comprehension, ExceptHandler, Expr, ModModule, Parameters, Pattern, PythonVersion,
    Stmt,
};
use ruff_python_parser::semantic_errors::SemanticSyntaxChecker;
use ruff_text_size::{Ranged, TextRange};

use super::names::{ScopeNames, Use};
use super::source::offset;
use super::surroundings::{CheckerContext, Flow, OpenScope, ScopeKind};
use crate::syntax::SyntaxError;

/// Returns the errors of a module that parses, whose annotations are evaluated late or at once.
pub(super) fn scope_errors(
    text: &str,
    module: &ModModule,
    minor: u8,
    lazy_annotations: bool,
) -> Vec<SyntaxError> {
    let mut walker = ScopeWalker {
        checker: SemanticSyntaxChecker::new(),
        surroundings: CheckerContext::of_module(text, minor, lazy_annotations),
        found: Vec::new(),
    };
    walker.visit_body(&module.body);
    walker.leave();
    let checked = walker.surroundings.into_found();
    let mut found = walker.found;
    found.extend(
        checked
            .iter()
            .map(|error| error_at(error.range(), error.to_string())),
    );
    found
}

fn error_at(range: TextRange, message: String) -> SyntaxError {
    SyntaxError {
        offset: offset(range.start()),
        message,
    }
}

/// Says whether a module puts off the evaluation of its annotations.
pub(super) fn has_lazy_annotations(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::ImportFrom(import) if import.module.as_deref() == Some("__future__") => import
            .names
            .iter()
            .any(|alias| alias.name.as_str() == "annotations"),
        _ => false,
    })
}

struct ScopeWalker<'a> {
    checker: SemanticSyntaxChecker,
    surroundings: CheckerContext<'a>,
    found: Vec<SyntaxError>,
}

impl<'a> ScopeWalker<'a> {
    fn names(&mut self) -> &mut ScopeNames {
        &mut self
            .surroundings
            .scopes
            .last_mut()
            .expect("the module's scope is left last")
            .names
    }

    fn note(&mut self, name: &ast::Identifier, role: Use) {
        self.names().note(name.as_str(), role);
    }

    fn inside(&mut self, sort: ScopeKind, walk: impl FnOnce(&mut Self)) {
        self.surroundings.scopes.push(OpenScope::of(sort));
        walk(self);
        self.leave();
    }

    /// Ends the innermost scope: what its inner scopes wanted of it is settled, the rest is wanted of the outer one.
    fn leave(&mut self) {
        let Some(scope) = self.surroundings.scopes.pop() else {
            return;
        };
        let is_function = matches!(scope.sort, ScopeKind::Function { .. } | ScopeKind::Lambda);
        let has_class_cell = scope.sort == ScopeKind::Class;
        let wanted = scope.names.still_wanted(is_function, has_class_cell);
        match self.surroundings.scopes.last_mut() {
            Some(outer) => outer.names.want(wanted),
            None => self.found.extend(wanted.into_iter().map(|(name, range)| {
                error_at(range, format!("no binding for nonlocal `{name}` found"))
            })),
        }
    }

    /// Walks a suite from which the ways out are others than here.
    fn suite(&mut self, flow: Flow, suite: &'a [Stmt]) {
        // From 3.13 on one more, which generators use up themselves.
        let most = if self.surroundings.version >= PythonVersion::PY313 {
            21
        } else {
            20
        };
        let before = std::mem::replace(&mut self.surroundings.flow, flow);
        if let Some(first) = suite
            .first()
            .filter(|_| before.blocks <= most && flow.blocks > most)
        {
            self.refuse(
                first.range(),
                Some("too many statically nested blocks".to_owned()),
            );
        }
        self.visit_body(suite);
        self.surroundings.flow = before;
    }

    fn flow(&self) -> Flow {
        self.surroundings.flow
    }

    fn refuse(&mut self, range: TextRange, message: Option<String>) {
        self.found
            .extend(message.map(|message| error_at(range, message)));
    }

    fn function(&mut self, function: &'a ast::StmtFunctionDef) {
        function
            .decorator_list
            .iter()
            .for_each(|decorator| self.visit_decorator(decorator));
        self.note(&function.name, Use::Bound);
        self.under_type_parameters(function.type_params.as_deref(), |walker| {
            walker.signature(&function.parameters);
            function
                .returns
                .iter()
                .for_each(|returns| walker.visit_annotation(returns));
            walker.inside(
                ScopeKind::Function {
                    is_async: function.is_async,
                },
                |walker| {
                    walker.parameters(&function.parameters);
                    walker.suite(Flow::default(), &function.body);
                },
            );
        });
    }

    fn class(&mut self, class: &'a ast::StmtClassDef) {
        class
            .decorator_list
            .iter()
            .for_each(|decorator| self.visit_decorator(decorator));
        self.note(&class.name, Use::Bound);
        self.under_type_parameters(class.type_params.as_deref(), |walker| {
            class
                .arguments
                .iter()
                .for_each(|arguments| walker.visit_arguments(arguments));
            walker.inside(ScopeKind::Class, |walker| {
                walker.suite(Flow::default(), &class.body)
            });
        });
    }

    fn under_type_parameters(
        &mut self,
        parameters: Option<&'a ast::TypeParams>,
        walk: impl FnOnce(&mut Self),
    ) {
        let Some(parameters) = parameters else {
            return walk(self);
        };
        self.inside(ScopeKind::TypeParameters, |walker| {
            walker.visit_type_params(parameters);
            walk(walker);
        });
    }

    /// Walks what of parameters is evaluated outside: defaults and annotations.
    fn signature(&mut self, parameters: &'a Parameters) {
        visitor::walk_parameters(self, parameters);
    }

    fn parameters(&mut self, parameters: &Parameters) {
        parameters
            .iter()
            .for_each(|parameter| self.note(parameter.name(), Use::Parameter));
    }

    fn comprehension(
        &mut self,
        sort: ScopeKind,
        generators: &'a [Comprehension],
        results: [Option<&'a Expr>; 2],
    ) {
        // The first iterable is evaluated outside.
        generators
            .first()
            .iter()
            .for_each(|first| self.visit_expr(&first.iter));
        self.inside(sort, |walker| {
            for (at, generator) in generators.iter().enumerate() {
                if at > 0 {
                    walker.visit_expr(&generator.iter);
                }
                walker.visit_expr(&generator.target);
                generator
                    .ifs
                    .iter()
                    .for_each(|condition| walker.visit_expr(condition));
            }
            results
                .into_iter()
                .flatten()
                .for_each(|result| walker.visit_expr(result));
        });
    }

    /// Notes the target of `:=` in the scope that it binds in: the one around all comprehensions.
    fn bind_outside_comprehensions(&mut self, name: &str) {
        let comprehension =
            |sort| matches!(sort, ScopeKind::Comprehension { .. } | ScopeKind::Generator);
        let scopes = self.surroundings.scopes.iter_mut().rev();
        if let Some(scope) = scopes.into_iter().find(|scope| !comprehension(scope.sort)) {
            scope.names.note(name, Use::Bound);
        }
    }

    fn attempt(&mut self, attempt: &'a ast::StmtTry) {
        let was_in_try = std::mem::replace(&mut self.surroundings.in_try, true);
        let here = self.flow();
        let ensured = here.blocks(usize::from(!attempt.finalbody.is_empty()));
        self.suite(
            ensured.blocks(usize::from(!attempt.handlers.is_empty())),
            &attempt.body,
        );
        for (at, ExceptHandler::ExceptHandler(handler)) in attempt.handlers.iter().enumerate() {
            if handler.type_.is_none() && at + 1 < attempt.handlers.len() {
                self.refuse(
                    handler.range,
                    Some("default 'except:' must be last".to_owned()),
                );
            }
            handler.type_.iter().for_each(|sort| self.visit_expr(sort));
            handler
                .name
                .iter()
                .for_each(|name| self.note(name, Use::Bound));
            let handling = ensured.blocks(2);
            self.suite(
                if attempt.is_star {
                    handling.in_except_star()
                } else {
                    handling
                },
                &handler.body,
            );
        }
        self.suite(ensured, &attempt.orelse);
        self.suite(here.blocks(1), &attempt.finalbody);
        self.surroundings.in_try = was_in_try;
    }

    fn refuse_starred(&mut self, expression: &Expr) {
        if expression.is_starred_expr() {
            self.refuse(
                expression.range(),
                Some("Starred expression cannot be used here".to_owned()),
            );
        }
    }

    fn refuse_debug(&mut self, name: &ast::Identifier) {
        if name.as_str() == "__debug__" {
            self.refuse(name.range, Some("cannot assign to `__debug__`".to_owned()));
        }
    }
}

impl<'a> Visitor<'a> for ScopeWalker<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        // The checker takes `from .__future__ import x` for the real one.
        let namesake = matches!(statement, Stmt::ImportFrom(import)
            if import.level > 0 && import.module.as_deref() == Some("__future__"));
        if !namesake {
            self.checker.visit_stmt(statement, &self.surroundings);
        }
        match statement {
            Stmt::FunctionDef(function) => return self.function(function),
            Stmt::ClassDef(class) => return self.class(class),
            Stmt::TypeAlias(alias) => {
                self.visit_expr(&alias.name);
                return self.under_type_parameters(alias.type_params.as_deref(), |walker| {
                    walker.visit_expr(&alias.value)
                });
            }
            Stmt::Try(attempt) => return self.attempt(attempt),
            Stmt::For(each) => {
                self.visit_expr(&each.target);
                self.visit_expr(&each.iter);
                self.suite(self.flow().in_loop(), &each.body);
                return self.visit_body(&each.orelse);
            }
            Stmt::While(whilst) => {
                self.visit_expr(&whilst.test);
                self.suite(self.flow().in_loop(), &whilst.body);
                return self.visit_body(&whilst.orelse);
            }
            Stmt::Global(global) => {
                for name in &global.names {
                    let message = self.names().declare_global(name.as_str());
                    self.refuse(name.range, message);
                }
            }
            Stmt::Nonlocal(nonlocal) if self.surroundings.here() != ScopeKind::Module => {
                for name in &nonlocal.names {
                    let message = self.names().declare_nonlocal(name.as_str(), name.range);
                    self.refuse(name.range, message);
                }
            }
            Stmt::AnnAssign(assign) => {
                assign
                    .value
                    .iter()
                    .for_each(|value| self.refuse_starred(value));
                if let Expr::Name(target) = &*assign.target {
                    let in_module = self.surroundings.here() == ScopeKind::Module;
                    let message = self
                        .names()
                        .annotate(&target.id, in_module || !assign.simple);
                    self.refuse(target.range, message);
                }
            }
            Stmt::With(with) => {
                with.items
                    .iter()
                    .for_each(|item| self.visit_with_item(item));
                return self.suite(self.flow().blocks(with.items.len()), &with.body);
            }
            Stmt::Expr(statement) => self.refuse_starred(&statement.value),
            Stmt::Return(leaving) if self.flow().in_except_star => {
                self.refuse(
                    leaving.range,
                    Some("`return` cannot appear in an `except*` block".to_owned()),
                );
            }
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        self.checker.visit_expr(expression, &self.surroundings);
        let comprehended = |generators: &[Comprehension]| ScopeKind::Comprehension {
            is_async: generators.iter().any(|generator| generator.is_async),
        };
        match expression {
            Expr::Lambda(lambda) => {
                lambda
                    .parameters
                    .iter()
                    .for_each(|parameters| self.signature(parameters));
                self.inside(ScopeKind::Lambda, |walker| {
                    lambda
                        .parameters
                        .iter()
                        .for_each(|parameters| walker.parameters(parameters));
                    walker.visit_expr(&lambda.body);
                });
            }
            Expr::ListComp(list) => {
                self.comprehension(
                    comprehended(&list.generators),
                    &list.generators,
                    [Some(&list.elt), None],
                );
            }
            Expr::SetComp(set) => {
                self.comprehension(
                    comprehended(&set.generators),
                    &set.generators,
                    [Some(&set.elt), None],
                );
            }
            Expr::DictComp(dict) => {
                let results = [dict.key.as_deref(), Some(&*dict.value)];
                self.comprehension(comprehended(&dict.generators), &dict.generators, results);
            }
            Expr::Generator(generator) => {
                self.comprehension(
                    ScopeKind::Generator,
                    &generator.generators,
                    [Some(&generator.elt), None],
                );
            }
            Expr::Named(named) => {
                if let Expr::Name(target) = &*named.target {
                    self.bind_outside_comprehensions(&target.id);
                }
                visitor::walk_expr(self, expression);
            }
            Expr::Name(name) => {
                let role = if name.ctx.is_load() {
                    Use::Loaded
                } else {
                    Use::Bound
                };
                self.names().note(&name.id, role);
            }
            Expr::Attribute(attribute) => {
                if attribute.ctx.is_store() || attribute.ctx.is_del() {
                    self.refuse_debug(&attribute.attr);
                }
                visitor::walk_expr(self, expression);
            }
            _ => visitor::walk_expr(self, expression),
        }
    }

    fn visit_keyword(&mut self, keyword: &'a ast::Keyword) {
        keyword.arg.iter().for_each(|name| self.refuse_debug(name));
        visitor::walk_keyword(self, keyword);
    }

    fn visit_interpolated_string_element(&mut self, element: &'a ast::InterpolatedStringElement) {
        if let ast::InterpolatedStringElement::Interpolation(interpolation) = element {
            self.refuse_starred(&interpolation.expression);
        }
        visitor::walk_interpolated_string_element(self, element);
    }

    fn visit_type_param(&mut self, parameter: &'a ast::TypeParam) {
        self.note(parameter.name(), Use::Bound);
        visitor::walk_type_param(self, parameter);
    }

    fn visit_alias(&mut self, alias: &'a ast::Alias) {
        let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
        let first = bound.split('.').next().unwrap_or(bound);
        self.names().note(first, Use::Bound);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let captured = match pattern {
            Pattern::MatchAs(capture) => capture.name.as_ref(),
            Pattern::MatchStar(rest) => rest.name.as_ref(),
            Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        captured
            .into_iter()
            .for_each(|name| self.note(name, Use::Bound));
        visitor::walk_pattern(self, pattern);
    }
}
