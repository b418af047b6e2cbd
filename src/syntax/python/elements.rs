//! The elements of lists, tuples, sets and mappings, and the arguments of calls; of what has a name or a key the value by itself as well.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Arguments, Expr, ModModule, Parameters};
use ruff_text_size::Ranged;

use super::source::offset;
use crate::text::Span;

/// Returns the elements of a module in the order in which they begin.
///
/// Parameters that take what is left are among them, and begin with their stars, as what is unpacked does.
pub(super) fn find_elements(text: &str, module: &ModModule) -> Vec<Span> {
    let mut elements = Elements {
        text,
        found: Vec::new(),
    };
    module
        .body
        .iter()
        .for_each(|statement| elements.visit_stmt(statement));
    elements.found.sort_unstable();
    elements.found
}

struct Elements<'t> {
    text: &'t str,
    found: Vec<Span>,
}

impl Elements<'_> {
    fn add(&mut self, element: &impl Ranged) {
        let (start, end) = (offset(element.start()), offset(element.end()));
        self.found.push(Span::new(start, end));
    }

    /// Adds something before which there are stars that are no part of it.
    fn add_starred(&mut self, element: &impl Ranged) {
        let (start, end) = (offset(element.start()), offset(element.end()));
        let ahead = self.text.get(..start).unwrap_or_default().trim_end();
        let stars = ahead.len() - ahead.trim_end_matches('*').len();
        let start = if stars > 0 {
            ahead.len() - stars
        } else {
            start
        };
        self.found.push(Span::new(start, end));
    }
}

impl<'a> Visitor<'a> for Elements<'_> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::List(list) => list.elts.iter().for_each(|element| self.add(element)),
            Expr::Tuple(list) => list.elts.iter().for_each(|element| self.add(element)),
            Expr::Set(list) => list.elts.iter().for_each(|element| self.add(element)),
            Expr::Dict(mapping) => mapping.items.iter().for_each(|item| {
                if item.key.is_none() {
                    self.add_starred(item);
                } else {
                    self.add(item);
                    self.add(&item.value);
                }
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

    fn visit_parameters(&mut self, parameters: &'a Parameters) {
        for parameter in [&parameters.vararg, &parameters.kwarg]
            .into_iter()
            .flatten()
        {
            self.add_starred(&**parameter);
        }
        visitor::walk_parameters(self, parameters);
    }
}
