//! What Starlark has beside what it shares with Python, whose parser reads it: calls that name what they make, and words that it
//! keeps for nothing.
//!
//! Known limits: a target is named by a plain text in its `name`, not by its first argument nor by what is put together; a file with
//! errors has no targets.

use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{Expr, ExprCall, ModModule, Stmt};
use ruff_python_parser::Parsed;
use ruff_text_size::Ranged;

use super::comments::Comments;
use super::module::{self, NEWEST_MINOR};
use super::outline::{self, suites};
use super::source::{SourceText, between, offset, span};
use crate::syntax::word_names::quoted_name;
use crate::syntax::{SegmentKind, Symbol, SyntaxError};

/// Returns the targets of a file without errors, in file order: `cc_library(name = "shop")` at its top.
pub(crate) fn targets(source: &[u8]) -> Vec<Symbol> {
    let text = SourceText::of(source);
    let read = |module: &Parsed<ModModule>| {
        let mut found = Vec::new();
        if module.has_valid_syntax() {
            let comments = Comments::new(source, outline::comments(module.tokens()));
            collect(&module.syntax().body, &text, &comments, &mut found);
        }
        found
    };
    module::parsed(text.as_str(), NEWEST_MINOR, read).unwrap_or_default()
}

fn collect(body: &[Stmt], text: &SourceText, comments: &Comments, found: &mut Vec<Symbol>) {
    for statement in body {
        match statement {
            Stmt::Expr(expression) => {
                if let Expr::Call(call) = &*expression.value {
                    found.extend(target(call, text, comments));
                }
            }
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            _ => suites(statement).for_each(|suite| collect(suite, text, comments, found)),
        }
    }
}

fn target(call: &ExprCall, text: &SourceText, comments: &Comments) -> Option<Symbol> {
    let argument = call.arguments.find_keyword("name")?;
    let Expr::StringLiteral(literal) = &argument.value else {
        return None;
    };
    let written = span(literal).of(text.bytes());
    if literal.value.is_implicit_concatenated() || std::str::from_utf8(written).is_err() {
        return None;
    }
    let definition = span(call);
    Some(Symbol {
        name: quoted_name(literal.value.to_str())?,
        owner: None,
        address: None,
        kind: SegmentKind::Struct,
        level: 0,
        definition,
        decorations: comments.decorations(&[], definition.start),
        trailing: None,
        signature: between(definition.start, offset(call.func.end())),
        body: None,
        docstring: None,
        children: Vec::new(),
    })
}

/// Returns what Python takes and no dialect of Starlark does, in file order: words that it keeps for nothing, decorators, `:=`.
pub(crate) fn foreign_words(source: &[u8]) -> Vec<SyntaxError> {
    let text = SourceText::of(source);
    let read = |module: &Parsed<ModModule>| {
        let foreign = module.tokens().iter().filter(|token| is_foreign(token));
        let error = |token: &Token| SyntaxError {
            offset: offset(token.start()),
            message: format!("Starlark has no `{}`", &text.as_str()[token.range()]),
        };
        foreign.map(error).collect()
    };
    module::parsed(text.as_str(), NEWEST_MINOR, read).unwrap_or_default()
}

fn is_foreign(token: &Token) -> bool {
    matches!(
        token.kind(),
        TokenKind::As
            | TokenKind::Assert
            | TokenKind::Async
            | TokenKind::At
            | TokenKind::Await
            | TokenKind::Class
            | TokenKind::ColonEqual
            | TokenKind::Del
            | TokenKind::Except
            | TokenKind::Finally
            | TokenKind::From
            | TokenKind::Global
            | TokenKind::Import
            | TokenKind::Is
            | TokenKind::Nonlocal
            | TokenKind::Raise
            | TokenKind::Try
            | TokenKind::With
            | TokenKind::Yield
    )
}
