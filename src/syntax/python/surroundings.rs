//! Where a walk over a module is: the scopes around, and what `break` and `return` would leave. It answers the
//! questions of the parser's checker as CPython's symbol table and compiler would.
//!
//! Invariant: the scopes start with the module's, and the walk leaves that one last.

use std::cell::RefCell;

use ruff_python_ast::PythonVersion;
use ruff_python_parser::semantic_errors::{
    LazyImportContext, SemanticSyntaxContext, SemanticSyntaxError,
};
use ruff_text_size::TextRange;

use super::names::ScopeNames;

/// What a scope is, as far as errors go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeKind {
    /// The file's own.
    Module,
    /// A class's body.
    Class,
    /// A function's body.
    Function { is_async: bool },
    /// A lambda's body.
    Lambda,
    /// A list, set or dict comprehension.
    Comprehension { is_async: bool },
    /// A generator expression.
    Generator,
    /// The scope of type parameters, around the function, class or alias that they belong to.
    TypeParameters,
}

/// One scope.
pub(super) struct OpenScope {
    /// What it is.
    pub sort: ScopeKind,
    /// What is done with its names.
    pub names: ScopeNames,
}

impl OpenScope {
    /// Returns an empty one.
    pub(super) fn of(sort: ScopeKind) -> OpenScope {
        OpenScope {
            sort,
            names: ScopeNames::default(),
        }
    }
}

/// What `break`, `continue` and `return` would leave.
#[derive(Clone, Copy, Default)]
pub(super) struct Flow {
    /// A `break` has a loop to leave.
    pub in_loop: bool,
    /// Nothing may leave an `except*`, but a loop in it.
    pub in_except_star: bool,
    /// Loops, `with` and `try` around, of which CPython bears so many.
    pub blocks: usize,
}

impl Flow {
    /// Returns it with so many more blocks around.
    pub(super) fn blocks(self, more: usize) -> Flow {
        Flow {
            blocks: self.blocks + more,
            ..self
        }
    }

    /// Returns it as in a loop's body.
    pub(super) fn in_loop(self) -> Flow {
        Flow {
            in_loop: true,
            ..self.blocks(1)
        }
    }

    /// Returns it as in an `except*`.
    pub(super) fn in_except_star(self) -> Flow {
        Flow {
            in_loop: false,
            in_except_star: true,
            ..self
        }
    }
}

/// Where the walk is; it answers the checker's questions.
pub(super) struct CheckerContext<'a> {
    text: &'a str,
    /// What Python it is to be.
    pub version: PythonVersion,
    lazy_annotations: bool,
    /// From the module's to the innermost.
    pub scopes: Vec<OpenScope>,
    /// Inside a `try` statement.
    pub in_try: bool,
    /// What would be left here.
    pub flow: Flow,
    found: RefCell<Vec<SemanticSyntaxError>>,
}

impl CheckerContext<'_> {
    /// Returns the surroundings at the start of a module for Python 3.`minor`.
    pub(super) fn of_module(text: &str, minor: u8, lazy_annotations: bool) -> CheckerContext<'_> {
        CheckerContext {
            text,
            version: PythonVersion { major: 3, minor },
            lazy_annotations,
            scopes: vec![OpenScope::of(ScopeKind::Module)],
            in_try: false,
            flow: Flow::default(),
            found: RefCell::default(),
        }
    }

    /// Returns what the checker has complained of.
    pub(super) fn into_found(self) -> Vec<SemanticSyntaxError> {
        self.found.into_inner()
    }

    fn sorts(&self) -> impl Iterator<Item = ScopeKind> + '_ {
        self.scopes.iter().rev().map(|scope| scope.sort)
    }

    /// Returns what the innermost scope is.
    pub(super) fn here(&self) -> ScopeKind {
        self.sorts().next().unwrap_or(ScopeKind::Module)
    }
}

impl SemanticSyntaxContext for CheckerContext<'_> {
    fn future_annotations_or_stub(&self) -> bool {
        self.lazy_annotations
    }

    fn lazy_import_context(&self) -> Option<LazyImportContext> {
        match self.here() {
            ScopeKind::Function { .. } | ScopeKind::Lambda => Some(LazyImportContext::Function),
            ScopeKind::Class => Some(LazyImportContext::Class),
            _ if self.in_try => Some(LazyImportContext::TryExceptBlocks),
            _ => None,
        }
    }

    fn python_version(&self) -> PythonVersion {
        self.version
    }

    fn source(&self) -> &str {
        self.text
    }

    fn global(&self, _: &str) -> Option<TextRange> {
        None
    }

    fn has_nonlocal_binding(&self, _: &str) -> bool {
        true
    }

    /// An `await` may be in an async function, in a comprehension of one, and in any generator expression, which
    /// then is an async generator.
    fn in_async_context(&self) -> bool {
        for sort in self.sorts() {
            match sort {
                ScopeKind::Generator => return true,
                ScopeKind::Function { is_async } => return is_async,
                ScopeKind::Module | ScopeKind::Class | ScopeKind::Lambda => return false,
                ScopeKind::Comprehension { .. } | ScopeKind::TypeParameters => {}
            }
        }
        false
    }

    fn in_await_allowed_context(&self) -> bool {
        // `in_async_context` is stricter, and its error says the same.
        true
    }

    fn in_yield_allowed_context(&self) -> bool {
        matches!(self.here(), ScopeKind::Function { .. } | ScopeKind::Lambda)
    }

    fn in_sync_comprehension(&self) -> bool {
        self.sorts()
            .any(|sort| sort == ScopeKind::Comprehension { is_async: false })
    }

    fn in_class_body_comprehension(&self) -> bool {
        let around = self
            .sorts()
            .find(|sort| !matches!(sort, ScopeKind::Comprehension { .. } | ScopeKind::Generator));
        around == Some(ScopeKind::Class)
    }

    fn in_module_scope(&self) -> bool {
        self.here() == ScopeKind::Module
    }

    fn in_function_scope(&self) -> bool {
        matches!(self.here(), ScopeKind::Function { .. } | ScopeKind::Lambda)
    }

    fn in_generator_context(&self) -> bool {
        false
    }

    fn in_notebook(&self) -> bool {
        false
    }

    fn report_semantic_error(&self, error: SemanticSyntaxError) {
        self.found.borrow_mut().push(error);
    }

    fn in_loop_context(&self) -> bool {
        self.flow.in_loop
    }

    fn is_bound_parameter(&self, _: &str) -> bool {
        false
    }
}
