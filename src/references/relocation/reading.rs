//! Whether a name that is read is the module's, and when it is read.

use crate::references::lookup::{LookedUp, scopes_of_load};
use crate::syntax::python::{ModuleNames, NameOccurrence, NameScopeKind, ScopeId, UsedExpression};

/// Says whether a name that is read may be the module's, or one that is beyond it.
pub(super) fn reaches_module(
    names: &ModuleNames,
    occurrence: &NameOccurrence,
    expression: usize,
) -> bool {
    let UsedExpression::Name { at, loop_end, .. } = names.expression(expression) else {
        return true;
    };
    let found = scopes_of_load(
        names,
        LookedUp {
            name: &occurrence.name,
            scope: occurrence.scope,
            at: *at,
            loop_end: *loop_end,
        },
    );
    found.may_be_beyond || found.scopes.contains(&0)
}

/// Says whether what is in a scope runs while the module is imported.
pub(super) fn is_eager(names: &ModuleNames, scope: ScopeId) -> bool {
    names.outward(scope).all(|around| {
        !matches!(
            names.scopes[around].kind,
            NameScopeKind::Function | NameScopeKind::Lambda
        )
    })
}
