//! Where a file uses what an import binds: what is read in the scope of the module, or may be.

use crate::syntax::python::{
    BindingKind, ImportStatement, ModuleNames, NameOccurrence, NameScopeKind, OccurrenceKind,
    Outward, ScopeId,
};
use crate::text::Span;

/// Returns every place where `name`, of the module's own scope, is used.
pub(super) fn uses(names: &ModuleNames, name: &str) -> Vec<Span> {
    let is_use = |occurrence: &&NameOccurrence| {
        occurrence.name == name
            && match occurrence.kind {
                OccurrenceKind::Exported => true,
                OccurrenceKind::Load { .. } => leads_to_module(names, name, occurrence.scope),
                OccurrenceKind::Store
                | OccurrenceKind::Attribute { .. }
                | OccurrenceKind::Keyword { .. }
                | OccurrenceKind::KeywordPattern { .. }
                | OccurrenceKind::Imported { .. }
                | OccurrenceKind::ModulePart
                | OccurrenceKind::Slot => false,
            }
    };
    let mut found: Vec<Span> = names
        .occurrences
        .iter()
        .filter(is_use)
        .map(|it| it.span)
        .collect();
    let bindings = names
        .scopes
        .first()
        .and_then(|module| module.names.get(name));
    let deleted = bindings.into_iter().flat_map(|bound| &bound.bindings);
    found.extend(
        deleted
            .filter(|binding| matches!(binding.kind, BindingKind::Deleted))
            .map(|binding| binding.span),
    );
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns where a name is first read while the module is imported.
pub(super) fn first_eager_use(names: &ModuleNames, name: &str) -> Option<usize> {
    let is_eager = |scope: ScopeId| {
        names.outward(scope).all(|around| {
            !matches!(
                names.scopes[around].kind,
                NameScopeKind::Function | NameScopeKind::Lambda
            )
        })
    };
    names
        .occurrences
        .iter()
        .filter(|it| it.name == name && matches!(it.kind, OccurrenceKind::Load { .. }))
        .find(|it| is_eager(it.scope))
        .map(|it| it.span.start)
}

/// Says whether `name`, read in `scope`, may be the module's.
fn leads_to_module(names: &ModuleNames, name: &str, scope: ScopeId) -> bool {
    for around in names.outward(scope) {
        let bound = names.scopes[around].names.get(name);
        let kind = names.scopes[around].kind;
        match bound {
            // A class reads the name of the module until it binds its own.
            _ if around == 0 || kind == NameScopeKind::Class => {}
            Some(bound) if bound.outward == Some(Outward::Global) => return true,
            Some(bound) if bound.outward.is_none() && !bound.bindings.is_empty() => return false,
            Some(_) | None => {}
        }
    }
    true
}

/// Returns what binds a name in the module's scope and is not `statement`, which imports one name: where it does so.
pub(super) fn other_bindings(names: &ModuleNames, statement: &ImportStatement) -> Vec<Span> {
    let Some(asked) = statement.names.first() else {
        return Vec::new();
    };
    let bound = names
        .scopes
        .first()
        .and_then(|module| module.names.get(asked.bound()));
    let is_same = |kind: &BindingKind| match (kind, &statement.from) {
        (BindingKind::Imported { from, name }, Some(own)) => from == own && *name == asked.name,
        (BindingKind::ModulePart { .. }, None) => asked.alias.is_none(),
        (BindingKind::ModuleAlias { parts }, None) => parts.join(".") == asked.name,
        // It is something until then.
        (BindingKind::Deleted, _) => true,
        _ => false,
    };
    bound
        .into_iter()
        .flat_map(|bound| &bound.bindings)
        .filter(|binding| !is_same(&binding.kind))
        .map(|binding| binding.span)
        .collect()
}
