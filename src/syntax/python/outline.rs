//! The outline of a file that parses, from the Python parser's tree.
//!
//! Statements around a definition add nothing to its name: `if`, `try`, `with`, loops and `match` are looked through.
//! Blocks are at most 99 deep (`module` saw to it), so that to go down by recursion is safe.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::{
    Decorator, ExceptHandler, Expr, ModModule, Stmt, StmtClassDef, StmtFunctionDef,
};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextSize};

use super::comments::Comments;
use super::source::{SourceText, between, line_end, line_start, next_line, offset, range, span};
use crate::syntax::{Outline, SegmentKind, Symbol};
use crate::text::Span;

/// Returns the segments of `module`, whose statements are in `scope`.
pub(super) fn outline(
    text: &SourceText,
    module: &Parsed<ModModule>,
    scope: StatementScope,
) -> Outline {
    let comments = Comments::new(text.bytes(), comments(module.tokens()));
    let reader = StatementReader {
        text,
        tokens: module.tokens(),
        comments,
    };
    Outline {
        symbols: reader.symbols(&module.syntax().body, scope),
        sound: false,
        excess: None,
    }
}

/// Returns the spans of all comments.
pub(super) fn comments(tokens: &Tokens) -> Vec<Span> {
    tokens
        .iter()
        .filter(|token| token.kind() == TokenKind::Comment)
        .map(span)
        .collect()
}

struct StatementReader<'a> {
    text: &'a SourceText<'a>,
    tokens: &'a Tokens,
    comments: Comments<'a>,
}

impl StatementReader<'_> {
    fn symbols(&self, body: &[Stmt], scope: StatementScope) -> Vec<Symbol> {
        let mut found = Vec::new();
        self.collect(body, scope, &mut found);
        found
    }

    fn collect(&self, body: &[Stmt], scope: StatementScope, found: &mut Vec<Symbol>) {
        for (at, statement) in body.iter().enumerate() {
            match statement {
                Stmt::FunctionDef(function) => found.push(self.function(function, scope)),
                Stmt::ClassDef(class) => found.push(self.class(class)),
                Stmt::Assign(_) | Stmt::AnnAssign(_) => {
                    found.extend(self.variable(statement, body.get(at + 1), scope));
                }
                _ => suites(statement).for_each(|suite| self.collect(suite, scope, found)),
            }
        }
    }

    fn function(&self, function: &StmtFunctionDef, scope: StatementScope) -> Symbol {
        let header_ends = match &function.returns {
            Some(returns) => returns.end(),
            None => function.parameters.end(),
        };
        let kind = if scope == StatementScope::Class {
            SegmentKind::Method
        } else {
            SegmentKind::Function
        };
        let definition = PythonDefinition {
            kind,
            name: self.text.name(&function.name, span(&function.name)),
            whole: span(function),
            end: function.end(),
            decorators: &function.decorator_list,
            header_ends,
            body: &function.body,
        };
        self.symbol(&definition, StatementScope::Function)
    }

    fn class(&self, class: &StmtClassDef) -> Symbol {
        let arguments = class.arguments.as_deref().map(Ranged::end);
        let parameters = class.type_params.as_deref().map(Ranged::end);
        let definition = PythonDefinition {
            kind: SegmentKind::Class,
            name: self.text.name(&class.name, span(&class.name)),
            whole: span(class),
            end: class.end(),
            decorators: &class.decorator_list,
            header_ends: arguments.or(parameters).unwrap_or(class.name.end()),
            body: &class.body,
        };
        self.symbol(&definition, StatementScope::Class)
    }

    fn symbol(&self, of: &PythonDefinition, inside: StatementScope) -> Symbol {
        let header = self.header(of);
        let definition = Span {
            start: header.min(of.whole.end),
            end: self.end(of),
        };
        let decorators: Vec<Span> = of.decorators.iter().map(span).collect();
        let (signature, body) = self.parts(definition, of);
        Symbol {
            owner: None,
            address: None,
            names_inside: true,
            parted: false,
            component: false,
            name: of.name.clone(),
            kind: of.kind,
            level: 0,
            definition,
            decorations: self.comments.decorations(&decorators, definition.start),
            trailing: self.comments.trailing(definition.start, definition.end),
            signature,
            body,
            docstring: of
                .body
                .first()
                .filter(|first| is_docstring(first))
                .map(span),
            children: self.symbols(of.body, inside),
        }
    }

    /// Returns where `def`, `async` or `class` is.
    fn header(&self, of: &PythonDefinition) -> usize {
        let Some(last) = of.decorators.last() else {
            return of.whole.start;
        };
        let opens = |kind| matches!(kind, TokenKind::Def | TokenKind::Async | TokenKind::Class);
        let token = self
            .tokens
            .after(last.end())
            .iter()
            .find(|token| opens(token.kind()));
        token.map_or(of.whole.start, |token| offset(token.start()))
    }

    /// Returns the end of the definition, which a last semicolon belongs to, as for CPython: it cannot stand alone.
    fn end(&self, of: &PythonDefinition) -> usize {
        let next = self.tokens.after(of.end).first();
        let semicolon = next.filter(|token| token.kind() == TokenKind::Semi);
        semicolon.map_or(of.whole.end, |semicolon| offset(semicolon.end()))
    }

    /// Returns the header without its colon, and what the colon introduces.
    fn parts(&self, definition: Span, of: &PythonDefinition) -> (Span, Option<Span>) {
        let following = self.tokens.after(of.header_ends);
        let Some(colon) = following
            .iter()
            .position(|token| token.kind() == TokenKind::Colon)
        else {
            return (definition, None);
        };
        let trivia = |kind| matches!(kind, TokenKind::Comment | TokenKind::NonLogicalNewline);
        let closed = following[..colon]
            .iter()
            .rev()
            .find(|token| !trivia(token.kind()));
        let signature = between(
            definition.start,
            offset(closed.map_or(of.header_ends, Ranged::end)),
        );
        let after = &following[colon + 1..];
        let starts_inline = after.iter().find(|token| !trivia(token.kind()));
        let first_line = match starts_inline {
            Some(token) if token.kind() == TokenKind::Newline => offset(token.end()),
            Some(token) => {
                return (
                    signature,
                    Some(between(offset(token.start()), definition.end)),
                );
            }
            None => return (signature, None),
        };
        let first = of
            .body
            .first()
            .map_or(definition.end, |first| offset(first.start()));
        let first = self.first_decorator(of.body.first()).unwrap_or(first);
        let start = self.comments.start_of_body(first_line, first);
        (signature, Some(between(start, definition.end)))
    }

    fn first_decorator(&self, statement: Option<&Stmt>) -> Option<usize> {
        let decorators: &[Decorator] = match statement? {
            Stmt::FunctionDef(function) => &function.decorator_list,
            Stmt::ClassDef(class) => &class.decorator_list,
            _ => &[],
        };
        decorators.first().map(|first| offset(first.start()))
    }

    /// Returns the variable that `statement` defines; `next` is the statement after it in its block.
    fn variable(
        &self,
        statement: &Stmt,
        next: Option<&Stmt>,
        scope: StatementScope,
    ) -> Option<Symbol> {
        let (target, value) = match statement {
            _ if scope == StatementScope::Function => return None,
            Stmt::Assign(assign) => match assign.targets.as_slice() {
                [Expr::Name(target)] => (target, Some(&assign.value)),
                _ => return None,
            },
            Stmt::AnnAssign(assign) => match &*assign.target {
                Expr::Name(target) => (target, assign.value.as_ref()),
                _ => return None,
            },
            _ => return None,
        };
        let definition = span(statement);
        let docstring = next.filter(|next| is_docstring(next)).map(span);
        let docstring =
            docstring.filter(|docstring| documents(self.text.bytes(), definition, *docstring));
        Some(Symbol {
            owner: None,
            address: None,
            names_inside: true,
            parted: false,
            component: false,
            name: self.text.name(&target.id, span(target)),
            kind: SegmentKind::Variable,
            level: 0,
            definition,
            decorations: self.comments.decorations(&[], definition.start),
            trailing: docstring,
            signature: definition,
            body: value.map(|value| self.value(definition, value.start())),
            docstring,
            children: Vec::new(),
        })
    }

    /// Returns what is after the last `=` before the value: parentheses around it are part of it.
    fn value(&self, definition: Span, value: TextSize) -> Span {
        let before = self
            .tokens
            .in_range(range(between(definition.start, offset(value))));
        let equal = before
            .iter()
            .rposition(|token| token.kind() == TokenKind::Equal);
        let opening = equal.and_then(|equal| {
            before[equal + 1..]
                .iter()
                .find(|token| token.kind() == TokenKind::Lpar)
        });
        between(offset(opening.map_or(value, Ranged::start)), definition.end)
    }
}

/// What functions and classes have in common.
struct PythonDefinition<'a> {
    kind: SegmentKind,
    name: String,
    /// With decorators, as the parser has it.
    whole: Span,
    end: TextSize,
    decorators: &'a [Decorator],
    header_ends: TextSize,
    body: &'a [Stmt],
}

/// Says whether a body's first statement is its documentation: a string literal alone.
pub(super) fn is_docstring(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(expression) if expression.value.is_string_literal_expr())
}

/// Says whether text that is the next statement after an assignment documents it, as documentation tools have it: it
/// begins on the next line, and nothing but a comment is after it on its last.
pub(super) fn documents(bytes: &[u8], assignment: Span, text: Span) -> bool {
    let below = next_line(bytes, line_end(bytes, assignment.end));
    let after = bytes
        .get(text.end..line_end(bytes, text.end))
        .unwrap_or_default()
        .trim_ascii_start();
    below == Some(line_start(bytes, text.start)) && (after.is_empty() || after.starts_with(b"#"))
}

/// Returns the suites of a statement that is no definition, in file order.
pub(super) fn suites(statement: &Stmt) -> impl Iterator<Item = &[Stmt]> {
    let suites: Vec<&[Stmt]> = match statement {
        Stmt::If(branch) => {
            let clauses = branch
                .elif_else_clauses
                .iter()
                .map(|clause| &clause.body[..]);
            std::iter::once(&branch.body[..]).chain(clauses).collect()
        }
        Stmt::For(each) => vec![&each.body, &each.orelse],
        Stmt::While(whilst) => vec![&whilst.body, &whilst.orelse],
        Stmt::With(with) => vec![&with.body],
        Stmt::Match(matching) => matching.cases.iter().map(|case| &case.body[..]).collect(),
        Stmt::Try(attempt) => {
            let handlers = attempt
                .handlers
                .iter()
                .map(|ExceptHandler::ExceptHandler(handler)| &handler.body[..]);
            let ends = [&attempt.orelse[..], &attempt.finalbody[..]];
            std::iter::once(&attempt.body[..])
                .chain(handlers)
                .chain(ends)
                .collect()
        }
        _ => Vec::new(),
    };
    suites.into_iter()
}

/// Where statements are; it decides what a function is called and whether an assignment is a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StatementScope {
    Module,
    Class,
    Function,
}

impl StatementScope {
    pub(super) fn inside(parent: Option<SegmentKind>) -> StatementScope {
        match parent {
            Some(SegmentKind::Class) => StatementScope::Class,
            Some(SegmentKind::Function | SegmentKind::Method) => StatementScope::Function,
            _ => StatementScope::Module,
        }
    }
}
