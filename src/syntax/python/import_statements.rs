//! The import statements of a module as they are written: where each is, what it names, and what else is in its first level.
//!
//! Deliberately not here: what an import means to others (`imports`), and where a new one goes (plan).

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Alias, Expr, Stmt};

use super::module;
use super::naming::ImportOrigin;
use super::source::{SourceText, span};
use crate::text::Span;

/// One import statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportStatement {
    /// From its first word to its last byte, comments after it left out.
    pub(crate) span: Span,
    /// The module of `from … import`; `None` of a plain `import`.
    pub(crate) from: Option<ImportOrigin>,
    /// What it names, at least one.
    pub(crate) names: Vec<ImportedName>,
    /// The brackets around the names, both included.
    pub(crate) brackets: Option<Span>,
    /// What it is inside of.
    pub(crate) within: ImportPlace,
}

/// One name of an import statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ImportedName {
    /// The name, or of a plain `import` the module with its dots; `*` for everything.
    pub(crate) name: String,
    /// What it is called here.
    pub(crate) alias: Option<String>,
    /// Where, its alias with it.
    pub(crate) span: Span,
}

/// What an import is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportPlace {
    /// The module itself.
    Module,
    /// A `try`, an `if` or their like, of the module itself.
    Branch,
    /// A branch that is not gone into when the module is imported: by those who check types, or by a script.
    OtherRun,
    /// A function or class.
    Definition,
}

/// One statement of the module itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ModuleStatement {
    /// From its first byte, decorators included, to its last.
    pub(crate) span: Span,
    /// What it is.
    pub(crate) kind: ModuleStatementKind,
}

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModuleStatementKind {
    /// The docstring.
    Docstring,
    /// An import.
    Import,
    /// A function or class.
    Definition,
    /// One that calls something for its effect, loops, or sets a part of something: it may change what it finds.
    Effect,
    /// Anything else.
    Other,
}

/// All of one module.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImportTable {
    /// Whether the file parses; else the rest is empty.
    pub(crate) is_sound: bool,
    /// The statements of the module itself, in order.
    pub(crate) statements: Vec<ModuleStatement>,
    /// Every import statement, in order.
    pub(crate) imports: Vec<ImportStatement>,
}

impl ImportTable {
    /// Returns the statement of the module itself that a place is in.
    pub(crate) fn statement_around(&self, place: Span) -> Option<&ModuleStatement> {
        let starts = |it: &ModuleStatement| it.span.start <= place.start;
        let after = self.statements.partition_point(starts);
        let around = self.statements.get(after.checked_sub(1)?)?;
        around.span.contains(place).then_some(around)
    }
}

impl ModuleStatement {
    /// Says whether a statement of a file is what that does as a script alone.
    pub(crate) fn is_of_script(&self, bytes: &[u8]) -> bool {
        self.span.of(bytes).starts_with(b"if __name__")
    }
}

impl ImportStatement {
    /// Reads what is one import statement and nothing else, or says what is wrong.
    pub(crate) fn parse(text: &str) -> Result<ImportStatement, String> {
        let table = import_table(text.as_bytes());
        let is_alone = table.statements.len() == 1 && table.imports.len() == 1;
        let mut imports = table.imports;
        let statement = imports
            .pop()
            .filter(|_| table.is_sound && is_alone)
            .ok_or("is one import statement: `import x` or `from x import y`")?;
        if text.contains('#') {
            return Err("is an import without a comment".to_owned());
        }
        Ok(statement)
    }

    /// Returns it as it is written in one line.
    pub(crate) fn words(&self) -> String {
        let names: Vec<String> = self.names.iter().map(ImportedName::words).collect();
        match &self.from {
            Some(from) => format!("from {} import {}", from.words(), names.join(", ")),
            None => format!("import {}", names.join(", ")),
        }
    }

    /// Returns it of each of its names alone.
    pub(crate) fn one_by_one(&self) -> impl Iterator<Item = ImportStatement> {
        self.names.iter().map(|name| ImportStatement {
            names: vec![name.clone()],
            ..self.clone()
        })
    }

    /// Returns the module that it names first.
    pub(crate) fn origin(&self) -> ImportOrigin {
        match (&self.from, self.names.first()) {
            (Some(from), _) => from.clone(),
            (None, first) => ImportOrigin {
                dots: 0,
                parts: first
                    .map(|name| name.name.split('.').map(str::to_owned).collect())
                    .unwrap_or_default(),
            },
        }
    }

    /// Returns where it names its module, in the bytes that it was read from, if nothing but that is there.
    pub(crate) fn place_of_origin(&self, bytes: &[u8]) -> Option<Span> {
        let first = self.names.first()?;
        let start = self.span.start + b"from".len();
        let text = std::str::from_utf8(bytes.get(start..first.span.start)?).ok()?;
        let text = &text[..text.rfind("import")?];
        let is_plain = !text.contains(['\\', '\n', '#']);
        let blank = text.len() - text.trim_start().len();
        let start = start + blank;
        is_plain.then(|| Span::new(start, start + text.trim().len()))
    }

    /// Says whether it imports everything.
    pub(crate) fn is_star(&self) -> bool {
        self.names.iter().any(|name| name.name == "*")
    }
}

impl ImportedName {
    /// Returns it as it is written.
    pub(crate) fn words(&self) -> String {
        match &self.alias {
            Some(alias) => format!("{} as {alias}", self.name),
            None => self.name.clone(),
        }
    }

    /// Returns the name that it binds.
    pub(crate) fn bound(&self) -> &str {
        let first = self.name.split('.').next().unwrap_or(&self.name);
        self.alias.as_deref().unwrap_or(first)
    }
}

impl ImportOrigin {
    /// Returns it as it is written.
    pub(crate) fn words(&self) -> String {
        ".".repeat(self.dots) + &self.parts.join(".")
    }
}

/// Returns the import statements of a module.
pub(crate) fn import_table(bytes: &[u8]) -> ImportTable {
    let source = SourceText::of(bytes);
    let read = |module: &ruff_python_parser::Parsed<ruff_python_ast::ModModule>| {
        if !module.has_valid_syntax() {
            return ImportTable::default();
        }
        let mut walker = StatementWalker {
            text: source.as_str(),
            found: ImportTable {
                is_sound: true,
                ..ImportTable::default()
            },
            within: ImportPlace::Module,
        };
        for (at, statement) in module.syntax().body.iter().enumerate() {
            let kind = match statement {
                Stmt::Import(_) | Stmt::ImportFrom(_) => ModuleStatementKind::Import,
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => ModuleStatementKind::Definition,
                Stmt::Expr(it) if at == 0 && it.value.is_string_literal_expr() => {
                    ModuleStatementKind::Docstring
                }
                _ if has_effect(statement) => ModuleStatementKind::Effect,
                _ => ModuleStatementKind::Other,
            };
            let span = span(statement);
            walker.found.statements.push(ModuleStatement { span, kind });
            walker.visit_stmt(statement);
        }
        walker.found
    };
    module::parsed(source.as_str(), super::NEWEST_MINOR, read).unwrap_or_default()
}

struct StatementWalker<'a> {
    text: &'a str,
    found: ImportTable,
    within: ImportPlace,
}

impl StatementWalker<'_> {
    fn take(&mut self, statement: &Stmt, from: Option<ImportOrigin>, names: &[Alias]) {
        let own = span(statement);
        let names: Vec<ImportedName> = names
            .iter()
            .map(|alias| ImportedName {
                name: alias.name.to_string(),
                alias: alias.asname.as_ref().map(ToString::to_string),
                span: span(alias),
            })
            .collect();
        let (Some(first), Some(last)) = (names.first(), names.last()) else {
            return;
        };
        // A bracket after the last name is a part of the statement, as comments inside of it are.
        let before = self.text.get(own.start..first.span.start).unwrap_or("");
        let is_bracketed = self
            .text
            .get(last.span.end..own.end)
            .is_some_and(|after| after.ends_with(')'));
        let brackets = before
            .split('#')
            .next()
            .and_then(|code| code.find('('))
            .filter(|_| is_bracketed)
            .map(|at| Span::new(own.start + at, own.end));
        self.found.imports.push(ImportStatement {
            span: own,
            from,
            names,
            brackets,
            within: self.within,
        });
    }

    fn inside(&mut self, place: ImportPlace, statement: &Stmt) {
        let around = self.within;
        self.within = match (around, place) {
            (ImportPlace::Definition, _) => ImportPlace::Definition,
            (ImportPlace::OtherRun, ImportPlace::Branch) => ImportPlace::OtherRun,
            _ => place,
        };
        visitor::walk_stmt(self, statement);
        self.within = around;
    }
}

impl<'a> Visitor<'a> for StatementWalker<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => self.take(statement, None, &import.names),
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map(ToString::to_string);
                let parts = module.map_or(Vec::new(), |module| {
                    module.split('.').map(str::to_owned).collect()
                });
                let from = ImportOrigin {
                    dots: import.level as usize,
                    parts,
                };
                self.take(statement, Some(from), &import.names);
            }
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {
                self.inside(ImportPlace::Definition, statement);
            }
            Stmt::If(branch) if is_for_other_runs(&branch.test) => {
                let around = self.within;
                if around != ImportPlace::Definition {
                    self.within = ImportPlace::OtherRun;
                }
                self.visit_body(&branch.body);
                self.within = match around {
                    ImportPlace::Module => ImportPlace::Branch,
                    other => other,
                };
                for clause in &branch.elif_else_clauses {
                    self.visit_body(&clause.body);
                }
                self.within = around;
            }
            _ => self.inside(ImportPlace::Branch, statement),
        }
    }

    // No statement is inside of an expression.
    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// Says whether a statement may change something that another one made.
fn has_effect(statement: &Stmt) -> bool {
    let any = |body: &[Stmt]| body.iter().any(has_effect);
    match statement {
        Stmt::Expr(it) => {
            !(it.value.is_string_literal_expr() || it.value.is_ellipsis_literal_expr())
        }
        Stmt::Assign(it) => !it.targets.iter().all(Expr::is_name_expr),
        Stmt::AnnAssign(it) => !it.target.is_name_expr(),
        Stmt::If(it) => {
            any(&it.body) || it.elif_else_clauses.iter().any(|clause| any(&clause.body))
        }
        Stmt::Try(it) => {
            let handlers = it.handlers.iter().any(|handler| {
                let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                any(&handler.body)
            });
            any(&it.body) || handlers || any(&it.orelse) || any(&it.finalbody)
        }
        Stmt::FunctionDef(_)
        | Stmt::ClassDef(_)
        | Stmt::Import(_)
        | Stmt::ImportFrom(_)
        | Stmt::TypeAlias(_)
        | Stmt::Return(_)
        | Stmt::Pass(_)
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::Global(_)
        | Stmt::Nonlocal(_)
        | Stmt::Assert(_)
        | Stmt::Raise(_)
        | Stmt::IpyEscapeCommand(_) => false,
        Stmt::AugAssign(_)
        | Stmt::Delete(_)
        | Stmt::For(_)
        | Stmt::While(_)
        | Stmt::With(_)
        | Stmt::Match(_) => true,
    }
}

/// Says whether a statement is a branch for those alone who check types, with no other branch beside it.
pub(crate) fn is_type_checking(statement: &[u8]) -> bool {
    let header = statement.split(|byte| *byte == b':').next();
    let test = header.and_then(|header| header.strip_prefix(b"if "));
    let words = test.map(|test| test.trim_ascii());
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let is_test = words.is_some_and(|words| {
        let last = words.rsplit(|byte| *byte == b'.').next();
        last == Some(b"TYPE_CHECKING") && words.iter().all(is_name)
    });
    let begins = |line: &[u8], word: &[u8]| line.starts_with(word);
    let mut lines = statement.split(|byte| *byte == b'\n');
    is_test && !lines.any(|line| begins(line, b"else") || begins(line, b"elif"))
}

/// Says whether a test is one of `TYPE_CHECKING`, or whether the module is run as a script.
fn is_for_other_runs(test: &Expr) -> bool {
    let is_word = |expression: &Expr, word: &str| match expression {
        Expr::Name(name) => name.id.as_str() == word,
        Expr::Attribute(attribute) => attribute.attr.as_str() == word,
        _ => false,
    };
    match test {
        Expr::Compare(compare) => is_word(&compare.left, "__name__"),
        _ => is_word(test, "TYPE_CHECKING"),
    }
}
