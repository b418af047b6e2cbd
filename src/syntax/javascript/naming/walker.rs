//! The walk over a file: each name that is written in it, and what it is there.

use std::collections::{HashMap, HashSet};

use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, AssignmentTargetPropertyIdentifier,
    BindingIdentifier, BindingProperty, CallExpression, Class, ClassElement,
    ComputedMemberExpression, ExportAllDeclaration, ExportDeclaration, ExportDefaultDeclaration,
    ExportFromDeclaration, ExportNamedDeclaration, ExportSpecifier, Expression, FormalParameter,
    FormalParameters, Function, IdentifierName, IdentifierReference, ImportDeclaration,
    ImportDeclarationSpecifier, ImportExpression, ImportSpecifier, JSXAttributeName,
    JSXElementName, JSXIdentifier, JSXMemberExpression, JSXMemberExpressionObject, JSXText,
    LabelIdentifier, MethodDefinition, ModuleExportName, ObjectExpression, ObjectPattern,
    ObjectProperty, ObjectPropertyKind, PrivateIdentifier, Program, PropertyDefinition,
    PropertyKey, RegExpLiteral, StaticBlock, StaticMemberExpression, StringLiteral,
    TSEnumDeclaration, TSEnumMemberName, TSExportAssignment, TSExternalModuleDeclaration,
    TSGlobalDeclaration, TSImportEqualsDeclaration, TSImportType, TSImportTypeQualifier,
    TSInterfaceDeclaration, TSLiteral, TSLiteralType, TSModuleReference, TSNamedTupleMember,
    TSNamespaceDeclaration, TSQualifiedName, TSSignature, TSType, TSTypeAliasDeclaration,
    TSTypeLiteral, TSTypeName, TemplateElement, UnaryExpression, VariableDeclarator, WithStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, ScopeId, Scoping, SymbolId};
use oxc_span::{GetSpan as _, Span as OxcSpan};

use crate::syntax::script_names::{
    DEFAULT, ExportedValue, OwnerKind, Receiver, ScriptExport, ScriptImport, ScriptImportName,
    ScriptNames, ScriptOwner, ScriptSymbol, ScriptWord, WHOLE, WordRole,
};
use crate::text::Span;

/// The walk. What a parent knows of a name in it is kept by where the name begins, until the walk comes to it.
pub(super) struct ScriptWalker<'s> {
    scoping: &'s Scoping,
    pub(super) names: ScriptNames,
    pub(super) keys: HashMap<u32, WordRole>,
    pub(super) shorts: HashMap<u32, Receiver>,
    /// Names of which a member is asked for.
    pub(super) receivers: HashSet<u32>,
    /// Modules given by an expression whose parent knows what becomes of them.
    pub(super) consumed: HashSet<u32>,
    /// Parameters that make a member, and the class.
    both: HashMap<u32, usize>,
    /// Objects and types that are called by a symbol.
    called: HashMap<u32, usize>,
    /// Objects of which a type is said.
    typed: HashSet<u32>,
    /// The classes around.
    classes: Vec<usize>,
    /// What `this` is.
    this: Vec<Receiver>,
    next_this: Option<Receiver>,
    /// Scopes of the functions around, and of those whose parameters are being read with where these end.
    functions: Vec<ScopeId>,
    parameters: Vec<(ScopeId, u32)>,
    /// Whether it asks whether it is a module: `typeof module`.
    is_dual: bool,
    /// How many blocks that have exports of their own are around.
    pub(super) in_blocks: usize,
    /// How many blocks that declare what other files see are around.
    in_shared: usize,
    /// Scopes of namespaces, and what those are called by.
    namespaces: HashMap<ScopeId, usize>,
    /// `#name` as it is declared, and as it is used: where in `words`, and the classes around.
    privates: HashSet<(usize, String)>,
    private_uses: Vec<(usize, Vec<usize>)>,
}

impl<'s> ScriptWalker<'s> {
    pub(super) fn new(scoping: &'s Scoping) -> ScriptWalker<'s> {
        ScriptWalker {
            scoping,
            names: ScriptNames::default(),
            keys: HashMap::new(),
            shorts: HashMap::new(),
            receivers: HashSet::new(),
            consumed: HashSet::new(),
            both: HashMap::new(),
            called: HashMap::new(),
            typed: HashSet::new(),
            classes: Vec::new(),
            this: Vec::new(),
            next_this: None,
            functions: Vec::new(),
            parameters: Vec::new(),
            is_dual: false,
            in_blocks: 0,
            in_shared: 0,
            namespaces: HashMap::new(),
            privates: HashSet::new(),
            private_uses: Vec::new(),
        }
    }

    /// Returns the names of a program.
    pub(super) fn names(mut self, program: &Program<'_>) -> ScriptNames {
        let root = self.scoping.root_scope_id();
        for symbol in self.scoping.symbol_ids() {
            self.names.symbols.push(ScriptSymbol {
                name: self.scoping.symbol_name(symbol).to_owned(),
                span: span(self.scoping.symbol_span(symbol)),
                is_root: self.scoping.symbol_scope_id(symbol) == root,
                is_shared: false,
                namespace: None,
                may_be_module: self.scoping.symbol_flags(symbol).is_variable(),
            });
        }
        self.visit_program(program);
        // A script that is a module where there are such.
        self.names.is_module &= !self.is_dual;
        for comment in &program.comments {
            self.names.texts.push((span(comment.span), true));
        }
        for symbol in self.scoping.symbol_ids() {
            let scope = self.scoping.symbol_scope_id(symbol);
            let namespace = self.namespaces.get(&scope).copied();
            self.names.symbols[ScriptWalker::index(symbol)].namespace = namespace;
        }
        for (word, classes) in std::mem::take(&mut self.private_uses) {
            let word = &mut self.names.words[word];
            let declares = |class: &&usize| self.privates.contains(&(**class, word.name.clone()));
            word.role = WordRole::Private(classes.iter().rev().find(declares).copied());
        }
        self.names.words.sort_by_key(|word| word.span);
        self.names.texts.sort();
        self.names
    }

    /// Returns which of the symbols one is.
    pub(super) fn index(symbol: SymbolId) -> usize {
        symbol.index()
    }

    /// Says whether a name in a parameter would be what the body of the same function binds, which it cannot be.
    fn is_of_body(&self, symbol: usize) -> bool {
        let symbol = SymbolId::from_usize(symbol);
        let scope = self.scoping.symbol_scope_id(symbol);
        let start = self.scoping.symbol_span(symbol).start;
        let mut parameters = self.parameters.iter();
        parameters.any(|(function, end)| *function == scope && start >= *end)
    }

    /// Says whether something is given to a variable after it is declared.
    pub(super) fn is_written_again(&self, symbol: SymbolId) -> bool {
        self.scoping.symbol_is_mutated(symbol)
    }

    /// Returns what a scope of the file binds that a name leads to.
    pub(super) fn symbol_of(&self, name: &IdentifierReference<'_>) -> Option<usize> {
        let reference = self.scoping.get_reference(name.reference_id.get()?);
        reference.symbol_id().map(ScriptWalker::index)
    }

    pub(super) fn this(&self) -> Receiver {
        self.this.last().cloned().unwrap_or(Receiver::Other)
    }

    fn add(&mut self, place: OxcSpan, name: &str, role: WordRole) {
        self.names.words.push(ScriptWord {
            span: span(place),
            name: name.to_owned(),
            role,
        });
    }

    /// Takes in a key in quotes, whose name is what is between them.
    fn add_text(&mut self, text: &StringLiteral<'_>, role: WordRole) {
        let place = OxcSpan::new(text.span.start + 1, text.span.end.saturating_sub(1));
        if place.start <= place.end {
            self.add(place, &text.value, role);
        }
    }

    fn owner(&mut self, symbol: Option<usize>, kind: OwnerKind, has_base: bool) -> usize {
        self.names.owners.push(ScriptOwner {
            symbol,
            kind,
            has_base,
        });
        self.names.owners.len() - 1
    }

    /// Says what the key of a member is that is defined here.
    fn own_key(&mut self, key: &PropertyKey<'_>, owner: usize, is_static: bool) {
        let role = WordRole::Member(Receiver::Own(owner, is_static));
        match key {
            PropertyKey::StaticIdentifier(name) => {
                self.keys.entry(name.span.start).or_insert(role);
            }
            PropertyKey::StringLiteral(name) => self.add_text(name, role),
            PropertyKey::PrivateIdentifier(name) => {
                self.privates.insert((owner, name.name.to_string()));
            }
            _ => {}
        }
    }

    fn in_this(&mut self, this: Receiver, inner: impl FnOnce(&mut Self)) {
        self.this.push(this);
        inner(self);
        self.this.pop();
    }

    fn signatures(&mut self, signatures: &[TSSignature<'_>], owner: usize) {
        for signature in signatures {
            match signature {
                TSSignature::TSPropertySignature(it) => self.own_key(&it.key, owner, false),
                TSSignature::TSMethodSignature(it) => self.own_key(&it.key, owner, false),
                _ => {}
            }
        }
    }
}

/// Returns the path that an expression is, and where it is written: a text that begins with `./` or `../`.
fn path_in(expression: &Expression<'_>) -> Option<(String, OxcSpan)> {
    let (text, place) = match expression {
        Expression::StringLiteral(text) => (text.value.to_string(), text.span),
        Expression::TemplateLiteral(text) => (text.single_quasi()?.to_string(), text.span),
        _ => return None,
    };
    let is_path = text.starts_with("./") || text.starts_with("../");
    is_path.then_some((text, place))
}

/// Says whether an expression is `{…} as const`, of which no type is said.
fn is_constant_value(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::TSAsExpression(it) => it.type_annotation.is_const_type_reference(),
        Expression::ParenthesizedExpression(it) => is_constant_value(&it.expression),
        _ => false,
    }
}

fn span(span: OxcSpan) -> Span {
    Span::new(span.start as usize, span.end as usize)
}

impl<'a> Visit<'a> for ScriptWalker<'_> {
    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        let symbol = ScriptWalker::index(it.symbol_id());
        if self.in_shared > 0 {
            self.names.symbols[symbol].is_shared = true;
        }
        let start = it.span.start;
        let role = match (self.shorts.remove(&start), self.both.remove(&start)) {
            (Some(of), _) => WordRole::Short(of, Some(symbol)),
            (None, Some(class)) => WordRole::Both(symbol, class),
            // A binding asks for nothing.
            (None, None) => WordRole::Bound {
                symbol,
                is_receiver: true,
            },
        };
        self.add(it.span, &it.name, role);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let symbol = self.symbol_of(it);
        if symbol.is_none() {
            self.names.runs_text |= it.name == "eval";
            self.names.is_commonjs |= matches!(&*it.name, "module" | "exports" | "require");
            // Whoever has it may load anything.
            let is_called = self.consumed.contains(&it.span.start);
            self.names.loads_others |= it.name == "require" && !is_called;
        }
        let start = it.span.start;
        let role = match (self.shorts.remove(&start), symbol) {
            (_, Some(symbol)) if self.is_of_body(symbol) => WordRole::Unknown,
            (Some(of), symbol) => WordRole::Short(of, symbol),
            (None, Some(symbol)) => WordRole::Bound {
                symbol,
                is_receiver: self.receivers.contains(&start),
            },
            (None, None) => WordRole::Global,
        };
        self.add(it.span, &it.name, role);
    }

    fn visit_identifier_name(&mut self, it: &IdentifierName<'a>) {
        if self.shorts.contains_key(&it.span.start) {
            return;
        }
        let role = self.keys.remove(&it.span.start);
        self.add(it.span, &it.name, role.unwrap_or(WordRole::Unknown));
    }

    fn visit_label_identifier(&mut self, it: &LabelIdentifier<'a>) {
        self.add(it.span, &it.name, WordRole::Else);
    }

    fn visit_private_identifier(&mut self, it: &PrivateIdentifier<'a>) {
        self.private_uses
            .push((self.names.words.len(), self.classes.clone()));
        self.add(it.span, &it.name, WordRole::Private(None));
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        let receiver = self.receiver(&it.object);
        let role = WordRole::Member(receiver);
        self.keys.entry(it.property.span.start).or_insert(role);
        walk::walk_static_member_expression(self, it);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        match &it.expression {
            Expression::StringLiteral(key) => {
                let receiver = self.receiver(&it.object);
                self.add_text(key, WordRole::Member(receiver));
            }
            Expression::TemplateLiteral(key) => {
                if let Some(text) = key.single_quasi() {
                    let receiver = self.receiver(&it.object);
                    let place = OxcSpan::new(key.span.start + 1, key.span.end.saturating_sub(1));
                    self.add(place, &text, WordRole::Member(receiver));
                }
            }
            _ => {}
        }
        walk::walk_computed_member_expression(self, it);
    }

    fn visit_ts_qualified_name(&mut self, it: &TSQualifiedName<'a>) {
        let receiver = match &it.left {
            TSTypeName::IdentifierReference(name) => match self.symbol_of(name) {
                Some(symbol) => {
                    self.receivers.insert(name.span.start);
                    Receiver::Symbol(symbol)
                }
                None => Receiver::Global(name.name.to_string()),
            },
            _ => Receiver::Other,
        };
        self.keys
            .insert(it.right.span.start, WordRole::Member(receiver));
        walk::walk_ts_qualified_name(self, it);
    }

    fn visit_ts_import_type(&mut self, it: &TSImportType<'a>) {
        self.names.specifiers.push(span(it.source.span));
        let source = it.source.value.to_string();
        let mut qualifier = it.qualifier.as_ref();
        if qualifier.is_none() {
            self.names.loose.push(source.clone());
        }
        while let Some(TSImportTypeQualifier::QualifiedName(name)) = qualifier {
            let role = WordRole::Member(Receiver::Other);
            self.keys.insert(name.right.span.start, role);
            qualifier = Some(&name.left);
        }
        if let Some(TSImportTypeQualifier::Identifier(name)) = qualifier {
            self.keys.insert(name.span.start, WordRole::Foreign(source));
        }
        walk::walk_ts_import_type(self, it);
    }

    fn visit_ts_literal_type(&mut self, it: &TSLiteralType<'a>) {
        if let TSLiteral::StringLiteral(text) = &it.literal {
            self.add_text(text, WordRole::Member(Receiver::Other));
        }
        walk::walk_ts_literal_type(self, it);
    }

    fn visit_ts_named_tuple_member(&mut self, it: &TSNamedTupleMember<'a>) {
        self.keys.insert(it.label.span.start, WordRole::Else);
        walk::walk_ts_named_tuple_member(self, it);
    }

    fn visit_jsx_member_expression(&mut self, it: &JSXMemberExpression<'a>) {
        let receiver = match &it.object {
            JSXMemberExpressionObject::IdentifierReference(name) => match self.symbol_of(name) {
                Some(symbol) => {
                    self.receivers.insert(name.span.start);
                    Receiver::Symbol(symbol)
                }
                None => Receiver::Global(name.name.to_string()),
            },
            JSXMemberExpressionObject::ThisExpression(_) => self.this(),
            JSXMemberExpressionObject::MemberExpression(_) => Receiver::Other,
        };
        self.keys
            .insert(it.property.span.start, WordRole::Member(receiver));
        walk::walk_jsx_member_expression(self, it);
    }

    fn visit_jsx_attribute_name(&mut self, it: &JSXAttributeName<'a>) {
        if let JSXAttributeName::Identifier(name) = it {
            let role = WordRole::Member(Receiver::Other);
            self.keys.insert(name.span.start, role);
        }
        walk::walk_jsx_attribute_name(self, it);
    }

    fn visit_jsx_element_name(&mut self, it: &JSXElementName<'a>) {
        if let JSXElementName::Identifier(name) = it {
            self.keys.insert(name.span.start, WordRole::Else);
        }
        walk::walk_jsx_element_name(self, it);
    }

    fn visit_jsx_identifier(&mut self, it: &JSXIdentifier<'a>) {
        let role = self.keys.remove(&it.span.start);
        self.add(it.span, &it.name, role.unwrap_or(WordRole::Else));
    }

    fn visit_jsx_text(&mut self, it: &JSXText<'a>) {
        self.names.texts.push((span(it.span), false));
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.names.texts.push((span(it.span), false));
    }

    fn visit_template_element(&mut self, it: &TemplateElement<'a>) {
        self.names.texts.push((span(it.span), false));
    }

    fn visit_reg_exp_literal(&mut self, it: &RegExpLiteral<'a>) {
        self.names.texts.push((span(it.span), false));
    }

    fn visit_object_pattern(&mut self, it: &ObjectPattern<'a>) {
        for property in &it.properties {
            self.pattern_key(property);
        }
        walk::walk_object_pattern(self, it);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        it: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        let start = it.binding.span.start;
        self.shorts.insert(start, Receiver::Other);
        walk::walk_assignment_target_property_identifier(self, it);
    }

    fn visit_property_key(&mut self, it: &PropertyKey<'a>) {
        if let PropertyKey::StaticIdentifier(name) = it {
            let role = WordRole::Member(Receiver::Other);
            if !self.shorts.contains_key(&name.span.start) {
                self.keys.entry(name.span.start).or_insert(role);
            }
        }
        walk::walk_property_key(self, it);
    }

    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        let symbol = self.called.remove(&it.span.start);
        let has_type = self.typed.remove(&it.span.start);
        let owner = self.owner(symbol, OwnerKind::Object, has_type);
        for property in &it.properties {
            if let ObjectPropertyKind::ObjectProperty(property) = property
                && !property.computed
            {
                self.object_key(property, owner);
            }
        }
        walk::walk_object_expression(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.declared_from(it);
        if let (Some(name), Some(init)) = (it.id.get_binding_identifier(), &it.init)
            && let Expression::ObjectExpression(object) = init.get_inner_expression()
        {
            let flags = self.scoping.symbol_flags(name.symbol_id());
            let is_constant = flags.is_const_variable();
            let symbol = ScriptWalker::index(name.symbol_id());
            self.called.insert(object.span.start, symbol);
            let is_spread = |property: &ObjectPropertyKind<'_>| {
                matches!(property, ObjectPropertyKind::SpreadProperty(_))
            };
            let is_constant = is_constant && !object.properties.iter().any(is_spread);
            let is_plain = matches!(init, Expression::ObjectExpression(_));
            if it.type_annotation.is_some() || !is_plain && !is_constant_value(init) {
                self.typed.insert(object.span.start);
            }
            self.names.symbols[symbol].may_be_module &= !is_constant;
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.assigned(it);
        walk::walk_assignment_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Some(source) = self.required(it) {
            self.names.is_module = true;
            if !self.consumed.contains(&it.span.start) {
                self.names.loose.push(source);
            }
        }
        if let Expression::Identifier(callee) = &it.callee
            && callee.name == "require"
        {
            self.consumed.insert(callee.span.start);
        }
        self.names.loads_others |= self.is_require(it) && self.required(it).is_none();
        let is_known = self.required(it).is_some();
        for argument in it.arguments.iter().filter_map(|it| it.as_expression()) {
            // `jest.mock("./a", …)`, `fresh("./a")`: whoever gets a path may load what is there.
            if let Some((source, place)) = path_in(argument) {
                self.names.specifiers.push(span(place));
                if !is_known {
                    self.names.loose.push(source);
                }
            }
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        match path_in(&it.source) {
            Some((source, place)) => {
                self.names.specifiers.push(span(place));
                if !self.consumed.contains(&it.span.start) {
                    self.names.loose.push(source);
                }
            }
            None => {
                self.names.loads_others |= !matches!(it.source, Expression::StringLiteral(_));
            }
        }
        walk::walk_import_expression(self, it);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        if it.operator.is_typeof()
            && let Expression::Identifier(name) = &it.argument
            && matches!(&*name.name, "module" | "exports" | "define")
            && self.symbol_of(name).is_none()
        {
            self.is_dual = true;
        }
        walk::walk_unary_expression(self, it);
    }

    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        self.names.runs_text = true;
        walk::walk_with_statement(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let this = self.next_this.take().unwrap_or(Receiver::Other);
        self.functions.extend(it.scope_id.get());
        self.in_this(this, |walker| walk::walk_function(walker, it, flags));
        self.functions.pop();
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.next_this = None;
        self.functions.extend(it.scope_id.get());
        walk::walk_arrow_function_expression(self, it);
        self.functions.pop();
    }

    fn visit_formal_parameters(&mut self, it: &FormalParameters<'a>) {
        let function = self.functions.last().copied();
        self.parameters
            .extend(function.map(|function| (function, it.span.end)));
        walk::walk_formal_parameters(self, it);
        if function.is_some() {
            self.parameters.pop();
        }
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        let is_member = it.accessibility.is_some() || it.readonly || it.r#override;
        if is_member
            && let Some(class) = self.classes.last()
            && let Some(name) = it.pattern.get_binding_identifier()
        {
            self.both.insert(name.span.start, *class);
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let symbol = it
            .id
            .as_ref()
            .map(|name| ScriptWalker::index(name.symbol_id()));
        let has_base = it.heritage.is_some() || !it.implements.is_empty();
        let decorated = |member: &ClassElement<'_>| match member {
            ClassElement::MethodDefinition(it) => !it.decorators.is_empty(),
            ClassElement::PropertyDefinition(it) => !it.decorators.is_empty(),
            ClassElement::AccessorProperty(it) => !it.decorators.is_empty(),
            _ => false,
        };
        let is_decorated = !it.decorators.is_empty() || it.body.body.iter().any(decorated);
        let class = self.owner(symbol, OwnerKind::Class, has_base || is_decorated);
        for member in &it.body.body {
            match member {
                ClassElement::MethodDefinition(it) if !it.computed => {
                    self.own_key(&it.key, class, it.r#static);
                }
                ClassElement::PropertyDefinition(it) if !it.computed => {
                    self.own_key(&it.key, class, it.r#static);
                }
                ClassElement::AccessorProperty(it) if !it.computed => {
                    self.own_key(&it.key, class, it.r#static);
                }
                _ => {}
            }
        }
        self.classes.push(class);
        walk::walk_class(self, it);
        self.classes.pop();
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        let this = self.this_in_class(it.r#static);
        self.visit_decorators(&it.decorators);
        self.visit_property_key(&it.key);
        self.next_this = Some(this);
        self.visit_function(&it.value, ScopeFlags::Function);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        let this = self.this_in_class(it.r#static);
        self.in_this(this, |walker| {
            walk::walk_property_definition(walker, it);
        });
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        let this = self.this_in_class(true);
        self.in_this(this, |walker| walk::walk_static_block(walker, it));
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        let symbol = ScriptWalker::index(it.id.symbol_id());
        let owner = self.owner(Some(symbol), OwnerKind::Enum, false);
        let role = WordRole::Member(Receiver::Own(owner, true));
        for member in &it.body.members {
            match &member.id {
                TSEnumMemberName::Identifier(name) => {
                    self.keys.insert(name.span.start, role.clone());
                }
                TSEnumMemberName::String(name) => self.add_text(name, role.clone()),
                _ => {}
            }
        }
        walk::walk_ts_enum_declaration(self, it);
    }

    fn visit_ts_interface_declaration(&mut self, it: &TSInterfaceDeclaration<'a>) {
        let symbol = ScriptWalker::index(it.id.symbol_id());
        let owner = self.owner(Some(symbol), OwnerKind::Type, !it.extends.is_empty());
        self.signatures(&it.body.body, owner);
        walk::walk_ts_interface_declaration(self, it);
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        if let TSType::TSTypeLiteral(literal) = &it.type_annotation {
            let symbol = ScriptWalker::index(it.id.symbol_id());
            self.called.insert(literal.span.start, symbol);
        }
        walk::walk_ts_type_alias_declaration(self, it);
    }

    fn visit_ts_type_literal(&mut self, it: &TSTypeLiteral<'a>) {
        let symbol = self.called.remove(&it.span.start);
        let owner = self.owner(symbol, OwnerKind::Type, false);
        self.signatures(&it.members, owner);
        walk::walk_ts_type_literal(self, it);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        if let Some(scope) = it.scope_id.get() {
            let symbol = ScriptWalker::index(it.id.symbol_id());
            self.namespaces.insert(scope, symbol);
        }
        self.in_blocks += 1;
        walk::walk_ts_namespace_declaration(self, it);
        self.in_blocks -= 1;
    }

    fn visit_ts_external_module_declaration(&mut self, it: &TSExternalModuleDeclaration<'a>) {
        self.names.augments = true;
        self.names.specifiers.push(span(it.id.span));
        self.in_blocks += 1;
        self.in_shared += 1;
        walk::walk_ts_external_module_declaration(self, it);
        self.in_blocks -= 1;
        self.in_shared -= 1;
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        self.in_blocks += 1;
        self.in_shared += 1;
        walk::walk_ts_global_declaration(self, it);
        self.in_blocks -= 1;
        self.in_shared -= 1;
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.names.is_module = true;
        self.names.specifiers.push(span(it.source.span));
        for specifier in it.specifiers.iter().flatten() {
            let (symbol, name) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => (
                    it.local.symbol_id(),
                    ScriptImportName::One(word_of(&it.imported).to_owned()),
                ),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => (
                    it.local.symbol_id(),
                    ScriptImportName::One(DEFAULT.to_owned()),
                ),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                    (it.local.symbol_id(), ScriptImportName::All)
                }
            };
            self.names.imports.push(ScriptImport {
                symbol: ScriptWalker::index(symbol),
                source: it.source.value.to_string(),
                name,
            });
            if let ImportDeclarationSpecifier::ImportSpecifier(specifier) = specifier
                && specifier.imported.span() != specifier.local.span
            {
                let role = WordRole::Foreign(it.source.value.to_string());
                self.alias(&specifier.imported, role);
            }
        }
        walk::walk_import_declaration(self, it);
    }

    fn visit_import_specifier(&mut self, it: &ImportSpecifier<'a>) {
        if it.imported.span() != it.local.span {
            self.visit_module_export_name(&it.imported);
        }
        self.visit_binding_identifier(&it.local);
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        if self.in_blocks == 0 {
            self.names.is_module = true;
        }
        self.export_declared(&it.declaration);
        walk::walk_export_declaration(self, it);
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.names.is_module |= self.in_blocks == 0;
        walk::walk_export_named_declaration(self, it);
    }

    fn visit_export_specifier(&mut self, it: &ExportSpecifier<'a>) {
        let value = match &it.local {
            ModuleExportName::IdentifierReference(name) => match self.symbol_of(name) {
                Some(symbol) => ExportedValue::Symbol(symbol),
                None => ExportedValue::Other,
            },
            _ => ExportedValue::Other,
        };
        self.export(word_of(&it.exported), value);
        self.visit_module_export_name(&it.local);
        if it.local.span() != it.exported.span() {
            self.alias(&it.exported, WordRole::Exported);
            self.visit_module_export_name(&it.exported);
        }
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.names.is_module = true;
        self.names.specifiers.push(span(it.source.span));
        let source = it.source.value.to_string();
        for specifier in &it.specifiers {
            let taken = ScriptImportName::One(word_of(&specifier.local).to_owned());
            let value = ExportedValue::Foreign(source.clone(), taken);
            self.export(word_of(&specifier.exported), value);
            self.alias(&specifier.local, WordRole::Foreign(source.clone()));
            self.visit_module_export_name(&specifier.local);
            if specifier.local.span() != specifier.exported.span() {
                self.alias(&specifier.exported, WordRole::Exported);
                self.visit_module_export_name(&specifier.exported);
            }
        }
        self.visit_string_literal(&it.source);
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.names.is_module = true;
        self.names.specifiers.push(span(it.source.span));
        let source = it.source.value.to_string();
        match &it.exported {
            None => self.names.stars.push(source),
            Some(name) => {
                self.names.loose.push(source.clone());
                let value = ExportedValue::Foreign(source, ScriptImportName::All);
                self.export(word_of(name), value);
                self.alias(name, WordRole::Exported);
            }
        }
        walk::walk_export_all_declaration(self, it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.names.is_module = true;
        self.export_default(&it.declaration);
        walk::walk_export_default_declaration(self, it);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.names.is_module = true;
        if let Expression::Identifier(name) = &it.expression
            && let Some(symbol) = self.symbol_of(name)
        {
            self.names.exports.push(ScriptExport {
                name: WHOLE.to_owned(),
                value: ExportedValue::Symbol(symbol),
            });
        }
        walk::walk_ts_export_assignment(self, it);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        if let TSModuleReference::ExternalModuleReference(module) = &it.module_reference {
            self.names.is_module = true;
            self.names.specifiers.push(span(module.expression.span));
            self.names.imports.push(ScriptImport {
                symbol: ScriptWalker::index(it.id.symbol_id()),
                source: module.expression.value.to_string(),
                name: ScriptImportName::All,
            });
        }
        walk::walk_ts_import_equals_declaration(self, it);
    }
}

impl ScriptWalker<'_> {
    fn this_in_class(&self, is_static: bool) -> Receiver {
        match self.classes.last() {
            Some(class) => Receiver::This(*class, is_static),
            None => Receiver::Other,
        }
    }

    /// Says what the name of another module, or for one, is in a list.
    fn alias(&mut self, name: &ModuleExportName<'_>, role: WordRole) {
        match name {
            ModuleExportName::IdentifierName(name) => {
                self.keys.insert(name.span.start, role);
            }
            ModuleExportName::StringLiteral(name) => self.add_text(name, role),
            ModuleExportName::IdentifierReference(_) => {}
        }
    }

    fn pattern_key(&mut self, property: &BindingProperty<'_>) {
        let PropertyKey::StaticIdentifier(key) = &property.key else {
            return;
        };
        if property.computed || self.shorts.contains_key(&key.span.start) {
            return;
        }
        match property.shorthand {
            true => drop(self.shorts.insert(key.span.start, Receiver::Other)),
            false => {
                let role = WordRole::Member(Receiver::Other);
                self.keys.entry(key.span.start).or_insert(role);
            }
        }
    }

    fn object_key(&mut self, property: &ObjectProperty<'_>, owner: usize) {
        match (&property.key, property.shorthand) {
            (PropertyKey::StaticIdentifier(name), true) => {
                let of = Receiver::Own(owner, true);
                self.shorts.entry(name.span.start).or_insert(of);
            }
            _ => self.own_key(&property.key, owner, true),
        }
    }
}

/// Returns a name of an import or export.
fn word_of<'n>(name: &'n ModuleExportName<'_>) -> &'n str {
    match name {
        ModuleExportName::IdentifierName(name) => &name.name,
        ModuleExportName::IdentifierReference(name) => &name.name,
        ModuleExportName::StringLiteral(name) => &name.value,
    }
}
