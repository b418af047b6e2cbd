//! The parameters of a function, the bases of a class, the arguments of the call that a variable is given.
//!
//! Read from tokens: so the signs `/` and `*` among parameters are items like any other.

use std::collections::BTreeMap;

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ModModule, Stmt};
use ruff_python_parser::Parsed;
use ruff_text_size::Ranged;

use super::module::{self, NEWEST_MINOR};
use super::source::{SourceText, offset, range, span};
use crate::syntax::{ItemKind, ItemList, ListedItem, Symbol};
use crate::text::Span;

/// Returns the items of one kind of `symbol`, a definition of this module; `None` where it can have none.
pub(super) fn find_items(
    text: &str,
    module: &Parsed<ModModule>,
    symbol: &Symbol,
    kind: ItemKind,
) -> Option<ItemList> {
    let mut search = Search {
        symbol,
        kind,
        found: None,
    };
    for statement in &module.syntax().body {
        search.visit_stmt(statement);
    }
    let brackets = search.found?;
    let items = if brackets.is_empty() {
        Vec::new()
    } else {
        items_between(text, module, brackets, kind)
    };
    Some(ItemList { brackets, items })
}

/// Returns the arguments of those calls of which what is called ends at one of `callees`, by that offset.
pub(crate) fn argument_lists(source: &[u8], callees: &[usize]) -> BTreeMap<usize, ItemList> {
    let text = SourceText::of(source);
    let mut wanted: Vec<usize> = callees.to_vec();
    wanted.sort_unstable();
    let read = |module: &Parsed<ModModule>| {
        let mut calls = Calls {
            wanted: &wanted,
            found: Vec::new(),
        };
        for statement in &module.syntax().body {
            calls.visit_stmt(statement);
        }
        let lists = calls.found.into_iter().map(|(callee, brackets)| {
            let items = items_between(text.as_str(), module, brackets, ItemKind::Argument);
            (callee, ItemList { brackets, items })
        });
        lists.collect()
    };
    module::parsed(text.as_str(), NEWEST_MINOR, read).unwrap_or_default()
}

/// Looks for calls.
struct Calls<'c> {
    wanted: &'c [usize],
    found: Vec<(usize, Span)>,
}

impl<'a> Visitor<'a> for Calls<'_> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Call(call) = expression {
            let callee = offset(call.func.end());
            if self.wanted.binary_search(&callee).is_ok() {
                self.found.push((callee, span(&call.arguments)));
            }
        }
        visitor::walk_expr(self, expression);
    }
}

/// Looks for the brackets of what is asked for.
struct Search<'s> {
    symbol: &'s Symbol,
    kind: ItemKind,
    found: Option<Span>,
}

impl Search<'_> {
    /// Says whether a name is that of the definition.
    fn is_named(&self, name: &impl Ranged) -> bool {
        self.symbol
            .signature
            .contains(Span::new(offset(name.start()), offset(name.end())))
    }

    fn of_statement(&self, statement: &Stmt) -> Option<Span> {
        let definition = self.symbol.definition;
        match (statement, self.kind) {
            (Stmt::FunctionDef(function), ItemKind::Parameter) => self
                .is_named(&function.name)
                .then(|| span(&*function.parameters)),
            (Stmt::ClassDef(class), ItemKind::Base) if self.is_named(&class.name) => {
                let after = class
                    .type_params
                    .as_ref()
                    .map_or(class.name.end(), |parameters| parameters.end());
                let arguments = class.arguments.as_deref().map(span);
                Some(arguments.unwrap_or(Span::at(offset(after))))
            }
            (Stmt::Assign(assigned), ItemKind::Argument)
                if offset(assigned.start()) == definition.start =>
            {
                arguments_of(&assigned.value)
            }
            (Stmt::AnnAssign(assigned), ItemKind::Argument)
                if offset(assigned.start()) == definition.start =>
            {
                arguments_of(assigned.value.as_deref()?)
            }
            _ => None,
        }
    }
}

fn arguments_of(value: &Expr) -> Option<Span> {
    match value {
        Expr::Call(call) => Some(span(&call.arguments)),
        Expr::Await(awaited) => arguments_of(&awaited.value),
        _ => None,
    }
}

impl<'a> Visitor<'a> for Search<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let around = Span::new(offset(statement.start()), offset(statement.end()));
        if self.found.is_some() || !around.contains(self.symbol.definition) {
            return;
        }
        self.found = self.of_statement(statement);
        if self.found.is_none() {
            visitor::walk_stmt(self, statement);
        }
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// Returns what commas part between two brackets.
fn items_between(
    text: &str,
    module: &Parsed<ModModule>,
    brackets: Span,
    kind: ItemKind,
) -> Vec<ListedItem> {
    let inside = Span::new(brackets.start + 1, brackets.end - 1);
    let (mut items, mut open, mut depth) = (Vec::new(), None::<Span>, 0);
    for token in module.tokens().in_range(range(inside)) {
        let place = Span::new(offset(token.start()), offset(token.end()));
        let is_code = !matches!(
            token.kind(),
            TokenKind::Comment | TokenKind::NonLogicalNewline | TokenKind::Newline
        );
        if !is_code {
            continue;
        }
        match token.kind() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth -= 1,
            TokenKind::Comma if depth == 0 => {
                items.extend(open.take().map(|span| item(text, span, kind)));
                continue;
            }
            _ => {}
        }
        open = Some(open.map_or(place, |begun| begun.cover(place)));
    }
    items.extend(open.map(|span| item(text, span, kind)));
    if kind == ItemKind::Parameter {
        for at in 1..items.len() {
            let parts_off = |text: &str| text.starts_with('*') && !text.starts_with("**");
            let written = |item: &ListedItem| text.get(item.span.start..item.span.end);
            let is_last = written(&items[at]).is_some_and(|it| it.starts_with("**"));
            let before = written(&items[at - 1]).unwrap_or_default();
            items[at - 1].leaves =
                (parts_off(before) && before.len() > 1 && !is_last).then_some("*");
        }
    }
    items
}

fn item(text: &str, span: Span, kind: ItemKind) -> ListedItem {
    let written = text.get(span.start..span.end).unwrap_or_default();
    let bare = written.trim_start_matches('*').trim_start();
    let word = bare
        .split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .next()
        .unwrap_or_default();
    let after = bare[word.len()..].trim_start();
    let is_named = after.starts_with('=') && !after.starts_with("==");
    let name = match kind {
        ItemKind::Parameter if word.is_empty() => written,
        ItemKind::Parameter => word,
        _ if is_named => word,
        // `Generic[T]`, `Base(arguments)`.
        ItemKind::Base => bare.split(['[', '(']).next().unwrap_or(bare).trim_end(),
        _ => written,
    };
    ListedItem {
        names: vec![name.to_owned()],
        span,
        is_named: is_named && kind != ItemKind::Parameter,
        leaves: None,
    }
}
