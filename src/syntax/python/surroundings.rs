//! Where a walk over a module stands: the scopes around, and what `break` and `return` would leave. It answers the
//! questions of the parser's checker as CPython's symbol table and compiler would.
//!
//! Invariant: the scopes start with the module's, and the walk leaves that one last.

use std::cell::RefCell;

use ruff_python_ast::PythonVersion;
use ruff_python_parser::semantic_errors::{
    LazyImportContext, SemanticSyntaxContext, SemanticSyntaxError,
};
use ruff_text_size::TextRange;

use super::names::Names;

/// What a scope is, as far as errors go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
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
pub struct Scope {
    /// What it is.
    pub sort: Sort,
    /// What is done with its names.
    pub names: Names,
}

impl Scope {
    /// Returns an empty one.
    pub fn of(sort: Sort) -> Scope {
        Scope {
            sort,
            names: Names::default(),
        }
    }
}

/// What `break`, `continue` and `return` would leave.
#[derive(Clone, Copy, Default)]
pub struct Flow {
    /// A `break` has a loop to leave.
    pub in_loop: bool,
    /// Nothing may leave an `except*`, but a loop in it.
    pub in_except_star: bool,
    /// Loops, `with` and `try` around, of which CPython bears so many.
    pub blocks: usize,
}

impl Flow {
    /// Returns it with so many more blocks around.
    pub fn blocks(self, more: usize) -> Flow {
        Flow {
            blocks: self.blocks + more,
            ..self
        }
    }

    /// Returns it as in a loop's body.
    pub fn in_loop(self) -> Flow {
        Flow {
            in_loop: true,
            ..self.blocks(1)
        }
    }

    /// Returns it as in an `except*`.
    pub fn in_except_star(self) -> Flow {
        Flow {
            in_loop: false,
            in_except_star: true,
            ..self
        }
    }
}

/// Where the walk stands; it answers the checker's questions.
pub struct Surroundings<'a> {
    text: &'a str,
    /// What Python it is to be.
    pub version: PythonVersion,
    lazy_annotations: bool,
    /// From the module's to the innermost.
    pub scopes: Vec<Scope>,
    /// Inside a `try` statement.
    pub in_try: bool,
    /// What would be left here.
    pub flow: Flow,
    found: RefCell<Vec<SemanticSyntaxError>>,
}

impl Surroundings<'_> {
    /// Returns the surroundings at the start of a module for Python 3.`minor`.
    pub fn of_module(text: &str, minor: u8, lazy_annotations: bool) -> Surroundings<'_> {
        Surroundings {
            text,
            version: PythonVersion { major: 3, minor },
            lazy_annotations,
            scopes: vec![Scope::of(Sort::Module)],
            in_try: false,
            flow: Flow::default(),
            found: RefCell::default(),
        }
    }

    /// Returns what the checker has complained of.
    pub fn into_found(self) -> Vec<SemanticSyntaxError> {
        self.found.into_inner()
    }

    fn sorts(&self) -> impl Iterator<Item = Sort> + '_ {
        self.scopes.iter().rev().map(|scope| scope.sort)
    }

    /// Returns what the innermost scope is.
    pub fn here(&self) -> Sort {
        self.sorts().next().unwrap_or(Sort::Module)
    }
}

impl SemanticSyntaxContext for Surroundings<'_> {
    fn future_annotations_or_stub(&self) -> bool {
        self.lazy_annotations
    }

    fn lazy_import_context(&self) -> Option<LazyImportContext> {
        match self.here() {
            Sort::Function { .. } | Sort::Lambda => Some(LazyImportContext::Function),
            Sort::Class => Some(LazyImportContext::Class),
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

    /// An `await` may stand in an async function, in a comprehension of one, and in any generator expression, which
    /// then is an async generator.
    fn in_async_context(&self) -> bool {
        for sort in self.sorts() {
            match sort {
                Sort::Generator => return true,
                Sort::Function { is_async } => return is_async,
                Sort::Module | Sort::Class | Sort::Lambda => return false,
                Sort::Comprehension { .. } | Sort::TypeParameters => {}
            }
        }
        false
    }

    fn in_await_allowed_context(&self) -> bool {
        // `in_async_context` is stricter, and its error says the same.
        true
    }

    fn in_yield_allowed_context(&self) -> bool {
        matches!(self.here(), Sort::Function { .. } | Sort::Lambda)
    }

    fn in_sync_comprehension(&self) -> bool {
        self.sorts()
            .any(|sort| sort == Sort::Comprehension { is_async: false })
    }

    fn in_class_body_comprehension(&self) -> bool {
        let around = self
            .sorts()
            .find(|sort| !matches!(sort, Sort::Comprehension { .. } | Sort::Generator));
        around == Some(Sort::Class)
    }

    fn in_module_scope(&self) -> bool {
        self.here() == Sort::Module
    }

    fn in_function_scope(&self) -> bool {
        matches!(self.here(), Sort::Function { .. } | Sort::Lambda)
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
