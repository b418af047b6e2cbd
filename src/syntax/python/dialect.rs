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
        names_inside: true,
        parted: false,
        component: false,
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

/// Returns what Python takes and no dialect of Starlark does, in file order: words that it keeps for nothing, decorators, `:=`,
/// powers, texts that are one for standing side by side.
pub(crate) fn foreign_words(source: &[u8]) -> Vec<SyntaxError> {
    let text = SourceText::of(source);
    let read = |module: &Parsed<ModModule>| {
        let error = |token: &Token, message: String| SyntaxError {
            offset: offset(token.start()),
            message,
        };
        let mut found = Vec::new();
        let mut before: Option<TokenKind> = None;
        for token in module.tokens().iter().filter(|token| !is_between(token)) {
            if is_foreign(token, before) {
                let word = &text.as_str()[token.range()];
                found.push(error(token, format!("Starlark has no `{word}`")));
            } else if before == Some(TokenKind::String) && token.kind() == TokenKind::String {
                let message = "two texts side by side: a comma or `+` is missing";
                found.push(error(token, message.to_owned()));
            }
            before = Some(token.kind());
        }
        found
    };
    module::parsed(text.as_str(), NEWEST_MINOR, read).unwrap_or_default()
}

/// Says whether a token is a comment, or a line's end that ends nothing.
fn is_between(token: &Token) -> bool {
    matches!(
        token.kind(),
        TokenKind::Comment | TokenKind::NonLogicalNewline
    )
}

fn is_foreign(token: &Token, before: Option<TokenKind>) -> bool {
    // Between two operands a power, else the keywords of a call.
    let is_power = || {
        token.kind() == TokenKind::DoubleStar
            && matches!(
                before,
                Some(
                    TokenKind::Name
                        | TokenKind::Int
                        | TokenKind::Float
                        | TokenKind::Rpar
                        | TokenKind::Rsqb
                )
            )
    };
    let is_word = matches!(
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
    );
    is_word || is_power()
}
