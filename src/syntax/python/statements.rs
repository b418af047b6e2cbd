//! The statements of a module, those inside others included.
//!
//! Blocks are at most 99 deep (`module` saw to it), so that to go down by recursion is safe.

use ruff_python_ast::{AnyNodeRef, ElifElseClause, ExceptHandler, MatchCase, Stmt};
use ruff_text_size::{Ranged, TextSize};

use super::outline::is_docstring;
use super::source::{between, offset};
use crate::syntax::Statement;
use crate::text::Span;

/// In which of its blocks a statement is, as far as no clause around it says.
const BODY: u16 = 0;
const ELSE: u16 = 1;
const FINALLY: u16 = 2;
const BLOCKS: u16 = 3;

/// Returns the statements of `body`, which is in `text`, in the order in which they begin, one around others before
/// them.
pub(super) fn find_statements(text: &str, body: &[Stmt]) -> Vec<Statement> {
    let mut walk = StatementCollector {
        text,
        found: Vec::new(),
    };
    walk.block(body, BODY, 0);
    walk.mark(body, 0);
    walk.found
}

struct StatementCollector<'t> {
    text: &'t str,
    found: Vec<Statement>,
}

impl StatementCollector<'_> {
    fn block(&mut self, body: &[Stmt], block: u16, depth: usize) {
        for statement in body {
            let node = AnyNodeRef::from(statement);
            // After the decorators.
            let start = match statement {
                Stmt::FunctionDef(function) if function.is_async => {
                    self.start_with_words(function.name.start(), &["def", "async"])
                }
                Stmt::FunctionDef(function) => {
                    self.start_with_words(function.name.start(), &["def"])
                }
                Stmt::ClassDef(class) => self.start_with_words(class.name.start(), &["class"]),
                _ => offset(statement.start()),
            };
            self.add(
                node.kind() as u16 * BLOCKS + block,
                start,
                offset(statement.end()),
                depth,
            );
            if let Some(added) = self.found.last_mut() {
                added.decorated = offset(statement.start());
            }
            self.inside(statement, depth + 1);
        }
    }

    /// Marks what has to be first of the block that begins at the statement with this number.
    fn mark(&mut self, body: &[Stmt], at: usize) {
        let count = leading_statements(body);
        let Some(depth) = self.found.get(at).map(|first| first.depth) else {
            return;
        };
        let own = self
            .found
            .iter_mut()
            .skip(at)
            .filter(|statement| statement.depth == depth);
        own.take(count).for_each(|statement| statement.leads = true);
    }

    /// Returns where the words before a name begin, the last one first.
    fn start_with_words(&self, name: TextSize, words: &[&str]) -> usize {
        let head = self.text.get(..offset(name)).unwrap_or_default();
        let without = |head: &str, word: &&str| head.trim_end().strip_suffix(word).map(str::len);
        let begun = words
            .iter()
            .try_fold(head.len(), |end, word| without(head.get(..end)?, word));
        begun.unwrap_or(head.len())
    }

    fn inside(&mut self, statement: &Stmt, depth: usize) {
        match statement {
            Stmt::FunctionDef(ruff_python_ast::StmtFunctionDef { body, .. })
            | Stmt::ClassDef(ruff_python_ast::StmtClassDef { body, .. }) => {
                let at = self.found.len();
                self.block(body, BODY, depth);
                self.mark(body, at);
            }
            Stmt::If(branch) => {
                self.block(&branch.body, BODY, depth);
                branch
                    .elif_else_clauses
                    .iter()
                    .for_each(|clause| self.clause(clause, depth));
            }
            Stmt::For(each) => {
                self.block(&each.body, BODY, depth);
                self.block(&each.orelse, ELSE, depth);
            }
            Stmt::While(whilst) => {
                self.block(&whilst.body, BODY, depth);
                self.block(&whilst.orelse, ELSE, depth);
            }
            Stmt::With(with) => self.block(&with.body, BODY, depth),
            Stmt::Match(matching) => matching
                .cases
                .iter()
                .for_each(|case| self.case(case, depth)),
            Stmt::Try(attempt) => {
                self.block(&attempt.body, BODY, depth);
                attempt
                    .handlers
                    .iter()
                    .for_each(|handler| self.handler(handler, depth));
                self.block(&attempt.orelse, ELSE, depth);
                self.block(&attempt.finalbody, FINALLY, depth);
            }
            _ => {}
        }
    }

    fn clause(&mut self, clause: &ElifElseClause, depth: usize) {
        let kind = AnyNodeRef::from(clause).kind() as u16 * BLOCKS
            + if clause.test.is_some() { BODY } else { ELSE };
        self.add(kind, offset(clause.start()), offset(clause.end()), depth);
        self.block(&clause.body, BODY, depth + 1);
    }

    fn handler(&mut self, handler: &ExceptHandler, depth: usize) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.add(
            AnyNodeRef::from(inner).kind() as u16 * BLOCKS,
            offset(handler.start()),
            offset(handler.end()),
            depth,
        );
        self.block(&inner.body, BODY, depth + 1);
    }

    fn case(&mut self, case: &MatchCase, depth: usize) {
        self.add(
            AnyNodeRef::from(case).kind() as u16 * BLOCKS,
            offset(case.start()),
            offset(case.end()),
            depth,
        );
        self.block(&case.body, BODY, depth + 1);
    }

    fn add(&mut self, kind: u16, start: usize, end: usize, depth: usize) {
        self.found.push(Statement {
            kind,
            span: between(start, end),
            decorated: start,
            depth,
            leads: false,
            is_open: false,
        });
    }
}

/// Returns how many statements of a block have to be first: the docstring, and what changes the language.
fn leading_statements(body: &[Stmt]) -> usize {
    let docstring = usize::from(body.first().is_some_and(is_docstring));
    let is_future = |statement: &&Stmt| matches!(statement, Stmt::ImportFrom(import) if import.module.as_deref() == Some("__future__"));
    docstring
        + body
            .get(docstring..)
            .unwrap_or_default()
            .iter()
            .take_while(is_future)
            .count()
}

/// Returns the range of what has to be first in a module.
pub(super) fn lead(body: &[Stmt]) -> Option<Span> {
    let leading = body.get(..leading_statements(body))?;
    Some(between(
        offset(leading.first()?.start()),
        offset(leading.last()?.end()),
    ))
}
