//! The elements of lists, tuples, sets and mappings, and the arguments of calls; of what has a name or a key the value by itself as well.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Arguments, Expr, ModModule};
use ruff_text_size::Ranged;

use super::source::offset;
use crate::text::Span;

/// Returns the elements of a module in the order in which they begin.
pub fn find_elements(module: &ModModule) -> Vec<Span> {
    let mut elements = Elements(Vec::new());
    module
        .body
        .iter()
        .for_each(|statement| elements.visit_stmt(statement));
    elements.0.sort_unstable();
    elements.0
}

struct Elements(Vec<Span>);

impl Elements {
    fn add(&mut self, element: &impl Ranged) {
        self.0
            .push(Span::new(offset(element.start()), offset(element.end())));
    }
}

impl<'a> Visitor<'a> for Elements {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::List(list) => list.elts.iter().for_each(|element| self.add(element)),
            Expr::Tuple(list) => list.elts.iter().for_each(|element| self.add(element)),
            Expr::Set(list) => list.elts.iter().for_each(|element| self.add(element)),
            Expr::Dict(mapping) => mapping.items.iter().for_each(|item| {
                self.add(item);
                self.add(&item.value);
            }),
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }

    fn visit_arguments(&mut self, arguments: &'a Arguments) {
        arguments
            .args
            .iter()
            .for_each(|argument| self.add(argument));
        for keyword in &arguments.keywords {
            self.add(keyword);
            self.add(&keyword.value);
        }
        visitor::walk_arguments(self, arguments);
    }
}
