//! What each statement adds to the names of a module.

use ruff_python_ast::{
    self as ast, Decorator, ExceptHandler, Expr, Identifier, Parameters, Stmt, TypeParams,
};

use super::model::{
    AttributeStore, BindingKind, ClassHeader, ExpressionId, FunctionHeader, FunctionParameter,
    ImportOrigin, NameScopeKind, OccurrenceKind, Outward, ParameterKind, ScopeId, StoreReceiver,
    UsedExpression,
};
use super::walker::{Walker, place};
use crate::text::Span;

impl Walker<'_> {
    /// Walks statements one after the other. What a test says of a name ends with them.
    pub(super) fn suite(&mut self, statements: &[Stmt]) {
        let known = self.narrowed.len();
        for statement in statements {
            self.statement(statement);
        }
        self.forget(known);
    }

    fn statement(&mut self, statement: &Stmt) {
        self.effect = place(statement).end;
        match statement {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::Return(returned) => {
                let value = match &returned.value {
                    Some(value) => self.expression(value),
                    None => return,
                };
                self.returned(value);
            }
            Stmt::Delete(deleted) => {
                for target in &deleted.targets {
                    self.target(target, &BindingKind::Deleted);
                }
            }
            Stmt::TypeAlias(alias) => self.type_alias(alias),
            Stmt::Assign(assign) => self.assign(assign),
            Stmt::AugAssign(assign) => {
                self.extend_exports(&assign.target, &assign.value);
                self.expression(&assign.value);
                if let Expr::Name(name) = &*assign.target {
                    // It is read, too; but one place has one verdict.
                    self.bind_at(place(name), &name.id, BindingKind::Unknown);
                } else {
                    self.target(&assign.target, &BindingKind::Unknown);
                }
            }
            Stmt::AnnAssign(assign) => self.annotated(assign),
            Stmt::For(each) => self.each(each),
            Stmt::While(whilst) => {
                self.looped(place(whilst), |walker| {
                    walker.expression(&whilst.test);
                    walker.conditionally(|walker| walker.suite(&whilst.body));
                });
                self.conditionally(|walker| walker.suite(&whilst.orelse));
            }
            Stmt::If(branching) => self.branching(branching),
            Stmt::With(with) => {
                for item in &with.items {
                    let context = self.expression(&item.context_expr);
                    if let Some(target) = &item.optional_vars {
                        self.effect = place(&**target).end;
                        self.target(target, &BindingKind::Entered(context));
                    }
                }
                self.suite(&with.body);
            }
            Stmt::Match(choice) => self.choice(choice),
            Stmt::Raise(raise) => {
                self.optional(raise.exc.as_deref());
                self.optional(raise.cause.as_deref());
            }
            Stmt::Try(attempt) => self.attempt(attempt),
            Stmt::Assert(assert) => {
                self.expression(&assert.test);
                self.optional(assert.msg.as_deref());
                self.narrow_by(&assert.test);
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.import(alias);
                }
            }
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Global(global) => {
                for name in &global.names {
                    self.declare(name, Outward::Global);
                }
            }
            Stmt::Nonlocal(nonlocal) => {
                for name in &nonlocal.names {
                    self.declare(name, Outward::Nonlocal);
                }
            }
            Stmt::Expr(statement) => {
                if let Expr::Call(call) = &*statement.value {
                    self.extend_exports_by_call(call);
                }
                self.expression(&statement.value);
            }
            Stmt::Pass(_) | Stmt::Break(_) | Stmt::Continue(_) | Stmt::IpyEscapeCommand(_) => {}
        }
    }

    fn optional(&mut self, expression: Option<&Expr>) -> Option<ExpressionId> {
        expression.map(|expression| self.expression(expression))
    }

    /// Notes that the function around returns a value.
    fn returned(&mut self, value: ExpressionId) {
        let scope = self.scope;
        if let Some(function) = &mut self.names.scopes[scope].function {
            function.returned.push(value);
        }
    }

    fn looped(&mut self, whole: Span, walk: impl FnOnce(&mut Self)) {
        let before = self.loop_end;
        if before == 0 {
            self.loop_end = whole.end;
        }
        walk(self);
        self.loop_end = before;
    }

    fn decorators(&mut self, decorators: &[Decorator]) -> Vec<ExpressionId> {
        let expressions = decorators.iter().map(|decorator| &decorator.expression);
        expressions
            .map(|expression| self.expression(expression))
            .collect()
    }

    fn function(&mut self, function: &ast::StmtFunctionDef) {
        let whole = place(function);
        let decorators = self.decorators(&function.decorator_list);
        let home = self.scope;
        let mut opened = None;
        self.under_type_parameters(function.type_params.as_deref(), whole, |walker| {
            walker.defaults(&function.parameters);
            let annotations = walker.annotations_of(&function.parameters);
            let returns = function
                .returns
                .as_deref()
                .map(|returns| walker.annotation(returns));
            let name = Some(function.name.to_string());
            opened = Some(
                walker.inside(NameScopeKind::Function, name, whole, |walker, scope| {
                    walker.names.scopes[scope].function = Some(FunctionHeader {
                        decorators,
                        returns,
                        is_async: function.is_async,
                        first: first_parameter(&function.parameters),
                        parameters: all_parameters(&function.parameters),
                        ..FunctionHeader::default()
                    });
                    walker.parameters(&function.parameters, &annotations);
                    walker.suite(&function.body);
                }),
            );
        });
        self.effect = whole.end;
        if let Some(opened) = opened {
            let name = &function.name;
            self.bind_in(
                home,
                place(name),
                name.as_str(),
                BindingKind::Function(opened),
            );
        }
    }

    fn class(&mut self, class: &ast::StmtClassDef) {
        let whole = place(class);
        let decorators = self.decorators(&class.decorator_list);
        let home = self.scope;
        let mut opened = None;
        self.under_type_parameters(class.type_params.as_deref(), whole, |walker| {
            let mut header = ClassHeader {
                decorators,
                ..ClassHeader::default()
            };
            if let Some(arguments) = &class.arguments {
                for base in &arguments.args {
                    if base.is_starred_expr() {
                        header.has_unknown_bases = true;
                    }
                    header.bases.push(walker.annotation(base));
                }
                for keyword in &arguments.keywords {
                    match keyword.arg.as_deref() {
                        Some("metaclass") => header.has_metaclass = true,
                        Some(_) => {}
                        None => header.has_unknown_bases = true,
                    }
                    walker.expression(&keyword.value);
                }
            }
            let name = Some(class.name.to_string());
            opened = Some(
                walker.inside(NameScopeKind::Class, name, whole, |walker, scope| {
                    walker.names.scopes[scope].class = Some(header);
                    walker.classes.push(class.name.to_string());
                    walker.suite(&class.body);
                    walker.classes.pop();
                }),
            );
        });
        self.effect = whole.end;
        if let Some(opened) = opened {
            let name = &class.name;
            self.bind_in(home, place(name), name.as_str(), BindingKind::Class(opened));
        }
    }

    fn type_alias(&mut self, alias: &ast::StmtTypeAlias) {
        let whole = place(alias);
        let mut value = None;
        self.under_type_parameters(alias.type_params.as_deref(), whole, |walker| {
            value = Some(walker.annotation(&alias.value));
        });
        self.effect = whole.end;
        let kind = BindingKind::Assigned {
            value,
            annotation: None,
        };
        self.target(&alias.name, &kind);
    }

    fn under_type_parameters(
        &mut self,
        parameters: Option<&TypeParams>,
        whole: Span,
        walk: impl FnOnce(&mut Self),
    ) {
        let Some(parameters) = parameters else {
            return walk(self);
        };
        self.inside(NameScopeKind::TypeParameters, None, whole, |walker, _| {
            for parameter in &parameters.type_params {
                walker.bind(parameter.name(), BindingKind::TypeParameter);
            }
            for parameter in &parameters.type_params {
                let (bound, default) = match parameter {
                    ast::TypeParam::TypeVar(it) => (it.bound.as_deref(), it.default.as_deref()),
                    ast::TypeParam::TypeVarTuple(it) => (None, it.default.as_deref()),
                    ast::TypeParam::ParamSpec(it) => (None, it.default.as_deref()),
                };
                for expression in [bound, default].into_iter().flatten() {
                    walker.annotation(expression);
                }
            }
            walk(walker);
        });
    }

    /// Walks the defaults of parameters, which are evaluated outside of the function.
    pub(super) fn defaults(&mut self, parameters: &Parameters) {
        for parameter in parameters.iter() {
            self.optional(parameter.default());
        }
    }

    /// Walks the types of parameters, which are evaluated outside of the function, in their order.
    fn annotations_of(&mut self, parameters: &Parameters) -> Vec<Option<ExpressionId>> {
        let annotations = parameters.iter().map(|parameter| parameter.annotation());
        annotations
            .map(|annotation| annotation.map(|annotation| self.annotation(annotation)))
            .collect()
    }

    /// Binds parameters in the scope of their function.
    pub(super) fn parameters(
        &mut self,
        parameters: &Parameters,
        annotations: &[Option<ExpressionId>],
    ) {
        for (at, parameter) in parameters.iter().enumerate() {
            let name = parameter.name();
            self.effect = place(name).end;
            let kind = BindingKind::Parameter {
                annotation: annotations.get(at).copied().flatten(),
                kind: kind_of(parameters, name),
            };
            self.bind(name, kind);
        }
    }

    fn assign(&mut self, assign: &ast::StmtAssign) {
        self.names_of_definitions(assign);
        let exported = assign
            .targets
            .iter()
            .any(|target| self.set_exports(target, &assign.value));
        let slots = !exported
            && assign
                .targets
                .iter()
                .any(|target| self.set_slots(target, &assign.value));
        let value = if slots {
            self.keep(UsedExpression::Unknown)
        } else {
            self.expression(&assign.value)
        };
        let kind = BindingKind::Assigned {
            value: Some(value),
            annotation: None,
        };
        for target in &assign.targets {
            self.target(target, &kind);
        }
    }

    fn annotated(&mut self, assign: &ast::StmtAnnAssign) {
        let annotation = self.annotation(&assign.annotation);
        if let Some(value) = &assign.value {
            self.set_exports(&assign.target, value);
        }
        let value = self.optional(assign.value.as_deref());
        let kind = BindingKind::Assigned {
            value,
            annotation: Some(annotation),
        };
        self.target(&assign.target, &kind);
    }

    fn each(&mut self, each: &ast::StmtFor) {
        let iterated = self.expression(&each.iter);
        self.looped(place(each), |walker| {
            walker.effect = place(&*each.target).end;
            walker.conditionally(|walker| {
                walker.target(&each.target, &BindingKind::Iterated(iterated));
                walker.suite(&each.body);
            });
        });
        self.conditionally(|walker| walker.suite(&each.orelse));
    }

    fn branching(&mut self, branching: &ast::StmtIf) {
        self.expression(&branching.test);
        self.conditionally(|walker| {
            let known = walker.narrowed.len();
            walker.narrow_by(&branching.test);
            walker.suite(&branching.body);
            walker.forget(known);
            for clause in &branching.elif_else_clauses {
                let known = walker.narrowed.len();
                if let Some(test) = &clause.test {
                    walker.expression(test);
                    walker.narrow_by(test);
                }
                walker.suite(&clause.body);
                walker.forget(known);
            }
        });
        if branching.elif_else_clauses.is_empty() && leaves(&branching.body) {
            self.narrow_by_contrary(&branching.test);
        }
    }

    fn attempt(&mut self, attempt: &ast::StmtTry) {
        self.conditionally(|walker| {
            walker.suite(&attempt.body);
            for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                let sort = walker.optional(handler.type_.as_deref());
                if let Some(name) = &handler.name {
                    walker.effect = place(name).end;
                    walker.bind(name, BindingKind::Caught(sort));
                }
                walker.suite(&handler.body);
            }
            walker.suite(&attempt.orelse);
        });
        self.suite(&attempt.finalbody);
    }

    fn import(&mut self, alias: &ast::Alias) {
        let parts: Vec<String> = alias.name.split('.').map(str::to_owned).collect();
        let start = place(&alias.name).start;
        let mut at = start;
        let mut spans = Vec::new();
        for part in self.text[start..place(&alias.name).end].split('.') {
            let blank = part.len() - part.trim_start().len();
            spans.push(Span::new(at + blank, at + blank + part.trim().len()));
            at += part.len() + 1;
        }
        let first_is_bound = alias.asname.is_none();
        for (number, (part, span)) in parts.iter().zip(&spans).enumerate() {
            if number == 0 && first_is_bound {
                let kind = BindingKind::ModulePart {
                    parts: parts.clone(),
                };
                self.bind_at(*span, part, kind);
                continue;
            }
            self.note(*span, part.clone(), OccurrenceKind::ModulePart);
        }
        if let Some(asname) = &alias.asname {
            self.bind(asname, BindingKind::ModuleAlias { parts });
        }
    }

    fn import_from(&mut self, import: &ast::StmtImportFrom) {
        let dots = usize::try_from(import.level).unwrap_or(usize::MAX);
        let mut parts: Vec<String> = Vec::new();
        if let Some(module) = &import.module {
            let whole = place(module);
            let mut at = whole.start;
            for part in self.text[whole.start..whole.end].split('.') {
                let blank = part.len() - part.trim_start().len();
                let word = part.trim();
                let span = Span::new(at + blank, at + blank + word.len());
                at += part.len() + 1;
                parts.push(folded(word));
                self.note(span, folded(word), OccurrenceKind::ModulePart);
            }
        }
        let from = ImportOrigin { dots, parts };
        for alias in &import.names {
            if alias.name.as_str() == "*" {
                self.names.stars.push(from.clone());
                continue;
            }
            let kind = BindingKind::Imported {
                from: from.clone(),
                name: alias.name.to_string(),
            };
            let origin = OccurrenceKind::Imported {
                from: from.clone(),
                binds: alias.asname.is_none(),
            };
            let word = alias.name.to_string();
            match &alias.asname {
                Some(asname) => {
                    self.note(place(&alias.name), word, origin);
                    self.bind(asname, kind);
                }
                // One place, which is the name there and the name here.
                None => {
                    self.bind(&alias.name, kind);
                    if let Some(last) = self.names.occurrences.last_mut() {
                        last.kind = origin;
                    }
                }
            }
        }
    }

    /// Binds what `target` names, and walks the rest of it.
    pub(super) fn target(&mut self, target: &Expr, kind: &BindingKind) {
        match target {
            Expr::Name(name) => self.bind_at(place(name), &name.id, kind.clone()),
            Expr::Tuple(tuple) => self.unpacked(&tuple.elts, kind),
            Expr::List(list) => self.unpacked(&list.elts, kind),
            Expr::Starred(starred) => self.target(&starred.value, &BindingKind::Unknown),
            Expr::Attribute(attribute) => {
                let set = self.attribute(attribute, true);
                self.store(attribute, set, kind);
            }
            _ => drop(self.expression(target)),
        }
    }

    fn unpacked(&mut self, targets: &[Expr], kind: &BindingKind) {
        let kind = match kind {
            BindingKind::Deleted => BindingKind::Deleted,
            _ => BindingKind::Unknown,
        };
        for target in targets {
            self.target(target, &kind);
        }
    }

    /// Notes that an attribute is set: of the first parameter of a method it is one of the class.
    fn store(&mut self, attribute: &ast::ExprAttribute, set: ExpressionId, kind: &BindingKind) {
        let (value, annotation) = match kind {
            BindingKind::Deleted => return,
            BindingKind::Assigned { value, annotation } => (*value, *annotation),
            _ => (None, None),
        };
        let class = match &*attribute.value {
            Expr::Name(receiver) => self.class_whose_instance(&receiver.id),
            _ => None,
        };
        let UsedExpression::Attribute { receiver, name } = self.names.expression(set) else {
            return;
        };
        let (receiver, name) = (*receiver, name.clone());
        let Some(class) = class else {
            let store = AttributeStore {
                name,
                receiver: StoreReceiver::Expression(receiver),
                value,
            };
            return self.names.stores.push(store);
        };
        let binding = super::model::MemberBinding {
            span: place(&attribute.attr),
            value,
            annotation,
        };
        let members = &mut self.names.scopes[class].members;
        members.entry(name).or_default().push(binding);
    }

    /// Returns the class of whose method `name` is the first parameter here.
    fn class_whose_instance(&self, name: &str) -> Option<ScopeId> {
        for scope in self.names.outward(self.scope) {
            let here = &self.names.scopes[scope];
            if let Some(function) = &here.function
                && function.first.as_deref() == Some(name)
                && let Some(class) = self.names.class_of_method(scope)
            {
                let is_static = self
                    .names
                    .is_decorated(&function.decorators, &["staticmethod"]);
                return (!is_static).then_some(class);
            }
            if here.kind != NameScopeKind::Class && here.names.contains_key(name) {
                return None;
            }
        }
        None
    }
}

/// Returns a word as Python reads it: letters that stand for others are those.
pub(crate) fn folded(word: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    if word.is_ascii() {
        word.to_owned()
    } else {
        word.nfkc().collect()
    }
}

fn first_parameter(parameters: &Parameters) -> Option<String> {
    let first = parameters.posonlyargs.first().or(parameters.args.first());
    first.map(|first| first.parameter.name.to_string())
}

fn all_parameters(parameters: &Parameters) -> Vec<FunctionParameter> {
    parameters
        .iter()
        .map(|parameter| FunctionParameter {
            name: parameter.name().to_string(),
            kind: kind_of(parameters, parameter.name()),
            has_default: parameter.default().is_some(),
        })
        .collect()
}

fn kind_of(parameters: &Parameters, name: &Identifier) -> ParameterKind {
    let is = |parameter: &ast::Parameter| parameter.name.range == name.range;
    let among = |list: &[ast::ParameterWithDefault]| list.iter().any(|it| is(&it.parameter));
    if among(&parameters.posonlyargs) {
        ParameterKind::Positional
    } else if among(&parameters.kwonlyargs) {
        ParameterKind::Keyword
    } else if parameters.vararg.as_deref().is_some_and(is) {
        ParameterKind::Rest
    } else if parameters.kwarg.as_deref().is_some_and(is) {
        ParameterKind::Keywords
    } else {
        ParameterKind::Plain
    }
}

/// Says whether statements surely leave what is around them.
fn leaves(statements: &[Stmt]) -> bool {
    matches!(
        statements.last(),
        Some(Stmt::Return(_) | Stmt::Raise(_) | Stmt::Continue(_) | Stmt::Break(_))
    )
}
