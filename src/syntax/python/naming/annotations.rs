//! Strings that hold code: types in quotes, the words of `__all__` and `__slots__`, the name that a `TypeVar` is given.

use ruff_python_ast::{self as ast, Expr, StringLiteral};
use ruff_python_parser::parse_string_annotation;

use super::model::{ExpressionId, NameScopeKind, OccurrenceKind, UsedExpression};
use super::statements::folded;
use super::walker::{Walker, place};
use crate::text::Span;

/// What takes types in brackets.
const FORMS: [&str; 42] = [
    "Optional",
    "Union",
    "List",
    "list",
    "Dict",
    "dict",
    "Set",
    "set",
    "FrozenSet",
    "frozenset",
    "Tuple",
    "tuple",
    "Type",
    "type",
    "Callable",
    "ClassVar",
    "Final",
    "Iterable",
    "Iterator",
    "Sequence",
    "Mapping",
    "MutableMapping",
    "MutableSequence",
    "Collection",
    "Container",
    "Generator",
    "AsyncGenerator",
    "AsyncIterator",
    "AsyncIterable",
    "Awaitable",
    "Coroutine",
    "Deque",
    "DefaultDict",
    "OrderedDict",
    "Counter",
    "ChainMap",
    "Generic",
    "Protocol",
    "Required",
    "NotRequired",
    "ReadOnly",
    "TypeGuard",
];

/// Calls whose first argument is the name that their value is given.
const NAMING: [&str; 10] = [
    "TypeVar",
    "ParamSpec",
    "TypeVarTuple",
    "NewType",
    "namedtuple",
    "NamedTuple",
    "TypedDict",
    "Enum",
    "IntEnum",
    "TypeAliasType",
];

/// Which arguments of a call are types.
#[derive(Default)]
pub(super) struct TypeArguments {
    first: usize,
    from: Option<usize>,
    names: &'static [&'static str],
}

impl TypeArguments {
    pub(super) fn by_position(&self, at: usize) -> bool {
        at < self.first || self.from.is_some_and(|from| at >= from)
    }

    pub(super) fn by_name(&self, name: &str) -> bool {
        self.names.contains(&name)
    }
}

impl Walker<'_> {
    /// Walks a type.
    pub(super) fn annotation(&mut self, annotation: &Expr) -> ExpressionId {
        let before = std::mem::replace(&mut self.in_annotation, true);
        let found = self.expression(annotation);
        self.in_annotation = before;
        found
    }

    /// Walks what is in the brackets behind `value`.
    pub(super) fn index(&mut self, value: ExpressionId, index: &Expr) -> ExpressionId {
        // What a call gives is no form of a type: `type(self)["RED"]`.
        let is_called = matches!(self.names.expression(value), UsedExpression::Call { .. });
        let word = self.names.last_word(value).filter(|_| !is_called);
        let word = word.map(str::to_owned);
        let before = self.in_annotation;
        match word.as_deref() {
            Some("Literal") => self.in_annotation = false,
            Some("Annotated") => {
                let found = match index {
                    Expr::Tuple(tuple) => self.annotated_type(&tuple.elts),
                    _ => self.annotation(index),
                };
                return found;
            }
            Some(word) if FORMS.contains(&word) => self.in_annotation = true,
            Some(_) | None => {}
        }
        let found = self.expression(index);
        self.in_annotation = before;
        found
    }

    /// Walks a type and what is said of it.
    fn annotated_type(&mut self, elements: &[Expr]) -> ExpressionId {
        let Some((sort, rest)) = elements.split_first() else {
            return self.keep(UsedExpression::Unknown);
        };
        let sort = self.annotation(sort);
        let before = std::mem::take(&mut self.in_annotation);
        for said in rest {
            self.expression(said);
        }
        self.in_annotation = before;
        sort
    }

    /// Returns which arguments of a call of `callee` are types.
    pub(super) fn arguments_that_are_types(&self, callee: ExpressionId) -> TypeArguments {
        match self.names.last_word(callee) {
            Some("cast" | "assert_type") => TypeArguments {
                first: usize::from(self.names.last_word(callee) == Some("cast")),
                from: (self.names.last_word(callee) == Some("assert_type")).then_some(1),
                names: &["typ"],
            },
            Some("TypeVar") => TypeArguments {
                from: Some(1),
                names: &["bound", "default"],
                ..TypeArguments::default()
            },
            Some("NewType") => TypeArguments {
                from: Some(1),
                names: &["tp"],
                ..TypeArguments::default()
            },
            Some(_) | None => TypeArguments::default(),
        }
    }

    /// Walks a string, which is a type where one is expected.
    pub(super) fn string(&mut self, literal: &ast::ExprStringLiteral) -> ExpressionId {
        if self.in_annotation
            && let Some(part) = plain(self.text, literal)
            && let Ok(parsed) = parse_string_annotation(self.text, part)
        {
            let before = std::mem::replace(&mut self.in_text, true);
            let found = self.expression(parsed.expr());
            self.in_text = before;
            return found;
        }
        self.keep(UsedExpression::BuiltIn("str"))
    }

    /// Takes in the words of `__all__ = …`.
    pub(super) fn set_exports(&mut self, target: &Expr, value: &Expr) -> bool {
        if !self.is_exports(target) {
            return false;
        }
        self.names.exports.get_or_insert_default();
        self.exports_in(value);
        true
    }

    /// Takes in the words of `__all__ += …`.
    pub(super) fn extend_exports(&mut self, target: &Expr, value: &Expr) {
        if self.is_exports(target) {
            self.exports_in(value);
        }
    }

    /// Takes in the words of `__all__.extend(…)`, `__all__.append(…)`.
    pub(super) fn extend_exports_by_call(&mut self, call: &ast::ExprCall) {
        if let Expr::Attribute(method) = &*call.func
            && self.is_exports(&method.value)
        {
            for argument in &call.arguments.args {
                self.exports_in(argument);
            }
        }
    }

    fn is_exports(&self, target: &Expr) -> bool {
        let is_module = self.scope == 0;
        is_module && matches!(target, Expr::Name(name) if name.id.as_str() == "__all__")
    }

    fn exports_in(&mut self, value: &Expr) {
        match value {
            Expr::StringLiteral(literal) => {
                if let Some((span, word)) = word_of(self.text, literal) {
                    self.note(span, word.clone(), OccurrenceKind::Exported);
                    self.names.exports.get_or_insert_default().push(word);
                }
            }
            Expr::List(list) => list.elts.iter().for_each(|it| self.exports_in(it)),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|it| self.exports_in(it)),
            Expr::Set(set) => set.elts.iter().for_each(|it| self.exports_in(it)),
            Expr::Starred(starred) => self.exports_in(&starred.value),
            Expr::BinOp(sum) => {
                self.exports_in(&sum.left);
                self.exports_in(&sum.right);
            }
            _ => self.names.exports_more = true,
        }
    }

    /// Takes in the words of `__slots__` and `__match_args__`.
    pub(super) fn set_slots(&mut self, target: &Expr, value: &Expr) -> bool {
        let is_class = self.names.scopes[self.scope].kind == NameScopeKind::Class;
        let is_slots = matches!(target, Expr::Name(name)
            if matches!(name.id.as_str(), "__slots__" | "__match_args__"));
        let elements = match value {
            Expr::Tuple(tuple) => &tuple.elts[..],
            Expr::List(list) => &list.elts[..],
            Expr::StringLiteral(_) => std::slice::from_ref(value),
            _ => return false,
        };
        let are_words = elements.iter().all(Expr::is_string_literal_expr);
        if !(is_class && is_slots && are_words) {
            return false;
        }
        for element in elements {
            if let Expr::StringLiteral(literal) = element
                && let Some((span, word)) = word_of(self.text, literal)
            {
                let word = self.private(&word);
                self.note(span, word, OccurrenceKind::Slot);
            }
        }
        true
    }

    /// Notes the word that says again what `T = TypeVar("T")` binds.
    pub(super) fn names_of_definitions(&mut self, assign: &ast::StmtAssign) {
        let ([Expr::Name(target)], Expr::Call(call)) = (&assign.targets[..], &*assign.value) else {
            return;
        };
        let called = match &*call.func {
            Expr::Name(name) => name.id.as_str(),
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            _ => return,
        };
        if !NAMING.contains(&called) {
            return;
        }
        if let Some(Expr::StringLiteral(literal)) = call.arguments.args.first()
            && let Some((span, word)) = word_of(self.text, literal)
            && word == target.id.as_str()
        {
            let word = self.private(&word);
            self.note(span, word, OccurrenceKind::Store);
        }
    }
}

/// Returns a string that is in one piece and stands as it reads.
fn plain<'t>(text: &str, literal: &'t ast::ExprStringLiteral) -> Option<&'t StringLiteral> {
    let mut parts = literal.value.iter();
    let (part, None) = (parts.next()?, parts.next()) else {
        return None;
    };
    let whole = place(part);
    let inside = text.get(whole.start..whole.end)?;
    let inside = inside.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let quotes = if inside.starts_with("\"\"\"") || inside.starts_with("'''") {
        3
    } else {
        1
    };
    let inside = inside.get(quotes..inside.len().checked_sub(quotes)?)?;
    (inside == &*part.value).then_some(part)
}

/// Returns the one word that a string is, and where.
fn word_of(text: &str, literal: &ast::ExprStringLiteral) -> Option<(Span, String)> {
    let part = plain(text, literal)?;
    let whole = place(part);
    let offset = text.get(whole.start..whole.end)?.find(&*part.value)?;
    let is_word = !part.value.is_empty()
        && part
            .value
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
    let start = whole.start + offset;
    is_word.then(|| {
        (
            Span::new(start, start + part.value.len()),
            folded(&part.value),
        )
    })
}
