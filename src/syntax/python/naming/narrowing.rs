//! What a test says of a name for a while: `isinstance(name, Class)`.

use ruff_python_ast::{self as ast, BoolOp, Expr, UnaryOp};

use super::model::ExpressionId;
use super::walker::Walker;

impl Walker<'_> {
    /// Takes in what holds where `test` is true.
    pub(super) fn narrow_by(&mut self, test: &Expr) {
        match test {
            Expr::Call(call) => self.narrow_by_call(call),
            Expr::BoolOp(all) if all.op == BoolOp::And => {
                for test in &all.values {
                    self.narrow_by(test);
                }
            }
            _ => {}
        }
    }

    /// Takes in what holds where `test` is false.
    pub(super) fn narrow_by_contrary(&mut self, test: &Expr) {
        if let Expr::UnaryOp(unary) = test
            && unary.op == UnaryOp::Not
        {
            self.narrow_by(&unary.operand);
        }
    }

    fn narrow_by_call(&mut self, call: &ast::ExprCall) {
        let Expr::Name(callee) = &*call.func else {
            return;
        };
        let [Expr::Name(name), class] = &*call.arguments.args else {
            return;
        };
        if callee.id.as_str() != "isinstance" {
            return;
        }
        // Walked before, when the test was: this only says what it was.
        let class = self.quietly(|walker| walker.expression(class));
        let name = self.private(&name.id);
        self.narrowed.push((name, Some(class)));
    }

    /// Walks something a second time, and notes no places.
    pub(super) fn quietly(&mut self, walk: impl FnOnce(&mut Self) -> ExpressionId) -> ExpressionId {
        let known = self.names.occurrences.len();
        let found = walk(self);
        self.names.occurrences.truncate(known);
        found
    }

    /// Returns the class that a test says `name` is of.
    pub(super) fn narrowed_to(&self, name: &str) -> Option<ExpressionId> {
        let mut known = self.narrowed.iter().rev();
        known.find(|(known, _)| known == name)?.1
    }

    /// Forgets what was taken in since there were `known` facts, but for what is not known any more.
    pub(super) fn forget(&mut self, known: usize) {
        let lost: Vec<_> = self
            .narrowed
            .drain(known.min(self.narrowed.len())..)
            .filter(|(_, class)| class.is_none())
            .collect();
        if known > 0 {
            self.narrowed.extend(lost);
        }
    }
}
