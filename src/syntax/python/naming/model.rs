//! `ModuleNames`: what a module binds and where it writes names, in words of our own.

use std::collections::{BTreeMap, HashMap};

use crate::text::Span;

/// A scope of a module, by its place in `ModuleNames::scopes`; the module's own is 0.
pub(crate) type ScopeId = usize;

/// An expression of a module, by its place in `ModuleNames::expressions`.
pub(crate) type ExpressionId = usize;

/// All names of one module.
#[derive(Debug, Default)]
pub(crate) struct ModuleNames {
    /// Whether the file parses; else nothing but `texts` may be relied on.
    pub(crate) is_sound: bool,
    /// The module's scope first; each before those inside of it.
    pub(crate) scopes: Vec<NameScope>,
    /// Every place where a name is written, in the order of the file.
    pub(crate) occurrences: Vec<NameOccurrence>,
    /// Expressions that say what something is.
    pub(crate) expressions: Vec<UsedExpression>,
    /// The call of which an expression is the callee.
    pub(crate) calls: HashMap<ExpressionId, ExpressionId>,
    /// Attributes that it sets, but those that methods set of their first parameter.
    pub(crate) stores: Vec<AttributeStore>,
    /// Modules of which it imports everything.
    pub(crate) stars: Vec<ImportOrigin>,
    /// The names in `__all__`; `None` where there is none.
    pub(crate) exports: Option<Vec<String>>,
    /// Whether it has others, too, that are worked out: `__all__ = a.__all__ + b.__all__`.
    pub(crate) exports_more: bool,
    /// Comments and strings, in the order of the file.
    pub(crate) texts: Vec<(Span, UsedText)>,
}

/// What is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsedText {
    /// A comment.
    Comment,
    /// A string, or what of one is no code.
    String,
}

/// One scope.
#[derive(Debug)]
pub(crate) struct NameScope {
    /// What opens it.
    pub(crate) kind: NameScopeKind,
    /// The one around it.
    pub(crate) parent: Option<ScopeId>,
    /// The name of its function or class.
    pub(crate) name: Option<String>,
    /// From the first byte of what opens it to its last.
    pub(crate) span: Span,
    /// What it binds or declares.
    pub(crate) names: BTreeMap<String, BoundName>,
    /// Of a class: what its methods set as attributes of their first parameter.
    pub(crate) members: BTreeMap<String, Vec<MemberBinding>>,
    /// Of a function.
    pub(crate) function: Option<FunctionHeader>,
    /// Of a class.
    pub(crate) class: Option<ClassHeader>,
}

/// What opens a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameScopeKind {
    /// The module.
    Module,
    /// A class.
    Class,
    /// A function.
    Function,
    /// A lambda.
    Lambda,
    /// A comprehension or generator.
    Comprehension,
    /// The type parameters of a function, class or alias.
    TypeParameters,
}

/// One name in one scope.
#[derive(Debug, Default)]
pub(crate) struct BoundName {
    /// Where it is bound, in the order of the file.
    pub(crate) bindings: Vec<NameBinding>,
    /// Set by `global` or `nonlocal`.
    pub(crate) outward: Option<Outward>,
}

/// Where a name leads that a scope declares to be another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outward {
    /// To the module.
    Global,
    /// To a function around it.
    Nonlocal,
}

/// One place where a name is bound.
#[derive(Debug)]
pub(crate) struct NameBinding {
    /// The name.
    pub(crate) span: Span,
    /// From here on it is bound.
    pub(crate) at: usize,
    /// Whether the scope can be left, or gone on with, without it.
    pub(crate) is_conditional: bool,
    /// What it is bound to.
    pub(crate) kind: BindingKind,
}

/// What a name is bound to.
#[derive(Clone, Debug)]
pub(crate) enum BindingKind {
    /// A function, by its scope.
    Function(ScopeId),
    /// A class, by its scope.
    Class(ScopeId),
    /// A name of a module, or one of its modules.
    Imported {
        /// The module.
        from: ImportOrigin,
        /// The name there.
        name: String,
    },
    /// The first part of a module's name: `import a.b`.
    ModulePart {
        /// All parts.
        parts: Vec<String>,
    },
    /// A module by another name: `import a.b as c`.
    ModuleAlias {
        /// All parts.
        parts: Vec<String>,
    },
    /// A parameter of a function or lambda.
    Parameter {
        /// Its type.
        annotation: Option<ExpressionId>,
        /// What arguments it takes.
        kind: ParameterKind,
    },
    /// A value, a type, or both.
    Assigned {
        /// What is assigned.
        value: Option<ExpressionId>,
        /// The type.
        annotation: Option<ExpressionId>,
    },
    /// Each of several values.
    Iterated(ExpressionId),
    /// What a context manager gives.
    Entered(ExpressionId),
    /// An exception of a type.
    Caught(Option<ExpressionId>),
    /// What a pattern captures of a class.
    Captured(Option<ExpressionId>),
    /// A type parameter.
    TypeParameter,
    /// Taken away by `del`.
    Deleted,
    /// Something else.
    Unknown,
}

/// What arguments a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    /// By position alone.
    Positional,
    /// By position or name.
    Plain,
    /// By name alone.
    Keyword,
    /// `*args`
    Rest,
    /// `**kwargs`
    Keywords,
}

/// A module as an import names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ImportOrigin {
    /// How many folders above: `from ..x import y` has 2.
    pub(crate) dots: usize,
    /// Its parts.
    pub(crate) parts: Vec<String>,
}

/// An attribute that a method sets.
#[derive(Clone, Debug)]
pub(crate) struct MemberBinding {
    /// Its name.
    pub(crate) span: Span,
    /// What is assigned.
    pub(crate) value: Option<ExpressionId>,
    /// Its type.
    pub(crate) annotation: Option<ExpressionId>,
}

/// An attribute that is set of whatever: `x.name = value`, `setattr(x, "name", value)`.
#[derive(Clone, Debug)]
pub(crate) struct AttributeStore {
    /// Its name, as it is looked up.
    pub(crate) name: String,
    /// What it is an attribute of.
    pub(crate) receiver: StoreReceiver,
    /// What is assigned, where that is plain.
    pub(crate) value: Option<ExpressionId>,
}

/// What an attribute is set of.
#[derive(Clone, Debug)]
pub(crate) enum StoreReceiver {
    /// What an expression is.
    Expression(ExpressionId),
    /// A module, or what is in one, by its dotted name: `patch("app.service.Client", Fake)`.
    Dotted(Vec<String>),
}

/// What a function says of itself.
#[derive(Debug, Default)]
pub(crate) struct FunctionHeader {
    /// Its decorators.
    pub(crate) decorators: Vec<ExpressionId>,
    /// The type that it returns.
    pub(crate) returns: Option<ExpressionId>,
    /// The values that it returns.
    pub(crate) returned: Vec<ExpressionId>,
    /// Whether it is `async`.
    pub(crate) is_async: bool,
    /// Whether it yields.
    pub(crate) yields: bool,
    /// The first parameter.
    pub(crate) first: Option<String>,
    /// All parameters, in their order.
    pub(crate) parameters: Vec<FunctionParameter>,
}

/// One parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionParameter {
    /// Its name.
    pub(crate) name: String,
    /// What arguments it takes.
    pub(crate) kind: ParameterKind,
    /// Whether it can be left out.
    pub(crate) has_default: bool,
}

/// What a class says of itself.
#[derive(Debug, Default)]
pub(crate) struct ClassHeader {
    /// Its decorators.
    pub(crate) decorators: Vec<ExpressionId>,
    /// Its bases.
    pub(crate) bases: Vec<ExpressionId>,
    /// Whether bases are computed (`*bases`).
    pub(crate) has_unknown_bases: bool,
    /// Whether it names a metaclass.
    pub(crate) has_metaclass: bool,
}

/// One place where a name is written.
#[derive(Debug)]
pub(crate) struct NameOccurrence {
    /// Where.
    pub(crate) span: Span,
    /// The name, as it is looked up.
    pub(crate) name: String,
    /// The scope that it is looked up from.
    pub(crate) scope: ScopeId,
    /// What it is there.
    pub(crate) kind: OccurrenceKind,
}

/// What a name is where it is written.
#[derive(Clone, Debug)]
pub(crate) enum OccurrenceKind {
    /// A plain name that is read.
    Load {
        /// The expression.
        expression: ExpressionId,
    },
    /// A plain name that is bound, or declared.
    Store,
    /// An attribute.
    Attribute {
        /// The expression.
        expression: ExpressionId,
        /// What it is an attribute of.
        receiver: ExpressionId,
        /// Whether it is bound or taken away there.
        is_target: bool,
    },
    /// The name of an argument.
    Keyword {
        /// The call.
        call: ExpressionId,
    },
    /// The attribute of a class in a pattern.
    KeywordPattern {
        /// The class.
        class: ExpressionId,
    },
    /// A name that is imported from a module.
    Imported {
        /// The module.
        from: ImportOrigin,
        /// Whether it is bound here by the same word.
        binds: bool,
    },
    /// A part of a module's name.
    ModulePart,
    /// A word of `__all__`.
    Exported,
    /// A word that names an attribute of the class around it: `__slots__`.
    Slot,
}

/// An expression, as far as it says what something is.
#[derive(Clone, Debug)]
pub(crate) enum UsedExpression {
    /// Nothing is known of it.
    Unknown,
    /// `None`
    Nothing,
    /// Of a class that is built in.
    BuiltIn(&'static str),
    /// A name.
    Name {
        /// The name.
        name: String,
        /// Where it is looked up.
        scope: ScopeId,
        /// Where it is.
        at: usize,
        /// The end of the loop around it.
        loop_end: usize,
        /// The class that a test says it is of.
        narrowed: Option<ExpressionId>,
    },
    /// An attribute.
    Attribute {
        /// Of what.
        receiver: ExpressionId,
        /// Its name.
        name: String,
    },
    /// A call.
    Call {
        /// Of what.
        callee: ExpressionId,
        /// The arguments by position.
        arguments: Vec<ExpressionId>,
        /// The scope that it is in.
        scope: ScopeId,
        /// The names of the arguments that have one.
        keywords: Vec<String>,
        /// Whether it has `*arguments`.
        has_starred: bool,
        /// Whether it has `**arguments`.
        has_spread: bool,
    },
    /// One of several: `a if c else b`, `a or b`.
    Either(Vec<ExpressionId>),
    /// `a | b`
    Union(ExpressionId, ExpressionId),
    /// `a[b]`
    Subscript {
        /// `a`
        value: ExpressionId,
        /// `b`
        index: ExpressionId,
    },
    /// A tuple or list, by its elements.
    Group(Vec<ExpressionId>),
    /// `await a`
    Awaited(ExpressionId),
}

impl NameScope {
    /// Returns the decorators of its function or class.
    pub(crate) fn decorators(&self) -> &[ExpressionId] {
        let of_function = self.function.as_ref().map(|it| &it.decorators);
        let of_class = self.class.as_ref().map(|it| &it.decorators);
        of_function.or(of_class).map_or(&[], |all| all)
    }
}

impl ModuleNames {
    /// Returns the scopes around `scope`, itself first.
    pub(crate) fn outward(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |scope| self.scopes[*scope].parent)
    }

    /// Returns the class that the function of `scope` is a method of.
    pub(crate) fn class_of_method(&self, scope: ScopeId) -> Option<ScopeId> {
        if self.scopes[scope].kind != NameScopeKind::Function {
            return None;
        }
        self.scope_of_code(scope)
            .filter(|around| self.scopes[*around].kind == NameScopeKind::Class)
    }

    /// Returns the scope around `scope`, type parameters left out.
    pub(crate) fn scope_of_code(&self, scope: ScopeId) -> Option<ScopeId> {
        self.outward(scope)
            .skip(1)
            .find(|around| self.scopes[*around].kind != NameScopeKind::TypeParameters)
    }

    /// Returns what an expression is.
    pub(crate) fn expression(&self, id: ExpressionId) -> &UsedExpression {
        &self.expressions[id]
    }

    /// Returns the last word of a name or attribute.
    pub(crate) fn last_word(&self, id: ExpressionId) -> Option<&str> {
        match self.expression(id) {
            UsedExpression::Name { name, .. } | UsedExpression::Attribute { name, .. } => {
                Some(name)
            }
            UsedExpression::Call { callee, .. } => self.last_word(*callee),
            UsedExpression::Unknown
            | UsedExpression::Nothing
            | UsedExpression::BuiltIn(_)
            | UsedExpression::Either(_)
            | UsedExpression::Union(..)
            | UsedExpression::Subscript { .. }
            | UsedExpression::Group(_)
            | UsedExpression::Awaited(_) => None,
        }
    }

    /// Says whether one of `decorators` ends in one of `words`.
    pub(crate) fn is_decorated(&self, decorators: &[ExpressionId], words: &[&str]) -> bool {
        decorators.iter().any(|decorator| {
            self.last_word(*decorator)
                .is_some_and(|word| words.contains(&word))
        })
    }
}
