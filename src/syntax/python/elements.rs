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
    /// Adds an element of what is between two brackets, with the parentheses that it has of its own.
    fn add(&mut self, element: &impl Ranged, between: Span) {
        let span = self.in_parentheses(element, between);
        self.found.push(span);
    }

    /// Adds something before which there are stars that are no part of it.
    fn add_starred(&mut self, element: &impl Ranged, between: Span) {
        let span = self.in_parentheses(element, between);
        let before = self.text.get(..span.start).unwrap_or_default().trim_end();
        let stars = before.len() - before.trim_end_matches('*').len();
        let start = if stars > 0 {
            before.len() - stars
        } else {
            span.start
        };
        self.found.push(Span::new(start, span.end));
    }

    /// Returns the range of an expression with the parentheses around it, as far as they are `between` what holds it.
    fn in_parentheses(&self, element: &impl Ranged, between: Span) -> Span {
        let mut span = Span::new(offset(element.start()), offset(element.end()));
        loop {
            let before = self.text.get(between.start..span.start);
            let rest = self.text.get(span.end..between.end);
            let (before, rest) = (
                before.unwrap_or_default().trim_end(),
                rest.unwrap_or_default(),
            );
            let after = rest.trim_start();
            if !(before.ends_with('(') && after.starts_with(')')) {
                return span;
            }
            span = Span::new(
                between.start + before.len() - 1,
                span.end + (rest.len() - after.len()) + 1,
            );
        }
    }
}

/// Returns what is between the brackets that something begins and ends with.
fn inside(holder: &impl Ranged) -> Span {
    let (start, end) = (offset(holder.start()), offset(holder.end()));
    Span::new((start + 1).min(end), end.saturating_sub(1).max(start))
}

impl<'a> Visitor<'a> for Elements<'_> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::List(list) => {
                let between = inside(list);
                list.elts.iter().for_each(|it| self.add(it, between));
            }
            Expr::Tuple(list) => {
                let between = if list.parenthesized {
                    inside(list)
                } else {
                    Span::new(offset(list.start()), offset(list.end()))
                };
                list.elts.iter().for_each(|it| self.add(it, between));
            }
            Expr::Set(list) => {
                let between = inside(list);
                list.elts.iter().for_each(|it| self.add(it, between));
            }
            Expr::Dict(mapping) => {
                let between = inside(mapping);
                mapping.items.iter().for_each(|item| {
                    if item.key.is_none() {
                        self.add_starred(&item.value, between);
                    } else {
                        self.add(item, between);
                        self.add(&item.value, between);
                    }
                });
            }
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }

    fn visit_arguments(&mut self, arguments: &'a Arguments) {
        let between = inside(arguments);
        arguments
            .args
            .iter()
            .for_each(|argument| self.add(argument, between));
        for keyword in &arguments.keywords {
            self.add(keyword, between);
            self.add(&keyword.value, between);
        }
        visitor::walk_arguments(self, arguments);
    }

    fn visit_parameters(&mut self, parameters: &'a Parameters) {
        for parameter in [&parameters.vararg, &parameters.kwarg]
            .into_iter()
            .flatten()
        {
            let own = Span::new(offset(parameter.start()), offset(parameter.end()));
            self.add_starred(&**parameter, own);
        }
        visitor::walk_parameters(self, parameters);
    }
}
