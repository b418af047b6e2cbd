//! In which scope of its file a name is bound: Python's rules of scopes.

use super::outside;
use crate::syntax::python::{BindingKind, ModuleNames, NameScopeKind, Outward, ScopeId};

/// Where a plain name is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookedUp<'n> {
    /// The name.
    pub(super) name: &'n str,
    /// From where.
    pub(super) scope: ScopeId,
    /// The place, since a class and a module read what is around them until they bind a name themselves.
    pub(super) at: usize,
    /// The end of the loop around it.
    pub(super) loop_end: usize,
}

/// The scopes that a name may be bound in.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct BindingScopes {
    /// From the inside out; more than one where it depends on what ran.
    pub(super) scopes: Vec<ScopeId>,
    /// Whether it may be none of them: built in, or brought by `*`.
    pub(super) may_be_beyond: bool,
}

/// Says whether and how a scope binds a name for one that reads it at a place.
enum Bound {
    No,
    Maybe,
    Surely,
}

/// Returns the scopes that a name which is read may be bound in.
pub(super) fn scopes_of_load(names: &ModuleNames, load: LookedUp<'_>) -> BindingScopes {
    let mut found = BindingScopes::default();
    for scope in visible(names, load.scope) {
        if let Some(home) = declared(names, scope, load.name) {
            match home {
                Some(home) => found.scopes.push(home),
                None => found.may_be_beyond = true,
            }
            return found;
        }
        match binds(names, scope, load) {
            Bound::No => {}
            Bound::Maybe => found.scopes.push(scope),
            Bound::Surely => {
                found.scopes.push(scope);
                return found;
            }
        }
    }
    found.may_be_beyond = true;
    found
}

/// Returns the scope that a name which is bound in `scope` belongs to.
pub(super) fn scope_of_store(names: &ModuleNames, scope: ScopeId, name: &str) -> ScopeId {
    declared(names, scope, name).flatten().unwrap_or(scope)
}

/// Returns the scopes that a name read in `scope` is looked up in, from the inside out.
pub(super) fn visible(names: &ModuleNames, scope: ScopeId) -> Vec<ScopeId> {
    let mut seen = Vec::new();
    // What is evaluated right in a class, its type parameters included, sees its names; functions in it do not.
    let mut sees_class = true;
    for around in names.outward(scope) {
        match names.scopes[around].kind {
            NameScopeKind::Class => {
                if sees_class {
                    seen.push(around);
                }
                sees_class = false;
            }
            NameScopeKind::TypeParameters => seen.push(around),
            NameScopeKind::Module
            | NameScopeKind::Function
            | NameScopeKind::Lambda
            | NameScopeKind::Comprehension => {
                seen.push(around);
                sees_class = false;
            }
        }
    }
    seen
}

/// Returns where a scope says that a name is another's; `Some(None)` where that is nowhere.
fn declared(names: &ModuleNames, scope: ScopeId, name: &str) -> Option<Option<ScopeId>> {
    match names.scopes[scope].names.get(name)?.outward? {
        Outward::Global => {
            let is_bound = names.scopes[0].names.contains_key(name);
            Some(is_bound.then_some(0))
        }
        Outward::Nonlocal => {
            let mut around = names.outward(scope).skip(1);
            let home = around.find(|around| {
                let around = &names.scopes[*around];
                let is_own = |name| {
                    around
                        .names
                        .get(name)
                        .is_some_and(|it| it.outward.is_none())
                };
                around.kind != NameScopeKind::Class && is_own(name)
            });
            Some(Some(home.unwrap_or(scope)))
        }
    }
}

fn binds(names: &ModuleNames, scope: ScopeId, load: LookedUp<'_>) -> Bound {
    let here = &names.scopes[scope];
    let Some(bound) = here.names.get(load.name) else {
        return Bound::No;
    };
    if bound.bindings.is_empty() {
        return Bound::No;
    }
    let depends_on_place = matches!(here.kind, NameScopeKind::Module | NameScopeKind::Class);
    if !depends_on_place || scope != load.scope {
        return Bound::Surely;
    }
    // A type that names what is bound further down is evaluated late, or never; what is built in, or comes by `*`, may be meant before.
    let is_type = load.loop_end == usize::MAX;
    let mut bindings = bound.bindings.iter();
    if is_type
        && bindings.all(|it| it.at > load.at && !it.is_conditional)
        && names.stars.is_empty()
        && !outside::is_known(&format!("builtins.{}", load.name))
    {
        return Bound::Surely;
    }
    let mut last = Bound::No;
    for binding in &bound.bindings {
        let is_deletion = matches!(binding.kind, BindingKind::Deleted);
        let is_before = binding.at <= load.at;
        if !is_before && binding.at > load.loop_end {
            continue;
        }
        last = match last {
            Bound::Surely => Bound::Surely,
            Bound::No | Bound::Maybe if is_deletion => last,
            Bound::No | Bound::Maybe if is_before && !binding.is_conditional => Bound::Surely,
            Bound::No | Bound::Maybe => Bound::Maybe,
        };
    }
    last
}
