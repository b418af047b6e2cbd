//! Members that have no address: the entries of a dictionary that is the whole value of a variable.

use ruff_python_ast::{Expr, ExprDict, Stmt};
use ruff_text_size::Ranged;

use super::source::{between, offset};
use crate::syntax::Member;
use crate::text::Span;

/// Returns for each of these definitions of a module its direct members.
pub(super) fn members_of_definitions(
    text: &str,
    body: &[Stmt],
    definitions: &[Span],
) -> Vec<Vec<Member>> {
    let mut blocks = vec![body];
    let mut found: Vec<Vec<Member>> = definitions.iter().map(|_| Vec::new()).collect();
    while let Some(block) = blocks.pop() {
        for statement in block {
            let value = match statement {
                Stmt::ClassDef(class) => {
                    blocks.push(&class.body);
                    continue;
                }
                Stmt::Assign(assign) => Some(&*assign.value),
                Stmt::AnnAssign(assign) => assign.value.as_deref(),
                _ => None,
            };
            let span = between(offset(statement.start()), offset(statement.end()));
            let at = definitions
                .iter()
                .position(|definition| *definition == span);
            if let (Some(Expr::Dict(dict)), Some(members)) =
                (value, at.and_then(|at| found.get_mut(at)))
            {
                *members = entries(text, dict);
            }
        }
    }
    found
}

fn entries(text: &str, dict: &ExprDict) -> Vec<Member> {
    let entry = |item: &ruff_python_ast::DictItem| {
        let span = between(offset(item.start()), offset(item.end()));
        let (named, name) = match &item.key {
            Some(key) => {
                let named = between(offset(key.start()), offset(key.end()));
                let written = text.get(named.start..named.end).unwrap_or_default();
                (
                    named,
                    key.as_string_literal_expr()
                        .map_or(written, |literal| literal.value.to_str())
                        .to_owned(),
                )
            }
            // What is unpacked into it.
            None => (
                span,
                format!("**{}", text.get(span.start..span.end).unwrap_or_default()),
            ),
        };
        Member {
            name,
            span,
            named,
            attributes: Vec::new(),
        }
    };
    dict.items.iter().map(entry).collect()
}
