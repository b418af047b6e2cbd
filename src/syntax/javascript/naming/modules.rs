//! What imports, exports, and what stands for them in modules of CommonJS, say.

use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, BindingPattern, CallExpression, Declaration,
    ExportDefaultDeclarationKind, Expression, ObjectExpression, ObjectPropertyKind, PropertyKey,
    VariableDeclarator,
};

use super::walker::ScriptWalker;
use crate::syntax::script_names::{
    DEFAULT, ExportedValue, Receiver, ScriptExport, ScriptImport, ScriptImportName, WHOLE, WordRole,
};

impl ScriptWalker<'_> {
    /// Returns what an expression asks a member of.
    pub(super) fn receiver(&mut self, expression: &Expression<'_>) -> Receiver {
        if let Some(source) = self.take_module(expression) {
            return Receiver::Module(source);
        }
        match expression {
            Expression::Identifier(name) => {
                let bound = self.symbol_of(name);
                match bound {
                    Some(symbol) => {
                        self.receivers.insert(name.span.start);
                        Receiver::Symbol(symbol)
                    }
                    None if name.name == "exports" => Receiver::Exports,
                    None => Receiver::Global(name.name.to_string()),
                }
            }
            Expression::ThisExpression(_) => self.this(),
            Expression::ParenthesizedExpression(inner) => self.receiver(&inner.expression),
            Expression::TSNonNullExpression(inner) => self.receiver(&inner.expression),
            expression if self.is_exports(expression) => Receiver::Exports,
            _ => Receiver::Other,
        }
    }

    /// Returns how the module is written that an expression is, `require("./a")`, `await import("./a")`, for one who knows what becomes of it.
    fn take_module(&mut self, expression: &Expression<'_>) -> Option<String> {
        match expression {
            Expression::CallExpression(call) => {
                let source = self.required(call)?;
                self.consumed.insert(call.span.start);
                Some(source)
            }
            Expression::AwaitExpression(awaited) => {
                let Expression::ImportExpression(import) = &awaited.argument else {
                    return None;
                };
                let Expression::StringLiteral(source) = &import.source else {
                    return None;
                };
                self.consumed.insert(import.span.start);
                Some(source.value.to_string())
            }
            Expression::ParenthesizedExpression(inner) => self.take_module(&inner.expression),
            _ => None,
        }
    }

    /// Returns how the module is written that a call of `require` gives.
    pub(super) fn required(&self, call: &CallExpression<'_>) -> Option<String> {
        match call.arguments.first()?.as_expression()? {
            Expression::StringLiteral(source) if self.is_require(call) => {
                Some(source.value.to_string())
            }
            _ => None,
        }
    }

    /// Says whether a call is one of `require`.
    pub(super) fn is_require(&self, call: &CallExpression<'_>) -> bool {
        match &call.callee {
            Expression::Identifier(callee) => {
                callee.name == "require" && self.symbol_of(callee).is_none()
            }
            _ => false,
        }
    }

    /// Says whether an expression is `module.exports`.
    fn is_exports(&self, expression: &Expression<'_>) -> bool {
        let Expression::StaticMemberExpression(member) = expression else {
            return false;
        };
        let Expression::Identifier(object) = &member.object else {
            return false;
        };
        object.name == "module"
            && member.property.name == "exports"
            && self.symbol_of(object).is_none()
    }

    /// Takes in what a variable takes from a module: `const {a, b: c} = require("./a")`.
    pub(super) fn declared_from(&mut self, declared: &VariableDeclarator<'_>) {
        let Some(init) = &declared.init else {
            return;
        };
        match &declared.id {
            BindingPattern::BindingIdentifier(name) => {
                let Some(source) = self.take_module(init) else {
                    return;
                };
                // What is written again may be another one by then.
                if self.is_written_again(name.symbol_id()) {
                    self.names.loose.push(source);
                    return;
                }
                let symbol = ScriptWalker::index(name.symbol_id());
                self.names.imports.push(ScriptImport {
                    symbol,
                    source,
                    name: ScriptImportName::All,
                });
            }
            BindingPattern::ObjectPattern(pattern) if pattern.rest.is_none() => {
                let plain = pattern.properties.iter().all(|property| {
                    matches!(&property.key, PropertyKey::StaticIdentifier(_)) && !property.computed
                });
                if !plain {
                    return;
                }
                let receiver = self.receiver(init);
                for property in &pattern.properties {
                    let PropertyKey::StaticIdentifier(key) = &property.key else {
                        continue;
                    };
                    let start = key.span.start;
                    let role = WordRole::Member(receiver.clone());
                    match property.shorthand {
                        true => drop(self.shorts.insert(start, receiver.clone())),
                        false => drop(self.keys.insert(start, role)),
                    }
                    let value = match &property.value {
                        BindingPattern::AssignmentPattern(pattern) => &pattern.left,
                        value => value,
                    };
                    if let (Receiver::Module(source), BindingPattern::BindingIdentifier(name)) =
                        (&receiver, value)
                    {
                        self.names.imports.push(ScriptImport {
                            symbol: ScriptWalker::index(name.symbol_id()),
                            source: source.clone(),
                            name: ScriptImportName::One(key.name.to_string()),
                        });
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes in what an assignment hands to other modules: `exports.a = …`, `module.exports = {…}`.
    pub(super) fn assigned(&mut self, it: &AssignmentExpression<'_>) {
        let AssignmentTarget::StaticMemberExpression(member) = &it.left else {
            return;
        };
        let is_all = match &member.object {
            Expression::Identifier(object) => {
                object.name == "module"
                    && member.property.name == "exports"
                    && self.symbol_of(object).is_none()
            }
            _ => false,
        };
        if is_all {
            self.names.is_module = true;
            self.handed_on(&it.right);
            return;
        }
        let is_part = match &member.object {
            Expression::Identifier(object) => {
                object.name == "exports" && self.symbol_of(object).is_none()
            }
            object => self.is_exports(object),
        };
        if is_part {
            self.names.is_module = true;
            let property = &member.property;
            self.keys.insert(property.span.start, WordRole::Exported);
            let value = self.exported_value(&it.right);
            self.export(&property.name, value);
        }
    }

    /// Takes in what `module.exports` becomes.
    fn handed_on(&mut self, value: &Expression<'_>) {
        if let Some(source) = self.take_module(value) {
            self.names.stars.push(source);
            return;
        }
        match value {
            Expression::ObjectExpression(object) => self.handed_object(object),
            // `exports = module.exports = make`
            Expression::AssignmentExpression(inner) => self.handed_on(&inner.right),
            value => {
                let value = self.exported_value(value);
                self.export(WHOLE, value);
            }
        }
    }

    fn handed_object(&mut self, object: &ObjectExpression<'_>) {
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    if let Some(source) = self.take_module(&spread.argument) {
                        self.names.stars.push(source);
                    }
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    let PropertyKey::StaticIdentifier(key) = &property.key else {
                        if let Some(name) = property.key.static_name() {
                            self.export(&name, ExportedValue::Other);
                        }
                        continue;
                    };
                    let start = key.span.start;
                    match property.shorthand {
                        true => drop(self.shorts.insert(start, Receiver::Exports)),
                        false => drop(self.keys.insert(start, WordRole::Exported)),
                    }
                    let value = self.exported_value(&property.value);
                    self.export(&key.name, value);
                }
            }
        }
    }

    fn exported_value(&self, value: &Expression<'_>) -> ExportedValue {
        match value {
            Expression::Identifier(name) => match self.symbol_of(name) {
                Some(symbol) => ExportedValue::Symbol(symbol),
                None => ExportedValue::Other,
            },
            _ => ExportedValue::Other,
        }
    }

    pub(super) fn export(&mut self, name: &str, value: ExportedValue) {
        if self.in_blocks > 0 {
            return;
        }
        self.names.exports.push(ScriptExport {
            name: name.to_owned(),
            value,
        });
    }

    /// Takes in what a declaration with `export` binds.
    pub(super) fn export_declared(&mut self, declaration: &Declaration<'_>) {
        let names = match declaration {
            Declaration::VariableDeclaration(it) => it
                .declarations
                .iter()
                .flat_map(|it| it.id.get_binding_identifiers())
                .collect(),
            Declaration::FunctionDeclaration(it) => it.id.iter().collect(),
            Declaration::ClassDeclaration(it) => it.id.iter().collect(),
            Declaration::TSTypeAliasDeclaration(it) => vec![&it.id],
            Declaration::TSInterfaceDeclaration(it) => vec![&it.id],
            Declaration::TSEnumDeclaration(it) => vec![&it.id],
            Declaration::TSNamespaceDeclaration(it) => vec![&it.id],
            Declaration::TSImportEqualsDeclaration(it) => vec![&it.id],
            _ => Vec::new(),
        };
        for name in names {
            let value = ExportedValue::Symbol(ScriptWalker::index(name.symbol_id()));
            self.export(&name.name, value);
        }
    }

    /// Takes in what `export default` hands on.
    pub(super) fn export_default(&mut self, declaration: &ExportDefaultDeclarationKind<'_>) {
        let declared = match declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.id.as_ref(),
            ExportDefaultDeclarationKind::ClassDeclaration(it) => it.id.as_ref(),
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(it) => Some(&it.id),
            _ => None,
        };
        let value = match (declared, declaration.as_expression()) {
            (Some(name), _) => ExportedValue::Symbol(ScriptWalker::index(name.symbol_id())),
            (None, Some(value)) => self.exported_value(value),
            (None, None) => ExportedValue::Other,
        };
        self.export(DEFAULT, value);
    }
}
