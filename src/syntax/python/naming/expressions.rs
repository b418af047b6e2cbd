//! What each expression adds to the names of a module, and what it says of what it is.

use ruff_python_ast::{
    self as ast, Comprehension, Expr, FStringPart, InterpolatedStringElement,
    InterpolatedStringElements, Operator,
};

use super::model::{
    AttributeStore, BindingKind, ExpressionId, ModuleNames, NameScopeKind, OccurrenceKind,
    StoreReceiver, UsedExpression,
};
use super::walker::{Walker, place};
use crate::text::Span;

impl Walker<'_> {
    /// Walks an expression.
    pub(super) fn expression(&mut self, expression: &Expr) -> ExpressionId {
        let kept = match expression {
            Expr::Name(name) => return self.name(name),
            Expr::Attribute(attribute) => return self.attribute(attribute, false),
            Expr::Call(call) => return self.call(call),
            Expr::Subscript(subscript) => return self.subscript(subscript),
            Expr::StringLiteral(literal) => return self.string(literal),
            Expr::Named(named) => return self.walrus(named),
            Expr::BoolOp(several) => {
                let known = self.narrowed.len();
                let mut values = Vec::with_capacity(several.values.len());
                for value in &several.values {
                    values.push(self.expression(value));
                    if several.op == ast::BoolOp::And {
                        self.narrow_by(value);
                    }
                }
                self.forget(known);
                UsedExpression::Either(values)
            }
            Expr::BinOp(binary) => {
                let left = self.expression(&binary.left);
                let right = self.expression(&binary.right);
                if binary.op == Operator::BitOr {
                    UsedExpression::Union(left, right)
                } else {
                    UsedExpression::Unknown
                }
            }
            Expr::UnaryOp(unary) => {
                self.expression(&unary.operand);
                UsedExpression::Unknown
            }
            Expr::Lambda(lambda) => {
                self.lambda(lambda);
                UsedExpression::Unknown
            }
            Expr::If(choice) => {
                self.expression(&choice.test);
                let known = self.narrowed.len();
                self.narrow_by(&choice.test);
                let body = self.expression(&choice.body);
                self.forget(known);
                let orelse = self.expression(&choice.orelse);
                UsedExpression::Either(vec![body, orelse])
            }
            Expr::Dict(dict) => {
                for item in &dict.items {
                    if let Some(key) = &item.key {
                        self.expression(key);
                    }
                    self.expression(&item.value);
                }
                UsedExpression::BuiltIn("dict")
            }
            Expr::Set(set) => {
                self.group(&set.elts);
                UsedExpression::BuiltIn("set")
            }
            Expr::ListComp(list) => {
                self.comprehension(place(list), &list.generators, &[&list.elt]);
                UsedExpression::BuiltIn("list")
            }
            Expr::SetComp(set) => {
                self.comprehension(place(set), &set.generators, &[&set.elt]);
                UsedExpression::BuiltIn("set")
            }
            Expr::DictComp(dict) => {
                let mut results: Vec<&Expr> = dict.key.iter().map(|key| &**key).collect();
                results.push(&dict.value);
                self.comprehension(place(dict), &dict.generators, &results);
                UsedExpression::BuiltIn("dict")
            }
            Expr::Generator(generator) => {
                self.comprehension(place(generator), &generator.generators, &[&generator.elt]);
                UsedExpression::Unknown
            }
            Expr::Await(awaited) => {
                let value = self.expression(&awaited.value);
                UsedExpression::Awaited(value)
            }
            Expr::Yield(given) => {
                self.yields();
                if let Some(value) = &given.value {
                    self.expression(value);
                }
                UsedExpression::Unknown
            }
            Expr::YieldFrom(given) => {
                self.yields();
                self.expression(&given.value);
                UsedExpression::Unknown
            }
            Expr::Compare(compare) => {
                self.expression(&compare.left);
                for comparator in &compare.comparators {
                    self.expression(comparator);
                }
                UsedExpression::Unknown
            }
            Expr::FString(text) => {
                for part in &text.value {
                    if let FStringPart::FString(part) = part {
                        self.interpolated(&part.elements);
                    }
                }
                UsedExpression::BuiltIn("str")
            }
            Expr::TString(text) => {
                for part in &text.value {
                    self.interpolated(&part.elements);
                }
                UsedExpression::Unknown
            }
            Expr::BytesLiteral(_) => UsedExpression::BuiltIn("bytes"),
            Expr::NumberLiteral(number) => UsedExpression::BuiltIn(match number.value {
                ast::Number::Int(_) => "int",
                ast::Number::Float(_) => "float",
                ast::Number::Complex { .. } => "complex",
            }),
            Expr::BooleanLiteral(_) => UsedExpression::BuiltIn("bool"),
            Expr::NoneLiteral(_) => UsedExpression::Nothing,
            Expr::EllipsisLiteral(_) | Expr::IpyEscapeCommand(_) => UsedExpression::Unknown,
            Expr::Starred(starred) => {
                self.expression(&starred.value);
                UsedExpression::Unknown
            }
            Expr::List(list) => {
                let elements = self.group(&list.elts);
                if self.in_annotation {
                    UsedExpression::Group(elements)
                } else {
                    UsedExpression::BuiltIn("list")
                }
            }
            Expr::Tuple(tuple) => UsedExpression::Group(self.group(&tuple.elts)),
            Expr::Slice(slice) => {
                let parts = [&slice.lower, &slice.upper, &slice.step];
                for part in parts.into_iter().flatten() {
                    self.expression(part);
                }
                UsedExpression::Unknown
            }
        };
        self.keep(kept)
    }

    fn yields(&mut self) {
        let scope = self.scope;
        if let Some(function) = &mut self.names.scopes[scope].function {
            function.yields = true;
        }
    }

    fn group(&mut self, elements: &[Expr]) -> Vec<ExpressionId> {
        elements
            .iter()
            .map(|element| self.expression(element))
            .collect()
    }

    fn name(&mut self, name: &ast::ExprName) -> ExpressionId {
        let span = place(name);
        let word = self.private(&name.id);
        let expression = self.keep(UsedExpression::Name {
            name: word.clone(),
            scope: self.scope,
            at: if self.in_text { usize::MAX } else { span.start },
            // Types may be evaluated late.
            loop_end: if self.in_annotation {
                usize::MAX
            } else {
                self.loop_end
            },
            narrowed: self.narrowed_to(&word),
        });
        self.note(span, word, OccurrenceKind::Load { expression });
        expression
    }

    pub(super) fn attribute(
        &mut self,
        attribute: &ast::ExprAttribute,
        is_target: bool,
    ) -> ExpressionId {
        let receiver = self.expression(&attribute.value);
        let name = self.private(attribute.attr.as_str());
        let expression = self.keep(UsedExpression::Attribute {
            receiver,
            name: name.clone(),
        });
        let kind = OccurrenceKind::Attribute {
            expression,
            receiver,
            is_target,
        };
        self.note(place(&attribute.attr), name, kind);
        expression
    }

    fn call(&mut self, call: &ast::ExprCall) -> ExpressionId {
        let annotation = std::mem::take(&mut self.in_annotation);
        let callee = self.expression(&call.func);
        let types = self.arguments_that_are_types(callee);
        let mut arguments = Vec::with_capacity(call.arguments.args.len());
        for (at, argument) in call.arguments.args.iter().enumerate() {
            arguments.push(if types.by_position(at) {
                self.annotation(argument)
            } else {
                self.expression(argument)
            });
        }
        let has_starred = call.arguments.args.iter().any(Expr::is_starred_expr);
        let mut keywords = Vec::with_capacity(call.arguments.keywords.len());
        let mut given = Vec::new();
        let mut has_spread = false;
        let id = self.keep(UsedExpression::Unknown);
        for keyword in &call.arguments.keywords {
            match &keyword.arg {
                Some(name) => {
                    let kind = OccurrenceKind::Keyword { call: id };
                    self.note(place(name), name.to_string(), kind);
                    keywords.push(name.to_string());
                }
                None => has_spread = true,
            }
            let is_type = keyword
                .arg
                .as_deref()
                .is_some_and(|name| types.by_name(name));
            let value = if is_type {
                self.annotation(&keyword.value)
            } else {
                self.expression(&keyword.value)
            };
            let name = keyword.arg.as_deref();
            given.extend(name.map(|name| (name, value)));
        }
        self.store_by_call(call, callee, &arguments, &given);
        self.names.expressions[id] = UsedExpression::Call {
            callee,
            arguments,
            scope: self.scope,
            keywords,
            has_starred,
            has_spread,
        };
        self.names.calls.insert(callee, id);
        self.in_annotation = annotation;
        id
    }

    /// Notes that a call sets an attribute: `setattr(x, "name", value)`, `setattr("module.name", value)`, and `patch` and `patch.object` of
    /// Python's mocks, where what is given no value takes any name.
    fn store_by_call(
        &mut self,
        call: &ast::ExprCall,
        callee: ExpressionId,
        arguments: &[ExpressionId],
        given: &[(&str, ExpressionId)],
    ) {
        let is_patch_of = |names: &ModuleNames, word: &str| match names.expression(callee) {
            UsedExpression::Attribute { receiver, name } if name == word => {
                names.last_word(*receiver) == Some("patch")
            }
            _ => false,
        };
        if is_patch_of(&self.names, "multiple") {
            return self.store_several(call, arguments, given);
        }
        let is_setter = is_patch_of(&self.names, "object")
            || matches!(self.names.last_word(callee), Some("setattr" | "patch"));
        let text = |at: usize| match call.arguments.args.get(at) {
            Some(Expr::StringLiteral(text)) if is_setter => Some(text.value.to_str()),
            _ => None,
        };
        let dotted = text(0).and_then(|text| text.rsplit_once('.'));
        let (receiver, name, value) = match (dotted, text(1), arguments) {
            (Some((around, name)), _, _) => {
                let parts = around.split('.').map(str::to_owned).collect();
                (StoreReceiver::Dotted(parts), name, arguments.get(1))
            }
            (None, Some(name), [receiver, ..]) => {
                let receiver = StoreReceiver::Expression(*receiver);
                (receiver, name, arguments.get(2))
            }
            _ => return,
        };
        let new = given.iter().find(|(name, _)| *name == "new");
        if let Some(value) = new.map(|(_, value)| *value).or(value.copied()) {
            self.names.stores.push(AttributeStore {
                name: name.to_owned(),
                receiver,
                value: Some(value),
            });
        }
    }

    /// Notes what `patch.multiple("module", name=value)` sets.
    fn store_several(
        &mut self,
        call: &ast::ExprCall,
        arguments: &[ExpressionId],
        given: &[(&str, ExpressionId)],
    ) {
        let receiver = match (call.arguments.args.first(), arguments) {
            (Some(Expr::StringLiteral(module)), _) => {
                let parts = module.value.to_str().split('.').map(str::to_owned);
                StoreReceiver::Dotted(parts.collect())
            }
            (Some(_), [receiver, ..]) => StoreReceiver::Expression(*receiver),
            _ => return,
        };
        let stores = given.iter().map(|(name, value)| AttributeStore {
            name: (*name).to_owned(),
            receiver: receiver.clone(),
            value: Some(*value),
        });
        self.names.stores.extend(stores);
    }

    fn subscript(&mut self, subscript: &ast::ExprSubscript) -> ExpressionId {
        let value = self.expression(&subscript.value);
        let index = self.index(value, &subscript.slice);
        self.keep(UsedExpression::Subscript { value, index })
    }

    fn walrus(&mut self, named: &ast::ExprNamed) -> ExpressionId {
        let value = self.expression(&named.value);
        let Expr::Name(target) = &*named.target else {
            return value;
        };
        // Comprehensions bind it in what is around them.
        let scope = self
            .names
            .outward(self.scope)
            .find(|scope| self.names.scopes[*scope].kind != NameScopeKind::Comprehension)
            .unwrap_or(0);
        let effect = std::mem::replace(&mut self.effect, place(named).end);
        let kind = BindingKind::Assigned {
            value: Some(value),
            annotation: None,
        };
        self.conditionally(|walker| walker.bind_in(scope, place(target), &target.id, kind));
        self.effect = effect;
        value
    }

    fn lambda(&mut self, lambda: &ast::ExprLambda) {
        if let Some(parameters) = &lambda.parameters {
            self.defaults(parameters);
        }
        self.inside(NameScopeKind::Lambda, None, place(lambda), |walker, _| {
            let effect = walker.effect;
            if let Some(parameters) = &lambda.parameters {
                walker.parameters(parameters, &[]);
            }
            walker.effect = effect;
            walker.expression(&lambda.body);
        });
    }

    fn comprehension(&mut self, whole: Span, generators: &[Comprehension], results: &[&Expr]) {
        // The first iterable is evaluated outside.
        let first = generators.first().map(|first| self.expression(&first.iter));
        self.inside(NameScopeKind::Comprehension, None, whole, |walker, _| {
            let effect = walker.effect;
            for (at, generator) in generators.iter().enumerate() {
                let iterated = match first {
                    Some(first) if at == 0 => first,
                    Some(_) | None => walker.expression(&generator.iter),
                };
                walker.effect = place(&generator.target).end;
                walker.target(&generator.target, &BindingKind::Iterated(iterated));
                for condition in &generator.ifs {
                    walker.expression(condition);
                    walker.narrow_by(condition);
                }
            }
            walker.effect = effect;
            for result in results {
                walker.expression(result);
            }
        });
    }

    fn interpolated(&mut self, elements: &InterpolatedStringElements) {
        let annotation = std::mem::take(&mut self.in_annotation);
        for element in elements {
            if let InterpolatedStringElement::Interpolation(interpolation) = element {
                self.expression(&interpolation.expression);
                if let Some(format) = &interpolation.format_spec {
                    self.interpolated(&format.elements);
                }
            }
        }
        self.in_annotation = annotation;
    }
}
