//! What patterns capture, and what they name.

use ruff_python_ast::{self as ast, Pattern};

use super::model::{BindingKind, ExpressionId, OccurrenceKind};
use super::walker::{Walker, place};

impl Walker<'_> {
    pub(super) fn choice(&mut self, choice: &ast::StmtMatch) {
        self.expression(&choice.subject);
        for case in &choice.cases {
            self.conditionally(|walker| {
                walker.effect = place(&case.pattern).end;
                walker.pattern(&case.pattern);
                if let Some(guard) = &case.guard {
                    walker.expression(guard);
                }
                walker.suite(&case.body);
            });
        }
    }

    /// Walks a pattern, and returns the class that what fits is of.
    fn pattern(&mut self, pattern: &Pattern) -> Option<ExpressionId> {
        match pattern {
            Pattern::MatchValue(value) => {
                self.expression(&value.value);
                None
            }
            Pattern::MatchSingleton(_) => None,
            Pattern::MatchSequence(sequence) => {
                for pattern in &sequence.patterns {
                    self.pattern(pattern);
                }
                None
            }
            Pattern::MatchMapping(mapping) => {
                for key in &mapping.keys {
                    self.expression(key);
                }
                for pattern in &mapping.patterns {
                    self.pattern(pattern);
                }
                if let Some(rest) = &mapping.rest {
                    self.bind(rest, BindingKind::Unknown);
                }
                None
            }
            Pattern::MatchClass(class) => {
                let sort = self.expression(&class.cls);
                for pattern in &class.arguments.patterns {
                    self.pattern(pattern);
                }
                for keyword in &class.arguments.keywords {
                    let kind = OccurrenceKind::KeywordPattern { class: sort };
                    let name = self.private(keyword.attr.as_str());
                    self.note(place(&keyword.attr), name, kind);
                    self.pattern(&keyword.pattern);
                }
                Some(sort)
            }
            Pattern::MatchStar(star) => {
                if let Some(name) = &star.name {
                    self.bind(name, BindingKind::Unknown);
                }
                None
            }
            Pattern::MatchAs(capture) => {
                let class = capture
                    .pattern
                    .as_deref()
                    .and_then(|pattern| self.pattern(pattern));
                if let Some(name) = &capture.name {
                    self.bind(name, BindingKind::Captured(class));
                }
                class
            }
            Pattern::MatchOr(any) => {
                for pattern in &any.patterns {
                    self.pattern(pattern);
                }
                None
            }
        }
    }
}
